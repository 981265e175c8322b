// SPDX-License-Identifier: GPL-2.0-only
#include "fix_carom_records.h"

#include "atom.h"
#include "comm.h"
#include "error.h"
#include "memory.h"

using namespace LAMMPS_NS;
using namespace carom_lammps;

static constexpr int RECORD_NUMBERS = 1 + CONTACT_NUMBERS;

FixCaromRecords::FixCaromRecords(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg)
{
  restart_global = 1;
  restart_peratom = 1;
  create_attribute = 1;
  maxexchange_dynamic = 1;
  stores_ids = 1;
  records.resize(atom->nmax);
  atom->add_callback(Atom::GROW);
  atom->add_callback(Atom::RESTART);
}

FixCaromRecords::~FixCaromRecords()
{
  if (copymode) return;
  atom->delete_callback(id, Atom::GROW);
  atom->delete_callback(id, Atom::RESTART);
}

void FixCaromRecords::set_maxexchange()
{
  size_t most = 0;
  for (int i = 0; i < atom->nlocal; i++) most = std::max(most, records[i].size());
  maxexchange = 1 + RECORD_NUMBERS * static_cast<int>(most);
}

// Number of values in a record, so that a file with another layout is refused.
void FixCaromRecords::write_restart(FILE *fp)
{
  bring_up_to_date();
  if (comm->me == 0) {
    const int size = sizeof(double);
    const double numbers = RECORD_NUMBERS;
    fwrite(&size, sizeof(int), 1, fp);
    fwrite(&numbers, sizeof(double), 1, fp);
  }
}

void FixCaromRecords::restart(char *buf)
{
  double numbers;
  memcpy(&numbers, buf, sizeof(double));
  if (numbers != RECORD_NUMBERS)
    error->all(FLERR, "The restart file keeps {} numbers of a contact and this version of carom {}", numbers, RECORD_NUMBERS);
}

void FixCaromRecords::grow_arrays(int nmax) { records.resize(nmax); }

void FixCaromRecords::copy_arrays(int i, int j, int /*delflag*/) { records[j] = records[i]; }

void FixCaromRecords::set_arrays(int i) { records[i].clear(); }

// Writes the records of an atom to a buffer: their number, then each of them.
int FixCaromRecords::pack(int i, double *buf) const
{
  int m = 0;
  buf[m++] = static_cast<double>(records[i].size());
  for (const Record &record : records[i]) {
    buf[m++] = static_cast<double>(record.key);
    memcpy(&buf[m], &record.contact, sizeof(Contact));
    m += CONTACT_NUMBERS;
  }
  return m;
}

void FixCaromRecords::unpack(int i, const double *buf)
{
  int m = 0;
  records[i].resize(static_cast<size_t>(buf[m++]));
  for (Record &record : records[i]) {
    record.key = static_cast<int64_t>(buf[m++]);
    memcpy(static_cast<void *>(&record.contact), &buf[m], sizeof(Contact));
    m += CONTACT_NUMBERS;
  }
}

int FixCaromRecords::pack_exchange(int i, double *buf) { return pack(i, buf); }

int FixCaromRecords::unpack_exchange(int nlocal, double *buf)
{
  unpack(nlocal, buf);
  return 1 + RECORD_NUMBERS * static_cast<int>(records[nlocal].size());
}

int FixCaromRecords::size_restart(int i) { return 2 + RECORD_NUMBERS * static_cast<int>(records[i].size()); }

int FixCaromRecords::maxsize_restart()
{
  size_t most = 0;
  for (int i = 0; i < atom->nlocal; i++) most = std::max(most, records[i].size());
  int mine = 2 + RECORD_NUMBERS * static_cast<int>(most), all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, world);
  return all;
}

// LAMMPS stores the values of several fixes one after the other, each preceded by their number.
int FixCaromRecords::pack_restart(int i, double *buf)
{
  buf[0] = size_restart(i);
  return 1 + pack(i, &buf[1]);
}

void FixCaromRecords::unpack_restart(int nlocal, int nth)
{
  const double *extra = atom->extra[nlocal];
  int m = 0;
  for (int i = 0; i < nth; i++) m += static_cast<int>(extra[m]);
  unpack(nlocal, &extra[m + 1]);
}

double FixCaromRecords::memory_usage()
{
  double bytes = records.capacity() * sizeof(records[0]);
  for (const auto &of_atom : records) bytes += of_atom.capacity() * sizeof(Record);
  return bytes;
}
