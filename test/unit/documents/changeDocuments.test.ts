import * as assert from 'node:assert/strict';
import { join } from 'node:path';
import { readSession, type Session } from '../../../src/core/index';
import type * as changeDocuments from '../../../src/documents/changeDocuments';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor, type FakeEditor, type Uri } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

describe('Documents of changes', () => {
  const folder = testFolder();
  let editor: FakeEditor;
  let documents: changeDocuments.ChangeDocuments;
  beforeEach(() => {
    editor = fakeEditor();
    const { ChangeDocuments } = loadWithVscode(join(__dirname, '../../../src/documents/changeDocuments.js'), {
      ...editor.api,
      FileSystemError: { FileNotFound: () => new Error('not found') },
    }) as typeof changeDocuments;
    const known = new Map<string, Promise<Session>>();
    documents = new ChangeDocuments({
      session: (path) => known.get(path) ?? known.set(path, readSession(path)).get(path)!,
      catalog: () => Promise.reject(new Error('no catalog')),
    });
  });
  const textOf = async (uri: Uri): Promise<string> => new TextDecoder().decode(await documents.readFile(uri as never));

  it('open in one editor, with what isn’t exact in their paths, and have the recorded texts', async () => {
    const path = await folder.write(
      's.jsonl',
      session()
        .tool('read', { path: 'src/a.ts' }, 'one')
        .tool('edit', { path: 'src/a.ts', oldText: 'one', newText: 'two' })
        .tool('write', { path: '/etc/../b.md', content: 'new' })
        .tool('edit', { path: 'c.ts', oldText: 'x', newText: 'y' })
        .name('Doors')
        .text(),
    );
    const changes = await documents.open({ path });
    assert.deepEqual(
      changes.map(({ file, entryIds }) => [file, ...entryIds]),
      [
        ['src/a.ts', entryId(3)],
        ['/etc/../b.md', entryId(5)],
        ['c.ts', entryId(7)],
      ],
    );
    const [[command, title, resources]] = editor.executed as unknown as [[string, string, Uri[][]]];
    assert.deepEqual([command, title], ['vscode.changes', 'Changes: Doors']);
    assert.deepEqual(
      resources.map(([label]) => label!.path),
      ['/src/a.ts', '/earlier text not recorded/etc/b.md', '/changed parts only/c.ts'],
    );
    const texts = await Promise.all(resources.map(async ([, before, after]) => [await textOf(before!), await textOf(after!)]));
    assert.deepEqual(texts, [
      ['one', 'two'],
      ['', 'new'],
      ['x', 'y'],
    ]);
    assert.deepEqual(documents.fileOf(resources[0]![1] as never), { ref: { path }, file: 'src/a.ts', side: 'before' });
  });

  it('end at the entry', async () => {
    const builder = session().tool('write', { path: 'a', content: 'b' }).user('x').tool('write', { path: 'c', content: 'd' });
    const path = await folder.write('s.jsonl', builder.text());
    assert.equal((await documents.changes({ path, entryId: entryId(2) })).length, 1);
    assert.equal((await documents.changes({ path })).length, 2);
    await assert.rejects(documents.open({ path, entryId: entryId(1) }), { code: 'not-found' });
  });

  it('show nothing for an address of another shape', async () => {
    for (const query of ['', '[]', '["/s.jsonl",null,"a"]', '["/s.jsonl",null,"a","between"]', '{"path":1}'])
      await assert.rejects(documents.readFile({ scheme: 'session-tree-change', path: '/a', query } as never), /not found/);
    assert.equal(documents.fileOf({ scheme: 'file', path: '/a', query: '["/s",null,"a","after"]' } as never), undefined);
  });
});
