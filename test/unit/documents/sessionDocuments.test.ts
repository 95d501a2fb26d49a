import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type * as uriModule from '../../../src/documents/documentUri';
import { RawAccess } from '../../../src/documents/rawAccess';
import type * as documentsModule from '../../../src/documents/sessionDocuments';
import { archiveIn, ompText, writeArchived } from '../../fixtures/archive';
import { readSession } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor, type FakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

const loadUris = ({ api }: FakeEditor): typeof uriModule =>
  loadWithVscode(join(__dirname, '../../../src/documents/documentUri.js'), api) as typeof uriModule;

describe('URIs of Markdown documents', () => {
  const { documentUri, parseDocumentUri } = loadUris(fakeEditor());

  it('identify the session, the entry and the fork point', () => {
    for (const ref of [
      { path: '/a.jsonl' },
      { path: '/a.jsonl', entryId: 'e1' },
      { path: '/a.jsonl', entryId: 'e1', since: 'e0' },
      { path: '/a.jsonl', entryId: 'e1', since: null },
      { path: '/a.jsonl', since: 'e0' },
    ])
      assert.deepEqual(parseDocumentUri(documentUri(ref, 'A title')), ref);
  });

  it('have a short title as file name, without characters that the editor interprets', () => {
    const name = (title: string): string => documentUri({ path: '/a.jsonl' }, title).path;
    assert.equal(name('Fix the cart'), '/Fix the cart.md');
    assert.equal(name('a/b: $(zap) #1\n?'), '/a b (zap) 1.md');
    assert.equal(name('..'), '/session.md');
    assert.equal(name('x'.repeat(50)), `/${'x'.repeat(50)}.md`);
    assert.equal(name('x'.repeat(51)), `/${'x'.repeat(49)}….md`);
  });
});

describe('The active Markdown document', () => {
  it('is the side of a comparison that has the focus', () => {
    const editor = fakeEditor();
    const { documentUri } = loadUris(editor);
    const { SessionDocuments } = loadWithVscode(
      join(__dirname, '../../../src/documents/sessionDocuments.js'),
      editor.api,
    ) as typeof documentsModule;
    const documents = new SessionDocuments({ session: () => assert.fail('a session was read'), onError: assert.ifError });
    const [original, modified] = ['e1', 'e2'].map((entryId) => documentUri({ path: '/a.jsonl', entryId, since: null }, 'A'));
    const { window, TabInputTextDiff } = editor.api;
    window.tabGroups.activeTabGroup.activeTab = { input: Object.assign(new TabInputTextDiff({}), { original, modified }) };
    assert.deepEqual(documents.active(), { path: '/a.jsonl', entryId: 'e2' });
    window.activeTextEditor = { document: { uri: original } };
    assert.deepEqual(documents.active(), { path: '/a.jsonl', entryId: 'e1' });
    documents.dispose();
  });
});

describe('A comparison of two documents', () => {
  const folder = testFolder();

  it('has the roles of both ends on its tab, in the display language', async () => {
    const editor = fakeEditor();
    const { t } = editor.api.l10n;
    editor.api.l10n.t = (text, ...args) => (text === 'user' ? 'Benutzer' : text === 'assistant' ? 'Assistent' : t(text, ...args));
    const { SessionDocuments } = loadWithVscode(
      join(__dirname, '../../../src/documents/sessionDocuments.js'),
      editor.api,
    ) as typeof documentsModule;
    const documents = new SessionDocuments({ session: (path) => readSession(path), onError: assert.ifError });
    const path = await folder.write('a.jsonl', session().user('one').assistant('two').text());
    await documents.compare({ path, entryId: entryId(1) }, { path, entryId: entryId(2) });
    documents.dispose();
    assert.equal(editor.executed.find(([command]) => command === 'vscode.diff')?.at(-1), 'Benutzer: one ↔ Assistent: two');
  });
});

describe('Access to raw files', () => {
  const folder = testFolder();

  it('follows a link to a file that is no session only if the person opened it', async function () {
    if (process.platform === 'win32') this.skip();
    const target = await folder.write('notes.txt', 'private');
    const link = join(folder.path, 's.jsonl');
    await symlink(target, link);
    const access = (opened: readonly string[]): RawAccess =>
      new RawAccess({
        rootsReady: () => Promise.resolve(),
        roots: () => [{ path: folder.path, dialect: 'pi', flat: true }],
        isOpened: (path) => opened.includes(path),
        isSession: () => Promise.resolve(false),
      });
    assert.equal((await access([link]).read(link)).toString(), 'private');
    await assert.rejects(access([]).read(link), { code: 'invalid', message: /links to a file that isn’t a session/ });
  });

  it('have the lines of an archived session, unpacked', async () => {
    const path = writeArchived(folder.path);
    const access = new RawAccess({
      rootsReady: () => Promise.resolve(),
      roots: () => [{ path: archiveIn(folder.path), dialect: 'omp', flat: false }],
      isOpened: () => false,
      isSession: () => Promise.resolve(false),
    });
    assert.equal((await access.read(path)).toString(), ompText(session().user('hello').assistant('hi')));
    await assert.rejects(access.read(path.replace('.jsonl.gz', '.tar.gz')), { code: 'invalid' });
  });
});
