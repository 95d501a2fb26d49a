import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { DataTransfer } from 'vscode';
import type * as dropModule from '../../../src/tree/view/dropFiles';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

describe('Files that are dropped on the tree', () => {
  const editor = fakeEditor();
  const { dropFiles } = loadWithVscode(join(__dirname, '../../../src/tree/view/dropFiles.js'), {
    ...editor.api,
    Uri: {
      parse: (text: string) => {
        const [, scheme = '', authority = '', path = ''] = /^([a-z-]+):\/\/([^/]*)(.*)$/.exec(text) ?? [];
        if (path.startsWith('//')) throw new Error('the path begins with two slashes');
        return { scheme, authority, fsPath: authority === '' ? path : `//${authority}${path}` };
      },
    },
  }) as typeof dropModule;

  const imported: { paths: readonly string[]; project: string | undefined }[] = [];
  beforeEach(() => imported.splice(0));

  async function dropped(list: string, files: readonly object[] = [], project?: string): Promise<string[]> {
    const opened: string[] = [];
    const items = new Map<string, object>([
      ['text/uri-list', { asString: () => Promise.resolve(list), asFile: () => undefined }],
      ...files.map((uri, at) => [`file ${String(at)}`, { asFile: () => ({ uri }) }] as const),
    ]);
    await dropFiles(items as unknown as DataTransfer, project, {
      open: (path) => opened.push(path),
      importFiles: (paths, to) => imported.push({ paths, project: to }),
      needsImport: (path) => Promise.resolve(path.includes('rollout')),
    });
    return opened;
  }

  it('are opened if they are session files', async () => {
    assert.deepEqual(await dropped('# a comment\r\nfile:///s/a.jsonl\r\nfile:///s/a.txt\r\nhttps://x/b.jsonl'), ['/s/a.jsonl']);
    assert.deepEqual(await dropped('', [{ scheme: 'file', authority: '', fsPath: '/s/b.jsonl' }]), ['/s/b.jsonl']);
    assert.deepEqual(editor.messages, []);
  });

  it('are none of other computers, and no addresses that the editor refuses', async () => {
    assert.deepEqual(await dropped('file://server/share/a.jsonl\nfile:////x/b.jsonl\nfile:///s/c.jsonl'), ['/s/c.jsonl']);
    assert.deepEqual(await dropped('file://server/share/a.jsonl', [], '/work/demo'), []);
    assert.deepEqual([imported, editor.messages], [[], []]);
  });

  it('are refused with a reason if none is; the tree’s own rows are ignored', async () => {
    assert.deepEqual(await dropped('session-tree-raw:///s/a.jsonl'), []);
    assert.deepEqual(editor.messages, []);
    assert.deepEqual(await dropped('file:///s/a.txt'), []);
    assert.deepEqual(editor.messages, [['Drop a session file (.jsonl) here to open it, or on a project to import it.']]);
  });

  it('are imported into the project on whose row they are dropped', async () => {
    assert.deepEqual(await dropped('file:///s/a.jsonl\nfile:///s/b.html\nfile:///s/c.txt', [], '/work/demo'), []);
    assert.deepEqual(imported, [{ paths: ['/s/a.jsonl', '/s/b.html'], project: '/work/demo' }]);
  });

  it('are imported anywhere if they can’t be opened: exports, and sessions of other programs', async () => {
    assert.deepEqual(await dropped('file:///s/a.jsonl\nfile:///s/rollout-b.jsonl\nfile:///s/c.html'), ['/s/a.jsonl']);
    assert.deepEqual(imported, [{ paths: ['/s/rollout-b.jsonl', '/s/c.html'], project: undefined }]);
  });

  it('are ten at most', async () => {
    assert.equal((await dropped(Array.from({ length: 20 }, (_, at) => `file:///s/${String(at)}.jsonl`).join('\n'))).length, 10);
  });
});
