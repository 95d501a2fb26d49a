import assert from 'node:assert/strict';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { ReadPacer } from '../../../src/documents/readPacer';
import type { RawFileSystem, RawFileSystemOptions } from '../../../src/documents/rawFileSystem';
import { FakeEmitter, loadWithVscode, translate } from '../../fixtures/loadWithVscode';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

const MODULE = join(__dirname, '../../../src/documents/rawFileSystem.js');

/** Returns a replacement for a file's `vscode.Uri`. */
const uriOf = (path: string, scheme = 'session-tree-raw'): vscode.Uri => {
  const uri = {
    scheme,
    query: '',
    fragment: '',
    path,
    fsPath: path,
    with: (change: { scheme: string }) => uriOf(path, change.scheme),
    toString: () => `${scheme}:${path}`,
  };
  return uri as unknown as vscode.Uri;
};

describe('RawFileSystem', () => {
  const folder = testFolder();
  let closed: FakeEmitter<{ readonly uri: vscode.Uri }>;
  let textDocuments: { readonly uri: vscode.Uri }[];
  let files: RawFileSystem;
  let path: string;

  beforeEach(async () => {
    closed = new FakeEmitter();
    textDocuments = [];
    path = await folder.write('s.jsonl', session().user('Hello').text());
    const refusal = (kind: string) => (uri: unknown) => Object.assign(new Error(`${kind}: ${String(uri)}`), { code: kind });
    const api = {
      EventEmitter: FakeEmitter,
      MarkdownString: FakeEmitter,
      FileType: { File: 1 },
      FilePermission: { Readonly: 1 },
      FileChangeType: { Changed: 1, Created: 2, Deleted: 3 },
      FileSystemError: Object.fromEntries(
        ['FileNotFound', 'FileNotADirectory', 'NoPermissions', 'Unavailable'].map((kind) => [kind, refusal(kind)]),
      ),
      l10n: { t: translate },
      workspace: {
        registerFileSystemProvider: () => ({ dispose: () => undefined }),
        onDidCloseTextDocument: closed.event,
        get textDocuments() {
          return textDocuments;
        },
      },
    };
    const { RawFileSystem: Loaded } = loadWithVscode(MODULE, api) as {
      RawFileSystem: new (options: RawFileSystemOptions) => RawFileSystem;
    };
    const state = { get: () => undefined, update: () => Promise.resolve(), keys: () => [] } as unknown as vscode.Memento;
    files = new Loaded({
      rootsReady: () => Promise.resolve(),
      roots: () => [{ path: folder.path, dialect: 'pi', flat: true }],
      session: () => Promise.resolve(),
      state,
    });
  });
  afterEach(() => files.dispose());

  const remembered = (): number => (Reflect.get(files, 'pacer') as ReadPacer).size;

  it('remembers nothing of a read without an open document', async () => {
    assert.match(Buffer.from(await files.readFile(uriOf(path))).toString(), /Hello/);
    const limit = performance.now() + 10_000;
    while (remembered() > 0 && performance.now() < limit) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(remembered(), 0);
  });

  it('reports changes, deletion and return of the files of open documents', async () => {
    const types: number[] = [];
    const next = (count: number): Promise<void> =>
      new Promise((resolve) => {
        files.onDidChangeFile((events) => {
          types.push(...events.map(({ type }) => type));
          if (types.length >= count) resolve();
        });
      });
    textDocuments = [{ uri: uriOf(path) }];
    const changed = next(1);
    files.sessionsChanged({ changed: new Set([path]), removed: new Set() });
    files.sessionsChanged({ changed: new Set([path]), removed: new Set() });
    await changed;
    assert.deepEqual(types.splice(0), [1]);
    files.sessionsChanged({ changed: new Set(), removed: new Set([path]) });
    assert.deepEqual(types.splice(0), [3]);
    const back = next(1);
    files.sessionsChanged({ changed: new Set([path, '/other.jsonl']), removed: new Set() });
    await back;
    assert.deepEqual([...new Set(types)], [2]);
    closed.fire({ uri: uriOf(path) });
    assert.equal(remembered(), 0);
  });

  it('is read-only', async () => {
    const uri = uriOf(path);
    assert.equal((await files.stat(uri)).permissions, 1);
    for (const call of ['writeFile', 'delete', 'rename', 'createDirectory'] as const)
      assert.throws(() => files[call](uri), { code: 'NoPermissions' }, call);
    assert.throws(() => files.readDirectory(uri), { code: 'FileNotADirectory' });
  });
});
