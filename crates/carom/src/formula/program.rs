//! A formula as a list of instructions on numbered registers, for evaluation with any scalar.
//!
//! The first registers contain the constants of the program, the next ones its arguments, and the others intermediate
//! results. Intermediate results that are not needed at the same time share a register. Equal operations are computed
//! once. Powers with a constant exponent of 1/4, 1/2, 3/2, 2, 5/2, 3 or 4 are computed by products and square roots.

use super::expression::Reading;
use super::{Expression, MonotoneCubic};
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use crate::scalar::expression::{Binary, Unary, apply_unary};

/// Largest number of registers, as their index is one byte.
const MAX_REGISTERS: usize = 256;

/// A compiled formula.
#[derive(Debug)]
pub struct Program {
    constants: Vec<f64>,
    /// Indices of the variables of the formula that are arguments of the program.
    arguments: Vec<usize>,
    instructions: Vec<Instruction>,
    result: u8,
    registers: usize,
}

/// One instruction: the operation, the registers of its operands and the register of its result.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Instruction {
    operation: Operation,
    /// Registers of the operands; 0 for operands that the operation does not have.
    operands: [u8; 4],
    into: u8,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    /// x·√x.
    ThreeHalves,
    /// √√x.
    Quarter,
    CopySign,
    Unary(Unary),
    /// The third operand if the first is less than the second, otherwise the fourth.
    ChooseLess,
    /// The third operand if the first is not greater than the second, otherwise the fourth.
    ChooseLessOrEqual,
    Curve(&'static MonotoneCubic, Reading),
}

/// An operation before registers are assigned.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Value {
    operation: Operation,
    operands: [Source; 4],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    /// No operand.
    None,
    Constant(usize),
    Argument(usize),
    Value(usize),
}

#[derive(Default)]
struct Compiler {
    constants: Vec<f64>,
    arguments: Vec<usize>,
    values: Vec<Value>,
}

impl Compiler {
    fn constant(&mut self, value: f64) -> Source {
        let known = self.constants.iter().position(|it| it.to_bits() == value.to_bits());
        Source::Constant(known.unwrap_or_else(|| {
            self.constants.push(value);
            self.constants.len() - 1
        }))
    }

    fn value(&mut self, operation: Operation, operands: [Source; 4]) -> Source {
        let value = Value { operation, operands };
        let known = self.values.iter().rposition(|it| *it == value);
        Source::Value(known.unwrap_or_else(|| {
            self.values.push(value);
            self.values.len() - 1
        }))
    }

    fn binary_value(&mut self, operation: Operation, a: Source, b: Source) -> Source {
        self.value(operation, [a, b, Source::None, Source::None])
    }

    fn unary_value(&mut self, operation: Operation, a: Source) -> Source {
        self.binary_value(operation, a, Source::None)
    }

    fn compile(&mut self, expression: &Expression) -> Source {
        match expression {
            Expression::Number(value) => self.constant(*value),
            Expression::Variable(variable) => {
                let known = self.arguments.iter().position(|it| it == variable);
                Source::Argument(known.unwrap_or_else(|| {
                    self.arguments.push(*variable);
                    self.arguments.len() - 1
                }))
            }
            Expression::Unary(function, a) => {
                let a = self.compile(a);
                self.unary_value(Operation::Unary(*function), a)
            }
            Expression::Curve(table, reading, a) => {
                let a = self.compile(a);
                self.unary_value(Operation::Curve(table, *reading), a)
            }
            Expression::Binary(Binary::Power, a, exponent) => {
                let a = self.compile(a);
                match exponent.number() {
                    Some(exponent) => self.constant_power(a, exponent),
                    None => {
                        let exponent = self.compile(exponent);
                        self.binary_value(Operation::Power, a, exponent)
                    }
                }
            }
            Expression::Binary(function, a, b) => {
                let (a, b) = (self.compile(a), self.compile(b));
                let operation = match function {
                    Binary::Add => Operation::Add,
                    Binary::Subtract => Operation::Subtract,
                    Binary::Multiply => Operation::Multiply,
                    Binary::Divide => Operation::Divide,
                    Binary::Power => Operation::Power,
                    Binary::CopySign => Operation::CopySign,
                };
                self.binary_value(operation, a, b)
            }
            Expression::Choose { condition, yes, no } => {
                let (left, right) = (self.compile(&condition.left), self.compile(&condition.right));
                let (yes, no) = (self.compile(yes), self.compile(no));
                let operation = match condition.or_equal {
                    true => Operation::ChooseLessOrEqual,
                    false => Operation::ChooseLess,
                };
                self.value(operation, [left, right, yes, no])
            }
        }
    }

    fn constant_power(&mut self, a: Source, exponent: f64) -> Source {
        match exponent {
            0.25 => self.unary_value(Operation::Quarter, a),
            0.5 => self.unary_value(Operation::Unary(Unary::Sqrt), a),
            1.5 => self.unary_value(Operation::ThreeHalves, a),
            2.0 => self.binary_value(Operation::Multiply, a, a),
            2.5 => {
                let part = self.unary_value(Operation::ThreeHalves, a);
                self.binary_value(Operation::Multiply, part, a)
            }
            3.0 | 4.0 => {
                let square = self.binary_value(Operation::Multiply, a, a);
                let other = if exponent == 3.0 { a } else { square };
                self.binary_value(Operation::Multiply, square, other)
            }
            _ => {
                let exponent = self.constant(exponent);
                self.binary_value(Operation::Power, a, exponent)
            }
        }
    }
}

impl Program {
    /// Compiles a formula. `key` is its name in errors.
    ///
    /// ```
    /// use carom::formula::{Program, parse};
    /// let spring = parse("spring", "K*delta^1.5", &["delta", "K"])?;
    /// let program = Program::new("spring", &spring)?;
    /// assert_eq!(program.evaluate(|variable| [4.0, 2.0][variable]), 16.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// When it needs too many registers.
    pub fn new(key: &str, expression: &Expression) -> Result<Self> {
        let mut compiler = Compiler::default();
        let result = compiler.compile(expression);
        let Compiler { constants, arguments, values } = compiler;
        // Index of the last instruction that needs each value; the result is needed at the end.
        let mut last_use = vec![0; values.len()];
        for (at, value) in values.iter().enumerate() {
            for operand in value.operands {
                if let Source::Value(index) = operand {
                    last_use[index] = at;
                }
            }
        }
        if let Source::Value(index) = result {
            last_use[index] = values.len();
        }
        let (mut free, mut registers) = (Vec::new(), constants.len() + arguments.len());
        let mut register_of = vec![0; values.len()];
        let register = |source: Source, register_of: &[usize]| match source {
            Source::None => 0,
            Source::Constant(index) => index,
            Source::Argument(index) => constants.len() + index,
            Source::Value(index) => register_of[index],
        };
        let mut instructions = Vec::with_capacity(values.len());
        for (at, value) in values.iter().enumerate() {
            let operands = value.operands.map(|operand| register(operand, &register_of) as u8);
            for operand in value.operands {
                if let Source::Value(index) = operand
                    && last_use[index] == at
                    && !free.contains(&register_of[index])
                {
                    free.push(register_of[index]);
                }
            }
            let into = free.pop().unwrap_or_else(|| {
                registers += 1;
                registers - 1
            });
            register_of[at] = into;
            instructions.push(Instruction {
                operation: value.operation,
                operands,
                into: into as u8,
            });
        }
        if registers > MAX_REGISTERS {
            return Err(Error::unsupported(
                format!("a `{key}` with {registers} constants, arguments and intermediate results"),
                format!("simplify it to at most {MAX_REGISTERS}"),
            ));
        }
        let result = register(result, &register_of) as u8;
        Ok(Self { constants, arguments, instructions, result, registers })
    }

    /// Evaluates the formula; `argument` returns the value of a variable.
    #[inline]
    pub fn evaluate<S: Scalar>(&self, argument: impl Fn(usize) -> S) -> S {
        // A smaller array of registers is initialised faster.
        match self.registers {
            ..=16 => self.evaluate_with::<S, 16>(argument),
            17..=32 => self.evaluate_with::<S, 32>(argument),
            33..=64 => self.evaluate_with::<S, 64>(argument),
            _ => self.evaluate_with::<S, MAX_REGISTERS>(argument),
        }
    }

    /// Evaluates the formula like [`Program::evaluate`] with N registers. N is a power of two, so that a bit mask
    /// replaces bounds checks.
    #[inline]
    fn evaluate_with<S: Scalar, const N: usize>(&self, argument: impl Fn(usize) -> S) -> S {
        let mut registers = [S::of(f64::NAN); N];
        for (register, value) in registers.iter_mut().zip(&self.constants) {
            *register = S::of(*value);
        }
        let rest = registers.iter_mut().skip(self.constants.len());
        for (register, variable) in rest.zip(&self.arguments) {
            *register = argument(*variable);
        }
        for instruction in &self.instructions {
            let [a, b, c, d] = instruction.operands.map(|it| usize::from(it) & (N - 1));
            let (x, y) = (registers[a], registers[b]);
            registers[usize::from(instruction.into) & (N - 1)] = match instruction.operation {
                Operation::Add => x + y,
                Operation::Subtract => x - y,
                Operation::Multiply => x * y,
                Operation::Divide => x / y,
                Operation::Power => x.powf(y),
                Operation::ThreeHalves => x * x.sqrt(),
                Operation::Quarter => x.sqrt().sqrt(),
                Operation::CopySign => x.copysign(y),
                Operation::Unary(function) => apply_unary(function, x),
                Operation::ChooseLess => S::choose(x.lt(y), || registers[c], || registers[d]),
                Operation::ChooseLessOrEqual => {
                    S::choose(x.le(y), || registers[c], || registers[d])
                }
                Operation::Curve(table, reading) => reading.of(table, x),
            };
        }
        registers[usize::from(self.result) & (N - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use crate::scalar::{Dual, Lanes, expression::Function};

    #[test]
    fn a_program_computes_what_the_formula_says_with_every_scalar() {
        let names = ["x", "a", "p"];
        for text in [
            "x",
            "2",
            "a*x^p + 5*x^3 - x/a",
            "x^0.25 + x^0.5 + x^1.5 + x^2 + x^2.5 + x^4 + x^1.7",
            "if(x < a, x, a + 3*(x - a))*exp(-x) + abs(a - x)^p",
            "(x + 1)*(x + 2)*(x + 3)*(x + 4)*(x + 5)*sin(x)*cos(x)*tanh(x)*atan(x)",
            "x/a/(a/x)/(x/a)/a",
        ] {
            let formula = parse("spring", text, &names).unwrap();
            let program = Program::new("spring", &formula).unwrap();
            let recorded = Function::record(names, |terms| [("y", program.evaluate(|i| terms[i]))]);
            for x in [0.01, 0.4, 2.0] {
                let arguments = [x, 0.3, 1.3];
                let expected = formula.evaluate(&arguments);
                let near = |y: f64| {
                    assert!(
                        (y - expected).abs() <= 4e-16 * expected.abs(),
                        "{text}: {y} {expected}"
                    )
                };
                near(program.evaluate(|i| arguments[i]));
                near(program.evaluate(|i| Lanes([arguments[i]; 4])).0[3]);
                near(recorded.evaluate(&arguments)[0]);
                let dual = [Dual::<1>::variable(x, 0), Dual::of(0.3), Dual::of(1.3)];
                let dual = program.evaluate(|i| dual[i]);
                near(dual.value);
                let h = 1e-6 * x;
                let slope = (formula.evaluate(&[x + h, 0.3, 1.3])
                    - formula.evaluate(&[x - h, 0.3, 1.3]))
                    / (2.0 * h);
                assert!(
                    (dual.slopes[0] - slope).abs() < 1e-5 * (1.0 + slope.abs()),
                    "{text}: {slope}"
                );
            }
        }
    }

    #[test]
    fn registers_are_shared() {
        let text = format!("x{}", (0..300).map(|i| format!(" + {i}.5")).collect::<String>());
        let formula = parse("spring", &text, &["x"]);
        // 300 constants do not fit into the registers; the error must say so.
        let error = Program::new("spring", &formula.unwrap()).unwrap_err().to_string();
        assert!(error.contains("simplify"), "{error}");
        let text = vec!["sin(x)*cos(x + 1)"; 80].join(" + ");
        let formula = parse("spring", &text, &["x"]).unwrap();
        assert!(Program::new("spring", &formula).unwrap().registers < 8);
    }
}
