import assert from 'node:assert/strict';
import { appendFile, rm } from 'node:fs/promises';
import Module from 'node:module';
import * as vscode from 'vscode';
import { session, type SessionBuilder } from '../fixtures/build';
import { harmInHtml } from '../fuzz/markdownRenderers';
import { hostileSession } from './hostileTexts';
import { untilFrameShows } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { eventually, untilEqual } from './waiting';

const loader = Module as unknown as { _load: (request: string, parent: NodeJS.Module, ...rest: unknown[]) => unknown };

const talk = (cwd: string): SessionBuilder =>
  session({ cwd })
    .user('Which way?', { id: 'ask' })
    .assistant('Left or right.', { id: 'answer' })
    .user('Left.', { id: 'left' })
    .assistant('A wall.', { id: 'wall' })
    .branchFrom('answer')
    .user('Right.\n\n# No heading', { id: 'right' })
    .tool('read', { path: 'door.txt' }, 'oak')
    .assistant('A **door**.', { id: 'door' })
    .label('door', 'way out')
    .name('Doors: in/out');

/**
 * The preview's elements for text, emphasis, code, lists, quotes and tables. Lines and headings are marked for
 * scrolling and for links to them.
 */
const ELEMENTS = new Set('p h1 h2 h3 ul ol li blockquote pre code em strong s del hr br table thead tbody tr th td span div'.split(' '));
const ATTRIBUTE =
  /^(?:start="\d+"|data-line="\d+"|dir="auto"|id="[^"<>]*"|class="(?:code-line|hljs|language-|task-list)[\w +#-]*"|class="hljs-[\w -]+"|style="text-align:(?:left|center|right)")$/;

describe('markdown documents', () => {
  let path: string;
  editorSuite();
  beforeEach(async () => {
    path = await own.put('talk', talk(own.cwd));
  });

  const opened = async (ref: object): Promise<vscode.TextDocument> => {
    const { uri } = await run<{ uri: string }>('openMarkdown', ref);
    return vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  };

  it('offer to reload the window if a part of the extension can’t be loaded, and open later if it can', async () => {
    await run('copyPath', { path });
    const inner = loader._load;
    const dist = vscode.extensions.all.find(
      ({ packageJSON }) => (packageJSON as { name?: string }).name === 'pi-session-tree',
    )!.extensionPath;
    loader._load = function (request, parent, ...rest) {
      if (request.startsWith('./') && parent.filename.startsWith(dist))
        throw Object.assign(new Error(`Cannot find module '${request}'`), { code: 'MODULE_NOT_FOUND' });
      return inner.call(this, request, parent, ...rest);
    };
    try {
      for (const [command, args] of [
        ['openMarkdown', { row: 'session', path }],
        ['openChanges', { row: 'session', path }],
        ['toggleSessionBlame', {}],
      ] as const) {
        await run(command, args).then(undefined, () => undefined);
        await driver.waitFor('.notification-toast .monaco-button >> text=Reload Window');
        assert.deepEqual(await driver.texts('.notification-toast .notification-list-item-message'), [
          'A part of this extension couldn’t be loaded, perhaps because the extension was updated. Reload the window.',
        ]);
        await vscode.commands.executeCommand('notifications.clearAll');
      }
    } finally {
      loader._load = inner;
    }
    assert.match((await opened({ path })).getText(), /^# Doors/);
  });

  it('hold the whole active branch, as a person reads it', async () => {
    const document = await opened({ path });
    assert.equal(document.languageId, 'markdown');
    assert.equal(
      document.getText(),
      `# Doors: in/out

- Program: pi
- Folder: \`${own.cwd}\`
- Started: 2026-01-02 10:00:00 UTC
- Model: anthropic/claude-x
- Thinking level: off
- Session: \`01a1fa45-0000-7000-8000-000000000001\`

## User · 10:00:00

> Which way?

## Assistant · anthropic/claude-x · 10:00:01

Left or right.

*2 attempts:* “Left.” was abandoned, &#36;0.04 · **“Right. \\# No heading” was kept**

## User · 10:00:04

> Right.
>
> **No heading**

## Assistant · anthropic/claude-x · 10:00:05

**Tool** \`read\`

- path: \`door.txt\`

Result:

\`\`\`
oak
\`\`\`

## Assistant · anthropic/claude-x · 10:00:07 · 🏷 way out

A **door**.

*title: Doors: in/out*
`,
    );
    await untilEqual(() => vscode.window.activeTextEditor?.document.uri.toString(), document.uri.toString());
    await untilEqual(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'Doors in out.md');
  });

  it('hold the branch of an entry', async () => {
    const text = (await opened({ path, entryId: 'wall' })).getText();
    assert.match(text, /A wall\./);
    assert.doesNotMatch(text, /door/);
  });

  it('have nothing of hostile sessions that the editor’s preview would load, run or link', async () => {
    const hostile = hostileSession(own.cwd);
    const document = await opened({ path: await own.put('hostile', hostile) });
    assert.match(document.getText(), /evil\.example/);
    // Foreign Markdown is rendered from a string: the editor would open a tab for a document that isn't saved, a while later.
    const rendered = (of: vscode.TextDocument | string): Thenable<string> =>
      vscode.commands.executeCommand<string>('markdown.api.render', of);
    const empty = harmInHtml(await rendered(''));
    /** Returns the elements that the preview renders for a document, besides those that every document has. */
    const harmIn = async (of: vscode.TextDocument | string): Promise<string[]> =>
      harmInHtml(await rendered(of), ELEMENTS, ATTRIBUTE).filter((element) => !empty.includes(element));
    assert.match(await rendered(document), /evil\.example/);
    assert.deepEqual(await harmIn(document), []);
    // Foreign Markdown shows that the check sees the elements of the preview.
    const content = '<img src=x>\n\n[a](https://x.example)\n\n$x$\n\n```mermaid\ngraph\n```';
    const found = (await harmIn(content)).join(' ');
    for (const what of [/<img/, /<a /, /katex/, /mermaid/]) assert.match(found, what);
  });

  it('open in the editor’s preview', async () => {
    await run('openMarkdown', { path, preview: true });
    await untilFrameShows('Doors in out.md', 'strong >> text=door');
  });

  it('follow the session while they are open, under an unchanged address', async () => {
    const document = await opened({ path });
    const line = {
      type: 'message',
      id: 'more',
      parentId: 'door',
      timestamp: '2026-01-02T11:00:00.000Z',
      message: { role: 'user', content: 'Open it.' },
    };
    await appendFile(path, `${JSON.stringify(line)}\n`);
    await run('refresh');
    await eventually('the new message', () => document.getText().includes('Open it.'));
    await run('rename', { path, name: 'Gates', force: true });
    assert.equal(await opened({ path }), document);
  });

  it('are read-only files, so that the editor opens them again after a reload', async () => {
    const document = await opened({ path, entryId: 'wall' });
    const { uri } = document;
    assert.equal(vscode.workspace.fs.isWritableFileSystem(uri.scheme), false);
    assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)), document.getText());
    for (const work of [vscode.workspace.fs.writeFile(uri, new Uint8Array()), vscode.workspace.fs.delete(uri)])
      await assert.rejects(Promise.resolve(work));
    const nothing = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: uri.scheme, path: '/no.md', query: 'nothing' }));
    assert.match(nothing.getText(), /^> This address doesn’t name a session/);
  });

  it('report that their session is gone', async () => {
    const document = await opened({ path });
    await rm(path);
    await run('refresh');
    await eventually('the notice', () => /^> This session file doesn’t exist/.test(document.getText()));
  });
});
