// SPDX-License-Identifier: Apache-2.0
// Small curves in the cells of tables.

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 110;
const HEIGHT = 20;
const MOST = 180;

/** Draws the latest points of a curve into a cell, with the last value as text. */
export function drawSpark(cell, curve, format) {
  if (!cell.firstElementChild) {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('class', 'spark');
    svg.setAttribute('width', WIDTH);
    svg.setAttribute('height', HEIGHT);
    svg.setAttribute('aria-hidden', 'true');
    svg.append(document.createElementNS(SVG, 'path'));
    cell.append(svg, document.createElement('span'));
  }
  const [svg, text] = cell.children;
  const values = curve ? curve.values.slice(-MOST).map((value) => value ?? 0) : [];
  const most = Math.max(...values, 1e-9);
  const points = values.map((value, i) => {
    const x = (i * WIDTH) / Math.max(1, values.length - 1);
    return `${x.toFixed(1)} ${(HEIGHT - 1 - (value / most) * (HEIGHT - 3)).toFixed(1)}`;
  });
  svg.firstElementChild.setAttribute('d', points.length > 1 ? `M${points.join('L')}` : '');
  const shown = values.length === 0 ? '–' : format(values.at(-1));
  if (text.textContent !== shown) {
    text.textContent = shown;
  }
}
