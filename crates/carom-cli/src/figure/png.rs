//! PNG: the SVG, painted. And the fonts of all figures, which SVG, PNG and PDF share.

use super::font::{self, Embedded};
use super::look::Look;
use super::style::EMBEDDED;
use crate::failure::Failure;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use resvg::{tiny_skia, usvg};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Pixels of the PNG to a unit of the drawing: sharp on dense screens and in print.
const DENSITY: f64 = 2.0;
/// Dots per inch of a PNG with a size on paper.
const DOTS: f64 = 300.0;

/// The fonts of a figure with the letters that it shows: the one that was asked for or is built in, and one with
/// many signs for what that one lacks.
fn fonts(markup: &str, look: &Look) -> Vec<Embedded> {
    let letters = letters(markup);
    let main = look.font.as_deref().unwrap_or(epaint_default_fonts::UBUNTU_LIGHT);
    let covered = font::covers(main, &letters);
    let lacking: BTreeSet<char> = letters.difference(&covered).copied().collect();
    let mut fonts = vec![font::embed(main, EMBEDDED[0], &covered)];
    if !lacking.is_empty() {
        fonts.push(font::embed(epaint_default_fonts::HACK_REGULAR, EMBEDDED[1], &lacking));
    }
    fonts.into_iter().flatten().collect()
}

/// The rules with which an SVG carries its fonts.
pub fn rules(markup: &str, look: &Look) -> String {
    fonts(markup, look).iter().map(rule).collect()
}

fn rule(font: &Embedded) -> String {
    let kind = if font.postscript { "otf" } else { "ttf" };
    let data = STANDARD.encode(&font.data);
    format!("@font-face{{font-family:{};src:url(data:font/{kind};base64,{data})}}\n", font.family)
}

/// Every letter between the tags of the elements, and the space.
fn letters(markup: &str) -> BTreeSet<char> {
    let body = markup.split("</style>").last().unwrap_or_default();
    let words = body.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, words)| words);
    let mut found: BTreeSet<char> =
        words.flat_map(str::chars).filter(|c| !c.is_control()).collect();
    // They are written as entities.
    if found.contains(&'&') {
        found.extend(['<', '>', '"']);
    }
    found.insert(' ');
    found
}

/// A figure as a tree of shapes and glyphs, in its light version, and the fonts by their number there.
pub struct Tree {
    pub tree: usvg::Tree,
    pub fonts: Vec<(usvg::fontdb::ID, Embedded)>,
}

/// Reads the SVG of a figure.
pub fn read(svg: &str, look: &Look) -> Result<Tree, Failure> {
    let mut options = usvg::Options { font_family: EMBEDDED[0].to_string(), ..Default::default() };
    let database = options.fontdb_mut();
    let mut known = Vec::new();
    for font in fonts(svg, look) {
        let data: Arc<dyn AsRef<[u8]> + Send + Sync> = Arc::new(font.data.clone());
        let loaded = database.load_font_source(usvg::fontdb::Source::Binary(data));
        // A font that was not cut down has a name of its own.
        let face = loaded.first().copied().and_then(|id| Some((id, database.face(id)?.clone())));
        if let Some((id, mut face)) = face {
            database.remove_face(id);
            face.families =
                vec![(font.family.to_string(), usvg::fontdb::Language::English_UnitedStates)];
            known.push((database.push_face_info(face), font));
        }
    }
    let tree = usvg::Tree::from_str(svg, &options).map_err(|why| refuse(&why))?;
    Ok(Tree { tree, fonts: known })
}

fn refuse(why: &dyn std::fmt::Display) -> Failure {
    Failure::System(format!("cannot paint the figure: {why}"))
}

/// Paints the SVG of a figure, in its light version.
pub fn paint(svg: &str, look: &Look) -> Result<Vec<u8>, Failure> {
    let tree = read(svg, look)?.tree;
    // usvg has turned points into its own unit, 1/96 inch.
    let density = if look.size.is_some() { DOTS / 96.0 } else { DENSITY };
    let pixels = |length: f32| (f64::from(length) * density).round().max(1.0);
    let (width, height) = (pixels(tree.size().width()), pixels(tree.size().height()));
    let refused = || refuse(&format!("{width} by {height} pixels are too many"));
    let mut picture = tiny_skia::Pixmap::new(width as u32, height as u32).ok_or_else(refused)?;
    let scale = tiny_skia::Transform::from_scale(
        width as f32 / tree.size().width(),
        height as f32 / tree.size().height(),
    );
    resvg::render(&tree, scale, &mut picture.as_mut());
    let png = picture.encode_png().map_err(|why| refuse(&why))?;
    Ok(with_density(png, 96.0 * density))
}

/// A PNG that says how many dots it has to an inch, so that it is put on paper in its size.
fn with_density(mut png: Vec<u8>, dots: f64) -> Vec<u8> {
    // After the signature and the first chunk, which has a fixed length.
    const HEAD: usize = 33;
    let per_metre = ((dots / 0.0254).round() as u32).to_be_bytes();
    let body = [b"pHYs".as_slice(), &per_metre, &per_metre, &[1]].concat();
    let mut sum = flate2::Crc::new();
    sum.update(&body);
    let chunk = [&9u32.to_be_bytes(), body.as_slice(), &sum.sum().to_be_bytes()].concat();
    let place = HEAD.min(png.len());
    png.splice(place..place, chunk);
    png
}
