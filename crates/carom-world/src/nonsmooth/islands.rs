//! Islands: contacts that share bodies which answer their impulses. Each is solved by itself, so that what happens in one changes no
//! bit of another.

use super::rows::ContactRows;
use crate::disjoint_sets::DisjointSets;

/// Contacts in groups.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    /// Bodies that contacts connect.
    bodies: DisjointSets,
    /// Numbers of the contacts, island after island.
    order: Vec<usize>,
    /// Where in `order` each island ends.
    ends: Vec<usize>,
}

impl Islands {
    /// Groups contacts by the bodies that answer them.
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

    /// How many islands there are.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The contacts of an island.
    pub fn contacts(&self, island: usize) -> &[usize] {
        let begin = island.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.order[begin..self.ends[island]]
    }
}
