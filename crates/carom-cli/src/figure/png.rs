//! Writes PNG files by rasterising the SVG, and provides the embedded fonts that SVG, PNG and PDF share.

use super::font::{self, EmbeddedFont};
use super::options::FigureOptions;
use super::style::EMBEDDED_FAMILIES;
use crate::failure::Failure;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use resvg::{tiny_skia, usvg};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Number of pixels per unit of the drawing, suitable for high-resolution screens and print.
const PIXELS_PER_UNIT: f64 = 2.0;
/// Resolution of a PNG with a size on paper.
const DOTS_PER_INCH: f64 = 300.0;

/// Returns font subsets with the characters that a figure shows: of the chosen or built-in font, and of a font with many symbols
/// for the characters that the first one lacks.
fn fonts(markup: &str, options: &FigureOptions) -> Vec<EmbeddedFont> {
    let letters = characters_shown(markup);
    let main = options.font.as_deref().unwrap_or(epaint_default_fonts::UBUNTU_LIGHT);
    let covered = font::covered_letters(main, &letters);
    let lacking: BTreeSet<char> = letters.difference(&covered).copied().collect();
    let mut fonts = vec![font::embed(main, EMBEDDED_FAMILIES[0], &covered)];
    if !lacking.is_empty() {
        fonts.push(font::embed(epaint_default_fonts::HACK_REGULAR, EMBEDDED_FAMILIES[1], &lacking));
    }
    fonts.into_iter().flatten().collect()
}

/// Returns the CSS rules with the embedded fonts of an SVG.
pub fn font_face_rules(markup: &str, options: &FigureOptions) -> String {
    let rule = |font: EmbeddedFont| {
        let kind = if font.postscript { "otf" } else { "ttf" };
        let data = BASE64_STANDARD.encode(&font.data);
        let family = font.family;
        format!("@font-face{{font-family:{family};src:url(data:font/{kind};base64,{data})}}\n")
    };
    fonts(markup, options).into_iter().map(rule).collect()
}

/// Returns all characters of the text between tags, and the space.
fn characters_shown(markup: &str) -> BTreeSet<char> {
    let body = markup.split("</style>").last().unwrap_or_default();
    let words = body.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, words)| words);
    let mut found: BTreeSet<char> =
        words.flat_map(str::chars).filter(|c| !c.is_control()).collect();
    // `&` may begin an entity for any of these characters.
    if found.contains(&'&') {
        found.extend(['<', '>', '"']);
    }
    found.insert(' ');
    found
}

/// The SVG of a figure in its light version as a tree of shapes and glyphs, and its fonts by their id in the tree.
pub struct ParsedSvg {
    pub tree: usvg::Tree,
    pub fonts: Vec<(usvg::fontdb::ID, EmbeddedFont)>,
}

/// Parses the SVG of a figure.
pub fn parse_svg(svg: &str, options: &FigureOptions) -> Result<ParsedSvg, Failure> {
    let mut reading =
        usvg::Options { font_family: EMBEDDED_FAMILIES[0].to_string(), ..Default::default() };
    let database = reading.fontdb_mut();
    let mut known = Vec::new();
    for font in fonts(svg, options) {
        let data: Arc<dyn AsRef<[u8]> + Send + Sync> = Arc::new(font.data.clone());
        let loaded = database.load_font_source(usvg::fontdb::Source::Binary(data));
        // A font that is embedded whole has another family name in its file.
        let face = loaded.first().copied().and_then(|id| Some((id, database.face(id)?.clone())));
        if let Some((id, mut face)) = face {
            database.remove_face(id);
            face.families =
                vec![(font.family.to_string(), usvg::fontdb::Language::English_UnitedStates)];
            known.push((database.push_face_info(face), font));
        }
    }
    let tree = usvg::Tree::from_str(svg, &reading).map_err(|why| cannot_render(&why))?;
    Ok(ParsedSvg { tree, fonts: known })
}

fn cannot_render(why: &dyn std::fmt::Display) -> Failure {
    Failure::System(format!("cannot draw the figure: {why}"))
}

/// Rasterises the SVG of a figure in its light version to a PNG.
pub fn rasterise(svg: &str, options: &FigureOptions) -> Result<Vec<u8>, Failure> {
    let tree = parse_svg(svg, options)?.tree;
    // The unit of usvg is 1/96 inch.
    let density = if options.size.is_some() { DOTS_PER_INCH / 96.0 } else { PIXELS_PER_UNIT };
    let pixels = |length: f32| (f64::from(length) * density).round().max(1.0);
    let (width, height) = (pixels(tree.size().width()), pixels(tree.size().height()));
    let refused = || cannot_render(&format!("{width} by {height} pixels are too many"));
    let mut picture = tiny_skia::Pixmap::new(width as u32, height as u32).ok_or_else(refused)?;
    let scale = tiny_skia::Transform::from_scale(
        width as f32 / tree.size().width(),
        height as f32 / tree.size().height(),
    );
    resvg::render(&tree, scale, &mut picture.as_mut());
    let png = picture.encode_png().map_err(|why| cannot_render(&why))?;
    Ok(with_density(png, 96.0 * density))
}

/// Adds the resolution (chunk `pHYs`), which sets the size on paper.
fn with_density(mut png: Vec<u8>, dots: f64) -> Vec<u8> {
    // Length of the signature and the first chunk, IHDR.
    const HEADER_LENGTH: usize = 33;
    let per_metre = ((dots / 0.0254).round() as u32).to_be_bytes();
    let body = [b"pHYs".as_slice(), &per_metre, &per_metre, &[1]].concat();
    let mut sum = flate2::Crc::new();
    sum.update(&body);
    let chunk = [&9u32.to_be_bytes(), body.as_slice(), &sum.sum().to_be_bytes()].concat();
    let after_header = HEADER_LENGTH.min(png.len());
    png.splice(after_header..after_header, chunk);
    png
}
