// SPDX-License-Identifier: Apache-2.0
// The live page of a world: shows each snapshot that rank 0 sends.
import { bytes, clock, count, fillChildren, fillTable, micros, real, seconds, setText, share }
  from './tables.js';
import { Curve } from './curves.js';

const SILENCE_MS = 5_000;
const RETRY_MS = 2_000;
const VIEWS = ['World', 'Learning', 'Waiting', 'Trainers', 'Servers', 'Methods', 'Memory', 'Log'];

const find = (id) => document.getElementById(id);
// The ids differ from the URL's fragment; otherwise the browser would scroll to the view.
const section = (view) => find(`view-${view}`);
const place = (view) => section(view).querySelector('.scroll');

const number = (title, of) => ({ name: title, of, kind: 'number' });
const text = (title, of, kind) => ({ name: title, of, kind });

const lossCurve = new Curve(find('loss-curve'), find('loss-at'), real);
const speedCurve = new Curve(find('speed-curve'), find('speed-at'), count);

function lanes(peers) {
  const ways = new Map();
  peers.forEach((peer) => ways.set(peer.lane, (ways.get(peer.lane) ?? 0) + 1));
  return [...ways].map(([way, n]) => `${n} ${way}`).join(', ');
}

const STATES = {
  HERE: ['here', 'good'], SILENT: ['silent', 'warn'], LOST: ['lost', 'bad'], DONE: ['done', ''],
};
const state = (w) => STATES[w.state] ?? ['unknown', ''];
const isGone = (w) => w.state === 'LOST' || w.state === 'SILENT';

// The colour of the name marks rows that no longer change.
const name = {
  name: 'worker', of: (w) => w.status.worker, kind: (w) => (isGone(w) ? state(w)[1] : ''),
};

/** Shows a snapshot in each of the views. */
const shows = {
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

  learning(s) {
    lossCurve.set(s.curve.seconds, s.curve.loss);
    speedCurve.set(s.curve.seconds, s.curve.speed);
    const scalars = s.workers.flatMap((w) => Object.entries(w.training.scalars)
      .map(([tag, value]) => ({ worker: w.status.worker, tag, value })));
    fillTable(find('scalars'), [
      text('value', (v) => v.tag),
      text('worker', (v) => v.worker),
      number('latest', (v) => real(v.value)),
    ], scalars, 'No other values yet.');
  },

  waiting(s) {
    setText(find('tree'), s.waiting.join('\n'));
    const calls = s.workers.flatMap((w) => w.status.calls
      .map((call) => ({ ...call, from: w.status.worker })));
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

  servers(s) {
    const counts = (key) => (w) => count(w.status.counts[key]);
    fillTable(place('servers'), [
      name,
      number('running calls', counts('rpc.served_calls')),
      number('queued calls', counts('rpc.waiting_calls')),
      number('shared objects', counts('rref.owned')),
      number('contexts', counts('autograd.contexts')),
      number('passes', counts('autograd.passes')),
      number('sent by bus', (w) => bytes(w.status.sentBytes.bus)),
      number('by lane', (w) => bytes(w.status.sentBytes.lane)),
    ], s.workers, 'No worker has answered yet.');
  },

  methods(s) {
    const rows = s.workers
      .flatMap((w) => w.methods.map((m) => ({ ...m, worker: w.status.worker })))
      .sort((a, b) => b.count - a.count);
    fillTable(place('methods'), [
      text('method', (m) => m.method),
      text('worker', (m) => m.worker),
      text('side', (m) => m.side),
      number('calls', (m) => count(m.count)),
      number('median', (m) => micros(m.p50Us)),
      number('99 %', (m) => micros(m.p99Us)),
    ], rows, 'No call has finished since the page started counting.');
  },

  memory(s) {
    fillTable(place('memory'), [
      name,
      number('heap', (w) => bytes(w.memory.heap)),
      number('heap limit', (w) => bytes(w.memory.heapMax)),
      number('direct', (w) => bytes(w.memory.direct)),
      number('mapped', (w) => bytes(w.memory.mapped)),
      number('garbage collection', (w) => seconds(w.memory.gcMs)),
      number('of uptime', (w) => `${(100 * w.memory.gcMs / w.status.uptimeMs).toFixed(1)} %`),
    ], s.workers, 'No worker has answered yet.');
  },

  log(s) {
    fillTable(place('log'), [
      text('time', (l) => new Date(l.time).toLocaleTimeString('en-GB')),
      text('worker', (l) => l.worker),
      text('level', (l) => l.level.toLowerCase(), (l) => ({ WARNING: 'warn', SEVERE: 'bad' })[l.level] ?? ''),
      text('line', (l) => l.text, 'wrap'),
    ], s.log.toReversed(), 'No log lines yet.');
  },
};

let shown = 'world';
let latest = null;
let heard = 0;
let isConnected = false;

function showHead(s) {
  const here = s.workers.filter((w) => w.state === 'HERE' || w.state === 'DONE').length;
  const sum = (of) => s.workers.reduce((all, w) => all + of(w), 0);
  const { steps, planned } = s;
  setText(find('program'), s.program);
  setText(find('size'), `${here} of ${s.worldSize}`);
  setText(find('steps'), planned === 0 ? '–' : `${count(steps)} / ${count(planned)}`);
  setText(find('loss'), real(s.curve.loss.at(-1)));
  setText(find('speed'), s.ended ? '–' : count(sum((w) => (w.state === 'HERE' ? w.samplesPerSecond : 0))));
  setText(find('up'), clock(s.upMs));
  find('progress').value = planned === 0 ? 0 : steps / planned;
  const part = planned === 0 ? '' : `${Math.floor(100 * steps / planned)} % · `;
  document.title = `${part}${s.program} · Tensorbus`;
}

function showNotices() {
  const notices = latest ? [...latest.notices] : [];
  const silence = (Date.now() - heard) / 1000;
  if (!isConnected && heard > 0) {
    notices.unshift({
      kind: 'connection',
      text: 'Lost the connection to rank 0, which may have ended. Reconnecting.',
    });
  } else if (isConnected && latest && !latest.ended && silence * 1000 > SILENCE_MS) {
    notices.unshift({ kind: 'connection', text: `No update from rank 0 for ${Math.floor(silence)} s.` });
  } else if (latest?.ended) {
    notices.push({ kind: 'ended', text: 'The training has ended. This is its last state.' });
  }
  fillChildren(find('notices'), 'p', notices, (line, notice) => {
    line.className = `notice ${notice.kind}`;
    setText(line, notice.text);
  });
  const [label, kind] = !isConnected ? [heard > 0 ? 'no connection' : 'connecting', 'bad']
    : latest?.ended ? ['ended', ''] : ['training', 'good'];
  find('state').className = `pill ${kind}`;
  setText(find('state'), label);
}

function show() {
  showNotices();
  if (latest) {
    showHead(latest);
    shows[shown](latest);
  }
}

function choose(id, isFocused) {
  shown = id in shows ? id : 'world';
  for (const tab of find('tabs').children) {
    const isChosen = tab.dataset.view === shown;
    tab.setAttribute('aria-selected', isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
    section(tab.dataset.view).hidden = !isChosen;
    if (isChosen) {
      tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
    if (isChosen && isFocused) {
      tab.focus();
    }
  }
  history.replaceState(null, '', `#${shown}`);
  show();
}

function makeTabs() {
  const tabs = find('tabs');
  for (const view of VIEWS) {
    const id = view.toLowerCase();
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.id = `tab-${id}`;
    tab.textContent = view;
    tab.dataset.view = id;
    tab.dataset.name = view;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', `view-${id}`);
    tab.addEventListener('click', () => choose(id, true));
    tabs.append(tab);
    section(id).setAttribute('role', 'tabpanel');
    section(id).setAttribute('aria-labelledby', tab.id);
  }
  tabs.addEventListener('keydown', (event) => {
    const at = VIEWS.findIndex((view) => view.toLowerCase() === shown);
    const to = {
      ArrowRight: (at + 1) % VIEWS.length,
      ArrowLeft: (at + VIEWS.length - 1) % VIEWS.length,
      Home: 0,
      End: VIEWS.length - 1,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      choose(VIEWS[to].toLowerCase(), true);
    }
  });
  addEventListener('hashchange', () => choose(location.hash.slice(1), false));
}

function connect() {
  const events = new EventSource('events');
  events.addEventListener('open', () => { isConnected = true; });
  events.addEventListener('message', (event) => {
    isConnected = true;
    heard = Date.now();
    latest = JSON.parse(event.data);
    show();
  });
  events.addEventListener('error', () => {
    isConnected = false;
    showNotices();
    if (events.readyState === EventSource.CLOSED) { // refused; browsers do not retry then
      setTimeout(connect, RETRY_MS);
    }
  });
}

/** Shows the state of the profile, and polls while one is being taken. */
async function showProfile() {
  try {
    const { state, table } = await (await fetch('profile')).json();
    find('take').disabled = state === 'running';
    setText(find('take'), state === 'running' ? 'taking the profile' : 'Profile ten steps');
    find('trace').href = 'trace.json'; // the file exists only after a profile
    find('trace').hidden = state !== 'done';
    find('profile-table').hidden = table === '';
    setText(find('profile-table'), table);
    if (state === 'running') {
      setTimeout(showProfile, 1_000);
    }
  } catch { // a notice already reports the lost connection
    find('take').disabled = false;
  }
}

find('take').addEventListener('click', async () => {
  find('take').disabled = true;
  await fetch('profile', { method: 'POST' }).catch(() => {});
  showProfile();
});

makeTabs();
showProfile();
choose(location.hash.slice(1), false);
connect();
setInterval(showNotices, 1000);
