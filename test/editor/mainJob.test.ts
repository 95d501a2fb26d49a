import assert from 'node:assert/strict';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { untilFrameShows } from './contextPage';
import { driver } from './driver';
import { editorSuite, own } from './editorSuite';
import { choose } from './menus';
import { linesOf } from './temporarySessions';
import { open, picture, showClosed } from './treeRows';
import { eventually, untilEqual } from './waiting';

// Part of `npm test`, which runs no other test in an editor.
describe('the main job', () => {
  editorSuite();

  it('finds, reads and labels a session with mouse and keys alone @main', async () => {
    const path = await own.put(
      'ferry',
      session({ cwd: own.cwd })
        .user('Which **ferry** goes north?', { id: 'ask' })
        .assistant('The one at noon.', { id: 'noon' })
        .branchFrom('ask')
        .tool('read', { path: 'timetable.txt' }, 'Every hour')
        .assistant('One goes every hour.', { id: 'hourly' })
        .name('Ferries'),
    );
    const row = (text: string): string => `.part.sidebar [role=treeitem][aria-label*=${JSON.stringify(text)}]`;

    await vscode.commands.executeCommand('workbench.view.explorer');
    await driver.click('.activitybar [role=tab]:has([aria-label^="Pi Session Tree"])');
    await showClosed();
    await open(basename(own.cwd));
    await open('Ferries');
    await untilEqual(
      () => picture('Ferries'),
      [
        '▾ Ferries [days]',
        '  Which ferry goes north?',
        '  ▸ The one at noon. ‖ 1 entry [days]',
        '  [read: timetable.txt]',
        '  One goes every hour. ‖ ← active',
      ].join('\n'),
    );

    await driver.click(row('One goes every hour'));
    const frame = await driver.frame('pi-session-tree');
    await driver.waitFor('h1 >> text=Ferries', {}, frame);
    await untilEqual(() => driver.texts('article strong', frame), ['ferry']);
    await driver.waitFor('article >> text=One goes every hour.', {}, frame);

    await choose(() => driver.find(row('Ferries')).click({ button: 'right' }), 'Open', 'Open as Markdown');
    await untilFrameShows('Preview Ferries.md', 'blockquote strong >> text=ferry');

    await choose(() => driver.find(row('One goes every hour')).click({ button: 'right' }), 'Label…');
    await driver.waitFor('.quick-input-widget input');
    await driver.type('timetable');
    await driver.press('Enter');
    await driver.waitFor(`${row('One goes every hour')} >> text=[timetable]`);
    const { type, targetId, label } = (await linesOf(path)).at(-1)!;
    assert.deepEqual({ type, targetId, label }, { type: 'label', targetId: 'hourly', label: 'timetable' });

    await driver.find(row('Ferries')).focus();
    await driver.click(row('Ferries'));
    await driver.press('Control+F');
    await driver.find('.quick-input-widget:visible input').fill('label:timetable');
    await driver.waitFor('.quick-input-list .monaco-list-row >> text=timetable');
    await driver.press('Enter');
    await eventually('the labeled entry', async () =>
      (await driver.texts('.part.sidebar .monaco-list-row.selected')).join().includes('timetable'),
    );
  });
});
