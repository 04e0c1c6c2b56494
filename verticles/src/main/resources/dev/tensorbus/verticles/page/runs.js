// SPDX-License-Identifier: Apache-2.0
// The view of runs: the list of those that were kept, and their settings side by side.
import { clock, count } from './format.js';
import { fillChildren, fillTable, setText } from './tables.js';
import { Run } from './run.js';

const find = (id) => document.getElementById(id);
const isText = (value) => typeof value === 'string' && value.includes('\n');

/** Shows the properties of these runs; marks the settings in which they differ. */
function showSettings(runs) {
  const settings = (run) => ({ workers: run.about.worldSize, ...run.about.settings });
  const names = [...new Set(runs.flatMap((run) => Object.keys(settings(run))))];
  const texts = (name) => runs.map((run) => {
    const value = settings(run)[name];
    return value === undefined || value === null ? '–' : String(value);
  });
  const rows = names.map((name) => ({ name, texts: texts(name) }))
    .filter((row) => !row.texts.some(isText))
    .map((row) => ({ ...row, differs: new Set(row.texts).size > 1 }))
    .sort((a, b) => Number(b.differs) - Number(a.differs));
  const place = find('settings');
  const columns = runs.map((run) => run.name).join('\n');
  if (place.dataset.runs !== columns) { // a table keeps its columns
    place.replaceChildren();
    place.dataset.runs = columns;
  }
  fillTable(place, [
    { name: 'setting', of: (row) => row.name, kind: (row) => (row.differs ? 'differs' : '') },
    ...runs.map((run, i) => ({
      name: run.name, of: (row) => row.texts[i], kind: (row) => (row.differs ? 'differs' : ''),
    })),
  ], rows, 'No settings.');
  setText(find('command'), runs.map((run) => run.about.command ?? '').filter(Boolean).join('\n'));
  find('command').hidden = find('command').textContent === '';
  const model = runs.map((run) => run.about.settings?.model ?? '').find(isText) ?? '';
  setText(find('model'), model);
  find('model-part').hidden = model === '';
}

/** The runs that were kept, and those of them that the user has selected. */
export class Runs {
  #list = { live: true, runs: [], skipped: [] };
  #selected = new Map();
  #onChange;

  /** @param onChange called when other runs are selected, or a selected run has arrived */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** Reads the list; returns whether there is a world. */
  async load() {
    this.#list = await (await fetch('runs')).json();
    return this.#list.live;
  }

  /** The selected runs, in the order of their selection. */
  get selected() {
    return [...this.#selected.values()];
  }

  async select(id, isWanted) {
    if (!isWanted) {
      this.#selected.delete(id);
    } else if (!this.#selected.has(id)) {
      this.#selected.set(id, new Run(id)); // keeps its place
      try {
        const answer = await fetch(`runs?id=${encodeURIComponent(id)}`);
        const run = answer.ok ? Run.parse(id, await answer.text()) : null;
        if (run && this.#selected.has(id)) {
          this.#selected.set(id, run);
        }
      } catch { // a notice already reports the lost connection
        this.#selected.delete(id);
      }
    }
    this.#onChange();
  }

  /** Shows the list, and the settings of these runs. */
  show(runs) {
    const live = runs.find((run) => run.id === '')?.about.started;
    const kept = this.#list.runs.filter((one) => !live || one.run.started !== live);
    find('kept').hidden = kept.length + this.#list.skipped.length === 0;
    find('no-runs').hidden = runs.length + kept.length > 0;
    fillChildren(find('run-list'), 'tr', kept, (row, one) => this.#fill(row, one));
    const damaged = this.selected.filter((run) => run.damaged > 0)
      .map((run) => `${run.id}: skipped ${count(run.damaged)} damaged lines`);
    fillChildren(find('skipped'), 'li', [...this.#list.skipped, ...damaged], setText);
    showSettings(runs);
  }

  #fill(row, { id, run }) {
    if (row.children.length === 0) {
      const cells = ['td', 'td', 'td', 'td', 'td', 'td'].map((tag) => document.createElement(tag));
      const label = document.createElement('label');
      const box = document.createElement('input');
      box.type = 'checkbox';
      box.addEventListener('change', () => this.select(row.dataset.id, box.checked));
      label.append(box, document.createElement('span'));
      cells[0].append(label);
      cells.slice(3).forEach((cell) => cell.classList.add('number'));
      row.append(...cells);
    }
    row.dataset.id = id;
    const [box, name] = row.querySelector('label').children;
    box.checked = this.#selected.has(id);
    setText(name, id.replace(/\.jsonl$/, ''));
    const started = run.started ? new Date(run.started).toLocaleString('en-GB') : '–';
    [run.program ?? '–', started, count(run.worldSize), count(run.steps), run.upMs ? clock(run.upMs) : '–']
      .forEach((text, i) => setText(row.children[i + 1], text));
  }
}
