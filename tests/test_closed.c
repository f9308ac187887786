/*
 * The laws in closed form over batches that outgrow the caches, whose outputs are written past them
 * where a target can: the same bits as piece by piece, wherever in a line the outputs begin, and
 * with contacts among them that are not ordinary.
 */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "batches.h"
#include "law_adversaries.h"
#include "random_contacts.h"
#include "targets.h"

/* In f32 and f64, more than are kept in a cache (kernels/closed.c), and not whole lines. */
#define MANY_F32 450007
#define MANY_F64 250003
#define PIECE    1000
/* Not a multiple of any width. */
#define FEW   37
#define DRAWN 4999

static const impinge_law laws[] = {IMPINGE_LAW_FRICTIONLESS, IMPINGE_LAW_CHATTERJEE_RUINA,
                                   IMPINGE_LAW_BRACH};

/* One in a hundred is of any kind, valid or not. */
static void draw_row(uint64_t *state, double row[CONTACT_INPUTS]) {
    const bool odd = random_below(state, 100) == 0;
    const random_kind kind = odd ? (random_kind)random_below(state, RANDOM_KINDS) : RANDOM_BOXES;
    random_contact(state, kind, 40, row);
}

#define REAL       float
#define NAME(name) name##_f32
#define MANY       MANY_F32
#include "test_closed_real.inc"
#undef MANY
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#define MANY       MANY_F64
#include "test_closed_real.inc"

Test(closed, past_the_caches_f32, .timeout = 600) { for_each_target(check_many_f32, NULL); }
Test(closed, past_the_caches_f64, .timeout = 600) { for_each_target(check_many_f64, NULL); }
Test(closed, one_left_out_f32) { for_each_target(check_one_left_out_f32, NULL); }
Test(closed, one_left_out_f64) { for_each_target(check_one_left_out_f64, NULL); }
