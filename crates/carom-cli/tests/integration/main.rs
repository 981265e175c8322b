//! All integration tests of the command and of the lab, in one program so that it is linked once.

mod cli;
mod lab;
