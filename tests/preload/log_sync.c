/*
 * Stands before the C library (LD_PRELOAD) and writes down, in the file that LOG_SYNC names, which
 * calls a program makes to get a file onto the disk and under its name: "fsync BYTES", with the
 * file's length at that moment, and "rename TO". Then it makes the call. With FAIL_SYNC it fails
 * instead, as a disk may.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void note(const char *what, const char *of) {
    const char *path = getenv("LOG_SYNC");
    FILE *log = path ? fopen(path, "a") : NULL;
    if (!log) return;
    fprintf(log, "%s %s\n", what, of);
    fclose(log);
}

int fsync(int file) {
    int (*next)(int);
    *(void **)&next = dlsym(RTLD_NEXT, "fsync");
    struct stat status;
    char bytes[32] = "?";
    if (!fstat(file, &status)) snprintf(bytes, sizeof bytes, "%lld", (long long)status.st_size);
    note("fsync", bytes);
    if (getenv("FAIL_SYNC")) {
        errno = EIO;
        return -1;
    }
    return next(file);
}

int rename(const char *from, const char *to) {
    int (*next)(const char *, const char *);
    *(void **)&next = dlsym(RTLD_NEXT, "rename");
    note("rename", to);
    return next(from, to);
}
