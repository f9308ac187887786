# From the benchmark's list of names and Google Benchmark's JSON, one field a line, to tables of
# medians and ratios. The list comes first and gives the order: runs are in a random one. Any awk.

function value_of(line) {
    sub(/^[^:]*: */, "", line)
    sub(/,? *\r?$/, "", line)
    gsub(/"/, "", line)
    return line
}

function key_of(line) {
    sub(/^ *"/, "", line)
    sub(/".*/, "", line)
    return line
}

# Remembers the order in which names of a kind come.
function remember(kind, name) {
    if ((kind, name) in place) return
    place[kind, name] = ++count[kind]
    names[kind, count[kind]] = name
}

function remember_parts(name,    parts) {
    if (split(name, parts, "/") != 5 || parts[1] != "resolve") return
    remember("rule", parts[2])
    remember("precision", parts[3])
    remember("target", parts[4])
    remember("set", parts[5])
}

/^resolve\// { remember_parts($0) }
/"run_name":/ { run = value_of($0); aggregate = "" }
/"aggregate_name":/ { aggregate = value_of($0) }
aggregate == "median" && /_per_second":|"occupancy":|"steps":|"error_/ {
    median[run, key_of($0)] = value_of($0) + 0
    measured_any = 1
}

function resolve(rule, precision, target, set) {
    return "resolve/" rule "/" precision "/" target "/" set
}

# In a column of 11; a dash if it was not measured.
function cell(run, what, unit, format) {
    if (!((run, what) in median)) return sprintf("%11s", "-")
    return sprintf("%11s", sprintf(format, median[run, what] / unit))
}

function heading(title,    p, t, above, below) {
    above = sprintf("%-22s", "")
    below = sprintf("%-22s", title)
    for (p = 1; p <= count["precision"]; p++)
        for (t = 1; t <= count["target"]; t++) {
            above = above sprintf("%11s", t == 1 ? names["precision", p] : "")
            below = below sprintf("%11s", names["target", t])
        }
    print above
    print below
}

function row(rule, set, what, unit, format,    p, t, line) {
    line = sprintf("%-22s", set (rule == "routh-stronge" ? "" : ", " substr(rule, 7)))
    for (p = 1; p <= count["precision"]; p++)
        for (t = 1; t <= count["target"]; t++)
            line = line cell(resolve(rule, names["precision", p], names["target", t], set), what,
                             unit, format)
    print line
}

function table(title, what, unit, format, rules,    r, s) {
    print ""
    heading(title)
    for (r = 1; r <= rules && r <= count["rule"]; r++)
        for (s = 1; s <= count["set"]; s++)
            if (r == 1 || names["set", s] == "boxes")
                row(names["rule", r], names["set", s], what, unit, format)
}

# One of the ratios that were aimed at.
function ratio(title, over, under, aim,    measured) {
    if (!((over, "items_per_second") in median) || !((under, "items_per_second") in median)) {
        printf "%-44s %10s   aim >= %s\n", title, "-", aim
        return
    }
    measured = median[over, "items_per_second"] / median[under, "items_per_second"]
    printf "%-44s %10.2f   aim >= %s%s\n", title, measured, aim, measured < aim ? "  missed" : ""
}

function boxes(precision, target) { return resolve("routh-stronge", precision, target, "boxes") }

function machine(    p, t, run) {
    print ""
    print "One core of this machine"
    for (p = 1; p <= count["precision"]; p++)
        for (t = 1; t <= count["target"]; t++) {
            run = "peak/fma/" names["precision", p] "/" names["target", t]
            if ((run, "flops_per_second") in median)
                printf "  multiply-adds, %s %-12s %8.1f Gflop/s\n", names["precision", p],
                       names["target", t], median[run, "flops_per_second"] / 1e9
        }
    printf "  memory, a = b + s c            %8.1f GB/s\n",
           median["triad/f32", "bytes_per_second"] / 1e9
}

function peer(title, run) {
    printf "%-44s %10.3g contacts/s, mean error %.1e\n", title, median[run, "items_per_second"],
           median[run, "error_mean"]
}

END {
    if (!measured_any) {
        print "There is nothing measured in these files." > "/dev/stderr"
        exit 1
    }
    euler = "euler/f64/1e-6/boxes"
    table("million contacts/s", "items_per_second", 1e6, "%.3f", 3)
    table("occupancy of lanes, %", "occupancy", 0.01, "%.1f", 1)
    table("steps a contact", "steps", 1, "%.2f", 1)
    machine()
    print ""
    peer("Euler, random boxes", euler)
    peer("the reference in double, random boxes", "reference/f64/boxes")
    peer("f32, random boxes, best target", boxes("f32", names["target", 1]))
    print ""
    ratio("f32: avx2 over scalar-fma, random boxes", boxes("f32", "avx2"),
          boxes("f32", "scalar-fma"), 6)
    ratio("f64: avx2 over scalar-fma, random boxes", boxes("f64", "avx2"),
          boxes("f64", "scalar-fma"), 3)
    ratio("f32: avx512 over avx2, random boxes", boxes("f32", "avx512"), boxes("f32", "avx2"), 1.4)
    ratio("f32: avx2 over Euler, random boxes", boxes("f32", "avx2"), euler, 300)
}
