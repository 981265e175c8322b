// SPDX-License-Identifier: GPL-2.0-only
// A fix that keeps the contacts of every atom, each identified by a whole number (the id of a partner, the number of a wall).
// They follow atoms that migrate to other processes, are sorted or deleted, and are written to restart files.
#ifndef LMP_FIX_CAROM_RECORDS_H
#define LMP_FIX_CAROM_RECORDS_H

#include "contact.h"
#include "fix.h"

#include <cstdint>
#include <vector>

namespace LAMMPS_NS {

class FixCaromRecords : public Fix {
 public:
  struct Record {
    int64_t key;
    carom_lammps::Contact contact;
  };

  FixCaromRecords(class LAMMPS *, int, char **);
  ~FixCaromRecords() override;

  void write_restart(FILE *) override;
  void restart(char *) override;
  void grow_arrays(int) override;
  void copy_arrays(int, int, int) override;
  void set_arrays(int) override;
  int pack_exchange(int, double *) override;
  int unpack_exchange(int, double *) override;
  int pack_restart(int, double *) override;
  void unpack_restart(int, int) override;
  int size_restart(int) override;
  int maxsize_restart() override;
  double memory_usage() override;

 protected:
  std::vector<std::vector<Record>> records;    // of each atom, by local index

  // Called before atoms migrate: sets how many numbers an atom may take with it.
  void set_maxexchange();
  // Called before records are written to a restart file.
  virtual void bring_up_to_date() {}

 private:
  int pack(int, double *) const;
  void unpack(int, const double *);
};

}    // namespace LAMMPS_NS

#endif
