"""Reference values of the benchmark cases A1 to A3, to 15 digits: pip install mpmath; python3 reference.py

F = K d^(3/2) (1 + a d') has the first integral G(v) + (2K/5m) d^(5/2) = G(v0) with
G(v) = v/a - ln(1 + a v)/a^2, so everything follows from quadratures, independently of carom's engine.
"""

from mpmath import findroot, ln, log1p, mp, mpf, nstr, quad

CASES = {  # effective mass (kg), K (N/m^1.5), speed (m/s), restitution
    "A1": ("0.54", "2.4144e10", "0.5", "0.7568"),
    "A2": ("0.54", "2.4144e10", "0.15", "0.8892"),
    "A3": ("0.0896", "3.5e6", "15", "0.527"),
}

mp.dps = 250  # differences of G near touch and separation cancel almost completely
for name, numbers in CASES.items():
    m, K, v0, e = map(mpf, numbers)
    x = findroot(lambda x: x * (1 + e) - ln((1 + x) / (1 - e * x)), 1.4 * (1 - e) / e)
    a = x / v0

    def depth(v):
        G = lambda v: v / a - log1p(a * v) / a**2
        return (mpf(5) / 2 * m / K * (G(v0) - G(v))) ** (mpf(2) / 5)

    def force(v):
        return K * depth(v) ** 1.5 * (1 + a * v)

    def time(end):
        """From v = end to v = 0: dt = m |dv| / F, with |end - v| = s^(5/2), which has no singularity."""
        side = 1 if end > 0 else -1
        rate = lambda s: mpf(5) / 2 * s**1.5 * m / force(end - side * s**2.5)
        return quad(rate, [mpf(10) ** -40, abs(end) ** 0.4], maxdegree=7)

    # The force is largest where (3/2) m v = a K d^(5/2).
    peak = findroot(lambda v: 1.5 * m * v - a * K * depth(v) ** 2.5, v0 / 4)
    for what, value in [("a", a), ("duration", time(v0) + time(-e * v0)), ("force", force(peak)),
                        ("indentation", depth(0))]:
        print(name, what, nstr(value.real, 17))
