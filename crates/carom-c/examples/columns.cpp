// Many contacts at once, and one law used by several threads.
//
//     c++ -std=c++11 columns.cpp $(pkg-config --cflags --libs carom) -pthread -o columns
#include <carom.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Freed {
    void operator()(carom_law *law) const { carom_law_free(law); }
};
using Law = std::unique_ptr<carom_law, Freed>;

static Law law(const std::string &description) {
    carom_law *made = nullptr;
    char *error = nullptr;
    if (carom_law_new(description.c_str(), &made, &error) != CAROM_OK) {
        const std::string sentence = error ? error : "carom refused";
        carom_string_free(error);
        throw std::runtime_error(sentence);
    }
    return Law(made);
}

// Moves `count` contacts of one law through an impact and returns the largest difference of their restitution.
static double impacts(const carom_law *law, std::size_t count, double slowest) {
    std::vector<double> speed(count), delta(count, 0), rate, force(count, 0), energy(count);
    std::vector<carom_memory> memory(count);
    std::vector<carom_tangents> tangents(count);
    for (std::size_t i = 0; i < count; i++) speed[i] = slowest * (1 + i);
    rate = speed;
    if (carom_touch_columns(law, count, speed.data(), memory.data()) != CAROM_OK) return NAN;
    const double mass = carom_law_mass(law);
    carom_impact impact;
    if (carom_collide(law, slowest, &impact, nullptr) != CAROM_OK) return NAN;
    const double step = impact.duration / 4000;
    for (int k = 0; k < 5000; k++) {
        for (std::size_t i = 0; i < count; i++) {
            rate[i] -= 0.5 * step * force[i] / mass;
            delta[i] += step * rate[i];
        }
        carom_force_columns(law, count, delta.data(), rate.data(), memory.data(), force.data());
        for (std::size_t i = 0; i < count; i++) {
            // A column gives what single contacts do, to the last digits (vector instructions may round powers differently).
            const double single = carom_force(law, delta[i], rate[i], &memory[i]);
            if (std::fabs(force[i] - single) > 1e-12 * std::fabs(single)) return NAN;
            if (force[i] < 0) force[i] = 0;
            rate[i] -= 0.5 * step * force[i] / mass;
        }
        carom_commit_columns(law, count, delta.data(), rate.data(), memory.data());
    }
    carom_stored_columns(law, count, delta.data(), memory.data(), energy.data());
    carom_tangent_columns(law, count, delta.data(), rate.data(), memory.data(), tangents.data());
    double worst = 0;
    for (std::size_t i = 0; i < count; i++) {
        carom_collide(law, speed[i], &impact, nullptr);
        worst = std::fmax(worst, std::fabs(-rate[i] / speed[i] - impact.restitution));
        // All have separated.
        if (delta[i] >= 0 || energy[i] != 0 || tangents[i].stiffness != 0) return NAN;
    }
    return worst;
}

int main() {
    try {
        const Law balls = law(R"({"law": "thornton-1997", "bodies": [
            {"shape": "sphere", "radius": "5 mm", "material": "steel"},
            {"shape": "plane", "material": "steel"}], "set": {"limiting_pressure": "1.5 GPa"}})");
        std::printf("a contact remembers %zu numbers\n", carom_law_memory_size(balls.get()));
        std::vector<double> worst(4, NAN);
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < worst.size(); i++)
            threads.emplace_back([&, i] { worst[i] = impacts(balls.get(), 50, 0.01 * (1 + i)); });
        for (auto &thread : threads) thread.join();
        for (const double off : worst) {
            std::printf("restitution within %.0e\n", off);
            if (!(off < 2e-3)) return 1;
        }
        law(R"({"law": "thornton-1997", "mass": -1})");
    } catch (const std::exception &error) {
        std::printf("refused: %s\n", error.what());
        return 0;
    }
    return 1;
}
