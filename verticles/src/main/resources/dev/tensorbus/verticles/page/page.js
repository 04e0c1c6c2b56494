// SPDX-License-Identifier: Apache-2.0
// The live page of a world: shows each snapshot that rank 0 sends.
import { fillChildren, setText } from './tables.js';
import { clock, count, real } from './format.js';
import { Learning } from './learning.js';
import { Run } from './run.js';
import { Runs } from './runs.js';
import { tables } from './views.js';
import { Picture } from './world.js';

const SILENCE_MS = 5_000;
const RETRY_MS = 2_000;
const VIEWS = ['World', 'Learning', 'Runs', 'Waiting', 'Trainers', 'Servers', 'Methods', 'Memory', 'Log'];

const RUN_VIEWS = ['learning', 'runs'];

const find = (id) => document.getElementById(id);
// The ids differ from the URL's fragment; otherwise the browser would scroll to the view.
const section = (view) => find(`view-${view}`);

const learning = new Learning();
const picture = new Picture(find('picture'));
const runs = new Runs(() => show());

/** This world's run, if there is one, and those that the user has selected. */
const shownRuns = () => [...(isLive ? [run] : []), ...runs.selected];

const shows = {
  ...tables,
  world(s) {
    picture.show();
    tables.world(s);
  },
  learning: () => learning.show(shownRuns()),
  runs: () => runs.show(shownRuns()),
};

let shown = 'world';
let run = new Run('');
let latest = null;
let heard = 0;
let isConnected = false;
let isLive = true;

const mean = (values) => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
};

const scalars = (s, tag) => s.workers.map((w) => w.training.scalars[tag]).filter((v) => v !== undefined);

function epoch(s) {
  const all = scalars(s, 'epoch');
  const { epochs } = s.run.settings;
  if (all.length === 0 && epochs && s.steps > 0 && s.planned > 0) { // the program plans them all
    all.push(Math.min(epochs, Math.floor((s.steps / s.planned) * epochs) + 1));
  }
  return all.length === 0 ? '–' : count(Math.max(...all)) + (epochs ? ` of ${count(epochs)}` : '');
}

function showHead(s) {
  const here = s.workers.filter((w) => w.state === 'HERE' || w.state === 'DONE').length;
  const sum = (of) => s.workers.reduce((all, w) => all + of(w), 0);
  const { steps, planned } = s;
  setText(find('program'), s.run.program);
  setText(find('size'), `${here} of ${s.run.worldSize}`);
  setText(find('steps'), planned === 0 ? '–' : `${count(steps)} / ${count(planned)}`);
  setText(find('loss'), real(mean(s.workers.map((w) => w.training.loss))));
  setText(find('epoch'), epoch(s));
  setText(find('rate'), real(scalars(s, 'learning_rate')[0] ?? s.run.settings.lr));
  setText(find('left'), s.leftMs === null ? '–' : clock(s.leftMs));
  setText(find('speed'), s.ended ? '–' : count(sum((w) => (w.state === 'HERE' ? w.samplesPerSecond : 0))));
  setText(find('up'), clock(s.upMs));
  find('progress').value = planned === 0 ? 0 : steps / planned;
  const part = planned === 0 ? '' : `${Math.floor(100 * steps / planned)} % · `;
  document.title = `${part}${s.run.program} · Tensorbus`;
}

const dismissed = new Set();
const keyOf = (notice) => [notice.kind, notice.worker, notice.at].join(' ');

function makeNotice(line) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = '×';
  button.setAttribute('aria-label', 'dismiss this notice');
  button.addEventListener('click', () => {
    dismissed.add(line.dataset.key);
    showNotices();
  });
  line.append(document.createElement('span'), button);
  return button;
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
  const isOpen = (notice) => !dismissed.has(keyOf(notice));
  fillChildren(find('notices'), 'p', notices.filter(isOpen), (line, notice) => {
    const button = line.querySelector('button') ?? makeNotice(line);
    line.className = `notice ${notice.kind}`;
    line.dataset.key = keyOf(notice);
    const at = notice.at ? `${new Date(notice.at).toLocaleTimeString('en-GB')}  ` : '';
    setText(line.firstElementChild, at + notice.text);
    button.hidden = notice.kind === 'connection';
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
  }
  if (latest || !isLive) {
    shows[shown](latest, run);
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
    const all = [...tabs.children].filter((tab) => !tab.hidden).map((tab) => tab.dataset.view);
    const at = all.indexOf(shown);
    const to = {
      ArrowRight: (at + 1) % all.length,
      ArrowLeft: (at + all.length - 1) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      choose(all[to], true);
    }
  });
  addEventListener('hashchange', () => choose(location.hash.slice(1), false));
}

/** Reads the points so far; events have those that follow. */
async function loadRun() {
  try {
    run = Run.parse('', await (await fetch('run.jsonl')).text());
    show();
  } catch { // a notice already reports the lost connection
  }
}

function connect() {
  const events = new EventSource('events');
  events.addEventListener('open', () => {
    isConnected = true;
    loadRun();
  });
  events.addEventListener('message', (event) => {
    isConnected = true;
    heard = Date.now();
    latest = JSON.parse(event.data);
    latest.points.forEach((line) => run.add(line));
    run.about = latest.run;
    picture.add(latest);
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

/** Without a world, only the views of runs are left. */
function leaveOnlyRuns() {
  document.body.classList.add('runs-only');
  for (const tab of find('tabs').children) {
    tab.hidden = !RUN_VIEWS.includes(tab.dataset.view);
  }
  setText(find('program'), 'Runs');
  choose(RUN_VIEWS.includes(shown) ? shown : 'runs', false);
}

async function start() {
  makeTabs();
  try {
    isLive = await runs.load();
  } catch { // the world is asked below, and a notice reports if it does not answer
  }
  if (isLive) {
    showProfile();
    choose(location.hash.slice(1), false);
    connect();
    setInterval(showNotices, 1000);
  } else {
    leaveOnlyRuns();
  }
}

for (const id of ['once', 'filter-label']) {
  find(id).addEventListener('input', show);
}
start();
