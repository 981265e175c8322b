# %% [markdown]
# # Identify a ball from a drop test
#
# A ball of 57 g is dropped onto a rigid plate that stands on a force transducer, and the force of a few bounces is recorded. What
# are the stiffness, the exponent and the damping of the ball, how accurately are they known, and how will the ball bounce from
# another height?
#
# The record below is computed by carom, with noise, an offset and an arbitrary origin of time, so that the results can be
# compared with the true values at the end. Replace it by columns of your own.
#
# Run this file as a script (figures are written to the given folder, or to `figures`), or cell by cell in a notebook.

# %%
import pathlib
import sys

import matplotlib.pyplot as plt
import numpy as np

import carom

OUT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "figures")
OUT.mkdir(parents=True, exist_ok=True)

GRAVITY, MASS, HEIGHT, RATE = 9.80665, 0.057, 1.0, 50_000.0
TRUTH = dict(stiffness=2.6e5, damping=3e4)  # of a Hunt–Crossley ball with n = 3/2; used only for comparison


def record(heights, seed):
    """Returns times and forces of bounces from these heights, as a transducer measures them."""
    rng = np.random.default_rng(seed)
    ball = carom.model("hunt-crossley-1975").law(mass=MASS, **TRUTH)
    time, force, now = [], [], 0.1
    for height in heights:
        course = ball.collide(speed=np.sqrt(2 * GRAVITY * height), external_force=MASS * GRAVITY).trajectory(2000)
        time.append(now + course["time"])
        force.append(course["force"])
        now += course["time"][-1] + 2 * -course["rate"][-1] / GRAVITY  # flight to the next bounce
    clock = np.arange(0.0, now, 1.0 / RATE)
    clean = np.interp(clock, np.concatenate(time), np.concatenate(force), left=0.0, right=0.0)
    return clock, clean + 0.8 + rng.normal(0.0, 0.5, clock.size)


speeds = [np.sqrt(2 * GRAVITY * HEIGHT)]
for _ in range(3):
    law = carom.model("hunt-crossley-1975").law(mass=MASS, **TRUTH)
    speeds.append(speeds[-1] * law.collide(speed=speeds[-1], external_force=MASS * GRAVITY).restitution)
time, force = record(np.square(speeds) / (2 * GRAVITY), seed=7)

figure, axis = plt.subplots(figsize=(7.0, 2.8), layout="constrained")
axis.plot(time, force, linewidth=0.8)
axis.set(xlabel="time (s)", ylabel="force (N)")
axis.grid(alpha=0.25)
axis.spines[["top", "right"]].set_visible(False)
figure.savefig(OUT / "record.png", dpi=120)

# %% [markdown]
# ## By hand: two numbers
#
# The time between bounces is the time of flight t and yields the speeds: the approach speed of the first bounce is √(2gh), and
# its rebound speed g·t/2. The contact lasts as long as the force exceeds the noise. Restitution and duration determine stiffness
# and damping exactly, provided that the exponent and the measured numbers are right. They are slightly wrong: a threshold above
# the noise cuts off the soft beginning and end of the contact, and 1 % of the duration corresponds to 2.5 % of the stiffness.

# %%
baseline = np.median(force)
high = np.flatnonzero(force - baseline > 3.0)
bounces = np.split(high, np.flatnonzero(np.diff(high) > 0.02 * RATE) + 1)
begins = np.array([time[bounce[0]] for bounce in bounces])
ends = np.array([time[bounce[-1]] for bounce in bounces])
flights = begins[1:] - ends[:-1]
before = np.concatenate([[np.sqrt(2 * GRAVITY * HEIGHT)], 0.5 * GRAVITY * flights])
restitutions = before[1:] / before[:-1]
durations = ends - begins
print("bounces hit at", np.round(before, 3), "m/s; restitutions", np.round(restitutions, 3))

rough = carom.identify(
    mass=MASS,
    speed=before[0],
    restitution=restitutions[0],
    duration=durations[0],
    restitution_error=0.005,
    duration_error=0.04 * durations[0],
)
print(f"K = {rough.pair.stiffness:.3g} ± {rough.uncertainty.stiffness:.1g} N/m^1.5")
print("1 % in the duration is", round(rough.sensitivity.duration.stiffness, 2), "% in the stiffness")

# %% [markdown]
# ## With everything that was measured: a fit
#
# The whole curve contains more information than its duration. The fit finds the impact in the record, the offset and the time of
# touch, and states the standard errors of its results.

# %%
first = (begins[0] - 0.004, ends[0] + 0.004)
fitted = carom.fit(
    "hunt-crossley-1975",
    time=time,
    force=force,
    window=first,
    mass=MASS,
    speed=before[0],
    gravity=True,
    free=["exponent"],
)
print(fitted.to_table())
for name in ("stiffness", "damping"):
    print(f"{name}: {fitted.estimates[name]:.4g} ± {fitted.errors[name]:.1g}, true {TRUTH[name]:.4g}")
figure = fitted.plot()
figure.savefig(OUT / "fit.png", dpi=120)

# %% [markdown]
# The exponent was free and agrees with the true one. If it is fixed at 3/2, Hertz's value, the other parameters are known more
# accurately:

# %%
assert abs(fitted.estimates["exponent"] - 1.5) < 5 * fitted.errors["exponent"]
held = carom.fit(
    "hunt-crossley-1975", time=time, force=force, window=first, mass=MASS, speed=before[0], gravity=True
)
for name, true in TRUTH.items():
    print(f"{name}: {held.estimates[name]:.5g} ± {held.errors[name]:.1g}, true {true:.5g}")
    assert abs(held.estimates[name] - true) < 5 * held.errors[name]

# %% [markdown]
# ## Was it the right law?
#
# Other laws may fit as well. Akaike's criterion compares them by their fits to the same points.

# %%
ranking = carom.rank(
    ["hunt-crossley-1975", "tsuji-1992", "kuwabara-kono-1987", "kelvin-voigt-1865", "hertz-1881"],
    time=time,
    force=force,
    window=first,
    mass=MASS,
    speed=before[0],
    gravity=True,
)
for law in ranking.laws:
    print(f"{law.rank}. {law.law:24} evidence {law.weight:.3f}")
assert ranking.laws[0].law == "hunt-crossley-1975"

# %% [markdown]
# ## What it will do from elsewhere
#
# A correct law predicts bounces to which it was not fitted: the later ones of the record, and those from other heights.

# %%
ball = carom.model("hunt-crossley-1975").law(
    mass=MASS, stiffness=held.estimates["stiffness"], damping=held.estimates["damping"]
)
height = np.linspace(0.02, 2.0, 120)
predicted = ball.collide(speed=np.sqrt(2 * GRAVITY * height), external_force=MASS * GRAVITY)

figure, (left, right) = plt.subplots(1, 2, figsize=(9.0, 3.4), layout="constrained")
left.plot(height, predicted.restitution, label="predicted")
left.plot(np.square(before[:-1]) / (2 * GRAVITY), restitutions, "o", color="C1", label="bounces of the record")
left.set(xlabel="drop height (m)", ylabel="restitution", ylim=(0, 1))
right.plot(height, predicted.force_max, label="predicted")
peaks = [force[bounce].max() - baseline for bounce in bounces]
right.plot(np.square(before) / (2 * GRAVITY), peaks, "o", color="C1", label="bounces of the record")
right.set(xlabel="drop height (m)", ylabel="largest force (N)")
for panel in (left, right):
    panel.legend(frameon=False)
    panel.grid(alpha=0.25)
    panel.spines[["top", "right"]].set_visible(False)
figure.savefig(OUT / "predictions.png", dpi=120)

later = ball.collide(speed=before[1:-1], external_force=MASS * GRAVITY).restitution
np.testing.assert_allclose(later, restitutions[1:], atol=0.02)
print("later bounces: predicted", np.round(later, 3), "measured", np.round(restitutions[1:], 3))
