// SPDX-License-Identifier: Apache-2.0
// Tables whose cells are reused when their contents change. Contents are always set as text, never
// as HTML, because names are untrusted.

/** Sets an element's text only if it differs, so that the user's selection survives. */
export function setText(element, text) {
  const next = String(text);
  if (element.textContent !== next) {
    element.textContent = next;
  }
}

function setClass(element, name) {
  if (element.className !== name) {
    element.className = name;
  }
}

/** Adjusts the number of children of `parent` to the number of items, and fills each child. */
export function fillChildren(parent, tag, items, fill) {
  while (parent.children.length > items.length) {
    parent.lastElementChild.remove();
  }
  while (parent.children.length < items.length) {
    parent.append(document.createElement(tag));
  }
  items.forEach((item, i) => fill(parent.children[i], item));
}

/**
 * Shows rows in a table.
 *
 * @param place the element that contains the table
 * @param columns each `{name, of, kind}`: `of` returns a row's text, `kind` is or returns its class
 * @param empty the text for an empty table
 */
export function fillTable(place, columns, rows, empty) {
  if (!place.firstElementChild) {
    const table = document.createElement('table');
    table.append(document.createElement('thead'), document.createElement('tbody'));
    table.tHead.append(document.createElement('tr'));
    fillChildren(table.tHead.rows[0], 'th', columns, (cell, column) => {
      cell.scope = 'col';
      setText(cell, column.name);
      setClass(cell, column.kind === 'number' ? 'number' : '');
    });
    const none = document.createElement('p');
    none.className = 'empty';
    none.textContent = empty;
    place.append(table, none);
  }
  const [table, none] = place.children;
  table.hidden = rows.length === 0;
  none.hidden = rows.length > 0;
  fillChildren(table.tBodies[0], 'tr', rows, (line, row) => {
    fillChildren(line, 'td', columns, (cell, column) => {
      setText(cell, column.of(row) ?? '–');
      setClass(cell, typeof column.kind === 'function' ? column.kind(row) : column.kind ?? '');
    });
  });
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

export const count = (n) => (n === undefined || n === null ? '–' : whole.format(n));

/** Formats a number with four decimals, or in exponential notation if it is very small or large. */
export function real(n) {
  if (n === undefined || n === null) {
    return '–';
  }
  const size = Math.abs(n);
  return size === 0 || (size >= 0.001 && size < 10_000) ? Number(n).toFixed(4)
    : Number(n).toExponential(2);
}

export const seconds = (millis) => `${(Number(millis) / 1000).toFixed(1)} s`;

export const share = (part) => `${Math.round(Number(part) * 100)} %`;

export function bytes(n) {
  if (n === undefined || n === null || n < 0) {
    return '–';
  }
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let value = Number(n);
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`;
}

export function micros(us) {
  const value = Number(us);
  if (value >= 1_000_000) {
    return seconds(value / 1000);
  }
  return value < 1000 ? `${value} us` : `${(value / 1000).toFixed(value < 10_000 ? 1 : 0)} ms`;
}

export function clock(millis) {
  const all = Math.floor(Number(millis) / 1000);
  const two = (n) => String(n).padStart(2, '0');
  return `${Math.floor(all / 3600)}:${two(Math.floor(all / 60) % 60)}:${two(all % 60)}`;
}
