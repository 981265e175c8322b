// SPDX-License-Identifier: GPL-2.0-only
#include "fix_wall_carom.h"

#include "atom.h"
#include "domain.h"
#include "error.h"
#include "region.h"
#include "update.h"
#include "utils.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;
using namespace FixConst;
using namespace carom_lammps;

// fix ID group wall/carom xplane|yplane|zplane LOW HIGH WORDS..., wall/carom xcylinder|ycylinder|zcylinder RADIUS WORDS...,
// or wall/carom region ID WORDS...; the words are those of pair_coeff.
FixWallCarom::FixWallCarom(LAMMPS *lmp, int narg, char **arg) : FixCaromRecords(lmp, narg, arg)
{
  scalar_flag = 1;
  vector_flag = 1;
  size_vector = 3;
  global_freq = 1;
  extscalar = extvector = 1;
  if (narg < 5) error->all(FLERR, "fix wall/carom needs a wall: xplane, yplane, zplane, xcylinder, ycylinder, zcylinder or region");
  const std::string wall = arg[3];
  int next;
  const auto bound = [&](const char *word, double none) {
    return std::string(word) == "NULL" ? none : utils::numeric(FLERR, word, false, lmp);
  };
  if (wall == "region") {
    kind = REGION;
    region_id = arg[4];
    next = 5;
  } else if (wall.size() > 1 && std::string("xyz").find(wall[0]) != std::string::npos && wall.substr(1) == "plane") {
    kind = PLANES;
    axis = wall[0] - 'x';
    if (narg < 6) error->all(FLERR, "fix wall/carom {} needs two positions; NULL stands for no wall", wall);
    low = bound(arg[4], -1e300);
    high = bound(arg[5], 1e300);
    if (!(low < high)) error->all(FLERR, "fix wall/carom {}: the lower wall {} must be below the upper one {}", wall, low, high);
    next = 6;
  } else if (wall.size() > 1 && std::string("xyz").find(wall[0]) != std::string::npos && wall.substr(1) == "cylinder") {
    kind = CYLINDER;
    axis = wall[0] - 'x';
    cylinder_radius = utils::numeric(FLERR, arg[4], false, lmp);
    if (!(cylinder_radius > 0)) error->all(FLERR, "fix wall/carom {}: the radius {} must be above 0", wall, cylinder_radius);
    next = 5;
  } else {
    error->all(FLERR, "fix wall/carom: no wall `{}`; use xplane, yplane, zplane, xcylinder, ycylinder, zcylinder or region", wall);
  }
  const std::string wrong = model.read(std::vector<std::string>(arg + next, arg + narg));
  if (!wrong.empty()) error->all(FLERR, "fix wall/carom: {}", wrong);
}

int FixWallCarom::setmask() { return PRE_EXCHANGE | POST_FORCE; }

void FixWallCarom::init()
{
  if (!atom->radius_flag || !atom->rmass_flag || !atom->omega_flag)
    error->all(FLERR, "fix wall/carom needs atoms with radius, mass and spin; use atom_style sphere");
  if (std::string(update->unit_style) != "si") error->all(FLERR, "fix wall/carom computes in SI units; use units si");
  if (kind == REGION) {
    region = domain->get_region_by_id(region_id);
    if (!region) error->all(FLERR, "fix wall/carom: there is no region {}", region_id);
  }
  after_setup = false;
  // The laws of the present sizes are created now, so that errors are reported before the run.
  for (int i = 0; i < atom->nlocal; i++) {
    if (!(atom->mask[i] & groupbit)) continue;
    std::string wrong;
    const Body wall = kind == CYLINDER ? Body{cylinder_radius, 0, Shape::BORE} : Body{0, 0, Shape::PLANE};
    if (model.law_between({atom->radius[i], atom->rmass[i]}, wall, wrong) < 0)
      error->one(FLERR, "fix wall/carom: {}", wrong);
    break;
  }
}

void FixWallCarom::setup(int vflag) { post_force(vflag); }

void FixWallCarom::post_force(int /*vflag*/)
{
  const bool setup = update->setupflag;
  const StepInfo step = {update->dt, setup, after_setup ? 1.0 : 0.5};
  after_setup = setup;
  for (double &number : on_walls) number = 0;
  summed = -1;

  double **x = atom->x;
  const double *radius = atom->radius;
  const int *mask = atom->mask;
  const bool moves = kind == REGION && region->dynamic_check();
  if (moves) {
    region->prematch();
    region->set_velocity();
  }
  for (int i = 0; i < atom->nlocal; i++) {
    if (!(mask[i] & groupbit)) continue;
    // Walls that are near enough to touch, or to hold a neck.
    struct Near {
      int64_t wall;
      Vec normal;    // from the grain to the wall
      double delta;
      Vec velocity;
      Body body;
    };
    std::vector<Near> near;
    // How far a contact with a body reaches beyond the grain once it has touched.
    const auto neck_of = [&](const Body &body) {
      std::string wrong;
      const int number = model.law_between({radius[i], atom->rmass[i]}, body, wrong);
      return number >= 0 ? -model.law(number).release : 0.0;
    };
    const auto consider = [&](int64_t wall, const Vec &normal, double distance, const Vec &velocity, const Body &body) {
      const auto known = [&](const Record &record) { return record.key == wall; };
      const bool touching = std::any_of(records[i].begin(), records[i].end(), known);
      if (distance < radius[i] || (touching && distance <= radius[i] + neck_of(body)))
        near.push_back({wall, normal, radius[i] - distance, velocity, body});
    };
    const Body plane = {0, 0, Shape::PLANE};
    if (kind == PLANES) {
      Vec normal;
      (axis == 0 ? normal.x : axis == 1 ? normal.y : normal.z) = 1;
      if (high < 1e300) consider(1, normal, high - x[i][axis], Vec(), plane);
      if (low > -1e300) consider(0, normal * -1.0, x[i][axis] - low, Vec(), plane);
    } else if (kind == CYLINDER) {
      Vec out = {x[i][0], x[i][1], x[i][2]};
      (axis == 0 ? out.x : axis == 1 ? out.y : out.z) = 0;
      const double distance = out.length();
      if (distance > 0) consider(0, out * (1 / distance), cylinder_radius - distance, Vec(), Body{cylinder_radius, 0, Shape::BORE});
    } else if (region->match(x[i][0], x[i][1], x[i][2])) {
      // Necks at curved walls are longer than at a plane, with the cube root of the effective radius.
      const double reach = records[i].empty() ? 0 : 2 * neck_of(plane);
      const int count = region->surface(x[i][0], x[i][1], x[i][2], radius[i] + reach);
      for (int k = 0; k < count; k++) {
        const auto &at = region->contact[k];
        double velocity[3] = {0, 0, 0};
        if (moves) region->velocity_contact(velocity, x[i], k);
        if (at.r > 0)
          consider(at.iwall, Vec{at.delx, at.dely, at.delz} * (-1 / at.r), at.r, Vec{velocity[0], velocity[1], velocity[2]},
              curved(at.radius));
      }
    }
    // Contacts with walls that are out of reach are removed.
    auto &own = records[i];
    const auto left = [&](const Record &record) {
      return std::none_of(near.begin(), near.end(), [&](const Near &it) { return it.wall == record.key; });
    };
    own.erase(std::remove_if(own.begin(), own.end(), left), own.end());
    for (const Near &it : near) contact_at(i, it.wall, it.normal, it.delta, it.velocity, it.body, step);
  }
}

// Returns the wall for the radius of curvature that LAMMPS states for a region: 0 where it is flat, negative where it curves around the
// grain, and for a cylinder twice its radius (the inverse of its mean curvature). A single cylinder is treated as such, with its elliptical
// contact; a cone or a combination of regions is replaced by a sphere of that radius.
Body FixWallCarom::curved(double radius) const
{
  const double size = std::fabs(radius);
  if (size == 0) return {0, 0, Shape::PLANE};
  const bool hollow = radius < 0;
  if (std::string(region->style) == "cylinder") return {0.5 * size, 0, hollow ? Shape::BORE : Shape::ROD};
  return {size, 0, hollow ? Shape::SOCKET : Shape::BALL};
}

void FixWallCarom::contact_at(int i, int64_t wall, const Vec &normal, double delta, const Vec &wall_velocity,
    const Body &body, const StepInfo &step)
{
  double **v = atom->v, **f = atom->f, **omega = atom->omega, **torque = atom->torque;
  const double radius = atom->radius[i], mass = atom->rmass[i];
  std::string wrong;
  const int number = model.law_between({radius, mass}, body, wrong);
  if (number < 0) error->one(FLERR, "fix wall/carom: {}", wrong);
  const Law &law = model.law(number);
  Surfaces at;
  at.normal = normal;
  at.velocity = wall_velocity - Vec{v[i][0], v[i][1], v[i][2]};
  const double half_rate = -normal.dot(at.velocity);
  auto &own = records[i];
  auto found = std::find_if(own.begin(), own.end(), [&](const Record &record) { return record.key == wall; });
  const bool fresh = found == own.end();
  if (fresh) {
    own.push_back({wall, Contact()});
    found = own.end() - 1;
    if (!touch(found->contact, model, law, delta, half_rate))
      error->one(FLERR, "fix wall/carom: no damping of this law delivers the restitution at {} m/s", half_rate);
  }
  Contact &contact = found->contact;
  const double rate = fresh ? half_rate : rate_now(contact, half_rate, step);
  carom_memory &memory = contact.memory;
  if (law.memory_size == 5 && !fresh && !step.setup)
    carom_advance(law.law.get(), step.length, contact.delta, contact.rate, delta, rate, &memory);
  double load = carom_force(law.law.get(), delta, rate, &memory);
  if (!law.pulls) load = std::max(load, 0.0);
  on_walls[3] += carom_stored(law.law.get(), delta, &memory);
  if (law.memory_size >= 3 && !step.setup) carom_commit(law.law.get(), delta, rate, &memory);
  contact.delta = delta;
  contact.rate = rate;
  contact.half_rate = half_rate;

  at.spin[0] = Vec{omega[i][0], omega[i][1], omega[i][2]};
  at.spin[1] = Vec();
  at.arm[0] = radius - 0.5 * delta;
  at.arm[1] = 0;
  at.radius = effective_radius(radius, body);
  at.mass = mass;
  at.inertia = 0.4 * mass * radius * radius;
  const Vec rubbing = friction(contact, model, at, delta, half_rate, load, step);
  on_walls[3] += spring_energy(contact, model, at.radius, delta);
  const Vec force = normal * -load + rubbing;
  const Vec turning = normal.cross(rubbing) * at.arm[0] + rolling_couple(model, at, load, step.length);
  f[i][0] += force.x;
  f[i][1] += force.y;
  f[i][2] += force.z;
  torque[i][0] += turning.x;
  torque[i][1] += turning.y;
  torque[i][2] += turning.z;
  on_walls[0] -= force.x;
  on_walls[1] -= force.y;
  on_walls[2] -= force.z;
}

void FixWallCarom::sum()
{
  if (summed == update->ntimestep) return;
  MPI_Allreduce(on_walls, all_walls, 4, MPI_DOUBLE, MPI_SUM, world);
  summed = update->ntimestep;
}

// Returns the energy that contacts with the walls store (J).
double FixWallCarom::compute_scalar()
{
  sum();
  return all_walls[3];
}

// Returns the force on the walls (N).
double FixWallCarom::compute_vector(int component)
{
  sum();
  return all_walls[component];
}
