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
