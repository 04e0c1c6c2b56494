// SPDX-License-Identifier: Apache-2.0
// The command line and the settings of runs, side by side.
import { fillTable, setText } from './tables.js';

const find = (id) => document.getElementById(id);
const isText = (value) => typeof value === 'string' && value.includes('\n');

/** Shows the properties of these runs; marks the settings in which they differ. */
export function showSettings(runs) {
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
