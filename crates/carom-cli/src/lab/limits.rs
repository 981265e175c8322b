//! Limits on requests, with errors that state what is allowed.

use carom::Error;

/// Largest number of laws in one request; it exceeds the size of the catalogue.
const MAX_LAWS: usize = 100;

/// Refuses a number above its limit.
pub fn check_at_most(name: &str, given: usize, most: usize, advice: &str) -> Result<(), Error> {
    match given > most {
        true => Err(Error::invalid(name, given, format!("at most {most}"), advice)),
        false => Ok(()),
    }
}

/// Refuses a request with too many laws.
pub fn check_law_count(count: usize) -> Result<(), Error> {
    check_at_most("the number of laws", count, MAX_LAWS, "ask for fewer at a time")
}

/// Refuses a width of a plot that is outside the range of screens.
pub fn check_plot_width(width: f64) -> Result<(), Error> {
    match (200.0..=2000.0).contains(&width) {
        true => Ok(()),
        false => {
            let advice = "give the width of a plot in px";
            Err(Error::invalid("width", width, "between 200 and 2000", advice))
        }
    }
}
