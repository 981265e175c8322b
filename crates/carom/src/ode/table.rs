//! Coefficients of Dormand and Prince's pair, shared by both kinds of state.
//!
//! [`C`] holds the times of the stages; those from 13 on serve the dense output. The other rows are types
//! ([`Weights`]), so that the compiler knows the coefficients of a sum over the stages.

/// Coefficients of a sum over the stages.
pub(super) trait Weights {
    const WEIGHTS: [f64; 16];
}

/// Coefficients of the state of stage I.
pub(super) struct Stage<const I: usize>;
/// Coefficients of the end of the step.
pub(super) struct EndWeights;
/// Coefficients of the error estimate of order 3.
pub(super) struct ErrorWeights3;
/// Coefficients of the error estimate of order 5.
pub(super) struct ErrorWeights5;
/// Coefficients of row I + 3 of the dense output.
pub(super) struct DenseRow<const I: usize>;

impl<const I: usize> Weights for Stage<I> {
    const WEIGHTS: [f64; 16] = A[I];
}
impl Weights for EndWeights {
    const WEIGHTS: [f64; 16] = B;
}
impl Weights for ErrorWeights3 {
    const WEIGHTS: [f64; 16] = E3;
}
impl Weights for ErrorWeights5 {
    const WEIGHTS: [f64; 16] = E5;
}
impl<const I: usize> Weights for DenseRow<I> {
    const WEIGHTS: [f64; 16] = D[I];
}

/// Computes Σ aⱼ·kⱼ over the stages. The sum is written out, so that the compiler knows the coefficients and omits
/// those that are zero. `slope` returns the slope of a stage.
#[inline(always)]
pub(super) fn sum<'k, W: Weights, const N: usize>(
    slope: impl Fn(usize) -> Option<&'k [f64; N]>,
) -> [f64; N] {
    let mut sum = [0.0; N];
    macro_rules! terms {
        ($($j:literal)*) => {
            $(
                if W::WEIGHTS[$j] != 0.0
                    && let Some(slope) = slope($j)
                {
                    for i in 0..N {
                        sum[i] += W::WEIGHTS[$j] * slope[i];
                    }
                }
            )*
        };
    }
    terms!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    sum
}

/// Creates a row of coefficients; those that are not given are zero.
const fn padded_row<const N: usize>(written: [f64; N]) -> [f64; 16] {
    let mut all = [0.0; 16];
    let mut i = 0;
    while i < N {
        all[i] = written[i];
        i += 1;
    }
    all
}

/// Coefficients of the states of the stages.
#[rustfmt::skip]
const A: [[f64; 16]; 16] = [
    [0.0; 16],
    padded_row([0.05260015195876773]),
    padded_row([0.0197250569845379, 0.0591751709536137]),
    padded_row([0.02958758547680685, 0.0, 0.08876275643042054]),
    padded_row([0.2413651341592667, 0.0, -0.8845494793282861, 0.924834003261792]),
    padded_row([0.037037037037037035, 0.0, 0.0, 0.17082860872947386, 0.12546768756682242]),
    padded_row([0.037109375, 0.0, 0.0, 0.17025221101954405, 0.06021653898045596, -0.017578125]),
    padded_row([
        0.03709200011850479, 0.0, 0.0, 0.17038392571223998, 0.10726203044637328,
        -0.015319437748624402, 0.008273789163814023,
    ]),
    padded_row([
        0.6241109587160757, 0.0, 0.0, -3.3608926294469414, -0.868219346841726, 27.59209969944671,
        20.154067550477894, -43.48988418106996,
    ]),
    padded_row([
        0.47766253643826434, 0.0, 0.0, -2.4881146199716677, -0.590290826836843, 21.230051448181193,
        15.279233632882423, -33.28821096898486, -0.020331201708508627,
    ]),
    padded_row([
        -0.9371424300859873, 0.0, 0.0, 5.186372428844064, 1.0914373489967295, -8.149787010746927,
        -18.52006565999696, 22.739487099350505, 2.4936055526796523, -3.0467644718982196,
    ]),
    padded_row([
        2.273310147516538, 0.0, 0.0, -10.53449546673725, -2.0008720582248625, -17.9589318631188,
        27.94888452941996, -2.8589982771350235, -8.87285693353063, 12.360567175794303,
        0.6433927460157636,
    ]),
    [0.0; 16],
    padded_row([
        0.056167502283047954, 0.0, 0.0, 0.0, 0.0, 0.0, 0.25350021021662483, -0.2462390374708025,
        -0.12419142326381637, 0.15329179827876568, 0.00820105229563469, 0.007567897660545699,
        -0.008298,
    ]),
    padded_row([
        0.03183464816350214, 0.0, 0.0, 0.0, 0.0, 0.028300909672366776, 0.053541988307438566,
        -0.05492374857139099, 0.0, 0.0, -0.00010834732869724932, 0.0003825710908356584,
        -0.00034046500868740456, 0.1413124436746325,
    ]),
    padded_row([
        -0.42889630158379194, 0.0, 0.0, 0.0, 0.0, -4.697621415361164, 7.683421196062599,
        4.06898981839711, 0.3567271874552811, 0.0, 0.0, 0.0, -0.0013990241651590145,
        2.9475147891527724, -9.15095847217987,
    ]),
];

/// Times of the stages, as fractions of the step.
#[rustfmt::skip]
pub(super) const C: [f64; 16] = [
    0.0, 0.05260015195876773, 0.0789002279381516, 0.1183503419072274, 0.2816496580927726,
    0.3333333333333333, 0.25, 0.3076923076923077, 0.6512820512820513, 0.6, 0.8571428571428571, 1.0,
    1.0, 0.1, 0.2, 0.7777777777777778,
];

/// Coefficients of the end of the step.
#[rustfmt::skip]
const B: [f64; 16] = padded_row([
    0.054293734116568765, 0.0, 0.0, 0.0, 0.0, 4.450312892752409, 1.8915178993145003,
    -5.801203960010585, 0.3111643669578199, -0.1521609496625161, 0.20136540080403034,
    0.04471061572777259,
]);

/// Coefficients of the error estimate of order 3.
#[rustfmt::skip]
const E3: [f64; 16] = padded_row([
    -0.18980075407240762, 0.0, 0.0, 0.0, 0.0, 4.450312892752409, 1.8915178993145003,
    -5.801203960010585, -0.4226823213237919, -0.1521609496625161, 0.20136540080403034,
    0.02265179219836082,
]);

/// Coefficients of the error estimate of order 5.
#[rustfmt::skip]
const E5: [f64; 16] = padded_row([
    0.01312004499419488, 0.0, 0.0, 0.0, 0.0, -1.2251564463762044, -0.4957589496572502,
    1.6643771824549864, -0.35032884874997366, 0.3341791187130175, 0.08192320648511571,
    -0.022355307863886294,
]);

/// Coefficients of rows 3 to 6 of the dense output.
#[rustfmt::skip]
const D: [[f64; 16]; 4] = [
    [
        -8.428938276109013, 0.0, 0.0, 0.0, 0.0, 0.5667149535193777, -3.0689499459498917,
        2.38466765651207, 2.117034582445028, -0.871391583777973, 2.2404374302607883,
        0.6315787787694688, -0.08899033645133331, 18.148505520854727, -9.194632392478356,
        -4.436036387594894,
    ],
    [
        10.427508642579134, 0.0, 0.0, 0.0, 0.0, 242.28349177525817, 165.20045171727028,
        -374.5467547226902, -22.113666853125306, 7.733432668472264, -30.674084731089398,
        -9.332130526430229, 15.697238121770845, -31.139403219565178, -9.35292435884448,
        35.81684148639408,
    ],
    [
        19.985053242002433, 0.0, 0.0, 0.0, 0.0, -387.0373087493518, -189.17813819516758,
        527.8081592054236, -11.57390253995963, 6.8812326946963, -1.0006050966910838,
        0.7777137798053443, -2.778205752353508, -60.19669523126412, 84.32040550667716,
        11.99229113618279,
    ],
    [
        -25.69393346270375, 0.0, 0.0, 0.0, 0.0, -154.18974869023643, -231.5293791760455,
        357.6391179106141, 93.40532418362432, -37.45832313645163, 104.0996495089623,
        29.8402934266605, -43.53345659001114, 96.32455395918828, -39.17726167561544,
        -149.72683625798564,
    ],
];
