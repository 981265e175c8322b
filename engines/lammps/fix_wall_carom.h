// SPDX-License-Identifier: GPL-2.0-only
// fix wall/carom: walls with the contact laws of carom. A wall is a plane, a cylinder or the surface of a region.
#ifndef LMP_FIX_WALL_CAROM_H
#define LMP_FIX_WALL_CAROM_H

#include "fix_carom_records.h"

#include <string>

namespace LAMMPS_NS {

class FixWallCarom : public FixCaromRecords {
 public:
  FixWallCarom(class LAMMPS *, int, char **);
  int setmask() override;
  void init() override;
  void setup(int) override;
  void setup_pre_exchange() override { set_maxexchange(); }
  void pre_exchange() override { set_maxexchange(); }
  void post_force(int) override;
  double compute_scalar() override;
  double compute_vector(int) override;

 private:
  enum { PLANES, CYLINDER, REGION } kind;
  int axis = 0;                           // normal of the planes, or direction of the cylinder
  double low, high, cylinder_radius = 0;
  std::string region_id;
  class Region *region = nullptr;
  carom_lammps::ContactModel model;
  bool after_setup = false;
  double on_walls[4] = {0, 0, 0, 0};      // force on the walls (N), and the energy that contacts store (J)
  double all_walls[4] = {0, 0, 0, 0};
  bigint summed = -1;

  void contact_at(int i, int64_t wall, const carom_lammps::Vec &normal, double delta,
      const carom_lammps::Vec &wall_velocity, const carom_lammps::Body &, const carom_lammps::StepInfo &);
  carom_lammps::Body curved(double radius) const;
  void sum();
};

}    // namespace LAMMPS_NS

#endif
