# From Google Benchmark's JSON of two commits, run in turns (files .../old-N.json and new-N.json), and
# lines of bench/mechanisms_before.c (old-N.txt and new-N.txt) to a table: medians of Routh's law and of
# mechanisms, the ratios of the medians, and the least and the greatest ratio of a round. bench/earlier_aims.awk comes first. Any awk.

function value_of(line) {
    sub(/^[^:]*: */, "", line)
    sub(/,? *\r?$/, "", line)
    gsub(/"/, "", line)
    return line
}

FNR == 1 {
    side = FILENAME ~ /old-[0-9]+\.[a-z]+$/ ? "old" : "new"
    round = FILENAME
    sub(/.*-/, "", round)
    sub(/\..*/, "", round)
    round += 0
    if (round > rounds) rounds = round
}
function meet(name) {
    run = name
    if (run in known) return
    known[run] = 1
    order[++runs] = run
}

/"run_name":/ { meet(value_of($0)) }
/^mechanisms\// {
    meet($1)
    speed[side, run, round] = 1e3 / $2
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
    aim = earlier_aim(run)
    printf "%-44s %9.3f %9.3f %7.2f  %5.2f to %5.2f%s%s\n", run, middle(before, n), middle(after, n),
           ratio, least, most, aim == "" ? "" : "  aim >= " aim,
           aim != "" && ratio < aim ? "  missed" : ""
}

END {
    printf "%-44s %9s %9s %7s  of a round\n", "million contacts/s", commit, "now", "ratio"
    for (k = 1; k <= runs; k++) tell(order[k])
}
