// SPDX-License-Identifier: Apache-2.0
// The view of curves: one plot for each quantity, with the controls that all plots share.
import { combined, smoothed } from './run.js';
import { count, duration, real } from './format.js';
import { Plot } from './plot.js';

const find = (id) => document.getElementById(id);
const controls = () => find('controls');
const FIRST = ['loss', 'accuracy', 'samples_per_second'];
const MOST_LINES = 8;

/** The plots of one or more runs. */
export class Learning {
  #plots = new Map();
  #zoom = null;
  #runs = [];

  constructor() {
    controls().addEventListener('input', (event) => {
      this.#zoom = event.target.name === 'axis' ? null : this.#zoom;
      this.show(this.#runs);
    });
    controls().addEventListener('submit', (event) => event.preventDefault());
    find('reset-zoom').addEventListener('click', () => this.#zoomTo(null));
  }

  #zoomTo(range) {
    this.#zoom = range;
    this.show(this.#runs);
  }

  /** Shows these runs, the first of which may still grow. */
  show(runs) {
    this.#runs = runs;
    const byQuantity = new Map();
    runs.forEach((run, at) => run.learning().forEach((curve) => {
      const curves = byQuantity.get(curve.quantity) ?? [];
      curves.push({ run, at, curve });
      byQuantity.set(curve.quantity, curves);
    }));
    if (controls().trainers.value === '' && byQuantity.has('loss')) { // the user chooses from then on
      controls().trainers.value = byQuantity.get('loss').length > MOST_LINES ? 'mean' : 'each';
    }
    const names = [...byQuantity.keys()].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
    find('smoothing-at').textContent = Number(find('smoothing').value).toFixed(2);
    find('reset-zoom').disabled = this.#zoom === null;
    find('no-curves').hidden = names.length > 0;
    for (const [name, plot] of this.#plots) {
      if (!byQuantity.has(name)) {
        plot.element.remove();
        this.#plots.delete(name);
      }
    }
    names.forEach((name, at) => {
      const plot = this.#plots.get(name) ?? this.#plot(name);
      if (find('plots').children[at] !== plot.element) {
        find('plots').insertBefore(plot.element, find('plots').children[at] ?? null);
      }
      plot.set(this.#lines(name, byQuantity.get(name)), this.#options(name));
    });
  }

  #plot(name) {
    const plot = new Plot(name, {
      zoom: (range) => this.#zoomTo(range),
      csv: () => this.#csv(name),
      png: () => plot.image().toBlob((image) => download(image, `${name}.png`)),
    });
    this.#plots.set(name, plot);
    return plot;
  }

  #options(name) {
    const isTime = controls().axis.value === 'time';
    return {
      isLog: find('log-scale').checked && name !== 'samples_per_second',
      unit: controls().axis.value,
      formatX: isTime ? duration : (step) => count(step),
      formatY: name.endsWith('_per_second') ? count : real,
      range: this.#zoom,
    };
  }

  /** Returns the lines of a plot: of each trainer, or their mean. */
  #lines(name, curves) {
    const folders = [...new Set(curves.map((one) => one.curve.folder))];
    curves.sort((a, b) => a.at - b.at || a.curve.worker.localeCompare(b.curve.worker, 'en', { numeric: true }));
    const workers = [...new Set(curves.map((one) => one.curve.worker))];
    const isEach = controls().trainers.value === 'each';
    const groups = new Map();
    for (const one of curves) {
      const key = JSON.stringify([one.at, one.curve.folder, isEach ? one.curve.worker : '']);
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    return [...groups.values()].map((group) => {
      const [{ run, at, curve }] = group;
      const isMean = !isEach && group.length > 1;
      const isSum = isMean && name.endsWith('_per_second');
      const words = [
        this.#runs.length > 1 ? run.name : '',
        isMean ? `${isSum ? 'sum' : 'mean'} of ${group.length}` : curve.worker,
        curve.folder,
      ];
      const own = group.map((one) => this.#line(one));
      const line = isMean ? combined(own, isSum) : own[0];
      return {
        ...this.#smooth(line),
        label: words.filter((word) => word !== '').join(' ') || name,
        color: this.#runs.length > 1 ? at : workers.indexOf(curve.worker),
        isDashed: curve.folder !== '' && folders.length > 1,
      };
    });
  }

  #line({ run, curve }) {
    if (controls().axis.value === 'time') {
      const begin = run.begin();
      return { xs: curve.times.map((time) => (time - begin) / 1000), ys: curve.values };
    }
    return lastOfEachStep(curve);
  }

  #smooth(line) {
    const weight = Number(find('smoothing').value);
    return weight === 0 ? line : { xs: line.xs, ys: smoothed(line.ys, weight), raw: line.ys };
  }

  #csv(name) {
    const quote = (word) => (/^[=+@-]|[",\n]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word);
    const rows = ['run,worker,tag,time,step,value'];
    for (const run of this.#runs) {
      for (const curve of run.learning().filter((one) => one.quantity === name)) {
        const head = [run.name, curve.worker, curve.tag].map(quote).join(',');
        curve.values.forEach((value, i) => rows.push(
          `${head},${new Date(curve.times[i]).toISOString()},${curve.steps[i]},${value ?? 'NaN'}`,
        ));
      }
    }
    download(new Blob([`${rows.join('\n')}\n`], { type: 'text/csv' }), `${name}.csv`);
  }
}

const rank = (name) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);

/** Returns a curve by step. Only the last of several values of one step remains. */
function lastOfEachStep(curve) {
  const xs = [];
  const ys = [];
  curve.steps.forEach((step, i) => {
    if (step < xs.at(-1)) { // a restarted worker counts again
      return;
    }
    const at = step === xs.at(-1) ? xs.length - 1 : xs.length;
    xs[at] = step;
    ys[at] = curve.values[i];
  });
  return { xs, ys };
}

function download(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
