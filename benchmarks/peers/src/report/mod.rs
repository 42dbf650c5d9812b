//! The report: Markdown out of figures.

pub mod choices;
pub mod extras;
pub mod machine;
pub mod marks;
pub mod numbers;
pub mod pictures;
pub mod tables;
pub mod targets;

use crate::alone::Alone;
use crate::figures::Figures;
use machine::Machine;
use numbers::thousands;
use targets::Show;

/// The section on speed; `kept` are figures with an allocator that keeps memory.
pub fn speed(
    machine: &Machine,
    keep_memory: bool,
    [figures, kept]: [&Figures; 2],
    alone: Option<&Alone>,
    show: Show,
) -> String {
    let mut text = String::from("## Speed and size\n\n");
    text.push_str(&machine.to_markdown());
    text.push_str(
        "\nAll figures come from one run, in memory, each data set in a process of its own. CPU time; all contestants run once in each \
         repetition. Times are medians, ratios the medians of the ratios of all repetitions. What was read was compared with what was written before anything was \
         timed. Dropping what was read is not timed. `ours ÷ other`: below 1 is ahead.\n\n",
    );
    text.push_str(match keep_memory {
        true => "Freed memory was kept for the next call (`--keep-memory`).\n\n",
        false => "The allocator was left as it is: large results cost fresh pages.\n\n",
    });
    text.push_str("### Summary\n\nRatios of CPU time, or of bytes");
    text.push_str(if show == Show::Targets { ", and the target in brackets" } else { "" });
    text.push_str(match kept.times.is_empty() {
        true => ".\n\n",
        false => {
            ". Codec none: default · with an allocator that keeps freed memory (`warm::SETTINGS`), measured in a process of its own.\n\n"
        }
    });
    text.push_str(&targets::table([figures, kept], show));
    if let Some(alone) = alone {
        text.push_str("\n### Scaling\n\n");
        text.push_str(&extras::scaling(&alone.scaling));
    }
    if let Some(alone) = alone {
        text.push_str("\n### Batches, borrowed rows, threads, small files\n\n");
        text.push_str(&extras::ways(&alone.ways));
    }
    text.push_str("\n### Ratios within this crate\n\n");
    text.push_str(&extras::ratios(figures, alone, show));
    for (data, rows) in tables::data_sets(figures) {
        text.push_str(&format!("\n### {data}: {} rows\n\n", thousands(rows)));
        text.push_str(&tables::data_set(figures, &data));
    }
    let refusals = tables::refusals(figures);
    if !refusals.is_empty() {
        text.push_str("\n### Not measured\n\n");
        text.push_str(&refusals);
    }
    text
}
