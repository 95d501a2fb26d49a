import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type * as versionTarget from '../../../src/commands/lines/versionTarget';
import { filesOfTurn, lastResultOf } from '../../../src/commands/lines/filesOfTurn';
import { restoreEdit } from '../../../src/commands/lines/restoreEdit';
import { branchChanges, readSession, UntrustedPaths } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

describe('The version of a file', () => {
  const folder = testFolder();
  const load = (folders: readonly string[], documents: readonly object[] = []): typeof versionTarget =>
    loadWithVscode(join(__dirname, '../../../src/commands/lines/versionTarget.js'), {
      ...fakeEditor().api,
      workspace: { workspaceFolders: folders.map((path) => ({ uri: { scheme: 'file', fsPath: path } })), textDocuments: documents },
    }) as typeof versionTarget;

  it('is in the workspace only with links resolved, and never on another computer', async () => {
    for (const name of ['outside', 'work']) mkdirSync(join(folder.path, name));
    const outside = await folder.write('outside/secret', 'x');
    const inside = await folder.write('work/a.ts', 'x');
    symlinkSync(outside, join(folder.path, 'work/link.ts'));
    symlinkSync(join(folder.path, 'work'), join(folder.path, 'workLink'));
    const work = join(folder.path, 'work');
    const isIn = (file: string, folders = [work], platform: NodeJS.Platform = process.platform): Promise<boolean> =>
      load(folders).isWorkspaceFile({ untrustedPaths: new UntrustedPaths({ platform }) }, file);
    assert.equal(await isIn(inside), true);
    assert.equal(await isIn(join(work, 'gone.ts')), true);
    assert.equal(await isIn(outside), false);
    assert.equal(await isIn(`${work}2/a.ts`), false);
    assert.equal(await isIn(join(work, 'link.ts')), false);
    assert.equal(await isIn(join(folder.path, 'workLink/a.ts'), [join(folder.path, 'workLink')]), true);
    assert.equal(await isIn('//server/share/a.ts', ['//server/share'], 'win32'), false);
  });

  it('has a current file only if that is a regular file, or open', async () => {
    const file = await folder.write('a.ts', 'x');
    const untrustedPaths = new UntrustedPaths();
    const { currentUri } = load([]);
    assert.equal((await currentUri({ untrustedPaths }, file))?.fsPath, file);
    assert.equal(await currentUri({ untrustedPaths }, folder.path), undefined);
    assert.equal(await currentUri({ untrustedPaths }, join(folder.path, 'none')), undefined);
    const uri = { scheme: 'file', fsPath: '/gone/a.ts' };
    assert.equal(await load([], [{ uri }]).currentUri({ untrustedPaths }, '/gone/a.ts'), uri);
  });

  it('is of the files of the message, else of its turn, else of the branch', async () => {
    const write = (path: string) => ['write', { path, content: 'x' }] as const;
    const lines = session()
      .user('one')
      .tool(...write('a'))
      .user('two')
      .tool(...write('b'))
      .tool(...write('c'))
      .assistant('done')
      .user('three');
    const read = await readSession(await folder.write('s.jsonl', lines.text()));
    const files = async (id: string): Promise<string[]> =>
      filesOfTurn(read, id, await branchChanges(read, lastResultOf(read, id))).map(({ file }) => file);
    assert.deepEqual(await files(entryId(5)), ['b'], 'the call');
    assert.deepEqual(await files(entryId(8)), ['c'], 'the result');
    assert.deepEqual(await files(entryId(9)), ['b', 'c'], 'the answer after both');
    assert.deepEqual(await files(entryId(10)), ['a', 'b', 'c'], 'the next prompt');
  });

  describe('restored', () => {
    /** Applies an edit as the editor does. */
    const apply = (text: string, restored: string, eol = '\n'): string => {
      const edit = restoreEdit(text, restored, eol);
      if (!edit) return text;
      const lines = text.split(/\r\n|\n/);
      const offset = ({ line, character }: { line: number; character: number }): number =>
        lines.slice(0, line).reduce((sum, one) => sum + one.length + eol.length, 0) + character;
      return text.slice(0, offset(edit.from)) + edit.text + text.slice(offset(edit.to));
    };

    it('gives the earlier text, whatever differs', () => {
      const texts = ['', 'a', 'a\n', 'a\nb', 'a\nb\n', 'b\n', 'a\nx\nb\n', '\n', '\n\n', 'a\n\nb', 'b\na\nb\n'];
      for (const from of texts) for (const to of texts) assert.equal(apply(from, to), to, JSON.stringify([from, to]));
    });

    it('touches only the lines that differ, with the line breaks of the document', () => {
      assert.deepEqual(restoreEdit('a\r\nb\r\nc\r\n', 'a\nx\ny\nc\n', '\r\n'), {
        from: { line: 1, character: 0 },
        to: { line: 2, character: 0 },
        text: 'x\r\ny\r\n',
      });
      assert.equal(restoreEdit('a\r\nb', 'a\nb', '\r\n'), undefined);
    });
  });
});
