//! Parses XML text into a tree that records the position of every item. Findings can therefore refer to lines, and a
//! change of one number leaves every other byte unchanged.
//!
//! Files from unknown sources may be hostile. Document type declarations are refused, and with them all entities;
//! size, number of elements, depth and number of included files are limited; the function of the caller decides which
//! files may be included. Each refusal is one sentence.

use crate::error::{Error, Result};
use roxmltree::{Document, Node, ParsingOptions};
use std::ops::Range;

/// Largest size of a text that is read (bytes).
pub const SIZE_MAX: usize = 32 << 20;
const NODES_MAX: u32 = 2_000_000;
const DEPTH_MAX: usize = 200;
const FILES_MAX: usize = 100;

/// A line of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Index of the file: 0 is the main file, the others are included.
    pub file: usize,
    /// Line number, beginning with 1.
    pub line: u32,
}

/// An attribute with the byte range of its value.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: String,
    pub value: String,
    pub place: Place,
    /// Byte range of the value between its quotes.
    pub range: Range<usize>,
}

impl Attribute {
    /// Returns the numbers in the value.
    pub fn numbers(&self) -> Result<Vec<f64>> {
        numbers(&self.value, &self.name, self.place)
    }
}

/// An XML element.
#[derive(Clone, Debug)]
pub struct Element {
    /// Name with its prefix, such as `drake:proximity_properties`.
    pub name: String,
    pub attributes: Vec<Attribute>,
    pub children: Vec<Element>,
    /// Text directly in the element, without surrounding white space.
    pub text: String,
    /// Byte range of that text.
    pub text_range: Range<usize>,
    pub place: Place,
    /// Byte position at which another attribute can be inserted.
    pub attributes_end: usize,
    /// Byte position at which another child can be inserted; `None` for an empty-element tag.
    pub content_start: Option<usize>,
}

/// A file with the files that it includes.
#[derive(Clone, Debug)]
pub struct Source {
    /// Names of the files, the main one first.
    pub names: Vec<String>,
    pub root: Element,
}

impl Element {
    /// Returns an attribute by its name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// Returns the value of an attribute.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|attribute| attribute.value.as_str())
    }

    /// Returns the first child with a name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Returns all children with a name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// Returns the element at the end of a path of names, such as `surface/contact/ode/kp`.
    pub fn at(&self, path: &str) -> Option<&Element> {
        path.split('/').try_fold(self, |element, name| element.child(name))
    }

    /// Returns the numbers of an attribute, as many as are written.
    pub fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>> {
        self.attribute(name).map(Attribute::numbers).transpose()
    }

    /// Returns one number of an attribute.
    pub fn number(&self, name: &str) -> Result<Option<f64>> {
        let first = |list: Vec<f64>| list.first().copied();
        Ok(self.numbers(name)?.and_then(first))
    }

    /// Returns three numbers of an attribute.
    pub fn vector(&self, name: &str) -> Result<Option<[f64; 3]>> {
        match self.numbers(name)?.as_deref() {
            None => Ok(None),
            Some(&[x, y, z]) => Ok(Some([x, y, z])),
            Some(list) => {
                let found = format!("{} numbers", list.len());
                let error = Error::invalid(name, found, "three numbers", "write x, y and z");
                Err(error.at(self.line()))
            }
        }
    }

    /// Returns the number in the text of the element at a path.
    pub fn number_at(&self, path: &str) -> Result<Option<f64>> {
        let Some(element) = self.at(path) else { return Ok(None) };
        let list = numbers(&element.text, &element.name, element.place)?;
        Ok(list.first().copied())
    }

    /// Returns the line of the element, for error messages.
    pub fn line(&self) -> String {
        format!("line {}", self.place.line)
    }
}

/// Returns the numbers in a text, separated by spaces.
pub fn numbers(text: &str, name: &str, place: Place) -> Result<Vec<f64>> {
    let number = |word: &str| match word.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(Error::invalid(
            name,
            word,
            "finite numbers",
            "write decimal numbers separated by spaces",
        )
        .at(format!("line {}", place.line))),
    };
    text.split_whitespace().map(number).collect()
}

/// Reads a file. Elements `include` with an attribute `file` are replaced by the contents of that file, as in MuJoCo;
/// `load` reads such a file.
pub fn read(name: &str, text: &str, load: &dyn Fn(&str) -> Result<String>) -> Result<Source> {
    let mut names = vec![name.to_string()];
    let mut root = parse(text, 0)?;
    include(&mut root, &mut names, load, &mut Vec::new())?;
    Ok(Source { names, root })
}

fn include(
    element: &mut Element,
    names: &mut Vec<String>,
    load: &dyn Fn(&str) -> Result<String>,
    open: &mut Vec<String>,
) -> Result<()> {
    let mut children = Vec::with_capacity(element.children.len());
    for mut child in std::mem::take(&mut element.children) {
        let file = (child.name == "include").then(|| child.value("file")).flatten();
        let Some(file) = file.map(str::to_string) else {
            include(&mut child, names, load, open)?;
            children.push(child);
            continue;
        };
        let place = || child.line();
        if open.contains(&file) || names.contains(&file) {
            let reason =
                format!("`{file}` is included twice or in a circle; include every file once");
            return Err(Error::unreadable("the robot file", reason).at(place()));
        }
        if names.len() >= FILES_MAX {
            let reason = format!("more than {FILES_MAX} files are included");
            return Err(Error::unreadable("the robot file", reason).at(place()));
        }
        let text = load(&file).map_err(|error| error.at(place()))?;
        let number = names.len();
        names.push(file.clone());
        let mut root = parse(&text, number).map_err(|error| error.at(format!("`{file}`")))?;
        open.push(file);
        include(&mut root, names, load, open)?;
        open.pop();
        children.append(&mut root.children);
    }
    element.children = children;
    Ok(())
}

/// Parses one text into a tree.
fn parse(text: &str, file: usize) -> Result<Element> {
    let refuse = |reason: String| Error::unreadable("the robot file", reason);
    if text.len() > SIZE_MAX {
        let reason = format!("it has {} MB, more than {} MB", text.len() >> 20, SIZE_MAX >> 20);
        return Err(refuse(reason));
    }
    // Undeclared prefixes (`drake:` in many URDF files) are made part of the name, in a copy of equal length.
    let mut readable = text.to_string();
    for _ in 0..16 {
        let options = ParsingOptions {
            allow_dtd: false,
            nodes_limit: NODES_MAX,
            ..ParsingOptions::default()
        };
        match Document::parse_with_options(&readable, options) {
            Ok(document) => return element(document.root_element(), text, file, 0),
            Err(roxmltree::Error::UnknownNamespace(prefix, _)) if !prefix.is_empty() => {
                readable = readable.replace(&format!("{prefix}:"), &format!("{prefix}_"));
            }
            Err(roxmltree::Error::DtdDetected) => {
                let reason = "it has a document type declaration (<!DOCTYPE), which may define entities that grow without \
                              bound; remove the declaration";
                return Err(refuse(reason.into()));
            }
            Err(roxmltree::Error::NodesLimitReached) => {
                return Err(refuse(format!("it has more than {NODES_MAX} elements")));
            }
            Err(why) => {
                return Err(refuse(format!("it is no XML: {why}; name an MJCF, SDF or URDF file")));
            }
        }
    }
    Err(refuse("it uses too many prefixes that are not declared".into()))
}

fn element(node: Node, text: &str, file: usize, depth: usize) -> Result<Element> {
    let position = |byte: usize| Place { file, line: node.document().text_pos_at(byte).row };
    let range = node.range();
    if depth > DEPTH_MAX {
        let reason = format!("elements are nested more than {DEPTH_MAX} deep");
        let line = format!("line {}", position(range.start).line);
        return Err(Error::unreadable("the robot file", reason).at(line));
    }
    let name_end = |c: char| c.is_whitespace() || c == '>' || c == '/';
    let name: String = text
        .get(range.start + 1..)
        .unwrap_or_default()
        .split(name_end)
        .next()
        .unwrap_or_default()
        .into();
    let attribute = |one: roxmltree::Attribute| Attribute {
        name: text.get(one.range_qname()).unwrap_or(one.name()).to_string(),
        value: one.value().to_string(),
        place: position(one.range().start),
        range: one.range_value(),
    };
    let written = node.children().find(|child| child.is_text());
    let end = node.attributes().next_back().map(|one| one.range().end);
    let mut children = Vec::new();
    for child in node.children().filter(Node::is_element) {
        children.push(element(child, text, file, depth + 1)?);
    }
    let attributes_end = end.unwrap_or(range.start + 1 + name.len());
    let rest = text.get(attributes_end..range.end).unwrap_or_default();
    let tag = rest.find('>').filter(|&end| !rest.get(..end).unwrap_or_default().ends_with('/'));
    Ok(Element {
        attributes_end,
        content_start: tag.map(|end| attributes_end + end + 1),
        name,
        attributes: node.attributes().map(attribute).collect(),
        children,
        text: written.and_then(|one| one.text()).unwrap_or_default().trim().to_string(),
        text_range: written.map(|one| one.range()).unwrap_or_default(),
        place: position(range.start),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing(_: &str) -> Result<String> {
        Err(Error::missing("file", "there are no other files here"))
    }

    #[test]
    fn places_are_bytes_and_lines_of_the_text() {
        let text = "<robot>\n  <a x='1 2' y=\"3\"/> <drake:b value=\"4\"/>\n</robot>";
        let source = read("r", text, &nothing).unwrap();
        let a = source.root.child("a").unwrap();
        assert_eq!(&text[a.attribute("x").unwrap().range.clone()], "1 2");
        assert_eq!(a.attribute("y").unwrap().place.line, 2);
        assert_eq!(&text[a.attributes_end..a.attributes_end + 2], "/>");
        assert_eq!(source.root.child("drake:b").unwrap().value("value"), Some("4"));
    }

    #[test]
    fn hostile_texts_are_refused_with_a_sentence() {
        let bomb = "<!DOCTYPE a [<!ENTITY b \"bbbb\"><!ENTITY c \"&b;&b;&b;\">]><a>&c;</a>";
        let refused = |text: &str| read("r", text, &nothing).unwrap_err().to_string();
        assert!(refused(bomb).contains("DOCTYPE"));
        assert!(refused(&("<a>".repeat(500) + &"</a>".repeat(500))).contains("nested"));
        assert!(refused(&" ".repeat(SIZE_MAX + 1)).contains("32 MB"));
        assert!(refused("solid cube").contains("no XML"));
        let circle = |_: &str| Ok("<mujoco><include file='b.xml'/></mujoco>".to_string());
        let error = read("a.xml", "<mujoco><include file='b.xml'/></mujoco>", &circle).unwrap_err();
        assert!(error.to_string().contains("circle"));
        assert!(refused("<a>\n<include file='../../etc/passwd'/></a>").contains("line 2"));
    }
}
