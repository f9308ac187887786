# Prints what scripts/bench-lammps measured: from the counts of pairs, then from lines of a side and
# its CPU time (ns for all pairs), sorted.
function median(side,    half) {
    half = int((number[side] + 1) / 2)
    return (time[side, half] + time[side, number[side] + 1 - half]) / 2
}

function row(side, label, listed,    t) {
    t = median(side)
    printf "  %-32s %8.1f %8.1f %11.2f .. %.2f %8.2f x\n", label, t / count["touching"], t / listed,
           time[side, 1] / count["touching"], time[side, number[side]] / count["touching"],
           median("lammps") / t
}

FNR == NR { count[$1] = $2; next }
{ time[$1, ++number[$1]] = $2 }

END {
    printf "%d touching pairs on both sides; %d listed by Impinge, %d by LAMMPS; medians of %d rounds\n",
           count["touching"], count["listed"], lammps_listed, rounds
    print "                                   ns per   ns per      touching:"
    print "  one core                         touching listed    least .. most        speed"
    row("lammps", "LAMMPS gran/hooke, f64", lammps_listed)
    row("f64", "Impinge f64 " target, count["listed"])
    row("f32", "Impinge f32 " target, count["listed"])
    printf "LAMMPS computes the forces of all touching pairs, %.0f %% of those listed, separating or not, and adds them up.\n",
           100 * count["touching"] / count["listed"]
    printf "Impinge resolves those that approach, %.0f %%, projects those, and applies both.\n",
           100 * count["approaching"] / count["listed"]
}
