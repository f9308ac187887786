# Haff's tau from a log of in.gas: sqrt(T0 / T) = 1 + t / tau, by least squares through the origin,
# up to t = 36, where the gas is still even. Theory (Haff 1983, with Enskog's g at packing 0.05 and
# e = 0.9): 41.11.
/^Step / { on = 1; rows = 0; next }
/^Loop/ { on = 0 }
on {
    if (rows++ == 0) { begin = $2; hot = $3; products = squares = 0 }
    t = $2 - begin
    if (t > 36) next
    products += t * (sqrt(hot / $3) - 1)
    squares += t * t
}
END { printf "%.3f\n", squares / products }
