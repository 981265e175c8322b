// SPDX-License-Identifier: GPL-2.0-only
// One contact: what it remembers, its tangential force and its rolling resistance.
#ifndef CAROM_CONTACT_H
#define CAROM_CONTACT_H

#include "contact_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace carom_lammps {

struct Vec {
  double x = 0, y = 0, z = 0;
  Vec operator+(const Vec &o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vec operator-(const Vec &o) const { return {x - o.x, y - o.y, z - o.z}; }
  Vec operator*(double s) const { return {x * s, y * s, z * s}; }
  double dot(const Vec &o) const { return x * o.x + y * o.y + z * o.z; }
  Vec cross(const Vec &o) const { return {y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x}; }
  double length() const { return std::sqrt(dot(*this)); }
  Vec across(const Vec &n) const { return *this - n * dot(n); }
};

// What a contact remembers from step to step, as numbers that are sent to other processes and written to restart files.
// Only the tangential spring changes its sign when the two bodies are exchanged.
struct Contact {
  carom_memory memory = {0, 0, 0, 0, 0};
  double delta = 0;          // indentation at the last step (m)
  double rate = 0;           // its rate at the last step (m/s)
  double half_rate = 0;      // the rate by the velocities of the last force calculation, half a step earlier
  Vec spring;                // force of the tangential spring on the first body (N)

  Contact exchanged() const
  {
    Contact other = *this;
    other.spring = spring * -1.0;
    return other;
  }
};

constexpr int CONTACT_NUMBERS = sizeof(Contact) / sizeof(double);
static_assert(sizeof(Contact) == 11 * sizeof(double), "a contact is plain numbers");

// The step for which forces are calculated.
struct StepInfo {
  double length;         // of the step (s)
  bool setup;            // before a run: velocities belong to the instant of the positions, and the memory is not updated
  double extrapolation;  // fraction of its last change by which the rate is extrapolated to the instant of the positions
};

// Begins a contact at this indentation and rate, delta/rate after the surfaces met, and sets what the law fixes at onset.
// Returns false if no damping delivers the requested restitution.
inline bool touch(Contact &contact, const ContactModel &model, const Law &law, double delta, double rate)
{
  contact = Contact();
  if (carom_touch(law.law.get(), std::max(rate, model.slowest_impact), &contact.memory) != CAROM_OK) return false;
  if (law.memory_size == 5 && rate > 0 && delta > 0)
    carom_advance(law.law.get(), delta / rate, 0, rate, delta, rate, &contact.memory);
  contact.delta = delta;
  contact.rate = contact.half_rate = rate;
  return std::isfinite(contact.memory.damping);
}

// Returns the rate of indentation at the instant of the positions. LAMMPS calculates forces with velocities of half a step
// earlier; a damping force from those has an error of first order in the step.
inline double rate_now(const Contact &contact, double rate, const StepInfo &step)
{
  return step.setup ? rate : rate + step.extrapolation * (rate - contact.half_rate);
}

// Motion and sizes of two bodies in contact, for friction and rolling resistance.
struct Surfaces {
  Vec normal;            // from the first body to the second
  Vec velocity;          // of the second against the first
  Vec spin[2];           // angular velocities
  double arm[2];         // from the centres to the contact point
  double radius;         // effective
  double mass;           // effective
  double inertia;        // the smaller moment of inertia
};

// Returns the stiffness of the tangential spring at this indentation (N/m).
inline double spring_stiffness(const ContactModel &model, double radius, double delta)
{
  return model.tangential * (model.mindlin ? std::sqrt(std::max(radius * delta, 0.0)) : 1.0);
}

// Returns the energy that the tangential spring stores (J).
inline double spring_energy(const Contact &contact, const ContactModel &model, double radius, double delta)
{
  if (model.friction == 0) return 0;
  const double k = spring_stiffness(model, radius, delta);
  return k > 0 ? 0.5 * contact.spring.dot(contact.spring) / k : 0;
}

// Friction on the first body: a tangential spring with a damper, limited by Coulomb's law. The same as in a bed of carom
// (P. A. Cundall, O. D. L. Strack, Geotechnique 29 (1979) 47-65, with a damper beside the spring).
inline Vec friction(Contact &contact, const ContactModel &model, const Surfaces &at, double delta, double rate,
    double load, const StepInfo &step)
{
  if (model.friction == 0) return Vec();
  const double k = spring_stiffness(model, at.radius, delta);
  const double h = step.setup ? 0 : step.length;
  // Critical damping for 2/7 of the effective mass, which is the mass that a tangential force accelerates at the surfaces of spheres.
  const double c = 2 * model.tangential_damping * std::sqrt(2.0 / 7.0 * k * at.mass);
  const Vec slip = at.velocity + at.normal * rate - (at.spin[0] * at.arm[0] + at.spin[1] * at.arm[1]).cross(at.normal);
  const Vec before = contact.spring.across(at.normal);
  const Vec stretched = before + slip * (k * h);
  const Vec stuck = stretched + slip * c;
  const double limit = model.friction * std::max(load, 0.0), size = stuck.length();
  if (size <= limit) {
    if (!step.setup) contact.spring = stretched;
    return stuck;
  }
  const Vec slid = stuck * (limit / size);
  // While it slips, spring and damper together carry the friction force.
  if (!step.setup) contact.spring = (before * c + slid * (k * h)) * (1 / std::max(c + k * h, 1e-300));
  return slid;
}

// Returns the couple on the first body that resists rolling and spinning: an arm times the normal force, opposite to the
// relative angular velocity, of which one step takes at most half from the body with the smaller moment of inertia.
inline Vec rolling_couple(const ContactModel &model, const Surfaces &at, double load, double step)
{
  if (model.rolling_arm == 0 && model.spinning_arm == 0) return Vec();
  const Vec spin = at.spin[1] - at.spin[0], about = at.normal * spin.dot(at.normal), across = spin - about;
  const double force = std::max(load, 0.0);
  const Vec couple = across * (model.rolling_arm * force / (across.length() + model.rolling_speed)) +
      about * (model.spinning_arm * force / (about.length() + model.rolling_speed));
  const double size = couple.length(), limit = 0.5 * spin.length() * at.inertia / step;
  return size > limit ? couple * (limit / size) : couple;
}

}    // namespace carom_lammps

#endif
