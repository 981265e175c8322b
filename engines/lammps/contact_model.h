// SPDX-License-Identifier: GPL-2.0-only
// What the words behind pair_coeff or fix wall/carom say: a contact law of carom, friction, rolling resistance.
#ifndef CAROM_CONTACT_MODEL_H
#define CAROM_CONTACT_MODEL_H

#include <carom.h>

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace carom_lammps {

// A sphere, or a plane wall (radius 0).
struct Body {
  double radius, mass;
};

// A law with what the loops need to know of it.
struct Law {
  std::unique_ptr<carom_law, void (*)(carom_law *)> law{nullptr, carom_law_free};
  size_t memory_size = 0;
  bool pulls = false;     // its contact ends at zero indentation, so that a negative force counts
  double release = 0;     // indentation at which touch is lost (m)
};

// The model of a pair of atom types, or of atoms and a wall.
class ContactModel {
 public:
  // Friction, as in a bed of carom: a tangential spring with a damper beside it, limited by Coulomb's law.
  double friction = 0;                // coefficient
  double tangential = 0;              // stiffness (N/m), or 8 G* (Pa) of Mindlin's law
  bool mindlin = false;               // the stiffness is tangential*sqrt(R*delta)
  double tangential_damping = -1;     // ratio to critical damping
  double rolling_arm = 0, spinning_arm = 0;   // times the normal force, the couple against rolling and spinning (m)
  double rolling_speed = 0.1;         // below this angular speed the resistance fades (rad/s)
  double slowest_impact = 1e-3;       // smallest approach speed that a law is given (m/s)

  // Reads words; a sentence where they are wrong.
  std::string read(const std::vector<std::string> &words);

  // The number of the law between two bodies; made when it is asked for the first time. -1 and a sentence where carom
  // refuses it.
  int law_between(const Body &a, const Body &b, bool wall, std::string &error);

  const Law &law(int number) const { return laws[number]; }
  size_t law_count() const { return laws.size(); }

 private:
  std::string description;            // members of the JSON object, without bodies; or the whole object
  bool whole = false;                 // the description is complete: one law whatever the bodies are
  bool has_mass = false;
  double youngs[2] = {0, 0}, poisson[2] = {-2, -2};
  std::string restitution;
  std::deque<Law> laws;             // places in it stay where they are
  std::map<std::array<double, 4>, int> known;
};

}    // namespace carom_lammps

#endif
