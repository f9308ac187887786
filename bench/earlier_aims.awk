# The aims of a run over version 0.1.0 (59992ac), for bench/against.awk and
# bench/ratios.awk; empty where there is none. Any awk.
function earlier_aim(run) {
    if (run ~ /\/boxes$/) return run ~ /\/f32\// ? 1.35 : 1.65
    if (run ~ /\/sticking$/) return run ~ /\/f32\// ? 1.45 : 1.95
    if (run ~ /^mechanisms\//) return 1.6
    return run ~ /\/diverging$/ ? 1 : ""
}
