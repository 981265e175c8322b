// SPDX-License-Identifier: GPL-2.0-only
#include "fix_carom_memory.h"

#include "atom.h"
#include "neigh_list.h"
#include "pair_carom.h"

using namespace LAMMPS_NS;
using namespace FixConst;
using namespace carom_lammps;

FixCaromMemory::FixCaromMemory(LAMMPS *lmp, int narg, char **arg) : FixCaromRecords(lmp, narg, arg) {}

int FixCaromMemory::setmask() { return PRE_EXCHANGE | POST_NEIGHBOR | POST_RUN; }

int FixCaromMemory::begin_contact()
{
  if (unused.empty()) {
    contacts.emplace_back();
    law.push_back(0);
    return static_cast<int>(contacts.size()) - 1;
  }
  const int number = unused.back();
  unused.pop_back();
  return number;
}

// Copies the contacts of the neighbour list to the records of their atoms.
void FixCaromMemory::bring_up_to_date()
{
  if (!in_use || !pair || !pair->list) return;
  const NeighList *list = pair->list;
  const int nlocal = atom->nlocal;
  for (auto &of_atom : records) of_atom.clear();
  for (int ii = 0; ii < list->inum; ii++) {
    const int i = list->ilist[ii];
    for (int jj = 0; jj < list->numneigh[i]; jj++) {
      const int number = entries[first[ii] + jj];
      if (number == NONE) continue;
      const int j = list->firstneigh[i][jj] & NEIGHMASK;
      const Contact &contact = contacts[number];
      records[i].push_back({static_cast<int64_t>(atom->tag[j]), contact});
      if (j < nlocal) records[j].push_back({static_cast<int64_t>(atom->tag[i]), contact.exchanged()});
    }
  }
}

// Before a run atoms may have been sorted, moved or deleted since the last one, and the records with them.
void FixCaromMemory::setup_pre_exchange()
{
  in_use = false;
  set_maxexchange();
}

void FixCaromMemory::pre_exchange()
{
  bring_up_to_date();
  in_use = false;
  set_maxexchange();
}

void FixCaromMemory::post_run()
{
  bring_up_to_date();
  in_use = false;
}

void FixCaromMemory::setup_post_neighbor() { post_neighbor(); }

// Finds the contacts of the entries of a new neighbour list in the records.
void FixCaromMemory::post_neighbor()
{
  const NeighList *list = pair ? pair->list : nullptr;
  if (!list) return;
  contacts.clear();
  law.clear();
  unused.clear();
  first.resize(list->inum);
  size_t count = 0;
  for (int ii = 0; ii < list->inum; ii++) {
    first[ii] = count;
    count += list->numneigh[list->ilist[ii]];
  }
  entries.assign(count, NONE);
  for (int ii = 0; ii < list->inum; ii++) {
    const int i = list->ilist[ii];
    if (records[i].empty()) continue;
    for (int jj = 0; jj < list->numneigh[i]; jj++) {
      const int j = list->firstneigh[i][jj] & NEIGHMASK;
      const int64_t tag = atom->tag[j];
      for (const Record &record : records[i]) {
        if (record.key != tag) continue;
        const int number = begin_contact();
        contacts[number] = record.contact;
        law[number] = pair->law_of(i, j);
        entries[first[ii] + jj] = number;
        break;
      }
    }
  }
  in_use = true;
}

double FixCaromMemory::memory_usage()
{
  return FixCaromRecords::memory_usage() + contacts.capacity() * (sizeof(Contact) + sizeof(int)) +
      entries.capacity() * sizeof(int) + first.capacity() * sizeof(size_t);
}
