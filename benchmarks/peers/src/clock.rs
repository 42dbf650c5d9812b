//! The two clocks: CPU time of this process, and time on the wall.

use rustix::time::{ClockId, Timespec, clock_gettime};
use std::hint::black_box;
use std::time::Instant;

/// What something took, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Time {
    /// Of all processors.
    pub cpu: f64,
    /// On the wall.
    pub wall: f64,
}

/// Starts both clocks.
#[derive(Clone, Copy)]
pub struct Stopwatch {
    cpu: Timespec,
    wall: Instant,
}

impl Stopwatch {
    /// From now.
    pub fn start() -> Self {
        let wall = Instant::now();
        Self { cpu: clock_gettime(ClockId::ProcessCPUTime), wall }
    }

    /// Until now.
    pub fn stop(self) -> Time {
        let cpu = clock_gettime(ClockId::ProcessCPUTime);
        let wall = self.wall.elapsed();
        let seconds = (cpu.tv_sec - self.cpu.tv_sec) as f64;
        let cpu = seconds * 1e9 + (cpu.tv_nsec - self.cpu.tv_nsec) as f64;
        Time { cpu, wall: wall.as_nanos() as f64 }
    }
}

/// CPU nanoseconds that the kernel has spent for this process, in steps of some milliseconds; 0 where it does not
/// say.
pub fn kernel() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The program's name, in brackets, may have spaces; the time is the 13th field behind it.
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let ticks: f64 = fields.split(' ').nth(12).and_then(|ticks| ticks.parse().ok()).unwrap_or(0.0);
    ticks * 1e9 / rustix::param::clock_ticks_per_second() as f64
}

/// Lets the allocator put together the small pieces that were freed before. It waits with that until
/// someone wants a large one, who would pay for what another has left behind.
fn settle() {
    drop(black_box(Vec::<u8>::with_capacity(16 << 20)));
}

/// The mean of `iterations` calls. What they return is dropped after the clocks have stopped.
pub fn time<T>(iterations: usize, mut call: impl FnMut() -> T) -> Time {
    let mut total = Time::default();
    for _ in 0..iterations {
        settle();
        let watch = Stopwatch::start();
        let result = black_box(call());
        let time = watch.stop();
        drop(result);
        total.cpu += time.cpu;
        total.wall += time.wall;
    }
    let count = iterations as f64;
    Time { cpu: total.cpu / count, wall: total.wall / count }
}
