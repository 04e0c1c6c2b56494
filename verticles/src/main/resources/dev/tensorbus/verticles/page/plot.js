// SPDX-License-Identifier: Apache-2.0
// A plot of several lines, drawn with uPlot in the page's colours.
import { fillChildren, setText } from './tables.js';
import { short } from './format.js';

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const COLORS = 8;

/** The stroke of a line: the colour by its number. */
const stroke = (line) => color(`--c${line.color % COLORS}`);

/** A figure with a title, a legend, and lines over one x axis. */
export class Plot {
  #title;
  #place;
  #legend;
  #plot = null;
  #made = '';
  #lines = [];
  #data = [[]];
  #hidden = new Set();
  #options = {};
  #on;

  /**
   * @param on called for what the user does: `zoom(range or null)`, `csv(plot)`, `png(plot)`
   */
  constructor(title, on) {
    this.#title = title;
    this.#on = on;
    this.element = document.createElement('figure');
    this.element.dataset.plot = title;
    const caption = document.createElement('figcaption');
    const name = document.createElement('span');
    name.textContent = title.replaceAll('_', ' ');
    caption.append(name, this.#button('CSV', () => on.csv(this)), this.#button('PNG', () => on.png(this)));
    this.#place = document.createElement('div');
    this.#place.className = 'curve';
    this.#place.tabIndex = 0;
    this.#place.setAttribute('role', 'img');
    this.#place.addEventListener('keydown', (event) => this.#key(event));
    this.#legend = document.createElement('ul');
    this.#legend.className = 'legend';
    this.element.append(caption, this.#place, this.#legend);
    new ResizeObserver(() => this.#resize()).observe(this.#place);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#make());
  }

  #button(label, does) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'small';
    button.textContent = label;
    button.setAttribute('aria-label', `download ${this.#title} as ${label}`);
    button.addEventListener('click', does);
    return button;
  }

  get title() {
    return this.#title;
  }

  /**
   * Shows lines.
   *
   * @param lines each `{label, color, xs, ys, raw, isDashed}`; `raw` are the values before smoothing
   * @param options `{isLog, formatX, formatY, range}`; the range is the zoomed part or null
   */
  set(lines, options) {
    const had = this.#options.range;
    this.#lines = lines;
    this.#options = options;
    const shown = lines.map((line) => (this.#hidden.has(line.label)
      ? { ...line, ys: line.ys.map(() => null), raw: line.raw?.map(() => null) } : line));
    const positive = (ys) => (options.isLog ? ys.map((y) => (y > 0 ? y : null)) : ys);
    const tables = shown.flatMap((line) => [
      ...(line.raw ? [[line.xs, positive(line.raw)]] : []), [line.xs, positive(line.ys)]]);
    this.#data = tables.length === 0 ? [[]] : window.uPlot.join(tables);
    const made = JSON.stringify([options.isLog, options.unit,
      lines.map((line) => [line.label, line.color, line.isDashed, Boolean(line.raw)])]);
    if (this.#plot && made === this.#made) {
      this.#plot.setData(this.#data, false);
      this.#rescale();
    } else {
      this.#made = made;
      this.#make();
    }
    if (had !== options.range && this.#plot) {
      this.#plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    }
    this.#read();
  }

  /** The whole x axis, from the first point to the last. */
  get #all() {
    const xs = this.#data[0];
    return xs.length === 0 ? [0, 1] : [xs[0], xs.at(-1) > xs[0] ? xs.at(-1) : xs[0] + 1];
  }

  #rescale() {
    const [min, max] = this.#options.range ?? this.#all;
    this.#plot.setScale('x', { min, max });
  }

  #make() {
    this.#plot?.destroy();
    this.#plot = null;
    if (this.#place.clientWidth === 0 || this.#lines.length === 0) {
      return; // hidden
    }
    const axis = {
      stroke: color('--faint'),
      grid: { stroke: color('--line'), width: 1 },
      ticks: { show: false },
      font: '11px system-ui, sans-serif',
    };
    const dash = (line) => (line.isDashed ? [6, 4] : undefined);
    const series = this.#lines.flatMap((line) => [
      ...(line.raw ? [{ stroke: `${stroke(line)}40`, width: 1, points: { show: false } }] : []),
      {
        stroke: stroke(line), width: 1.75, dash: dash(line),
        points: { show: line.xs.length < 3, size: 6, fill: stroke(line) },
      }]);
    const { formatX, isLog } = this.#options;
    this.#plot = new window.uPlot({
      width: this.#place.clientWidth,
      height: this.#place.clientHeight,
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false, setScale: false },
        bind: { dblclick: () => () => this.#on.zoom(null) } },
      scales: {
        x: { time: false, range: () => this.#options.range ?? this.#all },
        y: isLog ? { distr: 3 } : {},
      },
      axes: [
        { ...axis, size: 30, space: 70, values: (plot, values) => values.map((v) => formatX(v, values.at(-1))) },
        { ...axis, size: 52, values: (plot, values) => values.map((v) => (v === null ? '' : short(v))) },
      ],
      series: [{}, ...series],
      hooks: {
        setCursor: [() => this.#read()],
        setSelect: [(plot) => this.#select(plot)],
      },
    }, this.#data, this.#place);
  }

  #select(plot) {
    if (plot.select.width > 4) {
      const from = plot.posToVal(plot.select.left, 'x');
      const to = plot.posToVal(plot.select.left + plot.select.width, 'x');
      this.#on.zoom([from, to]);
    }
  }

  /** Plus and minus zoom, arrows move, 0 resets. */
  #key(event) {
    const [min, max] = this.#options.range ?? this.#all;
    const middle = (min + max) / 2;
    const width = max - min;
    const range = {
      '+': [middle - width / 4, middle + width / 4],
      '=': [middle - width / 4, middle + width / 4],
      '-': [middle - width, middle + width],
      ArrowLeft: [min - width / 4, max - width / 4],
      ArrowRight: [min + width / 4, max + width / 4],
      0: null,
      Escape: null,
    }[event.key];
    if (range !== undefined && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const [first, last] = this.#all;
      this.#on.zoom(range && range[1] - range[0] < last - first ? range : null);
    }
  }

  #resize() {
    if (!this.#plot) {
      this.#make();
    } else if (this.#place.clientWidth > 0) {
      this.#plot.setSize({ width: this.#place.clientWidth, height: this.#place.clientHeight });
    }
  }

  /** Shows the values under the pointer, or else the last ones. */
  #read() {
    const { idx, left } = this.#plot?.cursor ?? {};
    const isOver = idx !== null && idx !== undefined && left >= 0;
    const x = isOver ? this.#data[0][idx] : null;
    const { formatX, formatY } = this.#options;
    fillChildren(this.#legend, 'li', this.#lines, (item, line) => {
      const button = item.firstElementChild ?? this.#entry(item);
      button.dataset.label = line.label;
      button.setAttribute('aria-pressed', !this.#hidden.has(line.label));
      button.title = this.#hidden.has(line.label) ? `show ${line.label}` : `hide ${line.label}`;
      const [mark, name, value] = button.children;
      mark.style.borderTopColor = stroke(line);
      mark.style.borderTopStyle = line.isDashed ? 'dashed' : 'solid';
      setText(name, line.label);
      setText(value, formatY(valueAt(line, x)));
    });
    const last = this.#lines.map((line) => `${line.label} ${formatY(line.ys.at(-1))}`).join(', ');
    this.#place.setAttribute('aria-label', `${this.#title}${x === null ? '' : ` at ${formatX(x)}`}`
      + `, now ${last}. Plus and minus zoom, arrows move, 0 resets.`);
  }

  #entry(item) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...['i', 'span', 'b'].map((tag) => document.createElement(tag)));
    button.addEventListener('click', () => {
      const { label } = button.dataset;
      if (!this.#hidden.delete(label)) {
        this.#hidden.add(label);
      }
      this.set(this.#lines, this.#options);
    });
    item.append(button);
    return button;
  }

  /** Draws the plot with its title and legend on a new canvas. */
  image() {
    const from = this.#plot.ctx.canvas;
    const scale = from.width / this.#place.clientWidth;
    const canvas = document.createElement('canvas');
    const row = 18 * scale;
    canvas.width = from.width;
    canvas.height = from.height + row * (this.#lines.length + 2);
    const ctx = canvas.getContext('2d');
    ctx.fillStyle = color('--panel');
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.drawImage(from, 0, row * 1.5);
    ctx.font = `${13 * scale}px system-ui, sans-serif`;
    ctx.fillStyle = color('--text');
    ctx.fillText(this.#title, 10 * scale, row);
    this.#lines.forEach((line, i) => {
      const y = from.height + row * (i + 2.3);
      ctx.fillStyle = stroke(line);
      ctx.fillRect(10 * scale, y - 5 * scale, 16 * scale, 3 * scale);
      ctx.fillStyle = color('--text');
      ctx.fillText(line.label, 32 * scale, y);
    });
    return canvas;
  }
}

/** The value of a line at the last place up to `x`; its last value if `x` is null. */
function valueAt(line, x) {
  if (x === null) {
    return line.ys.at(-1);
  }
  const after = line.xs.findIndex((one) => one > x);
  return line.ys[after < 0 ? line.ys.length - 1 : after - 1];
}
