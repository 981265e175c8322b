//! All integration tests of the files, in one program so that it is linked once.

mod readers;
mod resume;
