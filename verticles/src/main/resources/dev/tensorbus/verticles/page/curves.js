// SPDX-License-Identifier: Apache-2.0
// Curves drawn with uPlot, in the page's colours and as wide as their container.

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A curve over the time of a run in seconds. */
export class Curve {
  #place;
  #readout;
  #format;
  #data = [[], []];
  #plot = null;

  /**
   * @param place the element that the curve fills
   * @param readout the element that shows the value under the pointer, or the last value
   * @param format formats a value
   */
  constructor(place, readout, format) {
    this.#place = place;
    this.#readout = readout;
    this.#format = format;
    new ResizeObserver(() => this.#resize()).observe(place);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#make());
  }

  set(xs, ys) {
    this.#data = [xs, ys];
    if (this.#plot) {
      this.#plot.setData(this.#data);
    } else {
      this.#make();
    }
    this.#read();
  }

  #make() {
    this.#plot?.destroy();
    this.#plot = null;
    if (this.#place.clientWidth === 0) {
      return; // hidden
    }
    const axis = {
      stroke: color('--faint'),
      grid: { stroke: color('--line'), width: 1 },
      ticks: { stroke: color('--line'), width: 1 },
      font: '12px system-ui, sans-serif',
    };
    this.#plot = new window.uPlot({
      width: this.#place.clientWidth,
      height: this.#place.clientHeight,
      legend: { show: false },
      cursor: { y: false },
      scales: { x: { time: false } },
      axes: [
        { ...axis, values: (plot, values) => values.map((v) => `${v} s`) },
        { ...axis, size: 70 },
      ],
      series: [{}, { stroke: color('--accent'), width: 2, spanGaps: true, points: { show: false } }],
      hooks: { setCursor: [() => this.#read()] },
    }, this.#data, this.#place);
  }

  #resize() {
    if (!this.#plot) {
      this.#make();
    } else if (this.#place.clientWidth > 0) {
      this.#plot.setSize({ width: this.#place.clientWidth, height: this.#place.clientHeight });
    }
  }

  #read() {
    const [xs, ys] = this.#data;
    const under = this.#plot?.cursor.idx;
    const at = under ?? xs.length - 1;
    const when = under === null || under === undefined ? '' : ` at ${xs[at]} s`;
    this.#readout.textContent = xs.length === 0 ? '' : this.#format(ys[at]) + when;
  }
}
