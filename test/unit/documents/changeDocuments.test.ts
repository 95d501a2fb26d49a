import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readSession, type Catalog, type Session } from '../../../src/core/index';
import type * as changeDocuments from '../../../src/documents/changeDocuments';
import type * as compareModule from '../../../src/documents/compareFiles';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { fakeEditor, Uri, type FakeEditor } from '../../fixtures/fakeEditor';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

describe('Documents of changes', () => {
  const folder = testFolder();
  const store = testCatalog();
  let editor: FakeEditor;
  let documents: changeDocuments.ChangeDocuments;
  beforeEach(() => {
    editor = fakeEditor();
    documents = open(() => Promise.reject(new Error('no catalog')));
  });
  const open = (catalog: () => Promise<Catalog>): changeDocuments.ChangeDocuments => {
    const { ChangeDocuments } = loadWithVscode(join(__dirname, '../../../src/documents/changeDocuments.js'), {
      ...editor.api,
      workspace: { ...editor.api.workspace, isTrusted: false },
      FileSystemError: { FileNotFound: () => new Error('not found') },
    }) as typeof changeDocuments;
    const known = new Map<string, Promise<Session>>();
    return new ChangeDocuments({
      session: (path) => known.get(path) ?? known.set(path, readSession(path)).get(path)!,
      catalog,
      onError: assert.ifError,
    });
  };
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
      ['/src/a.ts', '/etc (earlier text not recorded)/b.md', '/(changed parts only)/c.ts'],
    );
    const texts = await Promise.all(resources.map(async ([, before, after]) => [await textOf(before!), await textOf(after!)]));
    assert.deepEqual(texts, [
      ['one', 'two'],
      ['', 'new'],
      ['x', 'y'],
    ]);
    assert.deepEqual(documents.fileOf(resources[0]![1] as never), { ref: { path }, file: 'src/a.ts', side: 'before' });
  });

  it('have the title of the session in the title of their editor', async () => {
    const path = await folder.write('s.jsonl', session().user('Paint the doors').tool('write', { path: 'a', content: 'b' }).text());
    await documents.open({ path });
    assert.equal((editor.executed as unknown as [[string, string]])[0][1], 'Changes: Paint the doors');
  });

  it('end at the entry', async () => {
    const builder = session().tool('write', { path: 'a', content: 'b' }).user('x').tool('write', { path: 'c', content: 'd' });
    const path = await folder.write('s.jsonl', builder.text());
    assert.equal((await documents.changes({ path, entryId: entryId(2) })).length, 1);
    assert.equal((await documents.changes({ path })).length, 2);
    await assert.rejects(documents.open({ path, entryId: entryId(1) }), { code: 'not-found' });
  });

  /** A file that was changed before the fork, then on the branch that was left, and on the active one. */
  const forked = (): SessionBuilder =>
    session()
      .tool('write', { path: 'a', content: 'one' })
      .tool('write', { path: 'early', content: 'x' })
      .user('Try it')
      .tool('edit', { path: 'a', oldText: 'one', newText: 'two' })
      .branchFrom(entryId(4))
      .user('Or so')
      .tool('write', { path: 'b', content: 'new' });

  it('of a branch begin at its fork point, with the texts that the files had there, and its title says so', async () => {
    const path = await folder.write('s.jsonl', forked().text());
    const changes = await documents.open({ path, entryId: entryId(7), since: entryId(4) });
    assert.deepEqual(changes, [{ file: 'a', certainty: 'exact', before: 'one', after: 'two', entryIds: [entryId(6)] }]);
    const [[, title, [resource]]] = editor.executed as unknown as [[string, string, [Uri[]]]];
    assert.equal(title, 'Changes: user: Try it (since “[write: early]”)');
    assert.equal(await textOf(resource[1]!), 'one');
    await documents.open({ path, entryId: entryId(7) });
    assert.match((editor.executed as unknown as [string, string][])[1]![1], /^Changes: Try it \(up to “.+”\)$/);
  });

  it('of two branches show each file as both have it', async () => {
    const path = await folder.write('s.jsonl', forked().text());
    const { compareFiles } = loadWithVscode(join(__dirname, '../../../src/documents/compareFiles.js'), editor.api) as typeof compareModule;
    const deps = { session: (at: string) => readSession(at), changes: documents.changes.bind(documents) };
    const sides = [{ path, entryId: entryId(7) }, { path }] as const;
    assert.deepEqual(await compareFiles(deps, ...sides), ['a', 'b']);
    const [[command, title, resources]] = editor.executed as unknown as [[string, string, Uri[][]]];
    assert.deepEqual([command, title], ['vscode.changes', 'Files: [edit: a] ↔ Try it']);
    const texts = await Promise.all(resources.map(([, left, right]) => Promise.all([textOf(left!), textOf(right!)])));
    assert.deepEqual(texts, [
      ['two', 'one'],
      ['', 'new'],
    ]);
    const [one, other] = [
      { path, entryId: entryId(4) },
      { path, entryId: entryId(5) },
    ];
    await assert.rejects(compareFiles(deps, one, other), { code: 'not-found' });
  });

  it('are those of a file before and after a message, with what isn’t exact in their paths', async () => {
    const lines = session({ cwd: folder.path })
      .tool('write', { path: 'a.ts', content: 'one' })
      .tool('edit', { path: 'a.ts', oldText: 'one', newText: 'two' });
    const catalog = await store.open({ a: lines });
    documents = open(() => Promise.resolve(catalog));
    const [file, path] = [await folder.write('a.ts', 'two'), store.path('a')];
    const read = ({ uri, exact }: { uri: string; exact: boolean }) => [Uri.parse(uri).path, exact];
    assert.deepEqual(read(await documents.fileBefore({ path, entryId: entryId(3) }, file)), [file, true]);
    assert.deepEqual(read(await documents.fileBefore({ path, entryId: entryId(1) }, file)), [
      `${folder.path} (earlier text not recorded)/a.ts`,
      false,
    ]);
    await assert.rejects(documents.fileBefore({ path, entryId: entryId(2) }, file), { code: 'not-found' });
    const before = { scheme: 'session-tree-change', path: file, query: JSON.stringify([path, entryId(3), file, 'prior']) };
    assert.equal(await textOf(before as never), 'one');
  });

  it('are the text that a session read and edited, or only its changed parts if the steps don’t fit', async () => {
    const edit = { path: 'a.ts', oldText: 'two();', newText: 'TWO();' };
    const other = session({ cwd: folder.path, id: 'other', timestamp: '2026-01-01T10:00:00.000Z' }).message(
      { role: 'assistant', content: [{ type: 'toolCall', id: 'w', name: 'write', arguments: { path: 'a.ts', content: 'alpha();\n' } }] },
      { timestamp: '2026-01-01T10:00:01.000Z', message: { timestamp: Date.parse('2026-01-01T10:00:01.000Z') } },
    );
    other.message(
      { role: 'toolResult', toolCallId: 'w', toolName: 'write', content: [], isError: false },
      { timestamp: '2026-01-01T10:00:02.000Z', message: { timestamp: Date.parse('2026-01-01T10:00:02.000Z') } },
    );
    const file = await folder.write('a.ts', 'one();\nTWO();\n');
    const decoded = (uri: string): Uri => {
      const parsed = Uri.parse(uri);
      return parsed.with({ query: decodeURIComponent(parsed.query) });
    };
    const textsOf = async (lines: SessionBuilder, id: string) => {
      const catalog = await store.open({ other, a: lines });
      documents = open(() => Promise.resolve(catalog));
      const { before, after } = await documents.fileChange({ path: store.path('a'), entryId: id }, file);
      const texts = await Promise.all([before, after].map(({ uri }) => textOf(decoded(uri))));
      return [...texts, Uri.parse(after.uri).path, before.isWhole && after.isWhole, after.exact];
    };
    const read = session({ cwd: folder.path }).tool('read', { path: 'a.ts' }, 'one();\ntwo();\n').tool('edit', edit);
    assert.deepEqual(await textsOf(read, entryId(3)), ['one();\ntwo();\n', 'one();\nTWO();\n', file, true, true]);
    const parts = ['two();', 'TWO();', `${folder.path} (changed parts only)/a.ts`, false, false];
    assert.deepEqual(await textsOf(session({ cwd: folder.path }).tool('edit', edit), entryId(1)), parts);
  });

  it('show nothing for an address of another shape', async () => {
    for (const query of ['', '[]', '["/s.jsonl",null,"a"]', '["/s.jsonl",null,"a","between"]', '{"path":1}'])
      await assert.rejects(documents.readFile({ scheme: 'session-tree-change', path: '/a', query } as never), /not found/);
    assert.equal(documents.fileOf({ scheme: 'file', path: '/a', query: '["/s",null,"a","after"]' } as never), undefined);
  });
});
