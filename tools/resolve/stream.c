#include "stream.h"

#include <math.h>
#include <pthread.h>

#include "save.h"
#include "support/fail.h"
#include "support/output.h"
#include "support/progress.h"
#include "support/team.h"

/* Rows that are resolved at once: with all their numbers they stay in the second cache. */
enum { ROWS = 1024 };

/* State that the threads share. */
typedef struct stream {
    csv_file *from;
    const stream_request *by;
    pthread_mutex_t reading; /* around `from` and `taken` */
    size_t taken;            /* blocks that have been read */
    pthread_mutex_t writing; /* around the rest */
    pthread_cond_t turn;
    size_t written; /* blocks that have been written */
    stream_summary sum;
} stream;

/* One thread's. */
typedef struct worker {
    csv_block block;
    size_t number; /* of the block */
    double share;  /* of the file, that was read with the block; NaN: not known */
    loaded rows;
    text text;            /* either */
    column_block columns; /* or */
    stream_summary sum;   /* of the block */
} worker;

static bool read_block(stream *of, worker *to) {
    pthread_mutex_lock(&of->reading);
    const bool got = csv_next_block(of->from, &to->block);
    to->number = of->taken;
    of->taken += got;
    to->share = csv_share(of->from); /* here, where no other thread reads on */
    pthread_mutex_unlock(&of->reading);
    return got;
}

/* Waits until all blocks before this one have been written. */
static void await_turn(stream *of, size_t number) {
    pthread_mutex_lock(&of->writing);
    while (of->written != number)
        pthread_cond_wait(&of->turn, &of->writing);
}

static void end_turn(stream *of) {
    of->written++;
    pthread_cond_broadcast(&of->turn);
    pthread_mutex_unlock(&of->writing);
}

static void count_outcomes(const loaded *rows, stream_summary *sum) {
    sum->contacts += rows->contacts.count;
    for (size_t i = 0; i < rows->contacts.count; i++) {
        uint32_t left = rows->contacts.outcomes[i];
        for (size_t bit = 0; left; bit++, left >>= 1) {
            stream_count *of = &sum->outcomes[bit];
            if (!(left & 1)) continue;
            if (!of->count++) of->first_line = rows->rows[i].line;
        }
    }
}

static void add_summary(stream_summary *to, const stream_summary *more) {
    to->contacts += more->contacts;
    for (size_t bit = 0; bit < OUTCOME_BITS; bit++) {
        if (!to->outcomes[bit].count) to->outcomes[bit].first_line = more->outcomes[bit].first_line;
        to->outcomes[bit].count += more->outcomes[bit].count;
    }
    verification_add(&to->verified, &more->verified);
}

/* Some rows of a block. */
static void resolve_rows(const stream *of, worker *me) {
    const stream_request *by = of->by;
    batch *contacts = &me->rows.contacts;
    const impinge_status status = batch_resolve(contacts, by->options, 0, contacts->count);
    if (status < 0) fail("%s", impinge_status_text(status));
    if (by->verify_every) {
        const verify_rows which = {.first = me->block.first_row + me->sum.contacts,
                                   .every = by->verify_every,
                                   .rows = me->rows.rows};
        const verification found = verify_batch(contacts, by->options, &which);
        verification_add(&me->sum.verified, &found);
    }
    if (by->columns_to)
        columns_add(by->plan, me->rows.rows, contacts, &me->columns);
    else
        save_rows(by->plan->names, me->rows.rows, contacts, &me->text);
    count_outcomes(&me->rows, &me->sum);
}

static void resolve_block(stream *of, worker *me) {
    csv_cursor at = csv_begin(&me->block);
    me->sum = (stream_summary){0};
    me->text.length = 0;
    me->columns.rows = 0;
    while (at.at < at.end) {
        load_fault found;
        me->rows.contacts.count = 0;
        if (!load_rows(of->by->plan, &at, &me->rows, &found)) {
            /* Only the first error of the table is reported. */
            await_turn(of, me->number);
            load_fail(of->by->plan, &found);
        }
        resolve_rows(of, me);
    }
}

static void write_block(const stream_request *by, const worker *me) {
    if (by->columns_to) {
        hdf5_append(by->columns_to, &me->columns);
    } else {
        output_write((span){me->text.bytes, me->text.length});
        output_flush();
    }
}

static void show_progress(const stream *of, double share) {
    if (isnan(share))
        progress_line("resolved %zu contacts", of->sum.contacts);
    else
        progress_line("resolved %zu contacts, %.0f %% of the file", of->sum.contacts, 100 * share);
}

static void work(void *context, size_t part, size_t first, size_t count) {
    (void)part;
    (void)first;
    (void)count;
    stream *of = context;
    worker me = {.rows = loaded_allocate(of->by->plan, ROWS, true)};
    hdf5_output *to = of->by->columns_to;
    if (to) me.columns = columns_allocate(hdf5_kinds(to), hdf5_count(to));
    while (read_block(of, &me)) {
        resolve_block(of, &me);
        await_turn(of, me.number);
        write_block(of->by, &me);
        add_summary(&of->sum, &me.sum);
        show_progress(of, me.share);
        end_turn(of);
    }
    loaded_free(&me.rows);
    csv_block_free(&me.block);
    text_free(&me.text);
    columns_free(&me.columns);
}

static void write_header(const load_plan *of) {
    text header = {.length = 0};
    save_header(of->names, of->format, &header);
    output_write((span){header.bytes, header.length});
    text_free(&header);
}

stream_summary stream_resolve(csv_file *from, const stream_request *by) {
    stream all = {.from = from, .by = by};
    if (!by->columns_to) write_header(by->plan);
    pthread_mutex_init(&all.reading, NULL);
    pthread_mutex_init(&all.writing, NULL);
    pthread_cond_init(&all.turn, NULL);
    team *members = team_start(by->threads);
    team_run(members, team_size(members), 1, work, &all);
    team_stop(members);
    pthread_cond_destroy(&all.turn);
    pthread_mutex_destroy(&all.writing);
    pthread_mutex_destroy(&all.reading);
    if (by->columns_to) hdf5_finish(by->columns_to);
    return all.sum;
}
