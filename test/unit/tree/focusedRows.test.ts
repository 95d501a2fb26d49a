import assert from 'node:assert/strict';
import { join } from 'node:path';
import type * as focusedRowsModule from '../../../src/tree/view/focusedRows';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

/** A view of rows that the test replaces, and an editor that toggles the selection of the focused row. */
class FakeView {
  focus: string | undefined;
  selected: string[] = [];
  /** Number of reads of the selection that still see none, as while the editor requests the rows. */
  unreadable = 0;

  get selection(): readonly string[] {
    return this.unreadable-- > 0 ? [] : this.selected;
  }

  toggle(): void {
    const { focus } = this;
    if (focus === undefined) return;
    this.selected = this.selected.includes(focus) ? this.selected.filter((row) => row !== focus) : [...this.selected, focus];
  }
}

describe('The rows that a key applies to', () => {
  let view: FakeView;
  let commands: string[];
  const focusedRows = async (): Promise<readonly string[]> => {
    const executeCommand = (command: string): Promise<void> => {
      commands.push(command);
      view.toggle();
      return Promise.resolve();
    };
    const path = join(__dirname, '../../../src/tree/view/focusedRows.js');
    const loaded = loadWithVscode(path, { commands: { executeCommand } }) as typeof focusedRowsModule;
    return await loaded.focusedRows(view, 0);
  };
  beforeEach(() => {
    view = new FakeView();
    commands = [];
  });

  it('are the focused row alone if it isn’t selected', async () => {
    Object.assign(view, { focus: 'b', selected: ['a'] });
    assert.deepEqual(await focusedRows(), ['b']);
    assert.deepEqual(view.selected, ['a']);
  });

  it('are all selected rows if the focused one is among them', async () => {
    Object.assign(view, { focus: 'b', selected: ['a', 'b', 'c'] });
    assert.deepEqual([...(await focusedRows())].sort(), ['a', 'b', 'c']);
    assert.deepEqual([...view.selected].sort(), ['a', 'b', 'c']);
  });

  it('are found when the editor has requested the rows again', async () => {
    for (const unreadable of [1, 2, 3, 4, 5, 6, 7]) {
      Object.assign(view, { focus: 'b', selected: ['a'], unreadable });
      assert.deepEqual(await focusedRows(), ['b'], `${unreadable} reads without rows`);
      Object.assign(view, { focus: 'a', selected: ['a'], unreadable });
      assert.deepEqual(await focusedRows(), ['a'], `${unreadable} reads without rows, of the selected one`);
    }
  });

  it('are none without a focused row, and the search for it ends', async () => {
    Object.assign(view, { focus: undefined, selected: ['a'] });
    assert.deepEqual(await focusedRows(), []);
    assert.equal(commands.length, 80);
    assert.deepEqual(view.selected, ['a']);
  });
});
