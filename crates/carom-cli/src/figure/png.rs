//! PNG: the SVG, painted with a font of our own, so that it looks the same on every machine.

use crate::failure::Failure;
use resvg::{tiny_skia, usvg};

/// Pixels of the PNG to one of the SVG: sharp on dense screens and in print.
const DENSITY: f32 = 2.0;
/// The family of the font that is built in.
const FAMILY: &str = "Ubuntu";

/// Paints an SVG, in its light version.
pub fn paint(svg: &str) -> Result<Vec<u8>, Failure> {
    let refuse = |why: String| Failure::System(format!("cannot paint the figure: {why}"));
    let mut options = usvg::Options { font_family: FAMILY.to_string(), ..Default::default() };
    let fonts = options.fontdb_mut();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    fonts.load_font_data(epaint_default_fonts::HACK_REGULAR.to_vec());
    fonts.set_sans_serif_family(FAMILY);
    // There is one weight; a thin outline stands for bold.
    let svg = svg.replace("font-weight:600", "stroke:#1c1f24;stroke-width:0.5");
    let tree = usvg::Tree::from_str(&svg, &options).map_err(|why| refuse(why.to_string()))?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width() * DENSITY as u32, size.height() * DENSITY as u32);
    let mut picture = tiny_skia::Pixmap::new(width, height)
        .ok_or_else(|| refuse(format!("{width} by {height} pixels are too many")))?;
    let scale = tiny_skia::Transform::from_scale(DENSITY, DENSITY);
    resvg::render(&tree, scale, &mut picture.as_mut());
    picture.encode_png().map_err(|why| refuse(why.to_string()))
}
