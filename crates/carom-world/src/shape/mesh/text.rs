//! STL and OBJ files: triangles by the coordinates of their corners.
//!
//! A binary STL file is converted to the text of an ASCII one without loss of a bit, because scenes, and what is stored of
//! them, are text.

use crate::math::Vec3;
use carom::{Error, Result};

/// Number of bytes of a binary STL file before its triangles, and of a triangle.
const HEADER_BYTES: usize = 84;
const TRIANGLE_BYTES: usize = 50;

/// Returns the content of a file that a scene names, as text.
///
/// # Errors
/// When the file is neither text nor a binary STL file.
pub fn file_text(bytes: Vec<u8>) -> std::result::Result<String, String> {
    match binary_stl(&bytes) {
        Some(text) => Ok(text),
        None => String::from_utf8(bytes).map_err(|_| "it is not text".to_string()),
    }
}

/// Converts a binary STL file to ASCII STL; none if the bytes are something else.
fn binary_stl(bytes: &[u8]) -> Option<String> {
    let count = u32::from_le_bytes(*bytes.get(80..HEADER_BYTES)?.first_chunk()?) as usize;
    let triangles = bytes.get(HEADER_BYTES..)?;
    if count == 0 || Some(triangles.len()) != count.checked_mul(TRIANGLE_BYTES) {
        return None;
    }
    let mut text = String::from("solid binary\n");
    for triangle in triangles.chunks_exact(TRIANGLE_BYTES) {
        text.push_str("facet\nouter loop\n");
        // The normal is left out, because it follows from the corners.
        for corner in triangle[12..48].chunks_exact(12) {
            text.push_str("vertex");
            for number in corner.as_chunks::<4>().0 {
                text.push_str(&format!(" {}", f32::from_le_bytes(*number)));
            }
            text.push('\n');
        }
        text.push_str("endloop\nendfacet\n");
    }
    text.push_str("endsolid\n");
    Some(text)
}

/// Returns the corners of the triangles of STL or OBJ text. Faces with more than three corners are divided into triangles.
pub fn parse_triangles(text: &str) -> Result<Vec<[Vec3; 3]>> {
    let first = text.split_whitespace().next().unwrap_or_default();
    match first.eq_ignore_ascii_case("solid") {
        true => parse_stl(text),
        false => parse_obj(text),
    }
}

fn line_error(number: usize, found: &str, allowed: &str) -> Error {
    let advice = format!("see line {} of the file; STL and OBJ files are read", number + 1);
    Error::invalid("mesh", format!("`{found}`"), allowed, advice)
}

fn parse_point<'a>(number: usize, words: impl Iterator<Item = &'a str>) -> Result<Vec3> {
    let mut found = [0.0; 3];
    let mut words = words;
    for x in &mut found {
        let word = words.next().unwrap_or_default();
        *x = match word.parse::<f64>() {
            Ok(value) if value.is_finite() => value,
            _ => return Err(line_error(number, word, "a finite number")),
        };
    }
    Ok(Vec3::new(found[0], found[1], found[2]))
}

fn parse_stl(text: &str) -> Result<Vec<[Vec3; 3]>> {
    let mut vertices = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        if words.next().is_some_and(|word| word.eq_ignore_ascii_case("vertex")) {
            vertices.push(parse_point(number, words)?);
        }
    }
    let (triangles, rest) = vertices.as_chunks::<3>();
    if !rest.is_empty() {
        let found = format!("{} corners", vertices.len());
        let advice = "every facet of an STL file has three";
        return Err(Error::invalid("mesh", found, "three for each triangle", advice));
    }
    Ok(triangles.to_vec())
}

fn parse_obj(text: &str) -> Result<Vec<[Vec3; 3]>> {
    let mut points: Vec<Vec3> = Vec::new();
    let mut triangles = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => points.push(parse_point(number, words)?),
            Some("f") => {
                let mut face = Vec::new();
                for word in words {
                    // Numbers of point, texture and normal, starting at 1; negative numbers count back from the last point.
                    let index = word.split('/').next().and_then(|first| first.parse::<i64>().ok());
                    let place = match index {
                        Some(i) if i < 0 => i.checked_add(points.len() as i64),
                        Some(i) => i.checked_sub(1),
                        None => None,
                    };
                    let found = place.and_then(|i| points.get(usize::try_from(i).ok()?));
                    face.push(
                        *found.ok_or_else(|| line_error(number, word, "the number of a point"))?,
                    );
                }
                let &[first, ref others @ ..] = &face[..] else {
                    return Err(line_error(number, line, "a face of at least three points"));
                };
                triangles.extend(others.windows(2).map(|pair| [first, pair[0], pair[1]]));
            }
            _ => {}
        }
    }
    if triangles.is_empty() {
        let advice = "give an STL or OBJ file with triangles";
        return Err(Error::invalid("mesh", "no triangles", "a closed surface", advice));
    }
    Ok(triangles)
}
