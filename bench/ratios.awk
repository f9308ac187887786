# From the benchmark's list of names, Google Benchmark's JSON, one field a line, and what
# bench/against.awk and bench/lammps.awk print, to tables of medians and ratios. The list comes first
# and gives the order: runs are in a random one. Lines under a heading of two # are what
# bench/aims.awk makes tables of. bench/earlier_aims.awk comes first. Any awk.

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
    remember("precision", parts[3])
    remember("target", parts[4])
    remember(parts[2] ~ /^routh-/ ? "routh" : "law", parts[2] "/" parts[5])
}

# Of the earlier commit's run: million contacts a second before and now, and their ratio.
NF > 3 && $1 ~ /\// && $4 ~ /^[0-9.]+$/ { over_before[$1] = $4; next }
# Seconds of a pour: after its step, in s.
function pour_of(line) {
    sub(/.*h [0-9.e-]+ s +/, "", line)
    return line + 0
}
/own step, f(32|64), h / { pour[substr($4, 1, 3)] = pour_of($0); next }
/LAMMPS gran\/hooke\/history, kn / { pour["hooke"] = pour_of($0); next }
/LAMMPS with fix impinge, h / { pour["impinge"] = pour_of($0); next }
$1 == "Impinge" && $NF == "x" { over_lammps[$2, $3] = $(NF - 1); next }

/^resolve\// { remember_parts($0) }
/^[a-z-]+\/[^ ]*$/ {
    kernel = kernel_of($0)
    if (found_target != "" && found_target != "scalar-fma") remember("kernel", kernel)
}
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
    above = sprintf("%-28s", "")
    below = sprintf("%-28s", title)
    for (p = 1; p <= count["precision"]; p++)
        for (t = 1; t <= count["target"]; t++) {
            above = above sprintf("%11s", t == 1 ? names["precision", p] : "")
            below = below sprintf("%11s", names["target", t])
        }
    print ""
    print above
    print below
}

# The law and the set; of what most rows are, only the set.
function label(rule, set) {
    if (rule == "routh-stronge") return set
    if (rule ~ /^routh-/) return set ", " substr(rule, 7)
    return rule ", " set
}

function row(rule, set, what, unit, format,    p, t, line) {
    line = sprintf("%-28s", label(rule, set))
    for (p = 1; p <= count["precision"]; p++)
        for (t = 1; t <= count["target"]; t++)
            line = line cell(resolve(rule, names["precision", p], names["target", t], set), what,
                             unit, format)
    print line
}

# The rows of a kind ("routh" or "law") whose law and set look like `pattern`.
function table(title, kind, pattern, what, unit, format,    r, parts) {
    heading(title)
    for (r = 1; r <= count[kind]; r++) {
        if (names[kind, r] !~ pattern) continue
        split(names[kind, r], parts, "/")
        row(parts[1], parts[2], what, unit, format)
    }
}

# A row of the table that bench/aims.awk makes of these lines: "precision target: what", or another
# title. `aim` is empty where nothing was aimed at. Digits that `format` leaves out count, too.
function row_of_aims(title, measured, format, unit, aim, is_most,    aimed) {
    aimed = aim == "" ? "" : (is_most ? "  aim <= " : "  aim >= ") aim
    if (measured != "" && aim != "" && (is_most ? measured + 0 > aim + 0 : measured + 0 < aim + 0))
        aimed = aimed "  missed"
    printf "%-76s %10s %-6s%s\n", title, measured == "" ? "-" : sprintf(format, measured), unit, aimed
}

# A ratio of `what` of a second.
function ratio(title, over, under, aim, what,    measured) {
    if ((over, what) in median && (under, what) in median)
        measured = median[over, what] / median[under, what]
    row_of_aims(title, measured, "%.2f", "", aim)
}

# Mechanisms of 7 and of 32 coordinates, contacts without friction, over a plain loop.
function mechanisms(precision,    t, target, k, begin, sizes) {
    split("7 32", sizes, " ")
    begin = "mechanisms/" precision "/"
    for (t = 1; t <= count["target"]; t++) {
        target = names["target", t]
        if (!is_vector(target)) continue
        for (k = 1; k <= 2; k++)
            speed_ratio(precision " " target ": mechanisms of " sizes[k] ", over a plain loop",
                        begin target "/frictionless/" sizes[k],
                        begin "plain/frictionless/" sizes[k], "")
    }
}

function speed_ratio(title, over, under, aim) {
    ratio(title, over, under, aim, "items_per_second")
}

# What is measured in a unit of its own, with an aim that is a least or a most value.
function value(title, measured, unit, aim, is_most) {
    row_of_aims(title, measured, measured + 0 < 1000 ? "%.3g" : "%.0f", unit, aim, is_most)
}

# Millions a second, and nanoseconds of one item; nothing if it was not measured.
function millions(run) {
    return (run, "items_per_second") in median ? median[run, "items_per_second"] / 1e6 : ""
}
function nanoseconds(run) {
    return (run, "items_per_second") in median ? 1e9 / median[run, "items_per_second"] : ""
}

function is_vector(target) { return target != "scalar" && target != "scalar-fma" }

# A heading of rows for bench/aims.awk.
function section(title) {
    print ""
    print "## " title
}

# Of a law on a set: lanes over one lane.
function lanes_ratio(title, law, precision, set, aim) {
    speed_ratio(precision " avx2: " title ", over one lane", resolve(law, precision, "avx2", set),
                resolve(law, precision, "scalar-fma", set), aim)
}

# ---- Routh's law ----

function routh_speeds(    r, p, t, parts, title) {
    for (r = 1; r <= count["routh"]; r++) {
        split(names["routh", r], parts, "/")
        title = parts[2] (parts[1] == "routh-stronge" ? "" : ", " substr(parts[1], 7))
        for (p = 1; p <= count["precision"]; p++)
            for (t = 1; t <= count["target"]; t++)
                if (is_vector(names["target", t]))
                    value(names["precision", p] " " names["target", t] ": " title,
                          millions(resolve(parts[1], names["precision", p], names["target", t],
                                           parts[2])), "M/s", "")
    }
}

# What the earlier commit did in turns with this one; `run` has PRECISION and TARGET in their places.
function before_ratio(title, run, precision,    t, name) {
    for (t = 1; t <= count["target"]; t++) {
        if (!is_vector(names["target", t])) continue
        name = run
        sub(/PRECISION/, precision, name)
        sub(/TARGET/, names["target", t], name)
        row_of_aims(precision " " names["target", t] ": " title ", over " before,
                    name in over_before ? over_before[name] : "", "%s", "", earlier_aim(name))
    }
}

function over_earlier(    sets, i, n, run) {
    n = split("boxes sliding sticking diverging spheres_pour separating", sets, " ")
    for (i = 1; i <= n; i++) {
        run = "resolve/routh-stronge/PRECISION/TARGET/" sets[i]
        before_ratio(sets[i], run, "f32")
        before_ratio(sets[i], run, "f64")
    }
    before_ratio("mechanisms of 32, closed form", "mechanisms/chatterjee-ruina/PRECISION/TARGET/32",
                 "f64")
    if (!before_measured())
        print "not measured over " before ", as git does not have it: scripts/bench --against " before
}

function before_measured(    run) {
    for (run in over_before) return 1
    return 0
}

# ---- Laws in closed form ----

# The bilinear law needs spheres.
function closed_set(law, set) { return set (law == "bilinear" ? "-spheres" : "") }

# Over as many columns without arithmetic, written as the target writes them beyond the caches.
function memory_ratio(law, impulses_alone, target, stores,    set, columns) {
    set = closed_set(law, "memory") (impulses_alone ? "-p" : "")
    columns = law == "frictionless" ? 10 : law == "brach" ? 13 : 12
    columns = columns "-in-" (impulses_alone ? 4 : 10) "-out"
    ratio("f32 " target ": " law ", memory, " (impulses_alone ? "impulses alone, " : "") "over a stream",
          resolve(law, "f32", target, set), "columns/f32/" columns "/" stores, 0.85,
          "bytes_per_second")
}

function closed_forms(    i, laws, n, narrow, wide) {
    n = split("frictionless bilinear chatterjee-ruina brach", laws, " ")
    split("480 270 210 230", narrow, " ")
    split("770 450 340 365", wide, " ")
    for (i = 1; i <= n; i++) {
        value("f32 avx2: " laws[i] ", first cache",
              millions(resolve(laws[i], "f32", "avx2", closed_set(laws[i], "l1"))), "M/s", narrow[i])
        value("f32 avx512: " laws[i] ", first cache",
              millions(resolve(laws[i], "f32", "avx512", closed_set(laws[i], "l1"))), "M/s", wide[i])
    }
    for (i = 1; i <= n; i++)
        lanes_ratio(laws[i], laws[i], "f32", closed_set(laws[i], "l1"), 6)
    for (i = 0; i < 2 * n; i++) {
        memory_ratio(laws[i % n + 1], i >= n, "avx2", "ordinary")
        memory_ratio(laws[i % n + 1], i >= n, "avx512", "streaming")
    }
    streams(10)
    streams(4)
}

# What the ratios above are over: the streams without arithmetic, written as the targets write.
function streams(out,    i, n, in_of) {
    n = split("10 12 13", in_of, " ")
    for (i = 1; i <= n; i++) {
        stream_row("avx2", in_of[i], out, "ordinary")
        stream_row("avx512", in_of[i], out, "streaming")
    }
}

function stream_row(target, in_count, out, stores,    run) {
    run = "columns/f32/" in_count "-in-" out "-out/" stores
    value("f32 " target ": a stream of " in_count " columns in and " out " out",
          (run, "bytes_per_second") in median ? median[run, "bytes_per_second"] / 1e9 : "", "GB/s", "")
}

function equations(    i, laws, n) {
    n = split("whittaker smith two-stage", laws, " ")
    for (i = 1; i <= n; i++)
        lanes_ratio(laws[i], laws[i], "f32", "boxes", 4)
}

function boxes(precision, target) { return resolve("routh-stronge", precision, target, "boxes") }

function bodies(call, precision) { return "bodies/" call "/" precision "/" names["target", 1] }

# Calls by index beside the same contacts as pairs that were gathered before, on each vector target.
function by_index(law, precision, aim,    t, rest) {
    for (t = 1; t <= count["target"]; t++) {
        if (!is_vector(names["target", t])) continue
        rest = "-" law "/" precision "/" names["target", t]
        speed_ratio(precision " " names["target", t] ": " law ", by index over gathered",
                    "bodies/indexed" rest, "bodies/gathered" rest, aim)
    }
}

# What it costs to gather, and that colours and islands take a time that grows as the contacts.
function contacts_by_index() {
    by_index("routh", "f32", 0.9)
    by_index("routh", "f64", "")
    by_index("chatterjee-ruina", "f32", "")
    by_index("chatterjee-ruina", "f64", "")
    speed_ratio("f32 " names["target", 1] ": colours (no target): 1e6 over 1e5 contacts", "bodies/colours/1000000",
                "bodies/colours/100000", "")
    speed_ratio("f32 " names["target", 1] ": islands (no target): 1e6 over 1e5 contacts", "bodies/islands/1000000",
                "bodies/islands/100000", "")
}

# ---- Few contacts, and sequences ----

# Runs differ by a few per cent: a target is slower where another is faster by more than this.
function as_fast() { return 0.95 }

# The time of `each` items of a run, CHOSEN in whose name stands for the target, on the target that the
# call chooses and on all others; and the speed of the first over that of the fastest.
function chosen_row(title, unit, precision, run, each,    t, name, chosen, fastest, speed) {
    name = run
    sub(/CHOSEN/, "chosen", name)
    chosen = millions(name)
    value(precision " chosen: " title, chosen == "" ? "" : each * 1e3 / chosen, unit, "")
    for (t = 1; t <= count["target"]; t++) {
        if (names["target", t] == "scalar-fma") continue
        name = run
        sub(/CHOSEN/, names["target", t], name)
        speed = millions(name)
        value(precision " " names["target", t] ": " title, speed == "" ? "" : each * 1e3 / speed, unit, "")
        if (speed + 0 > fastest + 0) fastest = speed
    }
    row_of_aims(precision " chosen: " title ", over the fastest",
                chosen == "" || fastest == "" ? "" : chosen / fastest, "%.2f", "", as_fast())
}

# Calls on few body pairs; sequences of many islands of six contacts, and of one.
function few_contacts(    laws, l, counts, k, n, p, of) {
    split("chatterjee-ruina smith routh", laws, " ")
    n = split("1 2 4 8 12 16 32 48 64 96 128 192 256", counts, " ")
    for (p = 1; p <= count["precision"]; p++) {
        of = names["precision", p] "/CHOSEN"
        for (l = 1; l <= 3; l++)
            for (k = 1; k <= n; k++)
                chosen_row(laws[l] ", a call of " counts[k], "ns", names["precision", p],
                           "few/" laws[l] "/" counts[k] "/" of, counts[k])
        for (l = 1; l <= 3; l += 2) {
            chosen_row(laws[l] ", sequences, a contact", "ns", names["precision", p],
                       "bodies/sequence-" laws[l] "/" of, 1)
            chosen_row(laws[l] ", one sequence, a contact", "ns", names["precision", p],
                       "bodies/one-sequence-" laws[l] "/" of, 1)
        }
    }
}

function bodies_table(    p, calls, i, n, line) {
    print ""
    line = sprintf("%-28s", "million contacts/s, " names["target", 1])
    for (p = 1; p <= count["precision"]; p++)
        line = line sprintf("%11s", names["precision", p])
    print line
    n = split("indexed-routh gathered-routh sweep-routh indexed-chatterjee-ruina " \
              "gathered-chatterjee-ruina sweep-chatterjee-ruina apply", calls, " ")
    for (i = 1; i <= n; i++) {
        line = sprintf("%-28s", calls[i])
        for (p = 1; p <= count["precision"]; p++)
            line = line cell(bodies(calls[i], names["precision", p]), "items_per_second", 1e6,
                             "%.3f")
        print line
    }
    print sprintf("%-28s", "colours, 1e6") cell("bodies/colours/1000000", "items_per_second", 1e6,
                                                "%.1f")
    print sprintf("%-28s", "islands, 1e6") cell("bodies/islands/1000000", "items_per_second", 1e6,
                                                "%.1f")
}

# Gathered, resolved and applied, beside a plain loop. The names of manual times end in /manual_time.
function particles_ratio(title, precision, target, run, peer, aim) {
    speed_ratio(precision " " target ": " title, "particles/" precision "/" target "/" run "/manual_time",
                "particles/" precision "/" peer "/manual_time", aim)
}

# The aims over a plain loop, the same with rows kept, and over an expert's loop. Both loops add what
# they compute to the particles, and so do rows that are kept, except where sums are yet to be added.
function particles(precision, set, dense, kept, expert,    t, target) {
    for (t = 1; t <= count["target"]; t++) {
        target = names["target", t]
        if (!is_vector(target)) continue
        particles_ratio(set ", over a plain loop", precision, target, set, "plain/" set, dense)
        particles_ratio(set ", the same, rows kept", precision, target, set "-rows-applied", "plain/" set,
                        kept)
        particles_ratio(set ", the same, sums yet to be added", precision, target, set "-rows", "plain/" set,
                        "")
        particles_ratio(set ", over an expert's loop, rows kept", precision, target,
                        set "-rows-applied", "expert/" set, expert)
    }
}

function all_particles(    i, n, sets) {
    n = split("packing-l2 packing shuffled", sets, " ")
    for (i = 1; i <= n; i++) {
        particles("f32", sets[i], 3.8, 4.8, 2.5)
        particles("f64", sets[i], 2.5, 3.2, 1.7)
    }
    n = split("sparse-l2 apart-l2 sparse apart", sets, " ")
    for (i = 1; i <= n; i++) {
        particles("f32", sets[i], 1.3, 1.3, "")
        particles("f64", sets[i], 1, 1, "")
    }
    n = split("packing packing-l2 sparse sparse-l2 apart apart-l2", sets, " ")
    for (i = 1; i <= n; i++) {
        lists("f32", sets[i], i == 1 ? 1.9 : "")
        lists("f64", sets[i], i == 1 ? 1.9 : "")
    }
    beside_lammps()
}

function beside_lammps(    t, target) {
    for (t = 1; t <= count["target"]; t++) {
        target = names["target", t]
        # Measured on the target that is chosen alone.
        if (!is_vector(target) || t > 1) continue
        row_of_aims("f64 " target ": time of LAMMPS gran/hooke over this", over_lammps["f64", target], "%s", "", 4)
        row_of_aims("f32 " target ": time of LAMMPS gran/hooke over this", over_lammps["f32", target], "%s", "", 7.5)
    }
    target = names["target", 1]
    value("f64 " target ": a pour of 2,000 spheres to one second", pour["f64"], "s", 2, 1)
    value("f32 " target ": a pour of 2,000 spheres to one second", pour["f32"], "s", 2, 1)
    value("f64 " target ": the same pour by LAMMPS with fix impinge", pour["impinge"], "s", 2, 1)
    value("f64 " target ": the same pour by LAMMPS gran/hooke/history", pour["hooke"], "s", "")
    if (pour["hooke"] == "")
        print "not measured beside LAMMPS, as there is no lmp: scripts/bench-lammps installs it"
}

# Full lists, in which each pair is resolved twice: two threads over one, by the longer one's CPU time
# and by the clock; and one thread over the same with each pair once. Only the large dense set has an
# aim: of the others a call takes microseconds, or hardly computes.
function lists(precision, set, aim,    t, start, of) {
    for (t = 1; t <= count["target"]; t++) {
        if (!is_vector(names["target", t])) continue
        of = precision " " names["target", t] ": "
        start = "particles/" precision "/" names["target", t] "/" set
        speed_ratio(of set ", lists, 2 threads over 1", start "-lists-threads-2/manual_time",
                    start "-lists-threads-1/manual_time", aim)
        ratio(of set ", lists, the same by the clock", start "-lists-threads-2/manual_time",
              start "-lists-threads-1/manual_time", aim, "wall_per_second")
        speed_ratio(of set ", lists over pairs, 1 thread", start "-lists-threads-1/manual_time",
                    start "-rows/manual_time", "")
    }
}

# ---- Steps: contacts together ----

function heap(precision, target, tiles, what) {
    return "step/" precision "/" target "/heap-" tiles "-" what
}

function pile(precision, target, side, sweeps) {
    return "body-steps/pile-" side "-sweeps-" sweeps "/" precision "/" target
}

# Of a sweep: the difference between six and one. (From the seventh on, some are over few contacts.)
function sweep_of_boxes(precision, target, side,    many, one) {
    many = nanoseconds(pile(precision, target, side, 6))
    one = nanoseconds(pile(precision, target, side, 1))
    return many == "" || one == "" ? "" : (many - one) / 5
}

function steps_on(precision, target, sphere, box, step,    of) {
    of = precision " " target ": "
    value(of "a contact of spheres and sweep", nanoseconds(heap(precision, target, 20000, "sweep")),
          "ns", sphere, 1)
    value(of "a contact of boxes and sweep, 216 boxes", sweep_of_boxes(precision, target, 6), "ns",
          box, 1)
    value(of "a contact of boxes and sweep, 1,000 boxes", sweep_of_boxes(precision, target, 10), "ns",
          box, 1)
    value(of "a step of a heap of 20,000, a contact", nanoseconds(heap(precision, target, 20000, "step")),
          "ns", step, 1)
    value(of "a collapse, to 0.01 m/s, a contact",
          nanoseconds("body-steps/collapse/" precision "/" target), "ns", 200, 1)
    value(of "403 of the pit, to 0.01 m/s, a contact",
          nanoseconds("body-steps/pit-to-aim/" precision "/" target), "ns", 200, 1)
}

function time_ratio(title, over, under, aim,    a, b) {
    a = nanoseconds(over)
    b = nanoseconds(under)
    value(title, a == "" || b == "" ? "" : a / b, "", aim, 1)
}

function threads_of_boxes(what, scene, precision, target, aim,    of) {
    of = "body-steps/" scene "-threads-"
    speed_ratio(what, of "2/" precision "/" target "/real_time",
                of "1/" precision "/" target "/real_time", aim)
}

function steps(    p, t, precision, best, of) {
    best = names["target", 1]
    for (p = 1; p <= count["precision"]; p++) {
        precision = names["precision", p]
        for (t = 1; t <= count["target"]; t++)
            if (is_vector(names["target", t]))
                steps_on(precision, names["target", t], precision == "f32" ? 12 : 20,
                         precision == "f32" ? 25 : 40, precision == "f32" ? 60 : "")
        of = precision " " best ": "
        time_ratio(of "a heap of 980,000 over one of 20,000, step",
                   heap(precision, best, 980000, "step"), heap(precision, best, 20000, "step"), 1.3)
        threads_of_boxes(of "2 threads over 1, sweeps of 216 boxes", "pile-6", precision, best, "")
        threads_of_boxes(of "2 threads over 1, sweeps of 1,000 boxes", "pile-10", precision, best,
                         1.8)
        threads_of_boxes(of "2 threads over 1, sweeps of 10,000 boxes", "ten-piles-10", precision,
                         best, 1.8)
        speed_ratio(of "2 threads over 1, sweeps of a heap of 20,000",
                    heap(precision, best, 20000, "sweep-2-threads") "/real_time",
                    heap(precision, best, 20000, "sweep"), 1.8)
        speed_ratio(of "2 threads over 1, sweeps of a heap of 980,000",
                    heap(precision, best, 980000, "sweep-2-threads") "/real_time",
                    heap(precision, best, 980000, "sweep"), 1.8)
    }
}

# ---- Targets that are slower than another ----

# The name of a run with `*` in its target's place; its target is `found_target`. Names hold a target
# once, between slashes.
function kernel_of(run,    i, n, parts, name) {
    n = split(run, parts, "/")
    found_target = ""
    for (i = 1; i <= n; i++) {
        if (parts[i] ~ /^(avx512|avx2|neon|scalar|scalar-fma|chosen)$/) {
            found_target = parts[i]
            parts[i] = "*"
        }
        name = name (i > 1 ? "/" : "") parts[i]
    }
    return name
}

function with_target(kernel, target,    run) {
    run = kernel
    sub(/\*/, target, run)
    return run
}

# Those of as_fast() and more count as equal.
function slower_than_another(kernel, chosen,    t, first, other, speed) {
    first = with_target(kernel, chosen)
    if (!((first, "items_per_second") in median)) return
    compared++
    for (t = 1; t <= count["target"]; t++) {
        if (names["target", t] == chosen || names["target", t] == "scalar-fma") continue
        other = with_target(kernel, names["target", t])
        if (!((other, "items_per_second") in median)) continue
        speed = median[other, "items_per_second"] / median[first, "items_per_second"]
        if (speed * as_fast() <= 1) continue
        printf "- `%s`: %s is %.2f times as fast\n", first, names["target", t], speed
        slower++
    }
}

# Every kernel, and every count of few contacts. `scalar-fma` is no target.
function slower_targets(    k, kernel, best) {
    best = names["target", 1]
    print ""
    print "## Where the target that is chosen is slower than another"
    print "`chosen`: by the call, for few contacts and for pairs that are gathered from columns; the others by " best "."
    for (k = 1; k <= count["kernel"]; k++) {
        kernel = names["kernel", k]
        slower_than_another(kernel, (with_target(kernel, "chosen"), "items_per_second") in median ? "chosen" : best)
    }
    printf "- %d of %d kernels and sizes\n", slower, compared
}

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
    printf "  ten columns in and ten out     %8.1f GB/s\n",
           median["columns/f32/10-in-10-out/ordinary", "bytes_per_second"] / 1e9
    printf "  the same past the caches       %8.1f GB/s\n",
           median["columns/f32/10-in-10-out/streaming", "bytes_per_second"] / 1e9
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
    speed = "items_per_second"
    table("million contacts/s", "routh", ".", speed, 1e6, "%.3f")
    table("occupancy of lanes, %", "routh", "^routh-stronge", "occupancy", 0.01, "%.1f")
    table("steps a contact", "routh", "^routh-stronge", "steps", 1, "%.2f")
    table("million contacts/s", "law", ".", speed, 1e6, "%.3f")
    table("GB/s read and written", "law", "/memory", "bytes_per_second", 1e9, "%.2f")
    bodies_table()
    machine()
    print ""
    peer("Euler, random boxes", euler)
    peer("the reference in double, random boxes", "reference/f64/boxes")
    peer("f32, random boxes, best target", boxes("f32", names["target", 1]))
    print ""
    section("Routh's law")
    routh_speeds()
    over_earlier()
    lanes_ratio("boxes", "routh-stronge", "f32", "boxes", 6)
    lanes_ratio("boxes", "routh-stronge", "f64", "boxes", 3)
    speed_ratio("f32 avx512: boxes, over avx2", boxes("f32", "avx512"), boxes("f32", "avx2"), 1.4)
    speed_ratio("f32 avx2: boxes, over Euler", boxes("f32", "avx2"), euler, 300)
    section("Laws in closed form, and equations")
    closed_forms()
    equations()
    section("Pairs of particles")
    all_particles()
    section("Mechanisms, and contacts in a plane")
    mechanisms("f32")
    mechanisms("f64")
    # Width 1 without FMA: each multiply-add of "scalar" is a call.
    speed_ratio("f32 avx2: contacts in a plane, over scalar", "planar/f32/avx2/boxes", "planar/f32/scalar/boxes",
                "")
    section("Contacts by index")
    contacts_by_index()
    section("Few contacts, and sequences")
    few_contacts()
    section("Steps")
    steps()
    slower_targets()
}
