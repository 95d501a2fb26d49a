import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type * as fs from 'node:fs/promises';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import type { Catalog, Writes } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { openWindow } from '../../fixtures/doomed';
import { fakeEditor, Uri, type FakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { FakeEmitter } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';
import { age } from '../../fixtures/writes';
import { runCommands } from './runCommands';

interface Answer {
  readonly entryId?: string;
  readonly restoreId?: string;
  readonly files: { file: string; action: string; certainty: string; reason?: string }[];
}

describe('Restore Files to This Point', () => {
  const project = testFolder();
  const store = testCatalog();
  const at = (name: string): string => join(project.path, name);
  const text = (name: string): Promise<string> => readFile(at(name), 'utf8');
  const POINT = entryId(4);
  let editor: FakeEditor;
  let run: (id: string, ...args: unknown[]) => Promise<unknown>;
  let writes: Writes;

  beforeEach(async () => {
    await mkdir(at('src'));
    await writeFile(at('src/a.ts'), 'const a = 2;\n');
    await writeFile(at('src/b.ts'), 'const b = 2;\n');
    const catalog: Catalog = await store.open({
      a: session({ cwd: project.path })
        .user('go')
        .tool('write', { path: 'src/a.ts', content: 'const a = 1;\n' })
        .user('on')
        .tool('edit', { path: 'src/a.ts', oldText: 'a = 1', newText: 'a = 2' })
        .tool('write', { path: 'src/b.ts', content: 'const b = 2;\n' })
        .assistant('Done.'),
      far: session({ cwd: '//server/share', id: 'far' }).user('go'),
    });
    await age(store.path('a'));
    writes = await openWindow(join(project.path, '.storage'), store.root);
    editor = fakeEditor();
    Object.assign(editor.api.workspace, { getWorkspaceFolder: () => undefined });
    Object.assign(editor.api.window.tabGroups, { all: [] });
    const deps: Partial<CommandDeps> = {
      catalog: { open: () => Promise.resolve(catalog), settled: () => Promise.resolve() } as unknown as CommandDeps['catalog'],
      writes: () => Promise.resolve(writes),
      writer: writes.writer,
    };
    ({ run } = runCommands(deps, editor));
  });

  const restore = (args: object): Promise<Answer> =>
    run('sessionTree.restoreFiles', { path: store.path('a'), entryId: POINT, ...args }) as Promise<Answer>;
  const actions = ({ files }: Answer): string[] =>
    files.map(({ file, action, certainty }) => `${file.slice(project.path.length + 1)} ${action} ${certainty}`).sort();

  it('answers with the plan, and writes nothing on a dry run', async () => {
    const answer = await restore({ dryRun: true, include: 'likely' });
    assert.deepEqual(actions(answer), ['src/a.ts write exact', 'src/b.ts delete likely']);
    assert.match(answer.files.find(({ file }) => file.endsWith('b.ts'))?.reason ?? '', /^[A-Z].{10,}\.$/);
    assert.deepEqual([answer.restoreId, await text('src/a.ts')], [undefined, 'const a = 2;\n']);
  });

  it('writes what is certain, or likely as well, and undo takes it back', async () => {
    const { restoreId = '' } = await restore({});
    assert.notEqual(restoreId, '');
    assert.deepEqual([await text('src/a.ts'), existsSync(at('src/b.ts'))], ['const a = 1;\n', true]);
    assert.deepEqual(actions(await restore({ include: 'likely', files: [at('src/b.ts')] })), ['src/b.ts delete likely']);
    assert.ok(!existsSync(at('src/b.ts')));
    for (let undone = 0; undone < 2; undone++) assert.deepEqual(await run('sessionTree.undo', {}), { did: 'file', path: store.path('a') });
    assert.deepEqual([await text('src/a.ts'), await text('src/b.ts')], ['const a = 2;\n', 'const b = 2;\n']);
  });

  it('leaves files with unsaved changes in an editor, and says so', async () => {
    editor.api.workspace.textDocuments = [{ isDirty: true, uri: Uri.file(at('src/a.ts')) }];
    const { files, restoreId } = await restore({});
    const left = files.find(({ file }) => file.endsWith('a.ts'));
    assert.deepEqual([left?.action, left?.reason, restoreId], ['left', 'It has unsaved changes in an editor.', undefined]);
    assert.equal(await text('src/a.ts'), 'const a = 2;\n');
  });

  it('refuses untrusted workspaces, folders elsewhere, and arguments of another shape', async () => {
    await assert.rejects(restore({ entryId: 'gone' }), { code: 'unknown-entry' });
    await assert.rejects(restore({ entryId: undefined }), { code: 'entry-required' });
    for (const args of [{ files: 'a' }, { files: ['a.ts'] }, { files: [1] }, { files: ['/a\0b'] }, { include: 'all' }, { dryRun: 1 }])
      await assert.rejects(restore(args), { code: 'invalid' }, JSON.stringify(args));
    await assert.rejects(restore({ path: store.path('far'), entryId: entryId(1) }), { code: 'permission' });
    editor.api.workspace.isTrusted = false;
    await assert.rejects(restore({}), { code: 'invalid' });
    await assert.rejects(run('sessionTree.branchWithFiles', { path: store.path('a'), entryId: POINT }), { code: 'invalid' });
    for (const id of ['restoreFiles', 'branchWithFiles'])
      await run(`sessionTree.${id}`, { row: 'entry', path: store.path('a'), entryId: POINT });
    assert.match(editor.messages.flat().join(), /^Files aren’t restored in untrusted workspaces[^]*Files aren’t restored in untrusted/);
    assert.equal(await text('src/a.ts'), 'const a = 2;\n');
  });

  it('goes together with a branch, as one change', async () => {
    const answer = (await run('sessionTree.branchWithFiles', { path: store.path('a'), entryId: POINT, summary: 'later' })) as Answer;
    assert.deepEqual(actions(answer), ['src/a.ts write exact', 'src/b.ts left likely']);
    assert.match((await readFile(store.path('a'), 'utf8')).trimEnd().split('\n').at(-1) ?? '', new RegExp(`"${answer.entryId ?? ''}"`));
    assert.equal(await text('src/a.ts'), 'const a = 1;\n');
    await run('sessionTree.undo', {});
    assert.equal(await text('src/a.ts'), 'const a = 2;\n');
    await assert.rejects(run('sessionTree.undo', {}), { code: 'invalid' });
  });

  for (const [what, code, sentence] of [
    ['a read-only folder', 'EROFS', /The file system is read-only: /],
    ['a full disk', 'ENOSPC', /There’s no space left, so nothing was saved: /],
  ] as const)
    it(`changes nothing and says why, from the row to the message: ${what}`, async () => {
      Object.assign(editor.api, { TreeItemCheckboxState: { Unchecked: 0, Checked: 1 } });
      Object.assign(editor.api.window, {
        createTreeView: () => ({ visible: false, onDidChangeCheckboxState: new FakeEmitter().event, dispose: () => undefined }),
      });
      // The root user may write everywhere, so the calls themselves fail.
      const promises = createRequire(__filename)('node:fs/promises') as typeof fs;
      const open = promises.open.bind(promises);
      let refused = 0;
      Reflect.set(promises, 'open', (...args: Parameters<typeof open>) => {
        const [path, flags] = args;
        if (!String(path).startsWith(at('src/')) || flags === 'r' || typeof flags === 'number') return open(...args);
        refused++;
        return Promise.reject(Object.assign(new Error(`${code}: open '${String(path)}'`), { code }));
      });
      try {
        editor.action = 'Restore 1 File';
        const running = run('sessionTree.restoreFiles', { row: 'entry', path: store.path('a'), entryId: POINT });
        await until(() => editor.executed.some(([id]) => id === 'sessionTree.restoreReview.focus'));
        const apply = editor.commands.get('sessionTree.restoreReview.apply');
        // Until the plan is whole, it does nothing.
        await until(() => {
          void apply?.();
          return editor.messages.length > 0;
        });
        await running;
      } finally {
        Reflect.set(promises, 'open', open);
      }
      assert.ok(refused > 0);
      assert.match(editor.messages[0]?.[0] ?? '', /Restore files in/);
      assert.match(editor.messages[1]?.[0] ?? '', sentence);
      assert.equal(editor.messages.length, 2);
      assert.deepEqual([await text('src/a.ts'), await text('src/b.ts')], ['const a = 2;\n', 'const b = 2;\n']);
      assert.deepEqual(await readdir(at('src')), ['a.ts', 'b.ts']);
      await assert.rejects(run('sessionTree.undo', {}), { code: 'invalid' }, 'nothing to undo');
    });

  it('says from a row that there is nothing to restore', async () => {
    await run('sessionTree.restoreFiles', { row: 'entry', path: store.path('a'), entryId: entryId(9) });
    assert.match(editor.messages[0]?.[0] ?? '', /All files that sessions changed are as they were at this point/);
  });
});
