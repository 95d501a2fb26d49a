import * as assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { followSession, readSession, UntrustedPaths, type Session } from '../../../src/core/index';
import type { SessionRef } from '../../../src/contract';
import type * as viewsModule from '../../../src/context/host/panel/contextViews';
import type * as waitersModule from '../../../src/context/host/panel/renderWaiters';
import type { FromPage, ToPage } from '../../../src/context/shared/protocol';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { fakeEditor, Uri, type FakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';

/** A webview panel whose page draws at once, unless a test takes its place. */
class FakePanel {
  readonly posted: ToPage[] = [];
  readonly reveals: unknown[][] = [];
  visible = true;
  active = true;
  title = '';
  private readonly received = new FakeEmitter<unknown>();
  private readonly disposed = new FakeEmitter<undefined>();
  private readonly changed = new FakeEmitter<undefined>();
  readonly onDidDispose = this.disposed.event;
  readonly onDidChangeViewState = this.changed.event;
  readonly webview = {
    onDidReceiveMessage: this.received.event,
    asWebviewUri: (uri: Uri) => uri,
    postMessage: (message: ToPage) => {
      this.posted.push(message);
      if (message.type === 'open' || message.type === 'update') this.send({ type: 'rendered', revision: message.revision });
      return Promise.resolve(true);
    },
  };
  send(message: FromPage): void {
    this.received.fire(message);
  }
  reveal(...args: unknown[]): void {
    this.reveals.push(args);
    this.visible = true;
  }
  hide(): void {
    this.visible = false;
    this.changed.fire(undefined);
  }
  dispose(): void {
    this.disposed.fire(undefined);
  }
  types(): string[] {
    return this.posted.map(({ type }) => type);
  }
}

describe('Context views', () => {
  const folder = testFolder();
  let editor: FakeEditor;
  let panels: FakePanel[];
  let views: viewsModule.ContextViews;
  let ran: unknown[];
  let revealed: SessionRef[];
  let known: Promise<Session> | undefined;

  beforeEach(() => {
    editor = fakeEditor();
    [panels, ran, revealed, known] = [[], [], [], undefined];
    const createWebviewPanel = (): FakePanel => {
      const panel = new FakePanel();
      panels.push(panel);
      return panel;
    };
    const { ContextViews } = loadWithVscode(join(__dirname, '../../../src/context/host/panel/contextViews.js'), {
      ...editor.api,
      window: { ...editor.api.window, createWebviewPanel },
    }) as typeof viewsModule;
    views = new ContextViews({
      extensionUri: Uri.file('/extension') as never,
      // Calls that overlap get the same session, as from the extension's store.
      session: (path) => (known = known ? known.then((session) => followSession(session)) : readSession(path)),
      fileUri: (path) => Uri.file(path) as never,
      untrustedPaths: new UntrustedPaths(),
      run: (command, ref) => ran.push([command, ref]),
      reveal: (ref) => revealed.push(ref),
      onError: (error) => assert.fail(String(error)),
    });
  });
  afterEach(() => views.dispose());

  const lines = (): SessionBuilder => session().user('needle one').assistant('two').user('needle three');
  const sessionFile = (): Promise<string> => folder.write('s.jsonl', lines().text());
  /** Shows a session; its page is ready at once. */
  const show = async (ref: SessionRef, options?: Parameters<typeof views.show>[1]): Promise<FakePanel> => {
    const count = panels.length;
    const shown = views.show(ref, options);
    if (panels.length > count) panels.at(-1)!.send({ type: 'ready' });
    await shown;
    return panels.at(-1)!;
  };
  const lastOf = <T extends ToPage['type']>(panel: FakePanel, type: T): Extract<ToPage, { type: T }> | undefined =>
    panel.posted.findLast((message): message is Extract<ToPage, { type: T }> => message.type === type);

  it('open with all messages, and are only updated when the session grows', async () => {
    const path = await sessionFile();
    const panel = await show({ path });
    assert.equal(lastOf(panel, 'open')?.lines.length, 3);
    assert.deepEqual(panel.title, 'needle one');
    assert.ok(!panel.types().includes('update'));
    await appendFile(path, lines().assistant('four').text().slice(lines().text().length));
    const opened = panel.types().filter((type) => type === 'open').length;
    views.sessionsChanged([path], []);
    await until(() => lastOf(panel, 'update') !== undefined);
    const update = lastOf(panel, 'update')!;
    assert.deepEqual([update.from, update.lines.length, update.added], [3, 1, 1]);
    assert.equal(panel.types().filter((type) => type === 'open').length, opened);
  });

  it('draw everything again when their page is new, as after being hidden', async () => {
    const path = await sessionFile();
    const panel = await show({ path });
    panel.hide();
    panel.posted.length = 0;
    views.sessionsChanged([path], []);
    panel.reveal();
    panel.send({ type: 'ready' });
    await until(() => lastOf(panel, 'branches') !== undefined);
    assert.equal(panel.types()[0], 'open');
    assert.equal(lastOf(panel, 'open')?.lines.length, 3);
  });

  it('take the focus unless it is to be kept, and come to the front if they are hidden', async () => {
    const path = await sessionFile();
    const panel = await show({ path });
    await views.show({ path }, { preserveFocus: true });
    assert.deepEqual(panel.reveals, []);
    await views.show({ path });
    assert.deepEqual(panel.reveals, [[undefined, undefined]]);
    panel.visible = false;
    await views.show({ path }, { preserveFocus: true });
    assert.deepEqual(panel.reveals[1], [undefined, true]);
    assert.equal(panels.length, 1);
  });

  it('run the commands of their buttons and menus on the entry, or on the leaf', async () => {
    const path = await sessionFile();
    const panel = await show({ path });
    for (const action of ['openMarkdown', 'branchHere', 'label', 'fork', 'resume', 'copyText', 'copyLink', 'openRaw'] as const)
      panel.send({ type: 'act', action, entryId: entryId(1) });
    panel.send({ type: 'act', action: 'resume' });
    panel.send({ type: 'act', action: 'reveal', entryId: entryId(2) });
    assert.deepEqual(ran, [
      ...['openMarkdown', 'branchHere', 'label', 'fork', 'resume', 'copyText', 'copyLink', 'openRaw'].map((name) => [
        `sessionTree.${name}`,
        { path, entryId: entryId(1) },
      ]),
      ['sessionTree.resume', { path, entryId: entryId(3) }],
    ]);
    assert.deepEqual(revealed, [{ path, entryId: entryId(2) }]);
  });

  it('open links to web pages and mail in other programs, and no other links', async () => {
    const panel = await show({ path: await sessionFile() });
    for (const href of [
      'https://a.example/x',
      'mailto:me@a.example',
      'command:workbench.action.quit',
      'file:///etc/passwd',
      'vscode://x/y',
    ])
      panel.send({ type: 'openLink', href });
    await until(() => editor.executed.length >= 2);
    assert.deepEqual(
      editor.executed.map(([id, uri]) => [id, (uri as Uri).scheme]),
      [
        ['openExternal', 'https'],
        ['openExternal', 'mailto'],
      ],
    );
  });

  it('count the matches of the latest search only', async () => {
    const panel = await show({ path: await sessionFile() });
    const { revision } = lastOf(panel, 'open')!;
    const find = (id: number, text: string): void =>
      panel.send({ type: 'find', id, revision, query: { text, matchCase: false, wholeWord: false }, from: 0 });
    find(1, 'two');
    find(2, 'needle');
    await until(() => lastOf(panel, 'found')?.done === true);
    assert.deepEqual(
      panel.posted.filter(({ type }) => type === 'found'),
      [
        {
          type: 'found',
          id: 2,
          counts: [
            [0, 1],
            [2, 1],
          ],
          through: 3,
          done: true,
        },
      ],
    );
  });
});

describe('Waiting for the page to draw', () => {
  const { RenderWaiters, withRenderTimeout } = loadWithVscode(
    join(__dirname, '../../../src/context/host/panel/renderWaiters.js'),
    fakeEditor().api,
  ) as typeof waitersModule;
  const timers = async (): Promise<number> => {
    // A timer is one until its callback has returned.
    await new Promise((resolve) => setImmediate(resolve));
    return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  };

  it('ends when the page has drawn, when it is closed, and when it takes too long', async () => {
    const before = await timers();
    const waiters = new RenderWaiters();
    const drawn = waiters.wait(10_000);
    waiters.resolveAll();
    await drawn;
    const closed = [waiters.wait(10_000), waiters.wait(10_000)];
    waiters.rejectAll(new Error('closed'));
    for (const wait of closed) await assert.rejects(wait, /closed/);
    await assert.rejects(waiters.wait(1), { code: 'timeout' });
    assert.equal(await timers(), before, 'a timer was left');
  });

  it('limits the time of the work before it, and leaves no timer behind', async () => {
    const before = await timers();
    await withRenderTimeout(Promise.resolve(), 10_000);
    await assert.rejects(withRenderTimeout(Promise.reject(new Error('failed')), 10_000), /failed/);
    await assert.rejects(withRenderTimeout(new Promise(() => undefined), 1), { code: 'timeout' });
    assert.equal(await timers(), before);
  });
});
