# From the rows under the headings of bench/ratios.awk, "precision target: what", their value, unit and
# aim, to tables in Markdown, as docs/speed-aims.md has them. The aim stands in brackets, a missed one
# is in bold, and a dash was not measured. Any awk.

/^## / {
    print_table()
    heading = $0
    next
}

NR == 1 { machine = $0 }

BEGIN { kinds = split("avx2 avx512 neon chosen scalar", kind, " ") }

/^f(32|64) [a-z0-9-]+: / {
    title = substr($0, 1, 76)
    sub(/ +$/, "", title)
    add(substr(title, 1, index(title, ":") - 1), substr(title, index(title, ":") + 2),
        substr($0, 77))
    next
}
/^(`chosen`|- )/ {
    listed = listed $0 "\n"
    next
}
/^not measured/ { notes = notes "\n" $0 "\n" }

END {
    print_table()
    printf "\n%s\n%s\n", heading, listed
    printf "%d of %d aims are missed.\n", missed, aims
    printf "Measured: %s\n", machine
}

function add(place, what, rest,    parts, n, text, unit, k) {
    n = split(rest, parts, " ")
    text = parts[1] == "-" ? "-" : parts[1]
    for (k = 2; k <= n; k++) {
        if (k == 2 && parts[k] != "aim") unit = ", " parts[k]
        if (parts[k] != "aim") continue
        if (parts[1] != "-") aims++
        if (parts[n] == "missed") {
            text = "**" text "**"
            missed++
        }
        text = text " (" (parts[k + 1] == "<=" ? "at most " : "") parts[k + 2] ")"
    }
    met[place] = 1
    what = what unit
    if (!(what in row)) {
        row[what] = ++rows
        whats[rows] = what
    }
    cell[row[what], place] = text
}

# Of one heading; forgets it.
function print_table(    p, k, r, c, columns, places, line, rule) {
    if (rows == 0) return
    line = "| |"
    rule = "| --- |"
    for (p = 32; p <= 64; p += 32)
        for (k = 1; k <= kinds; k++) {
            if (!(("f" p " " kind[k]) in met)) continue
            places[++columns] = "f" p " " kind[k]
            line = line " " places[columns] " |"
            rule = rule " --- |"
        }
    printf "\n%s\n\n%s\n%s\n", heading, line, rule
    for (r = 1; r <= rows; r++) {
        line = "| " whats[r] " |"
        for (c = 1; c <= columns; c++)
            line = line " " cell[r, places[c]] " |"
        print line
    }
    printf "%s", notes
    notes = ""
    split("", cell)
    split("", row)
    split("", met)
    rows = 0
}
