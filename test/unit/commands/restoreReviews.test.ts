import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TreeDataProvider, TreeItem } from 'vscode';
import type { PlannedFile, RestorePlan } from '../../../src/core/index';
import type * as documentsModule from '../../../src/commands/restore/restoreDocuments';
import type * as reviewsModule from '../../../src/commands/restore/restoreReviews';
import { fakeEditor, type FakeEditor } from '../../fixtures/fakeEditor';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';

interface Row {
  readonly label: string;
  readonly isTicked: boolean | undefined;
  readonly rows: readonly Row[];
}

describe('The review of a restore', () => {
  let editor: FakeEditor;
  let shown: TreeDataProvider<object> | undefined;
  let reviews: reviewsModule.RestoreReviews;
  let finish: (plan: RestorePlan) => void;
  let { onWrittenAfter, onPlanned: add }: Parameters<reviewsModule.Planning>[0] = {} as never;
  let controller: AbortController;

  beforeEach(() => {
    editor = fakeEditor();
    shown = undefined;
    Object.assign(editor.api, { TreeItemCheckboxState: { Unchecked: 0, Checked: 1 } });
    Object.assign(editor.api.window.tabGroups, { all: [] });
    Object.assign(editor.api.window, {
      createTreeView: (_: string, { treeDataProvider }: { treeDataProvider: TreeDataProvider<object> }) => {
        shown = treeDataProvider;
        return { visible: true, onDidChangeCheckboxState: new FakeEmitter().event, dispose: () => (shown = undefined) };
      },
    });
    const load = (name: string): unknown => loadWithVscode(join(__dirname, `../../../src/commands/restore/${name}.js`), editor.api);
    const { RestoreReviews } = load('restoreReviews') as typeof reviewsModule;
    const { RestoreDocuments } = load('restoreDocuments') as typeof documentsModule;
    const log = { error: (error: unknown) => assert.fail(String(error)) } as never;
    reviews = new RestoreReviews({ log }, new RestoreDocuments());
  });

  const FOLDER = '/project';
  const file = (name: string, more: Partial<PlannedFile> = {}): PlannedFile => ({
    file: `${FOLDER}/${name}`,
    action: 'write',
    certainty: 'exact',
    text: 'x',
    was: { sha256: '', mode: 0o644 },
    ...more,
  });
  const plan = (...files: PlannedFile[]): RestorePlan => ({ ref: { path: '/s', entryId: 'a' }, folder: FOLDER, time: 0, files });
  /** Resolves to the end of a review that has begun to plan. */
  const review = async (): Promise<{ readonly done: Promise<readonly string[]> }> => {
    let hasBegun = false;
    const done = reviews.review(
      {
        title: 'Restore',
        entry: 'entry',
        planning: (listeners, given) => {
          ({ onWrittenAfter, onPlanned: add } = listeners);
          [controller, hasBegun] = [given, true];
          return new Promise((resolve) => (finish = resolve));
        },
        applyLabel: (count) => (count === 0 ? undefined : `Restore ${String(count)}`),
        unrecorded: () => Promise.resolve([]),
      },
      (_, chosen) => Promise.resolve(chosen.map((one) => one.file)),
    );
    await until(() => hasBegun);
    return { done };
  };
  const itemOf = async (row: object): Promise<TreeItem> => {
    assert.ok(shown);
    return shown.getTreeItem(row);
  };
  const rowsOf = async (parent?: object): Promise<Row[]> => {
    const rows = (await shown?.getChildren(parent)) ?? [];
    return Promise.all(
      rows.map(async (row) => {
        const { label, checkboxState } = await itemOf(row);
        const isTicked = checkboxState === undefined ? undefined : Number(checkboxState) === 1;
        return { label: typeof label === 'string' ? label : '', isTicked, rows: await rowsOf(row) };
      }),
    );
  };
  const texts = async (): Promise<unknown[]> => (await rowsOf()).map(({ label, rows }) => [label, ...rows.map((row) => row.label)]);
  const press = (name: string): unknown => editor.commands.get(`sessionTree.restoreReview.${name}`)?.();
  const [same, first, likely] = [file('same.ts', { action: 'none' }), file('z.ts'), file('a.ts', { certainty: 'likely' })];

  it('shows each file as soon as it’s planned, and restores nothing before all are', async () => {
    const { done } = await review();
    const differences = (): number[] =>
      editor.executed.flatMap(([id, , resources]) => (id === 'vscode.changes' ? [(resources as unknown[]).length] : []));
    add(same, FOLDER);
    assert.equal(shown, undefined, 'nothing would change so far');
    add(first, FOLDER);
    assert.deepEqual(await texts(), [['Looking for what changed since…'], ['Certain', 'z.ts']]);
    await until(() => differences().length > 0);
    await press('apply');
    add(likely, FOLDER);
    assert.deepEqual(await texts(), [['Looking for what changed since…'], ['Certain', 'z.ts'], ['Likely restorable', 'a.ts']]);
    // A file that was saved meanwhile is another one in the plan.
    finish(plan(likely, same, file('saved.ts'), first));
    await until(() => differences().length > 1);
    assert.deepEqual(differences(), [1, 3], 'the first one alone, in the meantime');
    assert.deepEqual(await rowsOf(), [
      { label: 'Restore 2', isTicked: undefined, rows: [] },
      {
        label: 'Certain',
        isTicked: true,
        rows: ['saved.ts', 'z.ts'].map((label) => ({ label, isTicked: true, rows: [] })),
      },
      { label: 'Likely restorable', isTicked: false, rows: [{ label: 'a.ts', isTicked: false, rows: [] }] },
    ]);
    await press('apply');
    assert.deepEqual(await done, [`${FOLDER}/saved.ts`, `${FOLDER}/z.ts`]);
    assert.equal(shown, undefined);
  });

  it('offers no restore of nothing, but says what to do', async () => {
    const { done } = await review();
    add(likely, FOLDER);
    finish(plan(likely));
    await until(() => editor.executed.some(([id]) => id === 'vscode.changes'));
    const [apply] = (await shown?.getChildren(undefined)) ?? [];
    assert.ok(apply);
    const { label, command } = await itemOf(apply);
    assert.deepEqual([label, command], ['Select files', undefined]);
    await press('cancel');
    await assert.rejects(done);
  });

  it('opens at once if a change is likely, and has rows with the first file', async () => {
    const { done } = await review();
    onWrittenAfter(FOLDER);
    assert.ok(shown);
    let isLoaded = false;
    const loading = texts().finally(() => (isLoaded = true));
    add(same, FOLDER);
    await new Promise(setImmediate);
    assert.equal(isLoaded, false, 'no file would change so far');
    add(file('both.ts', { action: 'conflict' }), FOLDER);
    assert.deepEqual(await loading, [['Looking for what changed since…'], ['Conflicts', 'both.ts']]);
    assert.deepEqual(editor.executed.filter(([id]) => id === 'vscode.changes').length, 0, 'a conflict has no difference');
    add(first, FOLDER);
    await until(() => editor.executed.some(([id]) => id === 'vscode.changes'));
    await press('cancel');
    await assert.rejects(done);
    assert.equal(shown, undefined);
    const { done: nothing } = await review();
    onWrittenAfter(FOLDER);
    const waiting = texts();
    finish(plan(same));
    assert.deepEqual([await nothing, shown], [[], undefined]);
    assert.deepEqual(await waiting, [], 'the editor no longer waits');
    assert.deepEqual(editor.executed.slice(-2), [
      ['workbench.view.extension.sessionTree'],
      ['setContext', 'sessionTree.reviewsRestore', false],
    ]);
  });

  it('leaves no tab of the first file beside that of all, in an editor without previews', async () => {
    const group = { tabs: [] as { label: string; resources: number }[] };
    class OtherInput {
      readonly uri = '';
    }
    Object.assign(editor.api, { TabInputTextDiff: OtherInput, TabInputText: OtherInput });
    Object.assign(editor.api.window.tabGroups, {
      all: [group],
      close: (tabs: readonly object[]) => Promise.resolve(void (group.tabs = group.tabs.filter((tab) => !tabs.includes(tab)))),
    });
    Object.assign(editor.api.commands, {
      executeCommand: (id: string, title: string, resources: readonly unknown[]) => {
        if (id.endsWith('.focus')) return focusing;
        if (id === 'vscode.changes')
          group.tabs.push({ label: `${title} (${String(resources.length)} files)`, resources: resources.length });
        return Promise.resolve();
      },
    });
    let focusing = Promise.resolve();
    const open = (): number[] => group.tabs.map(({ resources }) => resources);
    const { done } = await review();
    add(first, FOLDER);
    await until(() => open().length > 0);
    assert.deepEqual(open(), [1]);
    finish(plan(likely, first));
    await until(() => open().join() === '2');
    await press('cancel');
    await assert.rejects(done);
    assert.deepEqual(open(), []);
    const { done: cancelled } = await review();
    let focus = (): void => undefined;
    focusing = new Promise((resolve) => (focus = resolve));
    finish(plan(likely, first));
    await new Promise(setImmediate);
    await press('cancel');
    await assert.rejects(cancelled);
    focus();
    await new Promise(setImmediate);
    assert.deepEqual(open(), [], 'nor opens one once the review has ended');
  });

  it('is drawn again a few times while very many files are planned', async () => {
    const { done } = await review();
    add(first, FOLDER);
    await texts();
    let drawn = 0;
    shown?.onDidChangeTreeData?.(() => drawn++);
    for (let n = 0; n < 1000; n++) add(file(`${String(n)}.ts`), FOLDER);
    assert.equal(drawn, 9);
    await press('cancel');
    await assert.rejects(done);
  });

  it('names files before their folders, which a narrow side bar cuts off', async () => {
    const { done } = await review();
    add(file('src/parts/door.ts', { action: 'delete' }), FOLDER);
    const [, section] = (await shown?.getChildren()) ?? [];
    const [row] = (await shown?.getChildren(section)) ?? [];
    assert.ok(row);
    const { label, description, accessibilityInformation, command } = await itemOf(row);
    assert.deepEqual([label, description], ['door.ts', 'is deleted · src/parts']);
    assert.equal(accessibilityInformation?.label, 'src/parts/door.ts, is deleted');
    add(first, FOLDER);
    await editor.commands.get(command?.command ?? '')?.(...((command?.arguments ?? []) as unknown[]));
    assert.ok(
      editor.executed.some(([id]) => id === 'vscode.diff'),
      'a row that was drawn before others came opens its file',
    );
    await press('cancel');
    await assert.rejects(done);
  });

  it('ends the plan if it’s cancelled, and doesn’t open without a change', async () => {
    const { done: cancelled } = await review();
    add(first, FOLDER);
    await press('cancel');
    await assert.rejects(cancelled, { name: 'Error' });
    assert.deepEqual([controller.signal.aborted, shown], [true, undefined]);
    const { done: nothing } = await review();
    add(same, FOLDER);
    finish(plan(same));
    assert.deepEqual([await nothing, shown], [[], undefined]);
  });
});
