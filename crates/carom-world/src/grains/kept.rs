//! What contacts keep from step to step, in columns.
//!
//! A large bed is as fast as memory is, so a step touches no number that it does not need. Most laws remember the touch
//! alone ([`Force::FROZEN`](carom::law::Force::FROZEN)): theirs are the onset, which is only read, and the spring.

use super::ledger::Book;
use crate::math::Vec3;
use carom::law::Memory;

/// What was frozen at first touch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Onset {
    speed: f64,
    damping: f64,
}

/// What goes on during contact.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Course {
    peak: f64,
    time: f64,
    internal: f64,
}

/// Columns, one row a pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    onset: Vec<Onset>,
    course: Vec<Course>,
    /// Force of the tangential spring on the first grain.
    spring: Vec<Vec3>,
    /// Works of each contact; empty where no books are kept.
    books: Vec<Book>,
}

impl Kept {
    /// Nothing, for so many pairs.
    pub fn new(pairs: usize, keeps_books: bool) -> Self {
        Self {
            onset: vec![Onset::default(); pairs],
            course: vec![Course::default(); pairs],
            spring: vec![Vec3::ZERO; pairs],
            books: vec![Book::default(); if keeps_books { pairs } else { 0 }],
        }
    }

    /// All of it, to be shared.
    pub fn all(&mut self) -> KeptBy<'_> {
        let Self { onset, course, spring, books } = self;
        KeptBy { onset, course, spring, books }
    }

    pub fn memory(&self, k: usize) -> Memory {
        memory(&self.onset[k], &self.course[k])
    }

    pub fn spring(&self, k: usize) -> Vec3 {
        self.spring[k]
    }

    /// The book of a pair, where there is one.
    pub fn book(&self, k: usize) -> Option<&Book> {
        self.books.get(k)
    }

    /// Begins the books again, with the forces that act now.
    pub fn forget_works(&mut self) {
        for book in &mut self.books {
            (book.pressing, book.friction, book.rolling) = (0.0, 0.0, 0.0);
        }
    }

    pub fn books(&self) -> &[Book] {
        &self.books
    }
}

fn memory(onset: &Onset, course: &Course) -> Memory {
    let (&Onset { speed, damping }, &Course { peak, time, internal }) = (onset, course);
    Memory { speed, damping, peak, time, internal }
}

/// What some pairs keep.
pub(super) struct KeptBy<'a> {
    onset: &'a mut [Onset],
    course: &'a mut [Course],
    pub spring: &'a mut [Vec3],
    pub books: &'a mut [Book],
}

impl<'a> KeptBy<'a> {
    /// The first so many, and the rest.
    pub fn split(self, at: usize) -> (Self, Self) {
        let (onset, onsets) = self.onset.split_at_mut(at);
        let (course, courses) = self.course.split_at_mut(at);
        let (spring, springs) = self.spring.split_at_mut(at);
        let (book, books) = self.books.split_at_mut(at.min(self.books.len()));
        (
            Self { onset, course, spring, books: book },
            Self { onset: onsets, course: courses, spring: springs, books },
        )
    }

    /// The memory of a pair; of a law that remembers the touch alone, no more than that.
    #[inline(always)]
    pub fn memory(&self, k: usize, frozen: bool) -> Memory {
        match frozen {
            true => memory(&self.onset[k], &Course::default()),
            false => memory(&self.onset[k], &self.course[k]),
        }
    }

    #[inline(always)]
    pub fn remember(&mut self, k: usize, memory: &Memory) {
        let &Memory { speed, damping, peak, time, internal } = memory;
        self.onset[k] = Onset { speed, damping };
        self.course[k] = Course { peak, time, internal };
    }

    /// Gives a pair what it kept elsewhere.
    pub fn put(&mut self, k: usize, memory: &Memory, spring: Vec3, book: Book) {
        self.remember(k, memory);
        self.spring[k] = spring;
        if let Some(mine) = self.books.get_mut(k) {
            *mine = book;
        }
    }
}
