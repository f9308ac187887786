/*
 * Properties of every contact, tried on hard ones: seven seconds a law, a minute in all
 * (scripts/prove runs it for hours).
 *
 * From the build: PROVE, the program.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <impinge/batch.h>

#define SECONDS "7"

static void check_named(const char *name) {
    char command[1024];
    snprintf(command, sizeof command, "'" PROVE "' --seconds " SECONDS " --law %s 2>&1", name);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe != NULL);
    char output[16384];
    const size_t size = fread(output, 1, sizeof output - 1, pipe);
    output[size] = '\0';
    const int status = pclose(pipe);
    cr_expect(status == 0, "%s", output);
    cr_expect(strstr(output, "prove: ") != NULL, "%s", output);
}

static void check(impinge_law law) { check_named(impinge_law_name(law)); }

Test(adversaries, routh) { check(IMPINGE_LAW_ROUTH); }
Test(adversaries, frictionless) { check(IMPINGE_LAW_FRICTIONLESS); }
Test(adversaries, whittaker) { check(IMPINGE_LAW_WHITTAKER); }
Test(adversaries, smith) { check(IMPINGE_LAW_SMITH); }
Test(adversaries, two_stage) { check(IMPINGE_LAW_TWO_STAGE); }
Test(adversaries, bilinear) { check(IMPINGE_LAW_BILINEAR); }
Test(adversaries, chatterjee_ruina) { check(IMPINGE_LAW_CHATTERJEE_RUINA); }
Test(adversaries, brach) { check(IMPINGE_LAW_BRACH); }
Test(adversaries, composite) { check(IMPINGE_LAW_COMPOSITE); }
Test(adversaries, planar) { check_named("planar"); }
Test(adversaries, region) { check_named("region"); }
