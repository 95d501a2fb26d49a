import assert from 'node:assert/strict';
import { join } from 'node:path';
import type * as itemsModule from '../../../src/commands/restore/restoreItems';
import type * as endModule from '../../../src/commands/restore/interruptedRestore';
import type { NotificationAction } from '../../../src/commands/handler/notifications';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import type { PlannedFile, RestorePlan } from '../../../src/core/index';
import { leftReason } from '../../../src/core/format/restore/leftReasons';
import { stateReason } from '../../../src/core/format/restore/stateReasons';
import { fakeEditor, type TreeItem, type ThemeIcon } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

const load = (name: string): unknown => {
  const editor = fakeEditor();
  Object.assign(editor.api, { TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 } });
  return loadWithVscode(join(__dirname, '../../../src/commands/restore', `${name}.js`), editor.api);
};

const BEFORE = stateReason('before');

describe('The rows of a restore’s review', () => {
  const { restoreSections, sectionItem, fileItem } = load('restoreItems') as typeof itemsModule;
  const was = { sha256: '', mode: 0o644 };
  const planned = (name: string, more: Partial<PlannedFile>): PlannedFile => ({
    file: `/work/${name}`,
    action: 'write',
    certainty: 'exact',
    was,
    ...more,
  });
  const files = [
    planned('left.ts', { action: 'left', certainty: 'unknown', reason: 'Nothing is known.' }),
    planned('likely.ts', { action: 'delete', certainty: 'likely', reason: BEFORE }),
    planned('src/a.ts', { text: 'a' }),
    planned('same.ts', { action: 'none' }),
    planned('clash.ts', { action: 'conflict', text: 'c', reason: leftReason('overlap') }),
    planned('mine.ts', { action: 'merge', text: 'm' }),
    planned('new.ts', { action: 'create', text: 'n', was: null }),
    { ...planned('', { action: 'left', reason: leftReason('outside') }), file: '/elsewhere/b.ts', was: null },
  ];
  const plan: RestorePlan = { ref: { path: '/s.jsonl', entryId: 'e' }, folder: '/work', time: 0, files };
  const sections = restoreSections(plan);

  it('are in sections by certainty, without files that stay as they are anyway', () => {
    assert.deepEqual(
      sections.map(({ label, isTickable, files: rows }) => [label, isTickable, rows.map(({ name }) => name)]),
      [
        ['Certain', true, ['src/a.ts', 'mine.ts', 'new.ts']],
        ['Likely restorable', true, ['likely.ts']],
        ['Conflicts', false, ['clash.ts']],
        ['Not restored', false, ['left.ts', '/elsewhere/b.ts']],
      ],
    );
    assert.deepEqual(restoreSections({ ...plan, files: [] }), []);
    assert.equal(sectionItem(sections[0]!).description, '3');
    assert.deepEqual(
      sections.map((section) => sectionItem(section).accessibilityInformation?.label),
      ['Certain, 3 files', 'Likely restorable, 1 file', 'Conflicts, 1 file', 'Not restored, 2 files'],
    );
  });

  it('say what happens to a file and why it isn’t certain, on the row, in the hover and to screen readers', () => {
    const rows = sections.flatMap((section) =>
      section.files.map((row) => fileItem(row, 'open') as unknown as TreeItem & Record<string, unknown>),
    );
    assert.deepEqual(
      rows.map((row) => [(row['iconPath'] as ThemeIcon).id, row['description'], row['command'] !== undefined]),
      [
        ['diff-modified', 'src', true],
        ['git-merge', 'your own edits are kept', true],
        ['diff-added', 'is created', true],
        ['diff-removed', 'is deleted · may not have existed', true],
        ['warning', 'same lines changed', true],
        ['circle-slash', 'Nothing is known.', true],
        ['circle-slash', 'outside the folder · /elsewhere', false],
      ],
    );
    assert.deepEqual(rows[3]!['accessibilityInformation'], { label: `likely.ts, is deleted, ${BEFORE}` });
    assert.equal(rows[3]!['tooltip'], `/work/likely.ts\nis deleted\n${BEFORE}`);
  });
});

describe('The section of files without a recorded edit', () => {
  const { unrecordedSection, sectionItem, fileItem } = load('restoreItems') as typeof itemsModule;

  it('explains itself, is collapsed, and opens the files', () => {
    const section = unrecordedSection('/work', ['/work/src/ü.ts']);
    const item = sectionItem(section);
    assert.deepEqual(
      [section.isTickable, item.label, item.description, item.collapsibleState],
      [false, 'Changed without a recorded edit', '1', 1],
    );
    assert.match(typeof item.tooltip === 'string' ? item.tooltip : '', /^Git shows these files as changed, .*They stay as they are\.$/);
    const row = fileItem(section.files[0]!, 'open');
    assert.deepEqual([row.label, row.description, row.command?.command], ['ü.ts', 'src', 'vscode.open']);
  });
});

describe('A restore that was interrupted', () => {
  const { offerToEnd } = load('interruptedRestore') as typeof endModule;

  it('is finished or taken back, as the person chooses', async () => {
    const shown: string[] = [];
    const calls: unknown[] = [];
    let actions: readonly NotificationAction[] = [];
    const deps = {
      writes: () =>
        Promise.resolve({
          finishRestore: (id: string) => Promise.resolve({ restoreId: id, done: [calls.push(['finish', id])], left: [] }),
          undo: (options: object) => Promise.resolve({ paths: [String(calls.push(['undo', options]))] }),
        }),
      refreshAfterWrite: (paths: readonly string[]) => Promise.resolve(void calls.push(['refresh', paths])),
    } as unknown as CommandDeps;
    const notifier = {
      info: (text: string, ...more: NotificationAction[]) => {
        shown.push(text);
        if (more.length > 0) actions = more;
      },
    };
    offerToEnd(deps, notifier, { restoreId: 'r', recordId: 'j', folder: '/work' });
    assert.deepEqual(
      [shown, actions.map(({ title }) => title)],
      [['Restoring files in /work was interrupted, so only some of them are restored.'], ['Finish', 'Take Back']],
    );
    for (const { run } of actions) await run();
    assert.deepEqual(calls, [
      ['finish', 'r'],
      ['undo', { id: 'j' }],
      ['refresh', ['2']],
    ]);
    assert.deepEqual(shown.slice(1), ['Files restored: 1.', 'Undid restore of files']);
  });
});
