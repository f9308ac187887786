#include "choice.h"

#include <stdint.h>

#include "select.h"

/*
 * The number of contacts from which on a target is faster than those below it; 1 where that was not
 * measured, SIZE_MAX where it never is. In the order of impinge_target_entries.
 *
 * scripts/bench --benchmark_filter=few/ measures it on body pairs; nanoseconds a call in f32 (f64),
 * an EPYC of family 26, minima of seven runs in turns beside other programs:
 *
 *                                scalar             avx2             avx512
 *     Chatterjee and Ruina, 1      480 (790)         816 (1,079)    1,316 (1,572)
 *                           2    1,100 (1,389)       899 (1,156)    1,324 (1,557)
 *                           8    3,418 (4,046)     1,072 (1,217)    1,353 (1,695)
 *                          12    4,778 (5,757)     1,031 (2,046)    1,299 (1,659)
 *                          48   17,545 (20,553)    1,278 (2,794)    1,410 (2,260)
 *                          64   23,116 (27,267)    1,661 (3,656)    1,368 (2,645)
 *     Smith,                1    1,386 (2,224)     1,871 (2,586)    2,181 (3,050)
 *                           2    2,786 (4,375)     2,436 (3,477)    2,575 (3,702)
 *                           8    9,627 (15,303)    3,185 (4,519)    3,111 (4,918)
 *                          12   14,110 (23,022)    3,126 (8,083)    3,165 (4,942)
 *     Routh,                1    1,868 (3,500)     1,717 (2,614)    1,614 (2,469)
 *                           8   12,796 (26,364)    4,748 (9,329)    3,599 (5,829)
 *
 * One of family 25, which computes with halves of AVX-512's registers, medians of nine runs in
 * random order:
 *
 *                                                    avx2             avx512
 *     Chatterjee and Ruina, 8                      1,250 (1,567)    1,369 (2,003)
 *                          16                      1,064 (2,434)    1,310 (2,079)
 *                          48                      1,502 (4,204)    1,868 (3,380)
 *                          64                      1,916 (5,412)    1,734 (4,006)
 *     Smith,                8                      3,858 (5,612)    5,354 (8,439)
 *                          16                      3,938 (10,541)   5,536 (8,770)
 *                          32                      6,780 (18,891)   5,431 (15,605)
 *     Routh,                1                      2,118 (2,809)    2,204 (3,098)
 *                           2                      2,722 (3,931)    2,768 (4,074)
 *
 * A Xeon of family 6, model 207, medians of nine runs in random order beside other programs; f32,
 * and (f64) of a whole run on an idle machine:
 *
 *                                scalar             avx2             avx512
 *     Chatterjee and Ruina, 1      863 (1,173)       724 (1,146)      840 (1,223)
 *                           8    6,851 (5,569)       694 (1,143)    1,095 (1,359)
 *                          16    9,874 (10,492)      889 (1,623)      923 (1,413)
 *                          32   20,674 (20,642)    1,170 (2,646)      776 (1,880)
 *                          48   28,998 (31,449)    2,354 (3,763)    1,415 (2,498)
 *     Smith,                1    2,960 (3,235)     2,444 (4,017)    3,416 (6,298)
 *                           8   16,398 (22,220)    4,577 (7,330)    6,843 (12,145)
 *                          12   30,478 (33,718)    4,883 (13,563)   6,661 (12,367)
 *                          32   81,890 (88,967)    8,805 (27,584)   6,737 (24,957)
 *     Routh,                1    3,452 (9,417)     2,165 (3,135)    1,820 (2,698)
 *                           8   27,029 (70,987)    7,230 (10,579)   4,716 (7,786)
 *
 * AVX2 takes 16 contacts at once in f32, 8 in f64, and AVX-512 twice as many. So AVX-512 is used
 * from one contact more than fills the last vector at which AVX2 was as fast. On other CPUs than
 * Intel's, by Routh's law one
 * contact at a time of a sequence takes 5,476 (7,779) with AVX2 and 5,352 (7,018) with AVX-512, as
 * those contacts differ: so AVX2 is for single ones in f32 alone.
 *
 * Pairs of particles, gathered number by number from columns (particles/...-resolve), nanoseconds a
 * pair, 3,000 spheres: AVX2 6.1 (7.9), AVX-512 7.7 to 9.6 (6.0). In f32 32 indices do not fit into
 * registers. Gathering 16 numbers by two halves, or by instructions, was no faster.
 */
static const size_t fewest[][IMPINGE_TARGET_COUNT][IMPINGE_CALL_KINDS][2] = {
    [IMPINGE_CPU_INTEL] =
        {
            /* f32 and f64: closed forms, equations, integrals, gathering */
            {{17, 9}, {17, 9}, {1, 1}, {SIZE_MAX, 1}}, /* avx512 */
            {{1, 2}, {2, 2}, {1, 1}, {1, 1}},          /* avx2 */
            {{1, 1}, {1, 1}, {1, 1}, {1, 1}},          /* neon */
            {{0, 0}, {0, 0}, {0, 0}, {0, 0}},          /* scalar */
        },
    [IMPINGE_CPU_OTHER] =
        {
            {{49, 9}, {17, 9}, {2, 1}, {SIZE_MAX, 1}}, /* avx512 */
            {{2, 2}, {2, 2}, {1, 1}, {1, 1}},          /* avx2 */
            {{1, 1}, {1, 1}, {1, 1}, {1, 1}},          /* neon */
            {{0, 0}, {0, 0}, {0, 0}, {0, 0}},          /* scalar */
        },
};
_Static_assert(IMPINGE_TARGET_COUNT == 4, "a row for each target");

void impinge_choices_among(unsigned runs, impinge_cpu_maker maker, impinge_call_kind kind,
                           unsigned bits, impinge_choice choices[IMPINGE_TARGET_COUNT]) {
    const unsigned scalar = 1u << (IMPINGE_TARGET_COUNT - 1);
    size_t count = 0;
    for (size_t i = 0; i < IMPINGE_TARGET_COUNT; i++) {
        if (!(runs >> i & 1)) continue;
        size_t from = fewest[maker][i][kind][bits == 64];
        /*
         * SIZE_MAX means that another vector target is faster. If only scalar runs besides, this
         * target is used.
         */
        if (from == SIZE_MAX && (runs >> i) == (scalar >> i | 1)) from = 1;
        choices[count++] = (impinge_choice){from, &impinge_target_entries[i]};
    }
}

impinge_status impinge_choices(impinge_call_kind kind, unsigned bits,
                               impinge_choice choices[IMPINGE_TARGET_COUNT]) {
    impinge_selected_target selection;
    const impinge_status status = impinge_select_target(&selection);
    if (status != IMPINGE_OK) return status;
    if (selection.is_forced)
        choices[0] = (impinge_choice){0, selection.target};
    else
        impinge_choices_among(selection.runs, selection.maker, kind, bits, choices);
    return IMPINGE_OK;
}
