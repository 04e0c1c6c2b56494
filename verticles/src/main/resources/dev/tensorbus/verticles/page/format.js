// SPDX-License-Identifier: Apache-2.0
// Numbers as text.

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

/** Formats seconds: `45 s`; from two minutes on, or beside such a value, `2:05` or `1:02:05`. */
export function duration(value, longest = value) {
  if (longest < 120) {
    return `${Number(value.toFixed(1))} s`;
  }
  return clock(Math.round(value) * 1000).replace(/^0:0?/, '');
}

/** Formats a number of an axis in few characters: `12k`, `0.003`, `1.5e-7`. */
export function short(value) {
  const size = Math.abs(value);
  const scale = [[1e9, 'G'], [1e6, 'M'], [1e4, 'k']].find(([from]) => size >= from);
  if (scale) {
    return `${Number((value / (scale[1] === 'k' ? 1e3 : scale[0])).toPrecision(4))}${scale[1]}`;
  }
  return size !== 0 && size < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(4)));
}
