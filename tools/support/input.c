#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "fail.h"

struct input {
    const char *name;
    /* For text that is made; null: it comes from a file. */
    made_text *made;
    bool (*made_more)(void *context);
    void (*made_close)(void *context);
    void *context;
    int file;
    double size, taken; /* bytes of the file; NaN: its size is not known */
    bool begun;
    bool packed;
#ifdef HAVE_ZLIB
    z_stream stream;
    unsigned char *raw; /* packed bytes */
    bool inside;        /* a member of the archive has begun and not ended */
#endif
};

/* Reads once, and starts again if interrupted. */
static size_t read_file(input *of, void *to, size_t size) {
    ssize_t got;
    do {
        got = read(of->file, to, size);
    } while (got < 0 && errno == EINTR);
    if (got < 0) fail("cannot read %s: %s", of->name, strerror(errno));
    of->taken += (double)got;
    return (size_t)got;
}

#ifdef HAVE_ZLIB
enum { RAW_SIZE = 1 << 17 };

/* Bits of the window, and 16 for gzip's header and checksum. */
enum { GZIP_WINDOW = 15 + 16 };

static void begin_unpacking(input *of, const char *bytes, size_t count) {
    of->packed = true;
    of->raw = allocate(RAW_SIZE, 1);
    memcpy(of->raw, bytes, count);
    of->stream.next_in = of->raw;
    of->stream.avail_in = (uInt)count;
    if (inflateInit2(&of->stream, GZIP_WINDOW) != Z_OK) fail("not enough memory");
}

/* An archive may have several members, one after the other. */
static void unpack_some(input *of) {
    const int code = inflate(&of->stream, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        fail("cannot read %s: it is gzip'd and damaged", of->name);
    of->inside = code != Z_STREAM_END;
    if (code == Z_STREAM_END) inflateReset(&of->stream);
}

static size_t unpack(input *of, char *to, size_t size) {
    z_stream *stream = &of->stream;
    const uInt room = size < RAW_SIZE ? (uInt)size : RAW_SIZE;
    stream->next_out = (Bytef *)to;
    stream->avail_out = room;
    while (stream->avail_out == room) {
        if (stream->avail_in == 0) {
            stream->next_in = of->raw;
            stream->avail_in = (uInt)read_file(of, of->raw, RAW_SIZE);
            if (stream->avail_in == 0) {
                if (of->inside) fail("cannot read %s: it is gzip'd and ends too early", of->name);
                return 0;
            }
        }
        unpack_some(of);
    }
    return room - stream->avail_out;
}

static void end_unpacking(input *of) {
    if (of->packed) inflateEnd(&of->stream);
    free(of->raw);
}
#else
static size_t unpack(input *of, char *to, size_t size) { return read_file(of, to, size); }

static void end_unpacking(input *of) { (void)of; }
#endif

/* The first bytes show whether the file is packed. */
static size_t read_first(input *of, char *to, size_t size) {
    char first[2];
    size_t count = 0;
    of->begun = true;
    for (size_t got = 1; count < sizeof first && got; count += got)
        got = read_file(of, first + count, sizeof first - count);
#ifdef HAVE_ZLIB
    if (count == 2 && !memcmp(first, "\x1F\x8B", 2)) {
        begin_unpacking(of, first, count);
        return unpack(of, to, size);
    }
#endif
    count = count < size ? count : size;
    memcpy(to, first, count);
    return count;
}

static size_t read_made(input *of, char *to, size_t size) {
    made_text *const made = of->made;
    size_t given = 0;
    while (given < size && (made->begin < made->end || of->made_more(of->context))) {
        const size_t rest = made->end - made->begin;
        const size_t count = rest < size - given ? rest : size - given;
        memcpy(to + given, made->text + made->begin, count);
        made->begin += count;
        given += count;
    }
    return given;
}

size_t input_read(input *of, char *to, size_t size) {
    if (of->made) return read_made(of, to, size);
    if (!of->begun) return read_first(of, to, size);
    return of->packed ? unpack(of, to, size) : read_file(of, to, size);
}

double input_share(const input *of) { return of->taken / of->size; }

input *input_open(const char *path) {
    input *made = allocate(1, sizeof *made);
    const bool standard = strcmp(path, "-") == 0;
    made->name = standard ? "<stdin>" : path;
    made->file = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY);
    if (made->file < 0) fail("cannot open %s: %s", made->name, strerror(errno));
    struct stat status;
    const bool sized = !fstat(made->file, &status) && S_ISREG(status.st_mode) && status.st_size > 0;
    made->size = sized ? (double)status.st_size : (double)NAN;
    return made;
}

input *input_made(const char *name, made_text *text, bool (*more)(void *context),
                  void (*close)(void *context), void *context) {
    input *made = allocate(1, sizeof *made);
    *made = (input){.name = name,
                    .made = text,
                    .made_more = more,
                    .made_close = close,
                    .context = context,
                    .size = (double)NAN};
    return made;
}

void input_close(input *of) {
    if (of->made) {
        of->made_close(of->context);
    } else {
        end_unpacking(of);
        close(of->file);
    }
    free(of);
}

const char *input_name(const input *of) { return of->name; }
