//! Islands: contacts that share bodies which answer their impulses. Each is solved by itself, so that what happens in one changes no
//! bit of another.

use super::rows::ContactRows;

/// Contacts in groups.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    /// A body of the same island for every body; the one that points at itself stands for all.
    roots: Vec<usize>,
    /// Numbers of the contacts, island after island.
    order: Vec<usize>,
    /// Where in `order` each island ends.
    ends: Vec<usize>,
}

impl Islands {
    /// Groups contacts by the bodies that answer them.
    pub fn group(&mut self, contacts: &[ContactRows], bodies: usize) {
        let Self { roots, order, ends } = self;
        roots.clear();
        roots.extend(0..bodies);
        for contact in contacts {
            let mut bodies = contact.responses.iter().map(|(body, _)| *body);
            let Some(first) = bodies.next() else { continue };
            for other in bodies {
                let (one, two) = (root(roots, first), root(roots, other));
                // The smaller one stands for all, so that the order of islands does not depend on that of contacts.
                roots[one.max(two)] = one.min(two);
            }
        }
        let of =
            |index: usize| contacts[index].responses.first().map(|(body, _)| root(roots, *body));
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

fn root(roots: &[usize], mut body: usize) -> usize {
    while roots[body] != body {
        body = roots[body];
    }
    body
}
