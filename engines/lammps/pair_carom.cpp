// SPDX-License-Identifier: GPL-2.0-only
#include "pair_carom.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "fix_carom_memory.h"
#include "force.h"
#include "memory.h"
#include "modify.h"
#include "neigh_list.h"
#include "neighbor.h"
#include "update.h"
#include "utils.h"

using namespace LAMMPS_NS;
using namespace carom_lammps;

static const char MEMORY_ID[] = "CAROM_MEMORY";

// Models with more laws than this (grains of many sizes) share one block, which is calculated whenever the law changes.
static constexpr size_t MAX_BLOCKS = 256;

PairCarom::PairCarom(LAMMPS *lmp) : Pair(lmp)
{
  single_enable = 0;
  restartinfo = 0;
  one_coeff = 0;
  finitecutflag = 1;
  centroidstressflag = CENTROID_NOTAVAIL;
  // Contacts at ghosts are calculated by both processes, without forces on ghosts, which is what the virial of f.r needs.
  no_virial_fdotr_compute = 1;
}

PairCarom::~PairCarom()
{
  if (allocated) {
    memory->destroy(setflag);
    memory->destroy(cutsq);
  }
  if (memory_fix && modify->get_fix_by_id(MEMORY_ID)) {
    memory_fix->pair = nullptr;
    modify->delete_fix(MEMORY_ID);
  }
}

void PairCarom::allocate()
{
  allocated = 1;
  const int n = atom->ntypes;
  memory->create(setflag, n + 1, n + 1, "pair:setflag");
  memory->create(cutsq, n + 1, n + 1, "pair:cutsq");
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= n; j++) setflag[i][j] = 0;
  model_of.assign(n + 1, std::vector<int>(n + 1, -1));
}

void PairCarom::settings(int narg, char **arg)
{
  if (narg) error->all(FLERR, "pair_style carom takes no arguments, and `{}` was given; laws are given with pair_coeff", arg[0]);
  // Early, so that its contacts are saved before other fixes delete atoms.
  if (domain->box_exist) make_memory_fix();
}

void PairCarom::make_memory_fix()
{
  if (!memory_fix) {
    modify->add_fix(std::string(MEMORY_ID) + " all carom/memory");
    memory_fix = dynamic_cast<FixCaromMemory *>(modify->get_fix_by_id(MEMORY_ID));
  }
  if (!memory_fix) error->all(FLERR, "fix carom/memory is missing: load the whole plugin");
  memory_fix->pair = this;
}

void PairCarom::coeff(int narg, char **arg)
{
  if (narg < 4) error->all(FLERR, "pair_coeff of pair_style carom needs two types and a law, for example: "
      "pair_coeff * * law tsuji-1992 restitution 0.8 calibration exact youngs 5e6 poisson 0.3 friction 0.5");
  if (!allocated) allocate();
  int ilo, ihi, jlo, jhi;
  utils::bounds(FLERR, arg[0], 1, atom->ntypes, ilo, ihi, error);
  utils::bounds(FLERR, arg[1], 1, atom->ntypes, jlo, jhi, error);
  auto model = std::make_unique<ContactModel>();
  const std::string wrong = model->read(std::vector<std::string>(arg + 2, arg + narg));
  if (!wrong.empty()) error->all(FLERR, "pair_coeff of pair_style carom: {}", wrong);
  models.push_back(std::move(model));
  int count = 0;
  for (int i = ilo; i <= ihi; i++)
    for (int j = std::max(jlo, i); j <= jhi; j++) {
      model_of[i][j] = model_of[j][i] = static_cast<int>(models.size()) - 1;
      setflag[i][j] = 1;
      count++;
    }
  if (count == 0) error->all(FLERR, "pair_coeff of pair_style carom: no pair of types {} {}", arg[0], arg[1]);
}

void PairCarom::init_style()
{
  if (!atom->radius_flag || !atom->rmass_flag || !atom->omega_flag)
    error->all(FLERR, "pair_style carom needs atoms with radius, mass and spin; use atom_style sphere");
  if (std::string(update->unit_style) != "si") error->all(FLERR, "pair_style carom computes in SI units; use units si");
  if (comm->ghost_velocity == 0)
    error->all(FLERR, "pair_style carom needs velocities of ghost atoms; use comm_modify vel yes");
  if (!atom->tag_enable) error->all(FLERR, "pair_style carom needs atom ids");
  make_memory_fix();
  // Every process has all contacts of its own atoms, also where newton is on: memory then needs no communication.
  neighbor->add_request(this, NeighConst::REQ_SIZE | NeighConst::REQ_NEWTON_OFF);
  std::vector<double> mine(atom->ntypes + 1, 0.0);
  largest_radius.assign(atom->ntypes + 1, 0.0);
  for (int i = 0; i < atom->nlocal; i++) mine[atom->type[i]] = std::max(mine[atom->type[i]], atom->radius[i]);
  // Sizes of grains that will be inserted.
  for (auto *fix : modify->get_fix_list()) {
    if (!utils::strmatch(fix->style, "^pour") && !utils::strmatch(fix->style, "^deposit")) continue;
    for (int type = 1; type <= atom->ntypes; type++) {
      int asked = type;
      const auto *radius = static_cast<double *>(fix->extract("radius", asked));
      if (radius) mine[type] = std::max(mine[type], *radius);
    }
  }
  MPI_Allreduce(mine.data(), largest_radius.data(), atom->ntypes + 1, MPI_DOUBLE, MPI_MAX, world);
  after_setup = false;
  // The laws of the present sizes are created now, so that errors are reported before the run.
  std::vector<int> some(atom->ntypes + 1, -1);
  for (int i = 0; i < atom->nlocal; i++) some[atom->type[i]] = i;
  for (int a = 1; a <= atom->ntypes; a++)
    for (int b = a; b <= atom->ntypes; b++)
      if (some[a] >= 0 && some[b] >= 0 && allocated && model_of[a][b] >= 0) law_of(some[a], some[b]);
}

double PairCarom::init_one(int i, int j)
{
  if (setflag[i][j] == 0 && model_of[i][j] < 0)
    error->all(FLERR, "pair_style carom: no law between types {} and {}; give it with pair_coeff {} {}", i, j, i, j);
  return std::max(largest_radius[i] + largest_radius[j], 1e-300);
}

int PairCarom::law_of(int i, int j)
{
  ContactModel &model = *models[model_of[atom->type[i]][atom->type[j]]];
  // The first of two types is the first body, whichever of the atoms comes first.
  if (atom->type[i] > atom->type[j]) std::swap(i, j);
  std::string wrong;
  const int number = model.law_between({atom->radius[i], atom->rmass[i]}, {atom->radius[j], atom->rmass[j]}, wrong);
  if (number < 0) error->one(FLERR, "pair_style carom: {}", wrong);
  // A neck is followed as far as the neighbour list reaches.
  if (-model.law(number).release > neighbor->skin)
    error->one(FLERR, "pair_style carom: the adhesive neck of {} m is longer than the skin of the neighbour list; use neighbor {} bin",
        -model.law(number).release, -1.5 * model.law(number).release);
  return number;
}

PairCarom::Block &PairCarom::block_for(int model, int law)
{
  if (blocks.size() < models.size()) blocks.resize(models.size());
  auto &of_model = blocks[model];
  const size_t place = models[model]->law_count() > MAX_BLOCKS ? 0 : law;
  if (of_model.size() <= place) of_model.resize(place + 1);
  return of_model[place];
}

void PairCarom::compute(int eflag, int vflag)
{
  ev_init(eflag, vflag);
  FixCaromMemory &store = *memory_fix;
  store.in_use = true;
  const bool setup = update->setupflag;
  const StepInfo step = {update->dt, setup, after_setup ? 1.0 : 0.5};
  after_setup = setup;

  double **x = atom->x, **v = atom->v;
  const double *radius = atom->radius;
  const int *type = atom->type;
  for (int ii = 0; ii < list->inum; ii++) {
    const int i = list->ilist[ii];
    const int *neighbours = list->firstneigh[i];
    int *entries = store.entries.data() + store.first[ii];
    const double xi = x[i][0], yi = x[i][1], zi = x[i][2], ri = radius[i];
    for (int jj = 0; jj < list->numneigh[i]; jj++) {
      const int j = neighbours[jj] & NEIGHMASK;
      const double dx = x[j][0] - xi, dy = x[j][1] - yi, dz = x[j][2] - zi, sum = ri + radius[j];
      const double square = dx * dx + dy * dy + dz * dz;
      int number = entries[jj];
      if (square >= sum * sum) {
        if (number == FixCaromMemory::NONE) continue;
        // Surfaces have separated; an adhesive neck may still hold them.
        const double release = models[model_of[type[i]][type[j]]]->law(store.law[number]).release;
        if (release == 0 || sum - std::sqrt(square) < release) {
          store.end_contact(number);
          entries[jj] = FixCaromMemory::NONE;
          continue;
        }
      }
      const double distance = std::sqrt(square), inverse = distance > 0 ? 1 / distance : 0;
      const double nx = distance > 0 ? dx * inverse : 1, ny = dy * inverse, nz = dz * inverse, delta = sum - distance;
      const double rate = (v[i][0] - v[j][0]) * nx + (v[i][1] - v[j][1]) * ny + (v[i][2] - v[j][2]) * nz;
      const int which = model_of[type[i]][type[j]];
      const ContactModel &model = *models[which];
      bool fresh = false;
      if (number == FixCaromMemory::NONE) {
        fresh = true;
        const int law = law_of(i, j);
        number = entries[jj] = store.begin_contact();
        store.law[number] = law;
        if (!touch(store.contacts[number], model, model.law(law), delta, rate))
          error->one(FLERR, "pair_style carom: no damping of this law delivers the restitution at {} m/s", rate);
      }
      const Contact &contact = store.contacts[number];
      const Law *law = &model.law(store.law[number]);
      Block &block = block_for(which, store.law[number]);
      if (block.law != law && block.count) compute_block(block, step, eflag);
      block.model = &model;
      block.law = law;
      const int k = block.count++;
      block.i[k] = i;
      block.j[k] = j;
      block.contact[k] = number;
      block.normal[k][0] = nx;
      block.normal[k][1] = ny;
      block.normal[k][2] = nz;
      block.delta[k] = delta;
      block.half_rate[k] = rate;
      block.rate[k] = fresh ? rate : rate_now(contact, rate, step);
      block.fresh[k] = fresh;
      block.memory[k] = contact.memory;
      if (block.count == Block::SIZE) compute_block(block, step, eflag);
    }
  }
  for (auto &of_model : blocks)
    for (auto &block : of_model)
      if (block.count) compute_block(block, step, eflag);
}

void PairCarom::compute_block(Block &block, const StepInfo &step, bool eflag)
{
  const int count = block.count, nlocal = atom->nlocal;
  block.count = 0;
  const Law &law = *block.law;
  const ContactModel &model = *block.model;
  FixCaromMemory &store = *memory_fix;
  if (law.memory_size == 5 && !step.setup)
    for (int k = 0; k < count; k++) {
      const Contact &contact = store.contacts[block.contact[k]];
      if (!block.fresh[k])
        carom_advance(law.law.get(), step.length, contact.delta, contact.rate, block.delta[k], block.rate[k], &block.memory[k]);
    }
  carom_force_columns(law.law.get(), count, block.delta, block.rate, block.memory, block.force);
  double energy[Block::SIZE] = {0};
  if (eflag) carom_stored_columns(law.law.get(), count, block.delta, block.memory, energy);
  if (law.memory_size >= 3 && !step.setup)
    carom_commit_columns(law.law.get(), count, block.delta, block.rate, block.memory);

  double **x = atom->x, **v = atom->v, **f = atom->f, **omega = atom->omega, **torque = atom->torque;
  const double *radius = atom->radius, *rmass = atom->rmass;
  const bool rolls = model.rolling_arm > 0 || model.spinning_arm > 0;
  for (int k = 0; k < count; k++) {
    const int i = block.i[k], j = block.j[k];
    Contact &contact = store.contacts[block.contact[k]];
    const double load = law.pulls ? block.force[k] : std::max(block.force[k], 0.0);
    const Vec normal = {block.normal[k][0], block.normal[k][1], block.normal[k][2]};
    Vec force = normal * -load;
    if (model.friction > 0 || rolls) {
      Surfaces at;
      const double mi = rmass[i], mj = rmass[j], arm = 0.5 * block.delta[k];
      at.normal = normal;
      at.velocity = Vec{v[j][0] - v[i][0], v[j][1] - v[i][1], v[j][2] - v[i][2]};
      at.spin[0] = Vec{omega[i][0], omega[i][1], omega[i][2]};
      at.spin[1] = Vec{omega[j][0], omega[j][1], omega[j][2]};
      at.arm[0] = radius[i] - arm;
      at.arm[1] = radius[j] - arm;
      at.radius = radius[i] * radius[j] / (radius[i] + radius[j]);
      at.mass = mi * mj / (mi + mj);
      at.inertia = 0.4 * std::min(mi * radius[i] * radius[i], mj * radius[j] * radius[j]);
      const Vec rubbing = friction(contact, model, at, block.delta[k], block.half_rate[k], load, step);
      if (eflag) energy[k] += spring_energy(contact, model, at.radius, block.delta[k]);
      const Vec turning = normal.cross(rubbing), couple = rolling_couple(model, at, load, step.length);
      force = force + rubbing;
      const Vec on_i = turning * at.arm[0] + couple, on_j = turning * at.arm[1] - couple;
      torque[i][0] += on_i.x;
      torque[i][1] += on_i.y;
      torque[i][2] += on_i.z;
      if (j < nlocal) {
        torque[j][0] += on_j.x;
        torque[j][1] += on_j.y;
        torque[j][2] += on_j.z;
      }
    }
    f[i][0] += force.x;
    f[i][1] += force.y;
    f[i][2] += force.z;
    if (j < nlocal) {
      f[j][0] -= force.x;
      f[j][1] -= force.y;
      f[j][2] -= force.z;
    }
    if (evflag)
      ev_tally_xyz(i, j, nlocal, 0, energy[k], 0.0, force.x, force.y, force.z, x[i][0] - x[j][0], x[i][1] - x[j][1],
          x[i][2] - x[j][2]);
    contact.half_rate = block.half_rate[k];
    if (law.memory_size > 2) {
      contact.memory = block.memory[k];
      contact.delta = block.delta[k];
      contact.rate = block.rate[k];
    }
  }
}

double PairCarom::memory_usage()
{
  double bytes = Pair::memory_usage();
  for (const auto &of_model : blocks) bytes += of_model.capacity() * sizeof(Block);
  return bytes;
}
