//! Numbers printed in Zhang et al. 2022 (Mech. Syst. Signal Process. 168, 108739), digit by digit. They are data for comparison
//! only; nothing is computed from them.

/// A law of Tables 1 and 2.
#[derive(Clone, Copy, PartialEq)]
pub enum TableLaw {
    /// The new model with m and q.
    New(f64, f64),
    /// A model of the catalogue.
    Known(&'static str),
}

/// Table 1 or 2. The columns of its rows are restitution, its error in %, duration in 1e-4 s, its error, peak force in N, its
/// error.
pub struct PrintedTable {
    pub place: &'static str,
    pub experiment: &'static str,
    /// Damping ratio ε that reproduces every number of the row "Jie Zhang et al. (2020)".
    pub zhang_2020: f64,
    pub rows: [(TableLaw, [&'static str; 6]); 8],
}

const HUNT_CROSSLEY: TableLaw = TableLaw::Known("hunt-crossley-1975");
const LANKARANI_NIKRAVESH: TableLaw = TableLaw::Known("lankarani-nikravesh-1990");
/// The row "Jie Zhang et al. (2020)".
pub const ZHANG_2020: TableLaw = TableLaw::Known("zhang-2020");

/// The steel ball of Zhang & Sharf.
pub const STEEL: [PrintedTable; 2] = [
    PrintedTable {
        place: "Table 1",
        experiment: "steel-ball-0.15",
        zhang_2020: 0.1867,
        rows: [
            (TableLaw::New(1.5, 1.0), ["0.8891", "-0.02", "2.620", "3.97", "1089.8", "1.23"]),
            (TableLaw::New(1.2, 0.9), ["0.8886", "-0.07", "2.618", "3.89", "1088.9", "1.15"]),
            (TableLaw::New(1.2, 1.1), ["0.8880", "-0.13", "2.618", "3.89", "1080.6", "0.37"]),
            (TableLaw::New(1.8, 0.9), ["0.8945", "0.60", "2.618", "3.89", "1100.9", "2.26"]),
            (TableLaw::New(1.8, 1.1), ["0.8950", "0.66", "2.616", "3.81", "1090.6", "1.30"]),
            (HUNT_CROSSLEY, ["0.9002", "1.23", "2.614", "3.71", "1095.0", "1.71"]),
            (LANKARANI_NIKRAVESH, ["0.9052", "1.80", "2.612", "3.65", "1097.4", "1.93"]),
            (ZHANG_2020, ["0.8892", "-0.00", "2.618", "3.87", "1089.9", "1.23"]),
        ],
    },
    PrintedTable {
        place: "Table 2",
        experiment: "steel-ball-0.5",
        zhang_2020: 0.4793,
        rows: [
            (TableLaw::New(1.5, 1.0), ["0.7553", "-0.19", "2.106", "1.74", "4447.0", "1.89"]),
            (TableLaw::New(1.2, 0.9), ["0.7548", "-0.26", "2.104", "1.64", "4419.2", "1.25"]),
            (TableLaw::New(1.2, 1.1), ["0.7540", "-0.38", "2.102", "1.55", "4322.2", "-0.97"]),
            (TableLaw::New(1.8, 0.9), ["0.7665", "1.29", "2.102", "1.55", "4581.7", "4.97"]),
            (TableLaw::New(1.8, 1.1), ["0.7673", "1.39", "2.098", "1.35", "4474.2", "2.51"]),
            (HUNT_CROSSLEY, ["0.8036", "6.19", "2.085", "0.72", "4491.3", "2.90"]),
            (LANKARANI_NIKRAVESH, ["0.8234", "8.80", "2.078", "0.38", "4515.5", "3.46"]),
            (ZHANG_2020, ["0.7564", "-0.05", "2.103", "1.60", "4447.7", "1.90"]),
        ],
    },
];

/// A sliotar core: the experiment, and the errors stated in Sect. 3.3.2, in %. The first errors are for Hunt & Crossley and
/// Lankarani & Nikravesh, the second for the new model with m = 3/2, q = 1 and Zhang 2020, the third for m = 1.1, q = 1.25; each
/// for peak force and peak indentation.
pub type Core = (&'static str, [[&'static str; 2]; 3]);

/// The four cores.
pub const SLIOTAR: [Core; 4] = [
    ("sliotar-a", [["15.5", "17.5"], ["17.9", "5.7"], ["6.3", "3.4"]]),
    ("sliotar-b", [["10.5", "13.3"], ["12.5", "2.4"], ["1.6", "0.2"]]),
    ("sliotar-c", [["10.3", "14.0"], ["12.3", "2.9"], ["1.4", "0.7"]]),
    ("sliotar-d", [["7.8", "11.4"], ["9.5", "0.7"], ["-0.9", "-1.9"]]),
];

/// Restitutions of Figs. 4 and 5.
pub const RESTITUTIONS: [f64; 3] = [0.9, 0.6, 0.3];

/// Pairs (m, q) of Figs. 5 and 7 (c), (f), (g) and of Tables 1 and 2, at n = 3/2.
pub const PAIRS: [(f64, f64); 5] = [(1.2, 0.9), (1.2, 1.1), (1.5, 1.0), (1.8, 0.9), (1.8, 1.1)];

/// A panel of Fig. 7: its letter, n, e and pairs (m, q), from Sect. 3.4.
pub type Letter = (&'static str, f64, f64, [(f64, f64); 5]);

/// Fig. 7.
pub const FIG_7: [Letter; 7] = [
    ("a", 1.5, 0.6, [(1.5, 0.6), (1.5, 0.9), (1.5, 1.0), (1.5, 1.1), (1.5, 1.5)]),
    ("b", 1.5, 0.6, [(0.8, 1.0), (1.2, 1.0), (1.5, 1.0), (1.8, 1.0), (2.2, 1.0)]),
    ("c", 1.5, 0.6, PAIRS),
    ("d", 1.0, 0.6, [(0.8, 0.9), (0.8, 1.1), (1.0, 1.0), (1.5, 0.9), (1.5, 1.1)]),
    ("e", 2.0, 0.6, [(1.5, 0.9), (1.5, 1.1), (2.0, 1.0), (2.5, 0.9), (2.5, 1.1)]),
    ("f", 1.5, 0.9, PAIRS),
    ("g", 1.5, 0.3, PAIRS),
];
