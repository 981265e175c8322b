/* carom 0.2.0
 *
 * Contact laws for programs in C, C++ and Fortran.
 *
 * A law turns the indentation of two bodies and its rate into a force. All numbers are doubles in SI units. Signs:
 * delta (m) > 0 in contact, rate = d(delta)/dt (m/s) > 0 while approaching, force (N) > 0 pushes apart.
 *
 * How a contact is computed in a program with an integrator of its own:
 *
 * 1. carom_law_new makes a law from a description in JSON, the same as everywhere in carom.
 * 2. When two bodies touch, carom_touch fills the memory of this contact from the approach speed.
 * 3. carom_force is called as often as the integrator likes; it changes nothing.
 * 4. After every accepted step, never after a trial, carom_commit notes the largest indentation. For laws with a memory of
 *    5 numbers (carom_law_memory_size) carom_advance first takes time and internal state over the step.
 * 5. Contact lasts while delta >= carom_law_release. Where carom_law_exit is CAROM_EXIT_FORCE a contact does not pull:
 *    take the force as 0 where it is negative. Memory is kept while the surfaces overlap and made anew at the next touch.
 *
 * Pointers: where the comment of a function does not allow NULL, a pointer must point to as many readable (or, if not
 * const, writable) values as the function takes, aligned as C aligns their type. Results must not overlap other arguments.
 * A NULL that is not allowed is answered with CAROM_INVALID or a NaN.
 *
 * Lifetimes: a law belongs to the caller from carom_law_new to carom_law_free. Memories and results are plain values of
 * the caller; the library keeps no pointer to them. Messages belong to the caller, who frees them with carom_string_free.
 *
 * Threads: the library has no global state that a caller could see. A law does not change and may be used by any number of
 * threads at once; different memories may be changed at once. Law files and texts of own laws are kept until the process
 * ends, each once.
 *
 * Failures: functions that return int return CAROM_OK or a reason, those that return a double return NaN. Where there is a
 * parameter `error` it may be NULL; otherwise it receives NULL on success, and on failure a sentence that names the
 * parameter, its value, what is allowed and what to do. No panic of Rust crosses this interface.
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

/* The description or a number is not allowed; the message says what is. */
#define CAROM_REFUSED 1

/* A pointer is NULL or not aligned, or a text is not UTF-8. */
#define CAROM_INVALID 2

/* A defect of the library: please report it. */
#define CAROM_DEFECT 3

/* Contact ends where the force returns to zero while separating: contacts do not pull. */
#define CAROM_EXIT_FORCE 0

/* Contact ends where the indentation returns to zero (or to carom_law_release, where that is less). */
#define CAROM_EXIT_INDENTATION 1

/* The version of the library, for example "0.2.0". The text lives as long as the library is loaded. */
const char *carom_version(void);

/* Frees a message. NULL is allowed. */
void carom_string_free(char *message);

/* A law with its numbers. */
typedef struct carom_law carom_law;

/* Makes a law from a description: a JSON object with the names of `carom impact`, quantities as numbers in SI units or as
 * text with units, for example {"law": "tsuji-1992", "mass": 0.54, "stiffness": "2.4144e10 N/m^1.5", "restitution": 0.75,
 * "calibration": "exact"}. Bodies may stand in place of mass and stiffness, "bodies": [{"shape": "sphere", "radius":
 * "2 mm", "material": "steel"}, ...]. The law is the id of one of the catalogue, or the path or the text of a law file.
 * No speed is needed. On success *law is to be freed with carom_law_free; on failure it is NULL. */
int carom_law_new(const char *json, carom_law **law, char **error);

/* Frees a law. NULL is allowed. */
void carom_law_free(carom_law *law);

/* How many of the 5 numbers of a carom_memory the law uses, from the first on: 2 where only what is fixed at touch counts
 * (speed, damping), 3 where the peak counts too, 5 where time or internal state do. The others may be forgotten between
 * steps and be 0. 0 where law is NULL. */
size_t carom_law_memory_size(const carom_law *law);

/* The effective mass m1*m2/(m1+m2) (kg) for which the law was made. */
double carom_law_mass(const carom_law *law);

/* The indentation (m) at which the bodies lose touch: 0, or below 0 for adhesive necks. */
double carom_law_release(const carom_law *law);

/* CAROM_EXIT_FORCE or CAROM_EXIT_INDENTATION: when contact ends. -1 where law is NULL. */
int carom_law_exit(const carom_law *law);

/* What one contact remembers, from touch to separation: plain numbers, to be copied, stored and sent as the caller likes.
 * Which of them a law uses, carom_law_memory_size says. */
typedef struct carom_memory {
    /* Approach speed at touch (m/s). */
    double speed;
    /* What follows from it: a damping coefficient, or what the law fixes in its place, in the unit of the law. NaN where no
     * damping delivers the restitution that was asked for. */
    double damping;
    /* Largest indentation so far (m), or what the law keeps in its place. */
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

/* Makes the memory of a contact that begins, for the approach speed (m/s), above 0. A contact that begins without an
 * approach may be given a small speed, below which impacts do not matter. */
int carom_touch(const carom_law *law, double speed, carom_memory *memory);

/* The force (N); 0 where the bodies do not touch. Pure. Negative where the law pulls. */
double carom_force(const carom_law *law, double delta, double rate, const carom_memory *memory);

/* The tangents of the force: finite everywhere, one-sided at kinks, 0 where the bodies do not touch. */
int carom_tangent(
    const carom_law *law,
    double delta,
    double rate,
    const carom_memory *memory,
    carom_tangents *tangents);

/* The energy (J) that the contact would give back in an infinitely slow unloading; 0 where the bodies do not touch. */
double carom_stored(const carom_law *law, double delta, const carom_memory *memory);

/* The rate of the internal state, for integrators that take it along with the motion; 0 for laws that have none. */
double carom_internal_rate(const carom_law *law, double delta, double rate, const carom_memory *memory);

/* Notes an accepted step to this indentation and rate: the largest indentation, or what the law keeps in its place. */
int carom_commit(const carom_law *law, double delta, double rate, carom_memory *memory);

/* Takes time and internal state over an accepted step of length step (s), during which indentation and rate went from
 * their values before to those given: a Runge-Kutta step of fourth order along the straight line between them. Only laws
 * with a memory of 5 numbers need it. An integrator that takes the internal state along with the motion uses
 * carom_internal_rate instead, and adds the step to the time. */
int carom_advance(
    const carom_law *law,
    double step,
    double delta_before,
    double rate_before,
    double delta,
    double rate,
    carom_memory *memory);

/* carom_touch for count contacts of one law. */
int carom_touch_columns(const carom_law *law, size_t count, const double *speed, carom_memory *memory);

/* carom_force for count contacts of one law: each force from the indentation, rate and memory of the same place. */
int carom_force_columns(
    const carom_law *law,
    size_t count,
    const double *delta,
    const double *rate,
    const carom_memory *memory,
    double *force);

/* carom_tangent for count contacts of one law. */
int carom_tangent_columns(
    const carom_law *law,
    size_t count,
    const double *delta,
    const double *rate,
    const carom_memory *memory,
    carom_tangents *tangents);

/* carom_stored for count contacts of one law. */
int carom_stored_columns(
    const carom_law *law,
    size_t count,
    const double *delta,
    const carom_memory *memory,
    double *energy);

/* carom_commit for count contacts of one law. */
int carom_commit_columns(
    const carom_law *law,
    size_t count,
    const double *delta,
    const double *rate,
    carom_memory *memory);

/* The result of an impact. */
typedef struct carom_impact {
    /* Rebound speed over approach speed; 0 where the bodies never separate. */
    double restitution;
    /* Time of contact (s); infinite where the bodies never separate. */
    double duration;
    /* Largest indentation (m). */
    double indentation_max;
    /* Its time after touch (s). */
    double time_of_indentation_max;
    /* Largest force (N). */
    double force_max;
    /* Its time after touch (s). */
    double time_of_force_max;
    /* Indentation at the end of contact (m). */
    double residual_indentation;
    /* Impulse of the force until the largest indentation (N s). */
    double impulse_of_compression;
    /* Impulse of the force afterwards (N s). */
    double impulse_of_restitution;
    /* Kinetic energy of the relative motion at touch (J). */
    double energy;
    /* What of it is lost (J). */
    double energy_lost;
} carom_impact;

/* Collides two bodies with this approach speed (m/s) and nothing else acting on them: what an integrator with small
 * enough steps would find. */
int carom_collide(const carom_law *law, double speed, carom_impact *impact, char **error);

/* The damping coefficient c (N s^q/m^(m+q)) with which F = K*delta^n + c*delta^m*|rate|^q*sgn(rate) delivers a restitution
 * exactly, for an effective mass (kg), K = stiffness (N/m^n), n = exponent, m = damping_exponent, q = rate_exponent, an
 * end of contact (CAROM_EXIT_FORCE or CAROM_EXIT_INDENTATION) and an approach speed (m/s). */
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

/* The restitution that this law delivers with a damping coefficient; the arguments are those of carom_exact_damping. */
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
