/* One impact of two steel balls with a law of the catalogue, integrated by the program itself.
 *
 *     cc impact.c $(pkg-config --cflags --libs carom) -o impact
 */
#include <carom.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    const char *description =
        "{\"law\": \"hunt-crossley-1975\", \"restitution\": 0.7, \"calibration\": \"exact\", \"bodies\": ["
        "{\"shape\": \"sphere\", \"radius\": \"10 mm\", \"material\": \"steel\"},"
        "{\"shape\": \"sphere\", \"radius\": \"10 mm\", \"material\": \"steel\"}]}";
    carom_law *law = NULL;
    char *error = NULL;
    if (carom_law_new(description, &law, &error) != CAROM_OK) {
        fprintf(stderr, "error: %s\n", error);
        carom_string_free(error);
        return 1;
    }

    /* What carom finds. */
    const double speed = 0.5;
    carom_impact impact;
    if (carom_collide(law, speed, &impact, &error) != CAROM_OK) {
        fprintf(stderr, "error: %s\n", error);
        carom_string_free(error);
        carom_law_free(law);
        return 1;
    }

    /* What an integrator of one's own finds: velocity Verlet with the rate at the end of the step predicted. */
    const double mass = carom_law_mass(law), step = impact.duration / 5000;
    carom_memory memory;
    carom_touch(law, speed, &memory);
    double delta = 0, rate = speed, force = 0, work = 0;
    while (delta >= carom_law_release(law)) {
        const double before = delta;
        delta += step * (rate - 0.5 * step * force / mass);
        const double predicted = rate - step * force / mass;
        const double next = fmax(carom_force(law, delta, predicted, &memory), 0);
        rate -= 0.5 * step * (force + next) / mass;
        work += 0.5 * (force + next) * (delta - before);
        force = next;
        carom_commit(law, delta, rate, &memory);
    }
    carom_tangents tangents;
    carom_tangent(law, 0.5 * impact.indentation_max, 0, &memory, &tangents);
    printf("carom %s\n", carom_version());
    printf("restitution %.4f, integrated %.4f\n", impact.restitution, -rate / speed);
    printf("largest indentation %.4g m, of which the contact noted %.4g m\n", impact.indentation_max, memory.peak);
    printf("energy lost %.4g J, integrated %.4g J\n", impact.energy_lost, work);
    printf("stored at half the depth %.3g J, stiffness there %.4g N/m\n",
           carom_stored(law, 0.5 * impact.indentation_max, &memory), tangents.stiffness);

    /* The damping that a program with a power law of its own needs. */
    double coefficient = 0;
    if (carom_exact_damping(mass, 1e6, 1, 0, 1, CAROM_EXIT_FORCE, speed, 0.7, &coefficient, NULL) != CAROM_OK) return 1;
    printf("a linear spring of 1e6 N/m needs a damper of %.4f N s/m\n", coefficient);

    /* What is wrong is said. */
    carom_law *none = NULL;
    if (carom_law_new("{\"law\": \"hunt-crosley\", \"mass\": 1, \"stiffness\": 1e6}", &none, &error) == CAROM_OK) return 1;
    printf("refused: %s\n", error);
    carom_string_free(error);
    carom_law_free(law);
    const int right = fabs(-rate / speed - impact.restitution) < 1e-3 && fabs(work - impact.energy_lost) < 1e-3 * impact.energy;
    return right ? 0 : 1;
}
