// SPDX-License-Identifier: GPL-2.0-only
// The memory of contacts between grains; made by pair_style carom itself.
//
// Between two neighbour lists, contacts lie in one array in the order in which they began, and each entry of the neighbour
// list knows its contact or none: entries that do not touch cost four bytes. Before atoms migrate every contact is copied to
// both of its atoms (to the one that is owned, where the other is a ghost), by the id of the partner; afterwards the entries
// of the new list look for their contacts there.
#ifndef LMP_FIX_CAROM_MEMORY_H
#define LMP_FIX_CAROM_MEMORY_H

#include "fix_carom_records.h"

namespace LAMMPS_NS {

class FixCaromMemory : public FixCaromRecords {
 public:
  static constexpr int NONE = -1;

  FixCaromMemory(class LAMMPS *, int, char **);
  int setmask() override;
  void setup_pre_exchange() override;
  void pre_exchange() override;
  void setup_post_neighbor() override;
  void post_neighbor() override;
  void post_run() override;
  double memory_usage() override;

  class PairCarom *pair = nullptr;

  std::vector<carom_lammps::Contact> contacts;
  std::vector<int> law;                  // of each contact, within its model
  std::vector<int> entries;              // for each entry of the neighbour list the number of its contact, or NONE
  std::vector<size_t> first;             // where the entries of the ii-th atom of the list begin
  bool in_use = false;                   // contacts are those of the neighbour list, and newer than the records

  int begin_contact();
  void end_contact(int number) { unused.push_back(number); }

 protected:
  void bring_up_to_date() override;

 private:
  std::vector<int> unused;
};

}    // namespace LAMMPS_NS

#endif
