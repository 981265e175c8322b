/* carom 0.2.0
 *
 * Contact laws for programs in C, C++ and Fortran.
 *
 * A law gives the force between two bodies as a function of indentation and its rate. All numbers are doubles in SI units. Signs:
 * delta (m) > 0 in contact, rate = d(delta)/dt (m/s) > 0 while approaching, force (N) > 0 pushes the bodies apart.
 *
 * How a program with its own integrator computes a contact:
 *
 * 1. carom_law_new makes a law from a description in JSON, which is the same in all parts of carom.
 * 2. When two bodies touch, carom_touch fills the memory of this contact from the approach speed.
 * 3. carom_force is called as often as the integrator needs; it changes nothing.
 * 4. After every accepted step, never after a trial, carom_commit updates the largest indentation. For laws with a memory of 5
 *    numbers (carom_law_memory_size), carom_advance is called before it to advance time and internal state over the step.
 * 5. Contact lasts while delta >= carom_law_release. If carom_law_exit is CAROM_EXIT_FORCE, a contact does not pull: use a force
 *    of 0 where it is negative. Memory is kept while the surfaces overlap and is initialised again at the next touch.
 *
 * Pointers: where the comment of a function does not allow NULL, a pointer must point to as many readable (or, if not const,
 * writable) values as the function uses, aligned as C aligns their type. Results must not overlap other arguments. If a NULL is
 * not allowed, the function returns CAROM_INVALID or NaN.
 *
 * Lifetimes: a law belongs to the caller from carom_law_new to carom_law_free. Memories and results are plain values of the
 * caller; the library keeps no pointer to them. Messages belong to the caller, who frees them with carom_string_free.
 *
 * Threads: the library has no global state that a caller could observe. A law does not change and may be used by any number of
 * threads at once; different memories may be changed at once. Law files and texts of own laws are kept until the process ends,
 * each of them once.
 *
 * Failures: functions that return int return CAROM_OK or a reason; those that return a double return NaN. A parameter `error` may
 * be NULL; otherwise it receives NULL on success, and on failure a sentence that names the parameter, its value, what is allowed
 * and what to do. No panic of Rust crosses this interface.
 *
 * Written from the sources of crates/carom-c by its tests: do not edit. */
#ifndef CAROM_H
#define CAROM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Success. */
#define CAROM_OK 0

/* The description or a number is not allowed; the message states what is allowed. */
#define CAROM_REFUSED 1

/* A pointer is NULL or not aligned, or a text is not UTF-8. */
#define CAROM_INVALID 2

/* Defect of the library: please report it. */
#define CAROM_DEFECT 3

/* Contact ends when the force returns to zero during separation; contacts do not pull. */
#define CAROM_EXIT_FORCE 0

/* Contact ends when the indentation returns to zero (or to carom_law_release, where that is less). */
#define CAROM_EXIT_INDENTATION 1

/* Returns the version of the library, for example "0.2.0". The text is valid as long as the library is loaded. */
const char *carom_version(void);

/* Frees a message. NULL is allowed. */
void carom_string_free(char *message);

/* A contact law with its parameter values. */
typedef struct carom_law carom_law;

/* Makes a law from a description: a JSON object with the names of `carom impact`, quantities as numbers in SI units or as text
 * with units, for example {"law": "tsuji-1992", "mass": 0.54, "stiffness": "2.4144e10 N/m^1.5", "restitution": 0.75,
 * "calibration": "exact"}. Bodies may replace mass and stiffness: "bodies": [{"shape": "sphere", "radius": "2 mm", "material":
 * "steel"}, ...]. The law is the id of a law of the catalogue, or the path or the text of a law file. No speed is needed. On
 * success *law must be freed with carom_law_free; on failure it is NULL. */
int carom_law_new(const char *json, carom_law **law, char **error);

/* Frees a law. NULL is allowed. */
void carom_law_free(carom_law *law);

/* Returns how many of the 5 numbers of a carom_memory the law uses, from the first on: 2 if it needs only the values fixed at
 * touch (speed, damping), 3 if it needs the peak too, 5 if it needs time or internal state. The others need not be kept between
 * steps and may be 0. Returns 0 if law is NULL. */
size_t carom_law_memory_size(const carom_law *law);

/* Returns the effective mass m1*m2/(m1+m2) (kg) for which the law was made. */
double carom_law_mass(const carom_law *law);

/* Returns the indentation (m) at which the bodies lose touch: 0, or below 0 for adhesive necks. */
double carom_law_release(const carom_law *law);

/* Returns when contact ends: CAROM_EXIT_FORCE or CAROM_EXIT_INDENTATION; -1 if law is NULL. */
int carom_law_exit(const carom_law *law);

/* Memory of one contact, from touch to separation: plain numbers that the caller may copy, store and send. carom_law_memory_size
 * tells which of them a law uses. */
typedef struct carom_memory {
    /* Approach speed at touch (m/s). */
    double speed;
    /* Damping coefficient at this approach speed, or the quantity that the law determines in its place, in the unit of the law.
     * NaN where no damping delivers the requested restitution. */
    double damping;
    /* Largest indentation so far (m), or the quantity that the law stores in its place. */
    double peak;
    /* Time since touch (s). */
    double time;
    /* Internal state of the law. */
    double internal;
} carom_memory;

/* Tangents of the force. */
typedef struct carom_tangents {
    /* dF/ddelta (N/m). */
    double stiffness;
    /* dF/drate (N s/m). */
    double damping;
} carom_tangents;

/* Initialises the memory of a contact that begins with this approach speed (m/s), which must be above 0. A contact that begins
 * without an approach may be given a small speed, below which impacts do not matter. */
int carom_touch(const carom_law *law, double speed, carom_memory *memory);

/* Returns the force (N); 0 where the bodies do not touch, negative where the law pulls. The function changes nothing. */
double carom_force(const carom_law *law, double delta, double rate, const carom_memory *memory);

/* Computes the tangents of the force. They are finite everywhere, one-sided at kinks, and 0 where the bodies do not touch. */
int carom_tangent(
    const carom_law *law,
    double delta,
    double rate,
    const carom_memory *memory,
    carom_tangents *tangents);

/* Returns the energy (J) that the contact would return in an infinitely slow unloading; 0 where the bodies do not touch. */
double carom_stored(const carom_law *law, double delta, const carom_memory *memory);

/* Returns the rate of the internal state, for integrators that integrate it together with the motion; 0 for laws without an
 * internal state. */
double carom_internal_rate(const carom_law *law, double delta, double rate, const carom_memory *memory);

/* Updates the memory after an accepted step to this indentation and rate: the largest indentation, or the quantity that the law
 * stores in its place. */
int carom_commit(const carom_law *law, double delta, double rate, carom_memory *memory);

/* Advances time and internal state over an accepted step of length step (s), during which indentation and rate changed from the
 * values before to those given. It uses a Runge-Kutta step of fourth order along the straight line between them. Only laws with a
 * memory of 5 numbers need this function. An integrator that integrates the internal state together with the motion uses
 * carom_internal_rate instead, and adds the step to the time. */
int carom_advance(
    const carom_law *law,
    double step,
    double delta_before,
    double rate_before,
    double delta,
    double rate,
    carom_memory *memory);

/* Does the same as carom_touch for count contacts of one law. */
int carom_touch_columns(const carom_law *law, size_t count, const double *speed, carom_memory *memory);

/* Does the same as carom_force for count contacts of one law: each force is computed from the indentation, rate and memory with
 * the same index. */
int carom_force_columns(
    const carom_law *law,
    size_t count,
    const double *delta,
    const double *rate,
    const carom_memory *memory,
    double *force);

/* Does the same as carom_tangent for count contacts of one law. */
int carom_tangent_columns(
    const carom_law *law,
    size_t count,
    const double *delta,
    const double *rate,
    const carom_memory *memory,
    carom_tangents *tangents);

/* Does the same as carom_stored for count contacts of one law. */
int carom_stored_columns(
    const carom_law *law,
    size_t count,
    const double *delta,
    const carom_memory *memory,
    double *energy);

/* Does the same as carom_commit for count contacts of one law. */
int carom_commit_columns(
    const carom_law *law,
    size_t count,
    const double *delta,
    const double *rate,
    carom_memory *memory);

/* The result of an impact. */
typedef struct carom_impact {
    /* Restitution: rebound speed over approach speed; 0 where the bodies never separate. */
    double restitution;
    /* Duration of contact (s); infinite where the bodies never separate. */
    double duration;
    /* Largest indentation (m). */
    double indentation_max;
    /* Time of the largest indentation after touch (s). */
    double time_of_indentation_max;
    /* Largest force (N). */
    double force_max;
    /* Time of the largest force after touch (s). */
    double time_of_force_max;
    /* Indentation at the end of contact (m). */
    double residual_indentation;
    /* Impulse of the force up to the largest indentation (N s). */
    double impulse_of_compression;
    /* Impulse of the force after the largest indentation (N s). */
    double impulse_of_restitution;
    /* Kinetic energy of the relative motion at touch (J). */
    double energy;
    /* Energy lost in the impact (J). */
    double energy_lost;
} carom_impact;

/* Computes the impact of two bodies with this approach speed (m/s) and no other forces. The result is that of an integrator with
 * sufficiently small steps. */
int carom_collide(const carom_law *law, double speed, carom_impact *impact, char **error);

/* Computes the damping coefficient c (N s^q/m^(m+q)) with which F = K*delta^n + c*delta^m*|rate|^q*sgn(rate) delivers a
 * restitution exactly, for an effective mass (kg), K = stiffness (N/m^n), n = exponent, m = damping_exponent, q = rate_exponent,
 * an end of contact (CAROM_EXIT_FORCE or CAROM_EXIT_INDENTATION) and an approach speed (m/s). */
int carom_exact_damping(
    double mass,
    double stiffness,
    double exponent,
    double damping_exponent,
    double rate_exponent,
    int contact_exit,
    double speed,
    double restitution,
    double *coefficient,
    char **error);

/* Computes the restitution that this law delivers with a damping coefficient; the other arguments are those of
 * carom_exact_damping. */
int carom_exact_restitution(
    double mass,
    double stiffness,
    double exponent,
    double damping_exponent,
    double rate_exponent,
    int contact_exit,
    double speed,
    double coefficient,
    double *restitution,
    char **error);

#ifdef __cplusplus
}
#endif

#endif
