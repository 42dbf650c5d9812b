// Counts, bounds, mean, frequent values and a histogram of a column, window by window.

// Different values up to which all are counted.
const DISTINCT = 10_000;
// Numbers that a histogram is made of at most: of more, every second, every fourth, and so on.
const SAMPLE = 1 << 20;
const TOP = 10;

export class Stats {
  constructor(kind, logical) {
    this.kind = kind;
    this.logical = logical;
    this.isNumber = /^(u?int|float)/.test(kind);
    this.count = 0;
    this.nulls = 0;
    this.nan = 0;
    this.min = null;
    this.max = null;
    this.sum = 0;
    this.numbers = 0;
    this.counts = new Map();
    this.sample = [];
    this.every = 1;
    this.at = 0;
  }

  /** Adds the values of some rows, and 1 for each that is null. */
  add(values, nulls) {
    this.count += values.length;
    for (let at = 0; at < values.length; at += 1) {
      if (nulls !== undefined && nulls[at] === 1) {
        this.nulls += 1;
      } else if (this.isNumber) {
        this.number(values[at]);
      } else if (this.kind === "boolean") {
        this.frequent(values[at] === 1);
      } else if (typeof values[at] === "string") {
        this.bounds(values[at]);
        this.frequent(values[at]);
      }
    }
  }

  number(value) {
    if (value !== value) {
      this.nan += 1;
      return;
    }
    this.bounds(value);
    this.frequent(value);
    const number = Number(value);
    this.sum += number;
    this.numbers += 1;
    if (this.at % this.every === 0 && Number.isFinite(number)) {
      this.sample.push(number);
      if (this.sample.length === SAMPLE) {
        this.sample = this.sample.filter((_, index) => index % 2 === 0);
        this.every *= 2;
      }
    }
    this.at += 1;
  }

  bounds(value) {
    if (this.min === null || value < this.min) this.min = value;
    if (this.max === null || value > this.max) this.max = value;
  }

  frequent(value) {
    if (this.counts === null) return;
    this.counts.set(value, (this.counts.get(value) ?? 0) + 1);
    if (this.counts.size > DISTINCT) this.counts = null;
  }

  /** What has been added, with a histogram of so many bars. */
  finish(bars) {
    const { kind, logical, count, nulls, nan, min, max } = this;
    const top = this.counts === null ? [] : [...this.counts].sort((one, two) => two[1] - one[1]).slice(0, TOP);
    return {
      kind, logical, count, nulls, nan, min, max,
      mean: this.numbers > 0 && logical === null ? this.sum / this.numbers : null,
      distinct: this.counts === null ? null : this.counts.size,
      top: top.map(([value, times]) => ({ value, count: times })),
      histogram: this.isNumber && this.sample.length > 0 ? histogram(this.sample, bars, this.every, kind) : null,
    };
  }
}

function histogram(sample, bars, every, kind) {
  let [from, to] = [Infinity, -Infinity];
  for (const value of sample) {
    if (value < from) from = value;
    if (value > to) to = value;
  }
  const isWhole = !kind.startsWith("float");
  // Bars of whole numbers are whole numbers wide.
  let width = isWhole ? Math.max(1, Math.ceil((to - from + 1) / bars)) : (to - from) / bars || 1;
  const length = isWhole ? Math.max(1, Math.ceil((to - from + 1) / width)) : from === to ? 1 : bars;
  const counts = new Array(length).fill(0);
  for (const value of sample) counts[Math.min(length - 1, Math.floor((value - from) / width))] += every;
  return { from, width, counts, every };
}
