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
 * @param columns each `{name, of, kind}`: `of` returns a row's text, `kind` is or returns its class;
 *     or `{name, draw, kind}`: `draw` fills the cell
 * @param rows those of a lost worker have the state LOST
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
    setClass(line, row.state === 'LOST' ? 'gone' : '');
    fillChildren(line, 'td', columns, (cell, column) => {
      if (column.draw) {
        column.draw(cell, row);
      } else {
        setText(cell, column.of(row) ?? '–');
      }
      setClass(cell, typeof column.kind === 'function' ? column.kind(row) : column.kind ?? '');
    });
  });
}
