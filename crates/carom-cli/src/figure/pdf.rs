//! Writes PDF files: the SVG as one page, with text as text in embedded fonts.
//!
//! usvg, which also parses the SVG for PNG, resolves styles and positions every glyph; this module converts its shapes to the
//! operators of a PDF page. Crates that do this exist (svg2pdf, krilla-svg) but depend on older versions of usvg, which would have
//! to be built in addition. The file does not depend on the date or the machine.

use super::font::EmbeddedFont;
use super::options::FigureOptions;
use super::png::{ParsedSvg, parse_svg};
use crate::failure::Failure;
use resvg::tiny_skia::{PathSegment, Transform};
use resvg::usvg::{self, Node, Paint};
use std::collections::BTreeMap;
use std::fmt::Write;

/// PDF points per unit of usvg (1/96 inch).
const POINTS_PER_UNIT: f32 = 0.75;

/// Converts the SVG of a figure to a PDF document of one page.
pub fn from_svg(svg: &str, title: &str, options: &FigureOptions) -> Result<Vec<u8>, Failure> {
    let ParsedSvg { tree, fonts } = parse_svg(svg, options)?;
    let mut page = Page { content: String::new(), used: vec![BTreeMap::new(); fonts.len()], fonts };
    let (width, height) =
        (POINTS_PER_UNIT * tree.size().width(), POINTS_PER_UNIT * tree.size().height());
    // In PDF y increases upwards.
    let flip = Transform::from_row(POINTS_PER_UNIT, 0.0, 0.0, -POINTS_PER_UNIT, 0.0, height);
    page.draw_group(tree.root(), flip);
    Ok(page.document(title, (width, height)))
}

/// Content stream of a page, its fonts and the glyphs used.
struct Page {
    content: String,
    fonts: Vec<(usvg::fontdb::ID, EmbeddedFont)>,
    /// For every font the glyphs used, and the text that each of them represents.
    used: Vec<BTreeMap<u16, String>>,
}

/// Formats a number to 1/1000 of a point, as short as possible.
fn number(value: f32) -> String {
    // Adding zero turns −0 into 0.
    ((value * 1000.0).round() / 1000.0 + 0.0).to_string()
}

fn numbers(values: &[f32]) -> String {
    values.iter().map(|value| number(*value)).collect::<Vec<_>>().join(" ")
}

/// Returns the operator that sets a colour; figures have no gradients or patterns.
fn colour_operator(paint: &Paint, operator: &str) -> String {
    match paint {
        Paint::Color(c) => {
            let parts = [c.red, c.green, c.blue].map(|part| f32::from(part) / 255.0);
            format!("{} {operator}\n", numbers(&parts))
        }
        _ => String::new(),
    }
}

/// Returns the operators that set a stroke with its lengths multiplied by `scale`.
fn stroke_operators(stroke: &usvg::Stroke, scale: f32) -> String {
    let join = match stroke.linejoin() {
        usvg::LineJoin::Round => 1,
        usvg::LineJoin::Bevel => 2,
        _ => 0,
    };
    let dashes: Vec<f32> =
        stroke.dasharray().unwrap_or_default().iter().map(|dash| dash * scale).collect();
    let width = number(stroke.width().get() * scale);
    format!(
        "{}{width} w {join} j [{}] 0 d\n",
        colour_operator(stroke.paint(), "RG"),
        numbers(&dashes)
    )
}

impl Page {
    fn draw_group(&mut self, group: &usvg::Group, view: Transform) {
        for node in group.children() {
            match node {
                Node::Group(group) => self.draw_group(group, view),
                Node::Path(path) => self.draw_path(path, view),
                Node::Text(text) => self.draw_text(text, view),
                Node::Image(_) => {}
            }
        }
    }

    fn draw_path(&mut self, path: &usvg::Path, view: Transform) {
        if !path.is_visible() {
            return;
        }
        let transform = view.pre_concat(path.abs_transform());
        let Some(data) = path.data().clone().transform(transform) else { return };
        let scale = transform.sx.abs();
        if let Some(fill) = path.fill() {
            self.content += &colour_operator(fill.paint(), "rg");
        }
        if let Some(stroke) = path.stroke() {
            self.content += &stroke_operators(stroke, scale);
        }
        let mut last = (0.0, 0.0);
        for segment in data.segments() {
            let line = match segment {
                PathSegment::MoveTo(p) => format!("{} m\n", numbers(&[p.x, p.y])),
                PathSegment::LineTo(p) => format!("{} l\n", numbers(&[p.x, p.y])),
                PathSegment::QuadTo(c, p) => {
                    // A quadratic Bézier curve is written as a cubic one.
                    let third = |from: f32, control: f32| from + 2.0 / 3.0 * (control - from);
                    let first = (third(last.0, c.x), third(last.1, c.y));
                    let second = (third(p.x, c.x), third(p.y, c.y));
                    format!("{} c\n", numbers(&[first.0, first.1, second.0, second.1, p.x, p.y]))
                }
                PathSegment::CubicTo(a, b, p) => {
                    format!("{} c\n", numbers(&[a.x, a.y, b.x, b.y, p.x, p.y]))
                }
                PathSegment::Close => "h\n".to_string(),
            };
            if let PathSegment::MoveTo(p)
            | PathSegment::LineTo(p)
            | PathSegment::QuadTo(_, p)
            | PathSegment::CubicTo(_, _, p) = segment
            {
                last = (p.x, p.y);
            }
            self.content += &line;
        }
        self.content += match (path.fill().is_some(), path.stroke().is_some()) {
            (true, true) => "B\n",
            (true, false) => "f\n",
            (false, true) => "S\n",
            (false, false) => "n\n",
        };
    }

    fn draw_text(&mut self, text: &usvg::Text, view: Transform) {
        let view = view.pre_concat(text.abs_transform());
        for span in text.layouted().iter().filter(|span| span.visible) {
            if let Some(fill) = &span.fill {
                self.content += &colour_operator(fill.paint(), "rg");
            }
            // Bold text has an outline (see `style_sheet`).
            let mode = match &span.stroke {
                Some(stroke) => {
                    self.content += &stroke_operators(stroke, view.sx.abs());
                    2
                }
                None => 0,
            };
            let _ = writeln!(self.content, "BT {mode} Tr");
            let mut current = None;
            for glyph in &span.positioned_glyphs {
                let found = self.fonts.iter().position(|(id, _)| *id == glyph.font);
                let Some((font, (_, embedded))) = found.and_then(|i| Some((i, self.fonts.get(i)?)))
                else {
                    continue;
                };
                // The unit of text space is one em.
                let em = f32::from(embedded.units);
                let transform = view.pre_concat(glyph.outline_transform()).pre_scale(em, em);
                if current != Some(font) {
                    let _ = writeln!(self.content, "/F{font} 1 Tf");
                    current = Some(font);
                }
                let matrix = numbers(&[
                    transform.sx,
                    transform.ky,
                    transform.kx,
                    transform.sy,
                    transform.tx,
                    transform.ty,
                ]);
                let Ok(id) = u16::try_from(glyph.id.0) else { continue };
                let _ = writeln!(self.content, "{matrix} Tm <{id:04X}> Tj");
                if let Some(used) = self.used.get_mut(font) {
                    used.entry(id).or_insert_with(|| glyph.text.clone());
                }
            }
            self.content += "ET\n";
        }
    }

    /// Returns the file: catalogue, pages, page, content, information, and five objects per font.
    fn document(self, title: &str, (width, height): (f32, f32)) -> Vec<u8> {
        let mut file = File::default();
        let first = 6;
        let references: String =
            (0..self.fonts.len()).map(|i| format!("/F{i} {} 0 R ", first + 5 * i)).collect();
        file.add_object("<< /Type /Catalog /Pages 2 0 R >>");
        file.add_object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
        file.add_object(&format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents 4 0 R \
             /Resources << /Font << {references}>> >> >>",
            number(width),
            number(height)
        ));
        file.add_stream("", self.content.as_bytes());
        file.add_object(&format!("<< /Title <{}> /Producer (carom) >>", utf16(title, true)));
        for (i, ((_, font), used)) in self.fonts.iter().zip(&self.used).enumerate() {
            add_font(&mut file, first + 5 * i, font, used);
        }
        file.finish()
    }
}

/// Encodes a text as UTF-16 in hexadecimal digits.
fn utf16(text: &str, mark: bool) -> String {
    let mark = mark.then_some(0xFEFF);
    mark.into_iter().chain(text.encode_utf16()).map(|unit| format!("{unit:04X}")).collect()
}

/// Adds the five objects of a font: composite font, descendant font, descriptor, font file, map to Unicode.
fn add_font(file: &mut File, number: usize, font: &EmbeddedFont, used: &BTreeMap<u16, String>) {
    // Names of subsets begin with six letters and a plus sign.
    let name = format!("CAROMF+{}", font.family);
    let thousandth = |units: f64| (1000.0 * units / f64::from(font.units)).round();
    let width = |glyph: &u16| {
        let advance = font.advances.get(usize::from(*glyph)).copied().unwrap_or(0);
        format!("{glyph} [{}]", thousandth(f64::from(advance)))
    };
    let widths: Vec<_> = used.keys().map(width).collect();
    let (kind, map, key, subtype) = match font.postscript {
        true => ("CIDFontType0", "", "FontFile3", "/Subtype /OpenType"),
        false => ("CIDFontType2", "/CIDToGIDMap /Identity", "FontFile2", ""),
    };
    let (ascent, descent) =
        (thousandth(f64::from(font.height.0)), thousandth(f64::from(font.height.1)));
    file.add_object(&format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H \
         /DescendantFonts [{} 0 R] /ToUnicode {} 0 R >>",
        number + 1,
        number + 4
    ));
    file.add_object(&format!(
        "<< /Type /Font /Subtype /{kind} /BaseFont /{name} \
         /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> \
         /FontDescriptor {} 0 R /DW 500 /W [{}] {map} >>",
        number + 2,
        widths.join(" ")
    ));
    file.add_object(&format!(
        "<< /Type /FontDescriptor /FontName /{name} /Flags 4 /FontBBox [-500 {descent} 1500 {ascent}] \
         /ItalicAngle 0 /Ascent {ascent} /Descent {descent} /CapHeight 700 /StemV 80 /{key} {} 0 R >>",
        number + 3
    ));
    file.add_stream(&format!("{subtype} /Length1 {}", font.data.len()), &font.data);
    let mut unicode = String::new();
    let entries: Vec<_> = used.iter().collect();
    for hundred in entries.chunks(100) {
        let _ = writeln!(unicode, "{} beginbfchar", hundred.len());
        for (glyph, text) in hundred {
            let _ = writeln!(unicode, "<{glyph:04X}> <{}>", utf16(text, false));
        }
        unicode += "endbfchar\n";
    }
    let map = format!(
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n\
         /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n\
         /CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n\
         1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n{unicode}endcmap\n\
         CMapName currentdict /CMap defineresource pop\nend\nend\n"
    );
    file.add_stream("", map.as_bytes());
}

/// A PDF file under construction; objects are numbered from 1 in the order in which they are added.
#[derive(Default)]
struct File {
    data: Vec<u8>,
    /// Byte offsets of the objects.
    offsets: Vec<usize>,
}

impl File {
    fn begin_object(&mut self) -> usize {
        if self.data.is_empty() {
            // Four bytes above 127 mark the file as binary.
            self.data.extend(b"%PDF-1.6\n%\xE2\xE3\xCF\xD3\n");
        }
        self.offsets.push(self.data.len());
        self.offsets.len()
    }

    fn add_object(&mut self, body: &str) {
        let number = self.begin_object();
        self.data.extend(format!("{number} 0 obj\n{body}\nendobj\n").bytes());
    }

    fn add_stream(&mut self, keys: &str, data: &[u8]) {
        let number = self.begin_object();
        let packed = deflate(data);
        let head = format!(
            "{number} 0 obj\n<< /Length {} /Filter /FlateDecode {keys} >>\nstream\n",
            packed.len()
        );
        self.data.extend(head.bytes());
        self.data.extend(packed);
        self.data.extend(b"\nendstream\nendobj\n");
    }

    fn finish(mut self) -> Vec<u8> {
        let start = self.data.len();
        let count = self.offsets.len() + 1;
        let mut table = format!("xref\n0 {count}\n0000000000 65535 f \n");
        for place in &self.offsets {
            let _ = writeln!(table, "{place:010} 00000 n ");
        }
        let _ = write!(
            table,
            "trailer\n<< /Size {count} /Root 1 0 R /Info 5 0 R >>\nstartxref\n{start}\n%%EOF\n"
        );
        self.data.extend(table.bytes());
        self.data
    }
}

/// Compresses with zlib, the FlateDecode filter of PDF.
fn deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    // Writing to memory cannot fail.
    let _ = std::io::Write::write_all(&mut encoder, data);
    encoder.finish().unwrap_or_default()
}
