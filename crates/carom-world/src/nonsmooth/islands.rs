//! Islands of contacts: contacts that share bodies which respond to their impulses. Each island is solved separately, so
//! that what happens in one island does not change the results of another by a single bit.

use super::rows::ContactRows;
use crate::disjoint_sets::DisjointSets;

/// Contacts grouped into islands.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactIslands {
    /// Sets of bodies that are connected by contacts.
    bodies: DisjointSets,
    /// Indices of the contacts, island by island.
    order: Vec<usize>,
    /// Index in `order` at which each island ends.
    ends: Vec<usize>,
}

impl ContactIslands {
    /// Groups contacts by the bodies that respond to them.
    pub fn group(&mut self, contacts: &[ContactRows], count: usize) {
        let Self { bodies, order, ends } = self;
        bodies.reset(count);
        for contact in contacts {
            let mut answering = contact.responses.iter().map(|(body, _)| *body);
            let Some(first) = answering.next() else { continue };
            answering.for_each(|other| bodies.join(first, other));
        }
        let of =
            |index: usize| contacts[index].responses.first().map(|(body, _)| bodies.root(*body));
        order.clear();
        order.extend(0..contacts.len());
        order.sort_unstable_by_key(|&index| (of(index), index));
        ends.clear();
        for end in 1..=order.len() {
            if end == order.len() || of(order[end]) != of(order[end - 1]) {
                ends.push(end);
            }
        }
    }

    /// Returns the number of islands.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Returns the indices of the contacts of an island.
    pub fn contacts(&self, island: usize) -> &[usize] {
        let begin = island.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.order[begin..self.ends[island]]
    }
}
