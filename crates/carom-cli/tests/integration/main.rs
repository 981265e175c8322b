//! All integration tests of the command and of the lab, in one program so that linking is done only once.

mod cli;
mod lab;
