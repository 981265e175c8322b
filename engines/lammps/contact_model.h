// SPDX-License-Identifier: GPL-2.0-only
// The model that the arguments of pair_coeff or fix wall/carom describe: a contact law of carom, friction, rolling resistance.
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

// A body in contact: a grain, or a wall that does not move by itself. Walls that curve towards the grain are a ball or a rod, walls that curve around
// it a socket or a bore (their counterparts with a curvature in one direction only).
enum class Shape { GRAIN, PLANE, BALL, SOCKET, ROD, BORE };

struct Body {
  double radius, mass;    // of a grain; the radius of curvature of a wall
  Shape shape = Shape::GRAIN;
};

// The effective radius of a grain at a body: 1/R is the mean of the sums of curvatures in the two directions (m).
double effective_radius(double grain, const Body &other);

// A law with the properties that force loops use.
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

  // Parses arguments; returns a sentence if they are wrong, else an empty text.
  std::string read(const std::vector<std::string> &words);

  // Returns the index of the law between two bodies, which is created when it is first needed; -1 and a sentence if carom
  // refuses it.
  int law_between(const Body &a, const Body &b, std::string &error);

  const Law &law(int number) const { return laws[number]; }
  size_t law_count() const { return laws.size(); }

 private:
  std::string description;            // members of the JSON object, without bodies; or the whole object
  bool whole = false;                 // the description is complete: one law whatever the bodies are
  bool has_mass = false;
  double youngs[2] = {0, 0}, poisson[2] = {-2, -2};
  std::string restitution;
  std::deque<Law> laws;             // references to its elements remain valid when it grows
  std::map<std::array<double, 5>, int> known;
};

}    // namespace carom_lammps

#endif
