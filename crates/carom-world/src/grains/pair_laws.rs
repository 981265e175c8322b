//! Laws of pairs of grains: one for each pair of sizes, and one for each size against walls.

use carom::law::{Force, Law, Work};
use carom::{Error, Result};

/// Largest number of sizes: each pair of sizes has its own law, and thus its own runs of contacts.
pub const MAX_SIZES: usize = 16;

/// Laws by size.
#[derive(Clone, Debug)]
pub(super) struct PairLaws {
    /// Size of each grain, as an index, by id of the grain.
    size: Vec<u8>,
    sizes: usize,
    /// Laws between sizes a ≤ b at the index b·(b + 1)/2 + a, followed by those of the sizes against walls.
    laws: Vec<Law>,
}

impl PairLaws {
    /// Creates the laws for grains of one size.
    pub fn uniform(count: usize, grains: Law, walls: Law) -> Self {
        Self { size: vec![0; count], sizes: 1, laws: vec![grains, walls] }
    }

    /// Creates the laws from those between sizes a ≤ b, at the index b·(b + 1)/2 + a, and those of each size against walls.
    ///
    /// # Errors
    /// When the counts do not agree, or there are more sizes than [`MAX_SIZES`].
    pub fn new(count: usize, size: Vec<u8>, between: &[Law], walls: &[Law]) -> Result<Self> {
        let sizes = walls.len();
        let fits = size.len() == count
            && size.iter().all(|&size| usize::from(size) < sizes)
            && between.len() == sizes * (sizes + 1) / 2
            && sizes <= MAX_SIZES;
        if !fits {
            let allowed = format!("at most {MAX_SIZES}, with a law for each pair and each wall");
            return Err(Error::invalid("sizes", sizes, allowed, "give one number a grain"));
        }
        Ok(Self { size, sizes, laws: [between, walls].concat() })
    }

    /// Returns all laws.
    pub fn laws(&self) -> &[Law] {
        &self.laws
    }

    /// Returns the law at an index, and whether it is a law against walls.
    pub fn law(&self, index: u16) -> (&Law, bool) {
        (&self.laws[usize::from(index)], index >= self.first_of_walls())
    }

    /// Returns the index of the law between two grains, given by id.
    pub fn index_between(&self, a: u32, b: u32) -> u16 {
        let (a, b) = (self.size_of(a), self.size_of(b));
        let (low, high) = (a.min(b), a.max(b));
        high * (high + 1) / 2 + low
    }

    /// Returns the index of the law of a grain against walls, given by id.
    pub fn index_at_wall(&self, grain: u32) -> u16 {
        self.first_of_walls() + self.size_of(grain)
    }

    fn size_of(&self, id: u32) -> u16 {
        u16::from(self.size[id as usize])
    }

    fn first_of_walls(&self) -> u16 {
        (self.sizes * (self.sizes + 1) / 2) as u16
    }
}

/// Checks that a bed can use a law. In a bed, contact exists only while surfaces overlap, so a law must not pull across a
/// gap, nor where the surfaces just touch.
///
/// # Errors
/// When the law does pull there; the error names alternatives.
///
/// ```
/// use carom::{Damping, Pair, model};
/// let pair = Pair::new(1e-5, 1e7, 1.5)?;
/// let law = model("tsuji-1992")?.law(&pair, Damping::Exact(0.8), None, &[])?;
/// carom_world::grains::check_law(&law)?;
/// # Ok::<(), carom::Error>(())
/// ```
pub fn check_law(law: &Law) -> Result<()> {
    struct Pulls(f64);
    impl Work for Pulls {
        type Output = bool;
        fn run<F: Force>(self, form: F) -> bool {
            let memory = form.touch(self.0, 1.0);
            form.release() < 0.0 || form.signed(1e-15, 0.0, &memory) < 0.0
        }
    }
    if law.with(Pulls(law.mass)) {
        return Err(Error::unsupported(
            "a bed of grains with a law that pulls where surfaces do not overlap",
            "use a law without adhesion, or a scene of bodies, which follows necks",
        ));
    }
    Ok(())
}
