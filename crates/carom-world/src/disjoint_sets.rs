//! Disjoint sets: which bodies are connected, directly or through others (union–find).

/// A partition of the numbers 0 … n − 1 into sets. The smallest member represents its set, so that the result does not depend
/// on the order in which members are joined.
#[derive(Clone, Debug, Default)]
pub(crate) struct DisjointSets {
    /// For each member, a smaller member of the same set; for the smallest, the member itself.
    parents: Vec<usize>,
}

impl DisjointSets {
    /// Creates `count` sets with one member each.
    pub fn new(count: usize) -> Self {
        Self { parents: (0..count).collect() }
    }

    /// Resets the partition to `count` sets with one member each.
    pub fn reset(&mut self, count: usize) {
        self.parents.clear();
        self.parents.extend(0..count);
    }

    /// Copies another partition, without allocating if the capacity suffices.
    pub fn copy_from(&mut self, other: &Self) {
        self.parents.clone_from(&other.parents);
    }

    /// Joins the sets of two members.
    pub fn join(&mut self, a: usize, b: usize) {
        let [a, b] = [a, b].map(|member| self.shorten(member));
        self.parents[a.max(b)] = a.min(b);
    }

    /// Returns the smallest member of the set of a member, and halves the path to it.
    fn shorten(&mut self, mut member: usize) -> usize {
        while self.parents[member] != member {
            self.parents[member] = self.parents[self.parents[member]];
            member = self.parents[member];
        }
        member
    }

    /// Returns the smallest member of the set of a member.
    pub fn root(&self, mut member: usize) -> usize {
        while self.parents[member] != member {
            member = self.parents[member];
        }
        member
    }

    /// Returns whether two members are in the same set.
    pub fn are_joined(&self, a: usize, b: usize) -> bool {
        self.root(a) == self.root(b)
    }

    /// Returns whether there is more than one set.
    pub fn has_several(&self) -> bool {
        self.parents.iter().enumerate().skip(1).any(|(member, &parent)| member == parent)
    }

    /// Returns the smallest members of all sets, in ascending order.
    pub fn roots(&self) -> impl Iterator<Item = usize> {
        let members = self.parents.iter().enumerate();
        members.filter(|(member, parent)| member == *parent).map(|(member, _)| member)
    }

    /// Returns the members of the set whose smallest member is `root`, in ascending order.
    pub fn members(&self, root: usize) -> impl Iterator<Item = usize> {
        (root..self.parents.len()).filter(move |&member| self.root(member) == root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_do_not_depend_on_the_order_of_joining() {
        let pairs = [(5, 3), (1, 4), (3, 1)];
        let sets = |order: [usize; 3]| {
            let mut sets = DisjointSets::new(6);
            order.into_iter().for_each(|i| sets.join(pairs[i].0, pairs[i].1));
            let roots: Vec<usize> = sets.roots().collect();
            (roots, sets.members(1).collect::<Vec<_>>())
        };
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            assert_eq!(sets(order), (vec![0, 1, 2], vec![1, 3, 4, 5]));
        }
    }

    #[test]
    fn one_set_is_not_several() {
        let mut sets = DisjointSets::new(3);
        assert!(sets.has_several() && !sets.are_joined(0, 2));
        sets.join(2, 1);
        sets.join(1, 0);
        assert!(!sets.has_several() && sets.are_joined(0, 2));
        sets.reset(0);
        assert!(!sets.has_several());
    }
}
