// SPDX-License-Identifier: GPL-2.0-only
// pair_style carom: grains whose normal force is any contact law of carom, with friction and rolling resistance.
#ifndef LMP_PAIR_CAROM_H
#define LMP_PAIR_CAROM_H

#include "contact.h"
#include "pair.h"

#include <memory>
#include <vector>

namespace LAMMPS_NS {

class PairCarom : public Pair {
 public:
  explicit PairCarom(class LAMMPS *);
  ~PairCarom() override;
  void compute(int, int) override;
  void settings(int, char **) override;
  void coeff(int, char **) override;
  void init_style() override;
  double init_one(int, int) override;
  double memory_usage() override;

  // The number of the law between two atoms, within the model of their types.
  int law_of(int i, int j);

 private:
  // Contacts of one law whose forces are calculated together.
  struct Block {
    static constexpr int SIZE = 64;
    int count = 0;
    const carom_lammps::ContactModel *model = nullptr;
    const carom_lammps::Law *law = nullptr;
    int i[SIZE], j[SIZE], contact[SIZE];
    double normal[SIZE][3];
    double delta[SIZE], rate[SIZE], half_rate[SIZE], force[SIZE];
    bool fresh[SIZE];
    carom_memory memory[SIZE];
  };

  class FixCaromMemory *memory_fix = nullptr;
  std::vector<std::unique_ptr<carom_lammps::ContactModel>> models;
  std::vector<std::vector<int>> model_of;          // by atom types
  std::vector<std::vector<Block>> blocks;          // by model and law
  std::vector<double> largest_radius;              // by atom type
  bool after_setup = false;                        // the last forces were calculated before a run

  void make_memory_fix();
  void allocate();
  Block &block_for(int model, int law);
  void compute_block(Block &, const carom_lammps::StepInfo &, bool eflag);
};

}    // namespace LAMMPS_NS

#endif
