// SPDX-License-Identifier: Apache-2.0
// The views that are tables of workers, calls and lines.
import { drawSpark } from './spark.js';
import { fillTable, setText } from './tables.js';
import { bytes, clock, count, micros, real, seconds, share } from './format.js';

const find = (id) => document.getElementById(id);
const place = (view) => find(`view-${view}`).querySelector('.scroll');

const number = (title, of) => ({ name: title, of, kind: 'number' });
const text = (title, of, kind) => ({ name: title, of, kind });

function lanes(peers) {
  const ways = new Map();
  peers.forEach((peer) => ways.set(peer.lane, (ways.get(peer.lane) ?? 0) + 1));
  return [...ways].map(([way, n]) => `${n} ${way}`).join(', ');
}

const STATES = {
  HERE: ['here', 'good'], SILENT: ['silent', 'warn'], LOST: ['lost', 'bad'], DONE: ['done', ''],
};
export const state = (w) => STATES[w.state] ?? ['unknown', ''];
export const isGone = (w) => w.state === 'LOST' || w.state === 'SILENT';

// The colour of the name marks rows that no longer change.
const name = {
  name: 'worker', of: (w) => w.status.worker, kind: (w) => (isGone(w) ? state(w)[1] : ''),
};

/** A column with the past of a worker's curve. */
const spark = (title, run, tag, format) => ({
  name: title, kind: 'sparks', draw: (cell, w) => drawSpark(cell, run.find(w.status.worker, tag), format),
});

/** The input of the log's filter. */
function filter() {
  if (!find('filter')) {
    const input = document.createElement('input');
    input.id = 'filter';
    input.type = 'text';
    input.placeholder = 'words, a worker or a level';
    find('filter-label').append(input);
  }
  return find('filter');
}

/** Shows a snapshot in each of the views that are tables. */
export const tables = {
  world(s) {
    fillTable(place('world'), [
      name,
      text('state', (w) => state(w)[0], (w) => state(w)[1]),
      number('rank', (w) => w.status.rank),
      text('role', (w) => w.role),
      text('host', (w) => w.status.host),
      number('pid', (w) => w.status.pid),
      number('up', (w) => clock(w.status.uptimeMs)),
      text('lanes to others', (w) => lanes(w.status.peers)),
    ], s.workers, 'No worker has answered yet.');
  },

  waiting(s) {
    setText(find('tree'), s.waiting.join('\n'));
    const calls = s.workers.flatMap((w) => w.status.calls
      .map((call) => ({ ...call, from: w.status.worker, state: w.state })));
    fillTable(find('calls'), [
      text('from', (c) => c.from),
      text('to', (c) => c.to),
      text('method', (c) => c.method),
      number('for', (c) => micros(c.forMs * 1000)),
      text('at', (c) => c.stack[0], 'wrap'),
    ], calls, 'No worker is waiting.');
  },

  trainers(s) {
    fillTable(place('trainers'), [
      name,
      number('steps', (w) => `${count(w.training.steps)} / ${count(w.training.planned)}`),
      number('loss', (w) => real(w.training.loss)),
      number('samples/s', (w) => (isGone(w) ? '–' : count(w.samplesPerSecond))),
      number('median step', (w) => (w.training.medianStepMs === null
        ? '–' : micros(Math.round(w.training.medianStepMs * 1000)))),
      number('last step', (w) => (
        `${seconds(w.training.sinceStepMs + (isGone(w) ? w.ageMs : 0))} ago`)),
      number('waits for calls', (w) => share(w.callShare)),
    ], s.workers.filter((w) => w.training.planned > 0), 'No worker has begun to train.');
  },

  servers(s, run) {
    const counts = (key) => (w) => count(w.status.counts[key]);
    fillTable(place('servers'), [
      name,
      number('running calls', counts('rpc.served_calls')),
      number('queued calls', counts('rpc.waiting_calls')),
      spark('sent', run, 'rpc/sent_bytes_per_second', (n) => `${bytes(n)}/s`),
      number('shared objects', counts('rref.owned')),
      number('contexts', counts('autograd.contexts')),
      number('passes', counts('autograd.passes')),
      number('sent by bus', (w) => bytes(w.status.sentBytes.bus)),
      number('by lane', (w) => bytes(w.status.sentBytes.lane)),
    ], s.workers, 'No worker has answered yet.');
    const stores = s.workers.filter((w) => w.server.epoch !== undefined);
    const groups = (w, of) => w.server.groups.map(of).join('; ') || '–';
    find('stores-part').hidden = stores.length === 0;
    fillTable(find('stores'), [
      name,
      number('slots', (w) => count(w.server.primarySlots)),
      number('backups of', (w) => count(w.server.backupSlots)),
      number('slots lost', (w) => count(w.server.lostSlots)),
      number('epoch', (w) => count(w.server.epoch)),
      text('live servers', (w) => w.server.servers.join(', ')),
      text('versions', (w) => groups(w, (g) => `${g.name} ${count(g.version)}`)),
      text('pushes behind', (w) => groups(w, (g) => Object.entries(g.staleness)
        .map(([trainer, behind]) => `${trainer} ${count(behind)}`).join(', '))),
    ], stores, '');
  },

  methods(s) {
    const all = s.workers
      .flatMap((w) => w.methods.map((m) => ({ ...m, worker: w.status.worker, state: w.state })))
      .sort((a, b) => b.count - a.count || a.method.localeCompare(b.method));
    const isAll = find('once').checked;
    setText(find('once-count'), count(all.filter((m) => m.count === 1).length));
    for (const side of ['served', 'made']) {
      fillTable(find(`methods-${side}`), [
        text('method', (m) => m.method),
        text('worker', (m) => m.worker),
        number('calls', (m) => count(m.count)),
        number('median', (m) => micros(m.p50Us)),
        number('99 %', (m) => micros(m.p99Us)),
      ], all.filter((m) => m.side === side && (isAll || m.count > 1)), 'No such calls yet.');
    }
  },

  memory(s, run) {
    fillTable(place('memory'), [
      name,
      spark('heap', run, 'jvm/heap_bytes', bytes),
      number('heap limit', (w) => bytes(w.jvm.heapMax)),
      spark('cores in use', run, 'jvm/cores', (n) => n.toFixed(2)),
      number('of cores', (w) => count(w.jvm.cores)),
      number('direct', (w) => bytes(w.jvm.direct)),
      number('mapped', (w) => bytes(w.jvm.mapped)),
      number('garbage collection', (w) => seconds(w.jvm.gcMs)),
      number('of uptime', (w) => `${(100 * w.jvm.gcMs / w.status.uptimeMs).toFixed(1)} %`),
    ], s.workers, 'No worker has answered yet.');
  },

  log(s) {
    const words = filter().value.toLowerCase().split(/\s+/).filter(Boolean);
    const textOf = (l) => `${l.worker} ${l.level} ${l.text}`.toLowerCase();
    fillTable(place('log'), [
      text('time', (l) => new Date(l.time).toLocaleTimeString('en-GB')),
      text('worker', (l) => l.worker),
      text('level', (l) => l.level.toLowerCase(), (l) => ({ WARNING: 'warn', SEVERE: 'bad' })[l.level] ?? ''),
      text('line', (l) => l.text, 'wrap'),
    ], s.log.toReversed().filter((l) => words.every((word) => textOf(l).includes(word))),
    words.length > 0 ? 'No line has these words.' : 'No log lines yet.');
  },
};
