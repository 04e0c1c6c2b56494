// SPDX-License-Identifier: Apache-2.0
// A run and its curves, from the lines that a world sends and that files of runs contain.

const NOT_CURVES = new Set(['time', 'step', 'worker']);

/** A run: its properties, and a curve for each worker and tag. */
export class Run {
  /** @param id its file's name; empty for the run of this world */
  constructor(id) {
    this.id = id;
    this.about = { program: id, settings: {} };
    this.curves = new Map();
    this.damaged = 0;
  }

  /** Reads a run from JSON lines. Counts lines that cannot be read. */
  static parse(id, text) {
    const run = new Run(id);
    for (const line of text.split('\n')) {
      if (line !== '') {
        try {
          run.add(JSON.parse(line));
        } catch {
          run.damaged++;
        }
      }
    }
    return run;
  }

  /** Adds a line. Ignores points that are not newer than those of their curve. */
  add(line) {
    if (line.run) {
      this.about = { settings: {}, ...line.run };
      return;
    }
    const time = Date.parse(line.time);
    if (Number.isNaN(time)) {
      throw new Error('a line without a time');
    }
    for (const [tag, value] of Object.entries(line)) {
      if (!NOT_CURVES.has(tag) && (value === null || typeof value === 'number')) {
        this.#curve(line.worker ?? '', tag).add(time, line.step ?? 0, value);
      }
    }
  }

  #curve(worker, tag) {
    const key = `${worker}\n${tag}`;
    if (!this.curves.has(key)) {
      this.curves.set(key, new Curve(worker, tag));
    }
    return this.curves.get(key);
  }

  /** Returns a worker's curve; undefined if it has none. */
  find(worker, tag) {
    return this.curves.get(`${worker}\n${tag}`);
  }

  /** Returns the curves of the training, without those of the JVMs and of calls. */
  learning() {
    return [...this.curves.values()].filter((curve) => !/^(jvm|rpc)\/|^epoch$/.test(curve.tag));
  }

  /** Returns the time of the first step, from which a time axis counts. */
  begin() {
    const first = this.learning().map((curve) => curve.times[0]);
    return first.length === 0 ? 0 : Math.min(...first);
  }

  get name() {
    return this.id === '' ? 'this run' : this.id.replace(/\.jsonl$/, '');
  }
}

/** The points of one quantity of a worker. */
class Curve {
  constructor(worker, tag) {
    this.worker = worker;
    this.tag = tag;
    this.times = [];
    this.steps = [];
    this.values = [];
  }

  /** The quantity without its folder: `loss` for `validation/loss`. */
  get quantity() {
    return this.tag.slice(this.tag.lastIndexOf('/') + 1);
  }

  /** Its folder, such as `validation`; empty without one. */
  get folder() {
    return this.tag.slice(0, Math.max(0, this.tag.lastIndexOf('/')));
  }

  add(time, step, value) {
    if (this.times.length === 0 || time > this.times.at(-1)) {
      this.times.push(time);
      this.steps.push(step);
      this.values.push(value);
    }
  }
}

/** The mean, or the sum, of several workers' curves, at up to `most` places of the x axis. */
export function combined(lines, isSum, most = 300) {
  const first = Math.min(...lines.map((line) => line.xs[0]));
  const last = Math.max(...lines.map((line) => line.xs.at(-1)));
  const width = (last - first) / most || 1;
  const bins = new Map();
  lines.forEach((line, at) => line.xs.forEach((x, i) => {
    if (line.ys[i] !== null) {
      const place = Math.floor((x - first) / width);
      const bin = bins.get(place) ?? { xs: 0, n: 0, own: new Map() };
      const own = bin.own.get(at) ?? [0, 0];
      bin.own.set(at, [own[0] + line.ys[i], own[1] + 1]);
      bin.xs += x;
      bin.n += 1;
      bins.set(place, bin);
    }
  }));
  const sorted = [...bins.entries()].sort((a, b) => a[0] - b[0]).map((entry) => entry[1]);
  const means = (bin) => [...bin.own.values()].map(([sum, n]) => sum / n);
  return {
    xs: sorted.map((bin) => bin.xs / bin.n),
    ys: sorted.map((bin) => means(bin).reduce((a, b) => a + b, 0)
      * (isSum ? lines.length : 1) / bin.own.size),
  };
}

/** An exponential moving average that starts at the first value, as TensorBoard draws it. */
export function smoothed(ys, weight) {
  let last = 0;
  let seen = 0;
  return ys.map((y) => {
    if (y === null) {
      return null;
    }
    last = last * weight + (1 - weight) * y;
    seen++;
    return last / (1 - weight ** seen);
  });
}
