// SPDX-License-Identifier: Apache-2.0
// The picture of a world: workers as nodes, and what passes between them on the edges.
import { bytes, count, seconds } from './format.js';
import { setText } from './tables.js';

const SVG = 'http://www.w3.org/2000/svg';
const WINDOW_MS = 10_000;
const WAIT_MS = 500;

/** Less per second is no traffic to show. */
const LEAST_BYTES = 512;

/** From this many workers on, nodes and edges have no text but their titles. */
const MANY = 16;

const HEIGHT = 46;
const GAP = 18;

/** The growth per second of counts by name, over the last ten seconds. */
class Rates {
  #readings = new Map();

  add(name, at, value) {
    let all = this.#readings.get(name) ?? [];
    if (all.length > 0 && (value < all.at(-1)[1] || at < all.at(-1)[0])) {
      all = []; // the worker has been restarted
    }
    if (all.length === 0 || at > all.at(-1)[0]) {
      all.push([at, value]);
    }
    while (all.length > 2 && at - all[0][0] > WINDOW_MS) {
      all.shift();
    }
    this.#readings.set(name, all);
    const [from, first] = all[0];
    const [to, last] = all.at(-1);
    return to > from ? (last - first) * 1000 / (to - from) : 0;
  }
}

/** Draws the world into a place. */
export class Picture {
  #place;
  #svg;
  #rates = new Rates();
  #nodes = new Map();
  #edges = new Map();
  #latest = null;
  #size = '';

  constructor(place) {
    this.#place = place;
    this.#svg = make('svg', { role: 'img', class: 'world' });
    this.#edgeLayer = this.#svg.appendChild(make('g', {}));
    this.#nodeLayer = this.#svg.appendChild(make('g', {}));
    place.append(this.#svg);
    new ResizeObserver(() => this.#draw()).observe(place);
  }

  #edgeLayer;
  #nodeLayer;

  /** Counts what has passed, also while the picture is hidden. */
  add(snapshot) {
    this.#latest = { snapshot, edges: this.#count(snapshot) };
  }

  /** Draws the latest snapshot. */
  show() {
    this.#draw();
  }

  /** Returns what passes between each two workers, by their names. */
  #count(snapshot) {
    const edges = new Map();
    const edge = (a, b) => {
      const [from, to] = [a, b].sort((x, y) => x.localeCompare(y, 'en', { numeric: true }));
      const key = `${from}\n${to}`;
      if (!edges.has(key)) {
        edges.set(key, { key, from, to, calls: 0, bytes: 0, parts: [], wait: null });
      }
      return edges.get(key);
    };
    for (const w of snapshot.workers) {
      const name = w.status.worker;
      const at = w.status.uptimeMs;
      const isHere = w.state === 'HERE';
      for (const [to, total] of Object.entries(w.calls)) {
        const rate = this.#rates.add(`calls ${name} ${to}`, at, total);
        const one = edge(name, to);
        one.calls += isHere ? rate : 0;
        one.parts.push(`${name} → ${to}: ${count(rate)} calls/s`);
      }
      for (const peer of w.status.peers.filter((p) => p.sentBytes > 0)) {
        const rate = this.#rates.add(`bytes ${name} ${peer.worker}`, at, peer.sentBytes);
        const one = edge(name, peer.worker);
        one.bytes += isHere ? rate : 0;
        one.parts.push(`${name} → ${peer.worker}: ${bytes(rate)}/s by ${peer.lane}`);
      }
      for (const call of w.status.calls.filter((c) => isHere && c.forMs >= WAIT_MS)) {
        const one = edge(name, call.to);
        if (!one.wait || call.forMs > one.wait.forMs) {
          one.wait = { ...call, by: name };
        }
      }
    }
    return [...edges.values()].filter((e) => e.wait || e.calls >= 0.1 || e.bytes >= LEAST_BYTES);
  }

  #draw() {
    const width = this.#place.clientWidth;
    if (!this.#latest || width === 0) {
      return;
    }
    const { snapshot, edges } = this.#latest;
    const workers = snapshot.workers.map((w) => node(w, snapshot));
    const isMany = workers.length > MANY;
    const { places, height } = layout(workers, width, isMany);
    const size = `0 0 ${width} ${height}`;
    if (size !== this.#size) {
      this.#size = size;
      this.#svg.setAttribute('viewBox', size);
      this.#svg.setAttribute('height', height);
    }
    const known = edges.filter((e) => places.has(e.from) && places.has(e.to) && e.from !== e.to);
    keep(this.#nodes, this.#nodeLayer, workers, (w) => w.name, () => makeNode());
    keep(this.#edges, this.#edgeLayer, known, (e) => e.key, () => makeEdge());
    workers.forEach((w) => fillNode(this.#nodes.get(w.name), w, places.get(w.name), isMany));
    const most = Math.max(1, ...known.map((e) => e.bytes));
    known.forEach((e) => fillEdge(this.#edges.get(e.key), e, places, most, isMany || known.length > MANY));
    const waits = known.filter((e) => e.wait).map((e) => `${e.wait.by} waits for ${e.wait.to}`);
    this.#svg.setAttribute('aria-label', [
      `${workers.length} workers`, ...workers.filter((w) => w.kind !== 'good').map((w) => `${w.name}: ${w.text}`),
      ...waits].join('; '));
  }
}

/** What a node shows of a worker. */
function node(w, snapshot) {
  const { counts } = w.status;
  const running = counts['rpc.served_calls'] ?? 0;
  const queued = counts['rpc.waiting_calls'] ?? 0;
  const { steps, planned } = w.training;
  const late = snapshot.notices.find((n) => n.kind === 'straggler' && n.worker === w.status.worker);
  let text = planned > 0 ? `${count(steps)} / ${count(planned)} steps` : `${running} running, ${queued} queued`;
  if (w.state === 'LOST' || w.state === 'SILENT') {
    text = w.state.toLowerCase();
  } else if (late) {
    text = `late: ${seconds(w.training.sinceStepMs)}`;
  }
  const kind = { LOST: 'lost', SILENT: 'warn' }[w.state] ?? (late ? 'warn' : 'good');
  return {
    name: w.status.worker, rank: w.status.rank, role: w.role, text, kind,
    part: planned > 0 ? Math.min(1, steps / planned) : null,
    title: `${w.status.worker}, rank ${w.status.rank}, ${w.role} at ${w.status.host}: ${text}`,
  };
}

/** Places nodes: rank 0 on the left if it has a role of its own, or else all on a ring. */
function layout(workers, width, isMany) {
  const others = workers.filter((w) => w.rank > 0);
  const first = workers.find((w) => w.rank === 0);
  const isStar = first && others.every((w) => w.role !== first.role);
  const nodeWidth = isMany ? 40 : Math.min(190, Math.max(136, width / 4));
  const h = isMany ? 26 : HEIGHT;
  const places = new Map();
  const put = (w, x, y) => places.set(w.name, { x, y, width: nodeWidth, height: h });
  if (isStar && !isMany) {
    const height = Math.max(160, others.length * (h + GAP) + GAP);
    const margin = width > 700 ? width / 8 : 1;
    put(first, margin, (height - h) / 2);
    others.forEach((w, i) => put(w, width - margin - nodeWidth,
      height / 2 + (i - (others.length - 1) / 2) * (h + GAP) - h / 2));
    return { places, height };
  }
  if (isMany) {
    const columns = Math.max(1, Math.floor((width - 8) / (nodeWidth + 14)));
    const rows = Math.ceil(others.length / columns);
    if (first) {
      put(first, (width - nodeWidth) / 2, 8);
    }
    others.forEach((w, i) => put(w, 4 + (i % columns) * (nodeWidth + 14),
      110 + Math.floor(i / columns) * (h + 14)));
    return { places, height: 110 + rows * (h + 14) };
  }
  const height = workers.length < 3 ? 160 : Math.max(240, Math.min(460, workers.length * 60));
  workers.forEach((w, i) => {
    const angle = Math.PI + (2 * Math.PI * i) / workers.length;
    put(w, width / 2 + Math.cos(angle) * (width / 2 - nodeWidth / 2 - 8) * 0.85 - nodeWidth / 2,
      height / 2 + Math.sin(angle) * (height / 2 - h) - h / 2);
  });
  return { places, height };
}

function make(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  element.append(...children);
  return element;
}

/** Keeps an element for each item, by its key. */
function keep(elements, parent, items, keyOf, create) {
  const keys = new Set(items.map(keyOf));
  for (const [key, element] of elements) {
    if (!keys.has(key)) {
      element.remove();
      elements.delete(key);
    }
  }
  for (const key of keys) {
    if (!elements.has(key)) {
      elements.set(key, parent.appendChild(create()));
    }
  }
}

const makeNode = () => make('g', {}, make('title', {}), make('rect', { rx: 6, class: 'box' }),
  make('rect', { class: 'part', height: 3 }), make('text', { class: 'name' }), make('text', { class: 'text' }));

function fillNode(group, w, place, isMany) {
  const [title, box, part, name, text] = group.children;
  group.setAttribute('class', `node ${w.kind}`);
  group.setAttribute('transform', `translate(${place.x} ${place.y})`);
  setText(title, w.title);
  box.setAttribute('width', place.width);
  box.setAttribute('height', place.height);
  part.setAttribute('width', w.part === null ? 0 : w.part * (place.width - 12));
  part.setAttribute('x', 6);
  part.setAttribute('y', place.height - 5);
  setText(name, isMany ? w.rank : shortened(w.name, place.width));
  name.setAttribute('x', isMany ? 8 : 12);
  name.setAttribute('y', 18);
  setText(text, isMany ? '' : shortened(w.text, place.width));
  text.setAttribute('x', 12);
  text.setAttribute('y', 34);
}

const shortened = (text, width) => {
  const most = Math.floor((width - 18) / 6.2);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};

const makeEdge = () => make('g', {}, make('title', {}), make('path', { fill: 'none' }),
  make('text', {}), make('text', {}));

function fillEdge(group, edge, places, most, isMany) {
  const [title, path, above, below] = group.children;
  let [a, b] = [places.get(edge.from), places.get(edge.to)];
  if (a.x > b.x) {
    [a, b] = [b, a];
  }
  const isAside = b.x >= a.x + a.width;
  const [x1, y1] = isAside ? [a.x + a.width, a.y + a.height / 2] : [a.x + a.width / 2, a.y + a.height / 2];
  const [x2, y2] = isAside ? [b.x, b.y + b.height / 2] : [b.x + b.width / 2, b.y + b.height / 2];
  const bend = isAside && !isMany ? Math.min(60, (x2 - x1) / 4) : 0;
  group.setAttribute('class', edge.wait ? 'edge waits' : 'edge');
  path.setAttribute('d', `M${x1} ${y1} C${x1 + bend} ${y1} ${x1 + bend} ${y2} ${x1 + 2 * bend} ${y2} L${x2} ${y2}`);
  if (isMany && a.y === b.y) { // an arc, since a line would be hidden by the nodes between them
    const middle = (a.x + b.x + b.width) / 2;
    const top = a.y - 20 - Math.min(80, (b.x - a.x) / 6);
    path.setAttribute('d', `M${a.x + a.width / 2} ${a.y} Q${middle} ${top} ${b.x + b.width / 2} ${b.y}`);
  } else if (bend === 0) {
    path.setAttribute('d', `M${x1} ${y1} L${x2} ${y2}`);
  }
  path.setAttribute('stroke-width', Math.max(edge.wait ? 2.5 : 1, 1 + 3 * Math.sqrt(edge.bytes / most)));
  const wait = edge.wait ? `${edge.wait.by} waits ${seconds(edge.wait.forMs)}` : '';
  setText(title, [wait && `${wait} for ${edge.wait.to} (${edge.wait.method})`, ...edge.parts].filter(Boolean).join('\n'));
  const room = x2 - x1 - 2 * bend;
  const traffic = [`${count(edge.calls)} calls/s`, `${bytes(edge.bytes)}/s`];
  const lines = wait ? [wait, edge.wait.method] : room > 190 ? [traffic.join(' · '), ''] : traffic;
  const [x, y] = bend === 0 ? [(x1 + x2) / 2, (y1 + y2) / 2] : [x2 - Math.max(room, 72) / 2, y2];
  [above, below].forEach((text, i) => {
    setText(text, isMany || !isAside ? '' : shortened(lines[i], Math.max(110, room + 16)));
    text.setAttribute('x', x);
    text.setAttribute('y', i === 0 ? y - 6 : y + 15);
  });
}
