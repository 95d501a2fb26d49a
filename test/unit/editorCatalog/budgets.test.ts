import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Catalog } from '../../../src/core/index';
import type * as budgetsModule from '../../../src/editorCatalog/budgets';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';

describe('Budgets of a day', () => {
  const folder = testFolder();
  const day = Date.UTC(2026, 0, 15, 12);

  /** A window with the budgets that are set, in which projects cost as much. */
  const openWindow = (set: object, costs: Readonly<Record<string, number>>, now = day) => {
    const editor = fakeEditor();
    const shown: unknown[] = [];
    const asked: unknown[] = [];
    Object.assign(editor.api, { StatusBarAlignment: { Left: 1 } });
    Object.assign(editor.api.window, {
      createStatusBarItem: () => {
        const item = { text: '', show: () => shown.push(item.text), hide: () => shown.push(undefined), dispose: () => undefined };
        return item;
      },
    });
    Object.assign(editor.api.workspace, { getConfiguration: () => ({ get: () => set }) });
    const { Budgets } = loadWithVscode(join(__dirname, '../../../src/editorCatalog/budgets.js'), editor.api) as typeof budgetsModule;
    const catalog = {
      usage: (query: object) => Promise.resolve((asked.push(query), Object.entries(costs).map(([key, cost]) => ({ key, cost })))),
    };
    const marks: string[] = [];
    const budgets = new Budgets({
      folder: folder.path,
      open: () => Promise.resolve(catalog as unknown as Catalog),
      onDidChangeCatalog: new FakeEmitter<unknown>().event,
      now: () => now,
      onMark: (mark) => marks.push(mark),
      onError: (error) => assert.ifError(error),
    });
    const look = async () => {
      await budgets.look();
      budgets.dispose();
    };
    return { look, shown, marks, asked, editor };
  };

  it('that are passed are in the status bar of each window, and in one notification', async () => {
    const set = { '*': 10, '/work/a': 2, '/work/b': 2, '/work/c': 'much' };
    const costs = { '/work/a': 2, '/work/b': 8.5, '/work/c': 1 };
    const first = openWindow(set, costs);
    await first.look();
    assert.deepEqual([first.shown, first.marks], [['$(warning) Budget: $11.50'], ['Budget: $11.50']]);
    assert.deepEqual(first.editor.messages.flat().slice(0, 1), [
      'Sessions cost $11.50 today; the budget is $10.00. Sessions of /work/b cost $8.50 today; the budget is $2.00.',
    ]);
    const second = openWindow(set, costs);
    await second.look();
    assert.deepEqual([second.shown, second.editor.messages], [['$(warning) Budget: $11.50'], []]);
  });

  it('are told of again on the next day', async () => {
    await openWindow({ '*': 1 }, { '/work': 2 }).look();
    const next = openWindow({ '*': 1 }, { '/work': 2 }, day + 86_400_000);
    await next.look();
    assert.equal(next.editor.messages.length, 1);
  });

  it('that aren’t passed show nothing, and without any the catalog isn’t asked', async () => {
    const within = openWindow({ '/work': 2 }, { '/work': 2, '/other': 100 });
    await within.look();
    assert.deepEqual([within.shown, within.editor.messages], [[], []]);
    const without = openWindow({}, { '/work': 2 });
    await without.look();
    assert.deepEqual([without.shown, without.asked], [[], []]);
  });
});
