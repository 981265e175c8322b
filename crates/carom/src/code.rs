//! Recorded formulas as text: functions in C, CUDA and Python, and equations in LaTeX.
//!
//! The formula is an [`expression::Function`](crate::scalar::expression::Function). Results that are used once are
//! written where they are used. The others, and those that are too long to read, are assigned to named variables.
//! Everything that differs between the languages belongs to a notation, with one file for each.
//!
//! ```
//! use carom::code::{Language, function};
//! use carom::scalar::{Scalar, expression::Function};
//!
//! let spring = Function::record(["K", "delta"], |[stiffness, delta]| {
//!     [("force", stiffness * delta * delta.sqrt())]
//! });
//! let text = function("hertz", &spring, Language::C);
//! assert!(text.contains("static inline double hertz(double K, double delta)"));
//! assert!(text.contains("return K * delta * sqrt(delta);"));
//! ```

use crate::scalar::expression::{Binary, Function, Operand, Operation, Unary};

mod c;
mod latex;
mod law;
mod listing;
mod program;
mod python;

pub(crate) use law::MEMORY;
pub use law::{Formulas, law};
pub use listing::{Numbers, described, listing};

/// A language in which a formula can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// C99, also C++: `double`, functions of `math.h`.
    C,
    /// CUDA C++: functions for host and device.
    Cuda,
    /// Python with NumPy, for numbers or arrays.
    Python,
    /// An equation in LaTeX.
    Latex,
}

names! {
    Language { C = "c", Cuda = "cuda", Python = "python", Latex = "latex", }
    parsed as "language"
}

/// Binding strength of the parts of an expression, from weak to strong. It determines where parentheses are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Choice,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Sign,
    Power,
    Atom,
}

/// A part of an expression as text.
#[derive(Clone, Debug)]
struct TextPart {
    text: String,
    binding: Binding,
}

impl TextPart {
    fn new(text: impl Into<String>, binding: Binding) -> Self {
        Self { text: text.into(), binding }
    }

    fn atom(text: impl Into<String>) -> Self {
        Self::new(text, Binding::Atom)
    }

    /// Returns the text, in parentheses if it binds less strongly than `least`.
    fn within(&self, least: Binding) -> String {
        if self.binding < least { format!("({})", self.text) } else { self.text.clone() }
    }

    /// Combines two parts with an operator of this binding strength. If the operator is not associative, the second
    /// part is parenthesised unless it binds more strongly, since a − (b − c) is not a − b − c.
    fn infix(self, symbol: &str, other: Self, binding: Binding, associative: bool) -> Self {
        let tighter = match associative {
            true => binding,
            false => NEXT_TIGHTER[binding as usize],
        };
        Self::new(format!("{}{symbol}{}", self.within(binding), other.within(tighter)), binding)
    }
}

/// The next stronger binding of each binding.
const NEXT_TIGHTER: [Binding; 9] = [
    Binding::Or,
    Binding::And,
    Binding::Comparison,
    Binding::Sum,
    Binding::Product,
    Binding::Sign,
    Binding::Power,
    Binding::Atom,
    Binding::Atom,
];

/// The differences between the languages.
trait Notation {
    fn number(&self, value: f64) -> TextPart;
    fn unary(&self, function: Unary, x: TextPart) -> TextPart;
    fn binary(&self, function: Binary, a: TextPart, b: TextPart) -> TextPart;
    fn less(&self, a: TextPart, b: TextPart, or_equal: bool) -> TextPart {
        a.infix(if or_equal { " <= " } else { " < " }, b, Binding::Comparison, false)
    }
    fn and(&self, a: TextPart, b: TextPart) -> TextPart;
    fn or(&self, a: TextPart, b: TextPart) -> TextPart;
    fn not(&self, a: TextPart) -> TextPart;
    fn choose(&self, condition: TextPart, yes: TextPart, no: TextPart) -> TextPart;
    /// Returns the larger of x and 0.
    fn positive_part(&self, x: TextPart) -> TextPart;
    /// Returns the text of an argument or result with this name.
    fn name(&self, name: &str) -> String {
        name.to_string()
    }
    /// Returns the name of the intermediate result with this number.
    fn temporary(&self, number: usize) -> String {
        format!("t{number}")
    }
    /// Returns the line that assigns an intermediate result to a variable.
    fn declare(&self, name: &str, value: &TextPart, is_condition: bool) -> String;
    /// Returns the line that assigns a known number to a variable.
    fn constant(&self, name: &str, value: f64) -> String {
        self.declare(name, &self.number(value), false)
    }
    /// Returns the whole function with its arguments, its lines and its results.
    fn function(
        &self,
        name: &str,
        arguments: &[&String],
        lines: &[String],
        outputs: &[(String, TextPart)],
    ) -> String;
}

/// Number of characters above which an expression is assigned to a variable.
const MAX_EXPRESSION: usize = 60;

/// Returns a recorded formula as a function with this name.
pub fn function(name: &str, function: &Function, language: Language) -> String {
    function_with_constants(name, function, &[], language)
}

/// Returns a function like [`function`] in which some of the arguments are known numbers and become constants within
/// the function.
pub fn function_with_constants(
    name: &str,
    function: &Function,
    constants: &[(&str, f64)],
    language: Language,
) -> String {
    match language {
        Language::C => print(name, function, constants, &c::C { prefix: "static inline" }),
        Language::Cuda => {
            print(name, function, constants, &c::C { prefix: "__host__ __device__ inline" })
        }
        Language::Python => print(name, function, constants, &python::Python),
        Language::Latex => print(name, function, constants, &latex::Latex),
    }
}

/// Prints the formula in a notation. Results that are used more than once or are too long are assigned to variables.
fn print(
    name: &str,
    function: &Function,
    constants: &[(&str, f64)],
    notation: &impl Notation,
) -> String {
    let value = |input: &str| constants.iter().find(|(name, _)| *name == input).map(|it| it.1);
    let is_result = |index: usize| {
        function.outputs.iter().any(|(_, operand)| *operand == Operand::Result(index))
    };
    let mut uses = vec![0usize; function.operations.len()];
    for operation in &function.operations {
        operation.needs().for_each(|index| uses[index] += 1);
    }
    for (_, operand) in &function.outputs {
        if let Operand::Result(index) = operand {
            uses[*index] += 1;
        }
    }
    let (mut pieces, mut lines): (Vec<TextPart>, Vec<String>) = (Vec::new(), Vec::new());
    for input in &function.inputs {
        if let Some(value) = value(input) {
            lines.push(notation.constant(&notation.name(input), value));
        }
    }
    let mut temporaries = 0;
    for (index, (operation, uses)) in function.operations.iter().zip(&uses).enumerate() {
        let at = |index: usize| pieces[index].clone();
        let part_of = |operand: Operand| match operand {
            Operand::Constant(value) => notation.number(value),
            Operand::Result(index) => pieces[index].clone(),
        };
        let (piece, is_condition) = match *operation {
            Operation::Input(index) => {
                (TextPart::atom(notation.name(&function.inputs[index])), false)
            }
            Operation::Unary(function, a) => (notation.unary(function, part_of(a)), false),
            Operation::Binary(function, a, b) => {
                (notation.binary(function, part_of(a), part_of(b)), false)
            }
            Operation::Less(a, b) => (notation.less(part_of(a), part_of(b), false), true),
            Operation::LessOrEqual(a, b) => (notation.less(part_of(a), part_of(b), true), true),
            Operation::And(a, b) => (notation.and(at(a), at(b)), true),
            Operation::Or(a, b) => (notation.or(at(a), at(b)), true),
            Operation::Not(a) => (notation.not(at(a)), true),
            Operation::Choose { condition, yes, no } => {
                let zero = Operand::Constant(0.0);
                let positive = Operation::LessOrEqual(zero, yes);
                match function.operations[condition] == positive && no == zero {
                    true => (notation.positive_part(part_of(yes)), false),
                    false => (notation.choose(at(condition), part_of(yes), part_of(no)), false),
                }
            }
        };
        // Names and numbers need no variable.
        let compound = piece.binding != Binding::Atom || piece.text.contains('(');
        let long = piece.text.chars().count() > MAX_EXPRESSION && !is_result(index);
        if compound && (*uses > 1 || long) {
            temporaries += 1;
            let name = notation.temporary(temporaries);
            lines.push(notation.declare(&name, &piece, is_condition));
            pieces.push(TextPart::atom(name));
        } else {
            pieces.push(piece);
        }
    }
    let outputs = function.outputs.iter().map(|(name, operand)| {
        let piece = match operand {
            Operand::Constant(value) => notation.number(*value),
            Operand::Result(index) => pieces[*index].clone(),
        };
        (name.clone(), piece)
    });
    let arguments: Vec<_> = function.inputs.iter().filter(|input| value(input).is_none()).collect();
    notation.function(name, &arguments, &lines, &outputs.collect::<Vec<_>>())
}
