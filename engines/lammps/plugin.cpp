// SPDX-License-Identifier: GPL-2.0-only
// Registers pair_style carom, fix wall/carom and the fix that keeps memories with LAMMPS.
#include "fix_carom_memory.h"
#include "fix_wall_carom.h"
#include "lammps.h"
#include "pair_carom.h"

using namespace LAMMPS_NS;

// The interface between LAMMPS and plugins (its manual, "Writing plugins"). The header with these declarations is not among
// those that the Python package of LAMMPS brings.
extern "C" {
typedef void *(*lammpsplugin_factory1)(void *);
typedef void *(*lammpsplugin_factory2)(void *, int, char **);
struct lammpsplugin_t {
  const char *version, *style, *name, *info, *author;
  union {
    lammpsplugin_factory1 v1;
    lammpsplugin_factory2 v2;
  } creator;
  void *handle;
};
typedef void (*lammpsplugin_regfunc)(lammpsplugin_t *, void *);
}

static void *make_pair(void *lmp) { return static_cast<Pair *>(new PairCarom(static_cast<LAMMPS *>(lmp))); }

static void *make_wall(void *lmp, int narg, char **arg)
{
  return static_cast<Fix *>(new FixWallCarom(static_cast<LAMMPS *>(lmp), narg, arg));
}

static void *make_memory(void *lmp, int narg, char **arg)
{
  return static_cast<Fix *>(new FixCaromMemory(static_cast<LAMMPS *>(lmp), narg, arg));
}

extern "C" __attribute__((visibility("default"))) void lammpsplugin_init(void *lmp, void *handle, void *regfunc)
{
  const auto add = reinterpret_cast<lammpsplugin_regfunc>(regfunc);
  lammpsplugin_t plugin = {};
#ifdef CAROM_LAMMPS_VERSION
  plugin.version = CAROM_LAMMPS_VERSION;
#else
  plugin.version = static_cast<LAMMPS *>(lmp)->version;
#endif
  plugin.author = "carom";
  plugin.handle = handle;

  plugin.style = "pair";
  plugin.name = "carom";
  plugin.info = "contact laws of carom between grains";
  plugin.creator.v1 = make_pair;
  add(&plugin, lmp);

  plugin.style = "fix";
  plugin.name = "wall/carom";
  plugin.info = "contact laws of carom at walls";
  plugin.creator.v2 = make_wall;
  add(&plugin, lmp);

  plugin.name = "carom/memory";
  plugin.info = "what contacts of pair_style carom remember";
  plugin.creator.v2 = make_memory;
  add(&plugin, lmp);
}
