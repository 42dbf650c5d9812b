//! Pictures: groups of bars on a logarithmic scale, as SVG.

use std::fmt::Write;

const COLORS: [&str; 9] =
    ["#0b6e4f", "#21a179", "#8fd6b4", "#3d5a80", "#98c1d9", "#b5a642", "#c8553d", "#f28f3b", "#8d8d8d"];
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 70.0;

/// A bar for each line in each group; a value that is not there has none.
pub fn bars(title: &str, groups: &[&str], lines: &[(&str, Vec<Option<f64>>)]) -> String {
    let values = || lines.iter().flat_map(|(_, values)| values).flatten().copied();
    let low = values().fold(f64::INFINITY, f64::min).log10().floor();
    let high = values().fold(f64::NEG_INFINITY, f64::max).log10().ceil().max(low + 1.0);
    let bottom = TOP + HEIGHT;
    let y = |value: f64| bottom - (value.log10() - low) / (high - low) * HEIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{LEFT}\" y=\"20\" font-size=\"15\">{title}</text>\n",
        bottom + 30.0
    );
    let mut add = |element: String| writeln!(svg, "{element}").expect("a string takes all");
    for (at, (name, _)) in lines.iter().enumerate() {
        let (x, y) = (LEFT + (at % 5) as f64 * 165.0, 34.0 + (at / 5) as f64 * 16.0);
        let color = COLORS[at % COLORS.len()];
        add(format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"10\" height=\"10\" fill=\"{color}\"/><text x=\"{}\" y=\"{}\">{name}</text>",
            x + 14.0,
            y + 9.0
        ));
    }
    for power in low as i32..=high as i32 {
        let value = 10f64.powi(power);
        let at = y(value);
        add(format!(
            "<line x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
            LEFT - 6.0,
            at + 4.0
        ));
    }
    let group_width = (WIDTH - LEFT) / groups.len().max(1) as f64;
    let width = (group_width - 16.0) / lines.len().max(1) as f64;
    for (group, name) in groups.iter().enumerate() {
        let left = LEFT + group as f64 * group_width + 8.0;
        add(format!(
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
            left + group_width / 2.0,
            bottom + 18.0
        ));
        for (at, (line, values)) in lines.iter().enumerate() {
            let Some(value) = values.get(group).copied().flatten() else { continue };
            let (x, top) = (left + at as f64 * width, y(value));
            add(format!(
                "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"><title>{line}: {value:.3}</title></rect>",
                width - 1.0,
                bottom - top,
                COLORS[at % COLORS.len()]
            ));
        }
    }
    svg + "</svg>\n"
}
