# From Google Benchmark's JSON of two commits, run in turns (files .../old-N.json and new-N.json), to a
# table: medians of Routh's law, the ratios of the medians, and the least and the greatest ratio of a
# round. Any awk.

function value_of(line) {
    sub(/^[^:]*: */, "", line)
    sub(/,? *\r?$/, "", line)
    gsub(/"/, "", line)
    return line
}

FNR == 1 {
    side = FILENAME ~ /old-[0-9]+\.json$/ ? "old" : "new"
    round = FILENAME
    sub(/.*-/, "", round)
    sub(/\.json/, "", round)
    round += 0
    if (round > rounds) rounds = round
}
/"run_name":/ {
    run = value_of($0)
    if (!(run in known)) {
        known[run] = 1
        order[++runs] = run
    }
}
/"items_per_second":/ { speed[side, run, round] = value_of($0) / 1e6 }

# The median of the n numbers of `list`, which is sorted.
function middle(list, n,    i, j, one) {
    for (i = 2; i <= n; i++) {
        one = list[i]
        for (j = i - 1; j > 0 && list[j] > one; j--) list[j + 1] = list[j]
        list[j + 1] = one
    }
    return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}

function aim_of(run) {
    if (run ~ /\/boxes$/) return run ~ /\/f32\// ? 1.35 : 1.65
    if (run ~ /\/sticking$/) return run ~ /\/f32\// ? 1.45 : 1.95
    return run ~ /\/diverging$/ ? 1 : ""
}

function tell(run,    r, n, before, after, least, most, ratio, aim) {
    for (r = 1; r <= rounds; r++) {
        if (!(("old", run, r) in speed) || !(("new", run, r) in speed)) continue
        before[++n] = speed["old", run, r]
        after[n] = speed["new", run, r]
        ratio = after[n] / before[n]
        if (n == 1 || ratio < least) least = ratio
        if (n == 1 || ratio > most) most = ratio
    }
    if (n == 0) return
    ratio = middle(after, n) / middle(before, n)
    aim = aim_of(run)
    printf "%-44s %9.3f %9.3f %7.2f  %5.2f to %5.2f%s%s\n", run, middle(before, n), middle(after, n),
           ratio, least, most, aim == "" ? "" : "  aim >= " aim,
           aim != "" && ratio < aim ? "  missed" : ""
}

END {
    printf "%-44s %9s %9s %7s  of a round\n", "million contacts/s", commit, "now", "ratio"
    for (k = 1; k <= runs; k++) tell(order[k])
}
