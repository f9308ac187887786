/*
 * The digest program on every target and under emulators of other CPUs: the same bits everywhere,
 * and no instruction that a CPU does not have.
 *
 * From the build: DIGEST, and where they could be built DIGEST_EMULATED (with AVX-512 emulated, for
 * this CPU), DIGEST_AARCH64, LANES_AARCH64 and GUARDS_AARCH64, and
 * DIGEST_I686.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/wait.h>

#include <criterion/criterion.h>

#include <impinge/status.h>

#include "targets.h"

/* Emulation is slow, most of all where a fused multiply-add is computed by integers. */
#define COUNT_NATIVE  "3001"
#define COUNT_AARCH64 "701"
#define COUNT_X86_64  "51"

/* Criterion's processes inherit what is in theirs. */
#define FORGET_TARGET "env -u IMPINGE_TARGET "

typedef struct output {
    char text[16384]; /* some 50 bytes for each of some 190 lines, and what a sanitizer may say */
    int status;       /* of exit; 128 + its number after a signal, as in a shell */
} output;

static output run(const char *format, ...) {
    char command[2048];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    cr_assert(length > 0 && (size_t)length < sizeof command);

    output out = {.status = -1};
    FILE *pipe = popen(command, "r");
    cr_assert(pipe != NULL, "cannot run: %s", command);
    const size_t size = fread(out.text, 1, sizeof out.text - 1, pipe);
    cr_assert(size < sizeof out.text - 1, "too much output: %s", command);
    out.text[size] = '\0';
    const int status = pclose(pipe);
    out.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return out;
}

/* The text behind the first line, which names the target. */
static const char *digests_of(const output *out) {
    const char *end_of_line = strchr(out->text, '\n');
    return end_of_line != NULL ? end_of_line + 1 : "";
}

static void expect_target(const output *out, const char *target) {
    char line[64];
    snprintf(line, sizeof line, "target %s\n", target);
    cr_expect(out->status == 0, "%s: status %d (132 is an illegal instruction)\n%s", target,
              out->status, out->text);
    cr_expect(strncmp(out->text, line, strlen(line)) == 0, "not on %s:\n%s", target, out->text);
}

/*
 * Viscoelastic spheres need powers: SLEEF, and on the scalar target a CPU with fused multiply-add.
 * A program that has neither prints that in these lines alone.
 */
static bool lacks_powers(const char *line, size_t length) {
    static const char name[] = "viscoelastic", end[] = " unavailable";
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    const size_t found = strlen(text);
    return strstr(text, name) != NULL && found >= strlen(end) &&
           strcmp(text + found - strlen(end), end) == 0;
}

#ifdef IMPINGE_HAVE_SLEEF
enum { BUILD_LACKS_POWERS = false };
#else
enum { BUILD_LACKS_POWERS = true };
#endif

/* The lines of `got` that differ from those of `wanted`, by name. */
static void expect_same(const output *got, const output *wanted, bool may_lack_powers) {
    const char *a = digests_of(got), *b = digests_of(wanted);
    cr_expect(*b != '\0', "no digests to compare with:\n%s", wanted->text);
    while (*a != '\0' && *b != '\0') {
        const size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
        const bool lacks = may_lack_powers && (lacks_powers(a, n) || lacks_powers(b, m));
        cr_expect(lacks || (n == m && memcmp(a, b, n) == 0), "%.*s here, %.*s on this CPU's scalar",
                  (int)n, a, (int)m, b);
        a += n + (a[n] != '\0');
        b += m + (b[m] != '\0');
    }
    cr_expect(*a == *b, "one has more lines than the other:\n%s\n%s", got->text, wanted->text);
}

static output run_scalar(const char *count) {
    const output out = run("IMPINGE_TARGET=scalar '%s' %s 2>&1", DIGEST, count);
    expect_target(&out, "scalar");
    return out;
}

static void need(const char *program) {
#if defined __SANITIZE_ADDRESS__
    skip_test("%s: skipped, it does not run programs with AddressSanitizer", program);
#endif
    char command[256];
    snprintf(command, sizeof command, "command -v %s >/dev/null", program);
    if (system(command) != 0) {
        skip_test("%s: skipped, not installed", program);
    }
}

/* True if the digest was not made since this CPU or this build does not have the target. */
static bool lacks_target(const output *out) {
    if (out->status != 2) return false;
    const char *const why = impinge_status_text(IMPINGE_ERROR_TARGET_UNAVAILABLE);
    cr_expect(strstr(out->text, why) != NULL, "%s", out->text);
    return true;
}

/* The target natively, or skipped with that sentence if this CPU or build does not have it. */
static void check_native(const char *target, const char *instead) {
    const output out = run("IMPINGE_TARGET=%s '%s' %s 2>&1", target, DIGEST, COUNT_NATIVE);
    if (lacks_target(&out)) {
        skip_test("%s: skipped, this CPU has none%s", target, instead);
    }
    const output scalar = run_scalar(COUNT_NATIVE);
    expect_target(&out, target);
    expect_same(&out, &scalar, BUILD_LACKS_POWERS);
}

Test(cross, avx2) { check_native("avx2", ""); }

Test(cross, avx512) { check_native("avx512", "; emulated source run instead"); }

Test(cross, neon) { check_native("neon", "; run under qemu-aarch64 instead"); }

Test(cross, avx512_emulated) {
#ifdef DIGEST_EMULATED
    const output scalar = run_scalar(COUNT_NATIVE);
    const output out = run("IMPINGE_TARGET=avx512 '%s' %s 2>&1", DIGEST_EMULATED, COUNT_NATIVE);
    if (lacks_target(&out)) {
        skip_test("avx512 emulated: skipped, this CPU has no AVX2");
    }
    expect_target(&out, "avx512");
    expect_same(&out, &scalar, BUILD_LACKS_POWERS);
#else
    skip_test("avx512 emulated: skipped, built without SIMDe or not for x86-64");
#endif
}

/* --- AArch64 --- */

#ifndef DIGEST_AARCH64
#define DIGEST_AARCH64 ""
#define LANES_AARCH64  ""
#define GUARDS_AARCH64 ""
#endif

static void need_aarch64(void) {
    if (*DIGEST_AARCH64 == '\0') {
        skip_test("aarch64: skipped, built without aarch64-linux-gnu-gcc");
    }
    need("qemu-aarch64");
}

Test(cross, aarch64_neon) {
    need_aarch64();
    const output scalar = run_scalar(COUNT_AARCH64);
    const output out =
        run(FORGET_TARGET "qemu-aarch64 '%s' %s 2>&1", DIGEST_AARCH64, COUNT_AARCH64);
    expect_target(&out, "neon");      /* the best it has */
    expect_same(&out, &scalar, true); /* its build goes without SLEEF */
}

Test(cross, aarch64_scalar) {
    need_aarch64();
    const output scalar = run_scalar(COUNT_AARCH64);
    const output out =
        run("IMPINGE_TARGET=scalar qemu-aarch64 '%s' %s 2>&1", DIGEST_AARCH64, COUNT_AARCH64);
    expect_target(&out, "scalar");
    expect_same(&out, &scalar, true); /* its build goes without SLEEF */
}

/* Every operation of the vocabulary, as test_lane does for this CPU's targets. */
Test(cross, aarch64_lanes) {
    need_aarch64();
    const output out = run("qemu-aarch64 '%s' 2>&1", LANES_AARCH64);
    cr_expect(out.status == 0, "status %d\n%s", out.status, out.text);
}

/* The control word is another, FPCR, and frames are others: test_environment and test_stack. */
Test(cross, aarch64_environment_and_stack, .timeout = 240) {
    need_aarch64();
    const output out = run("qemu-aarch64 '%s' --slow 4 2>&1", GUARDS_AARCH64);
    cr_expect(out.status == 0 && strstr(out.text, "2 passed") != NULL, "status %d\n%s", out.status,
              out.text);
}

Test(cross, aarch64_has_no_avx2) {
    need_aarch64();
    const output out = run("IMPINGE_TARGET=avx2 qemu-aarch64 '%s' 1 2>&1", DIGEST_AARCH64);
    cr_expect(out.status == 2, "status %d\n%s", out.status, out.text);
}

/* --- 32-bit x86 --- */

#ifndef DIGEST_I686
#define DIGEST_I686 ""
#endif

/* With SSE2's arithmetic, not the x87's: the bits of x86-64. */
static void check_i686(const char *target) {
    if (*DIGEST_I686 == '\0') {
        skip_test("i686: skipped, built without i686-linux-gnu-gcc");
    }
    need("qemu-i386");
    const output scalar = run_scalar(COUNT_X86_64);
    const output out =
        run("IMPINGE_TARGET=%s qemu-i386 -cpu max '%s' %s 2>&1", target, DIGEST_I686, COUNT_X86_64);
    expect_target(&out, target);
    expect_same(&out, &scalar, true); /* its build goes without SLEEF */
}

Test(cross, i686_scalar) { check_i686("scalar"); }

Test(cross, i686_avx2) { check_i686("avx2"); }

/* --- x86-64 CPUs of other years --- */

#ifdef __x86_64__

static void check_cpu(const char *cpu, const char *target) {
    need("qemu-x86_64");
    const output scalar = run_scalar(COUNT_X86_64);
    /* The emulator warns, harmlessly, of features of that CPU that it lacks itself. */
    const output out = run(FORGET_TARGET "qemu-x86_64 -cpu %s '%s' %s", cpu, DIGEST, COUNT_X86_64);
    expect_target(&out, target);
    expect_same(&out, &scalar, BUILD_LACKS_POWERS || strcmp(target, "scalar") == 0);
}

Test(cross, x86_64_of_2003) { check_cpu("qemu64", "scalar"); }

Test(cross, x86_64_of_2008) { check_cpu("Nehalem", "scalar"); }

/* AVX, but neither AVX2 nor FMA. */
Test(cross, x86_64_of_2011) { check_cpu("SandyBridge", "scalar"); }

Test(cross, x86_64_of_2013) { check_cpu("Haswell", "avx2"); }

/* AVX2, but an operating system that does not save its registers: XSAVE is off. */
Test(cross, x86_64_that_saves_no_wide_registers) { check_cpu("Haswell,xsave=off", "scalar"); }

/* A target that the CPU lacks is an error, not a fallback, and not a trap. */
Test(cross, x86_64_forced) {
    need("qemu-x86_64");
    const output out = run("IMPINGE_TARGET=avx2 qemu-x86_64 -cpu Nehalem '%s' 1 2>&1", DIGEST);
    cr_expect(out.status == 2, "status %d\n%s", out.status, out.text);
    cr_expect(strncmp(out.text, "digest: ", 8) == 0, "no sentence:\n%s", out.text);
}

#endif
