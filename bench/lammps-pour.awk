# Prints what scripts/bench-lammps measured of a pour, from lines of a side, its CPU time, and what is
# left after one second: kinetic and potential energy, and the largest overlap. Sorted.
function median(side,    half) {
    half = int((number[side] + 1) / 2)
    return (time[side, half] + time[side, number[side] + 1 - half]) / 2
}

function row(side, label, aim,    t) {
    t = median(side)
    printf "  %-44s %6.2f %6.2f x   %8s %9.4f %8.4f%s\n", label, t, median("hooke") / t, kinetic[side],
           potential[side], overlap[side], aim == "" ? "" : "   aim <= " aim " s" (t > aim ? "  missed" : "")
}

{ time[$1, ++number[$1]] = $2; kinetic[$1] = sprintf("%.1g", $3); potential[$1] = $4; overlap[$1] = $5 }

END {
    printf "\nA pour of 2,000 spheres of 1 cm to one second, one core; medians of %d rounds\n", rounds
    print "                                                  CPU s    speed  kinetic, J  potential  overlap of radii"
    row("hooke", sprintf("LAMMPS gran/hooke/history, kn 1e4, h %.2g s", step), "")
    row("impinge", "LAMMPS with fix impinge, h 5e-4 s", 2)
    row("f64", "Impinge\x27s own step, f64, h 5e-4 s", 2)
    row("f32", "Impinge\x27s own step, f32, h 5e-4 s", 2)
}
