import assert from 'node:assert/strict';
import { appendFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { followSession, readSession, UntrustedPaths, type Session } from '../../../src/core/index';
import type { SessionRef } from '../../../src/contract';
import type * as viewsModule from '../../../src/context/host/panel/contextViews';
import type * as contentModule from '../../../src/context/host/panel/pageContent';
import type * as messagesModule from '../../../src/context/host/panel/pageMessages';
import type * as waitersModule from '../../../src/context/host/panel/renderWaiters';
import { readFileContext } from '../../../src/context/host/sessionFiles';
import { buildHeader } from '../../../src/context/snapshot/pageHeader';
import type { ContextSnapshot } from '../../../src/context/snapshot/contextSnapshot';
import type { FromPage, PageHeader, ToPage } from '../../../src/context/shared/protocol';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { fakeEditor, Uri, type FakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';

/** A webview panel whose page draws at once, unless a test takes its place. */
class FakePanel {
  constructor(readonly column = -1) {}
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
  const { PageContent } = loadWithVscode(
    join(__dirname, '../../../src/context/host/panel/pageContent.js'),
    fakeEditor().api,
  ) as typeof contentModule;
  const folder = testFolder();
  let editor: FakeEditor;
  let panels: FakePanel[];
  /** The page of a new panel is ready at once, unless a test replaces this. */
  let onNewPanel: (panel: FakePanel) => void;
  let views: viewsModule.ContextViews;
  let ran: unknown[];
  let revealed: SessionRef[];
  let known: Promise<Session> | undefined;
  let listed: { readonly id: string; readonly path: string }[];
  /** Reads sessions in place of the disk. */
  let onRead: ((path: string) => Promise<Session>) | undefined;
  let now: number;
  let serializer: { deserializeWebviewPanel(panel: FakePanel, state: unknown): Promise<void> };

  beforeEach(() => {
    editor = fakeEditor();
    [panels, ran, revealed, known, onRead, now, listed] = [[], [], [], undefined, undefined, 0, []];
    onNewPanel = (panel) => panel.send({ type: 'ready' });
    const createWebviewPanel = (_: string, __: string, { viewColumn }: { viewColumn: number }): FakePanel => {
      const panel = new FakePanel(viewColumn);
      panels.push(panel);
      queueMicrotask(() => onNewPanel(panel));
      return panel;
    };
    const { ContextViews } = loadWithVscode(join(__dirname, '../../../src/context/host/panel/contextViews.js'), {
      ...editor.api,
      window: {
        ...editor.api.window,
        createWebviewPanel,
        registerWebviewPanelSerializer: (_: string, given: typeof serializer) => {
          serializer = given;
          return { dispose: () => undefined };
        },
      },
    }) as typeof viewsModule;
    views = new ContextViews({
      extensionUri: Uri.file('/extension') as never,
      // Calls that overlap get the same session, as from the extension's store.
      session: (path) => onRead?.(path) ?? (known = known ? known.then((session) => followSession(session)) : readSession(path)),
      summaries: () => listed,
      summary: (path) => listed.find((each) => each.path === path),
      points: { filesHere: () => undefined, changeCount: () => Promise.resolve(undefined) },
      isProtected: () => false,
      isSubagent: () => false,
      fileUri: (path) => Uri.file(path) as never,
      untrustedPaths: new UntrustedPaths(),
      run: (command, ref) => ran.push([command, ref]),
      reveal: (ref) => revealed.push(ref),
      now: () => now,
      onError: (error) => assert.fail(String(error)),
    });
  });
  afterEach(() => views.dispose());

  const lines = (): SessionBuilder => session().user('needle one').assistant('two').user('needle three');
  const sessionFile = (): Promise<string> => folder.write('s.jsonl', lines().text());
  const show = async (ref: SessionRef, options?: Parameters<typeof views.show>[1]): Promise<FakePanel> => {
    await views.show(ref, options);
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
    views.sessionsChanged({ changed: new Set([path]), removed: new Set() });
    await until(() => lastOf(panel, 'update') !== undefined);
    const update = lastOf(panel, 'update')!;
    assert.deepEqual([update.from, update.lines.length, update.added], [3, 1, 1]);
    assert.equal(panel.types().filter((type) => type === 'open').length, opened);
  });

  it('show every state that they read of a session that grows each time', async () => {
    const path = await sessionFile();
    const panel = await show({ path });
    const more = lines();
    let left = 3;
    onRead = async () => {
      const before = more.text().length;
      if (left-- > 0) {
        await appendFile(path, more.assistant('more').text().slice(before));
        views.sessionsChanged({ changed: new Set([path]), removed: new Set() });
      }
      return (known = known!.then((session) => followSession(session)));
    };
    views.sessionsChanged({ changed: new Set([path]), removed: new Set() });
    await until(() => lastOf(panel, 'update')?.from === 5);
    assert.deepEqual(
      panel.posted.flatMap((message) => (message.type === 'update' ? [[message.from, message.added]] : [])),
      [
        [3, 1],
        [4, 1],
        [5, 1],
      ],
    );
  });

  describe('whose session changes while they read what their page requested', () => {
    const picture = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' };
    const withPicture = (): SessionBuilder =>
      session()
        .user([{ type: 'text', text: 'one' }, picture])
        .assistant('two');
    /** Returns the answers to requests of a page that shows the session as it is in its file by then. */
    const answers = async (changed: SessionBuilder, ...requests: FromPage[]): Promise<ToPage[]> => {
      const path = await folder.write('s.jsonl', withPicture().text());
      const before = await readSession(path);
      const content = { snapshot: await readFileContext(before), hasWarning: false };
      await writeFile(path, changed.text());
      const after = await readFileContext(await followSession(before));
      const { PageMessages } = loadWithVscode(
        join(__dirname, '../../../src/context/host/panel/pageMessages.js'),
        fakeEditor().api,
      ) as typeof messagesModule;
      const posted: ToPage[] = [];
      const page = { revision: 1, isConnected: true, post: (message: ToPage) => posted.push(message) };
      const messages = new PageMessages(page as never, content as never, {} as never, {} as never);
      const received = requests.map((request) => messages.receive(request, path));
      content.snapshot = after;
      page.revision = 2;
      await Promise.all(received);
      return posted;
    };
    const requests: FromPage[] = [
      { type: 'wantArticles', from: 0, to: 2 },
      { type: 'wantImage', index: 0, nth: 0 },
    ];

    it('send what is the same, as what the page shows by now', async () => {
      const posted = await answers(withPicture().user('three'), ...requests);
      assert.deepEqual(posted.map(({ type }) => type).sort(), ['articles', 'image']);
      const articles = posted.find((message) => message.type === 'articles');
      assert.deepEqual([articles?.revision, articles?.from, articles?.articles.map(({ kind }) => kind)], [2, 0, ['user', 'assistant']]);
    });

    it('send no article that changed', async () => {
      const labeled = withPicture().label(entryId(2), 'mark');
      const [articles] = await answers(labeled, { type: 'wantArticles', from: 0, to: 2 });
      assert.deepEqual(articles?.type === 'articles' && articles.articles.map(({ kind }) => kind), ['user']);
    });

    it('send nothing if the session was replaced', async () => {
      assert.deepEqual(await answers(session().user('other').assistant('words'), ...requests), []);
    });
  });

  it('report that the file changed, but not to a page that has the changed session by now', async () => {
    const path = await sessionFile();
    const before = await readFileContext(await readSession(path));
    await truncate(path, Buffer.byteLength(session().user('needle one').text()));
    const after = await readFileContext(await readSession(path));
    const { PageMessages } = loadWithVscode(
      join(__dirname, '../../../src/context/host/panel/pageMessages.js'),
      fakeEditor().api,
    ) as typeof messagesModule;
    /** @param then the snapshot that the page has when the request for the overview of the one before fails */
    const postedWith = async (then: ContextSnapshot): Promise<ToPage[]> => {
      const posted: ToPage[] = [];
      const page = { revision: 1, isConnected: true, post: (message: ToPage) => posted.push(message) };
      const content = { snapshot: before, hasWarning: false };
      const received = new PageMessages(page as never, content as never, {} as never, {} as never).receive({ type: 'wantOverview' }, path);
      content.snapshot = then;
      await received;
      return posted;
    };
    const [failed] = await postedWith(before);
    assert.match(failed?.type === 'failed' ? failed.message : '', /^The file changed while it was being read/);
    assert.deepEqual(await postedWith(after), []);
  });

  it('of an entry that is the leaf lead to no other leaf until the session grows', async () => {
    const path = await sessionFile();
    const panel = await show({ path, entryId: entryId(3) });
    const { location, atLeaf } = lastOf(panel, 'open')!.header;
    assert.deepEqual([location, atLeaf], ['Current leaf', true]);
    await appendFile(path, lines().assistant('four').text().slice(lines().text().length));
    views.sessionsChanged({ changed: new Set([path]), removed: new Set() });
    await until(() => lastOf(panel, 'update')?.header.atLeaf === false);
    assert.equal(lastOf(panel, 'update')?.header.location, 'At user: needle three');
  });

  it('read the session once if their page is ready while it’s read', async () => {
    const path = await sessionFile();
    let reads = 0;
    const whole = readSession(path);
    let finish = (): void => undefined;
    onRead = () => {
      reads++;
      return new Promise((resolve) => (finish = () => resolve(whole)));
    };
    const opening = views.show({ path });
    await until(() => reads === 1 && panels.length === 1);
    await new Promise((resolve) => setImmediate(resolve));
    finish();
    await opening;
    const panel = panels.at(-1)!;
    await until(() => lastOf(panel, 'branches') !== undefined);
    assert.deepEqual([reads, panel.types().filter((type) => type === 'open').length], [1, 1]);
  });

  it('send the last messages with the session if they are read before their page is ready', async () => {
    const posted: ToPage[] = [];
    const page = { isConnected: false, revision: 0, post: (message: ToPage) => posted.push(message) };
    const content = new PageContent(page as never);
    const snapshot = await readFileContext(await readSession(await sessionFile()));
    const header = buildHeader(snapshot, undefined);
    await content.show(snapshot, header, undefined, new AbortController().signal);
    page.isConnected = true;
    content.open();
    const [open] = posted;
    assert.ok(open?.type === 'open');
    assert.deepEqual([open.last?.from, open.last?.articles.map(({ entryId: id }) => id)], [0, [entryId(1), entryId(2), entryId(3)]]);
    // A page that was shown before keeps its position, which the host doesn't know.
    content.open();
    assert.ok(posted[1]?.type === 'open' && posted[1].last === undefined);
  });

  describe('whose session grows', () => {
    const connected = () => {
      const posted: ToPage[] = [];
      const page = { isConnected: true, revision: 0, post: (message: ToPage) => posted.push(message) };
      return { posted, content: new PageContent(page as never) };
    };
    /** Returns the session before it grew, and after it got one line, and another one. */
    const growFollowed = async () => {
      const path = await sessionFile();
      const more = lines();
      const grow = async (from: Session): Promise<Session> => {
        const before = more.text().length;
        await appendFile(path, more.assistant('more').text().slice(before));
        return followSession(from);
      };
      const before = await readSession(path);
      const after = await grow(before);
      return { before: await readFileContext(before), after: await readFileContext(after), last: await readFileContext(await grow(after)) };
    };
    const show = (content: contentModule.PageContent, snapshot: ContextSnapshot, signal = new AbortController().signal): Promise<void> =>
      content.show(snapshot, buildHeader(snapshot, undefined), undefined, signal);

    it('send the new messages with the update, and no others', async () => {
      const { posted, content } = connected();
      const { before, after } = await growFollowed();
      await show(content, before);
      await show(content, after);
      const [, update] = posted;
      assert.ok(update?.type === 'update');
      assert.deepEqual([update.from, update.last?.from, update.last?.articles.map(({ entryId: id }) => id)], [3, 3, [entryId(4)]]);
    });

    it('send nothing of it if another load begins before the new messages were read', async () => {
      const { posted, content } = connected();
      const { before, after } = await growFollowed();
      await show(content, before);
      const stop = new AbortController();
      const shown = show(content, after, stop.signal);
      stop.abort();
      await shown;
      assert.deepEqual(
        posted.map(({ type }) => type),
        ['open'],
      );
      assert.equal(content.snapshot, before);
    });

    it('show the state that was read last, although the messages of the one before were being read', async () => {
      const { posted, content } = connected();
      const { before, after, last } = await growFollowed();
      await show(content, before);
      const stop = new AbortController();
      const first = show(content, after, stop.signal);
      stop.abort();
      await Promise.all([first, show(content, last)]);
      assert.equal(content.snapshot, last);
      assert.deepEqual(
        posted.flatMap((message) => (message.type === 'update' ? [[message.from, message.lines.length]] : [])),
        [[3, 2]],
      );
    });
  });

  it('follow a session although the one that they showed before it is still being read', async () => {
    const path = await sessionFile();
    onRead = () => new Promise(() => undefined);
    views.show({ path: join(folder.path, 'never.jsonl') }).catch(() => undefined);
    await until(() => panels.length === 1);
    views.sessionsChanged({ changed: new Set([join(folder.path, 'never.jsonl')]), removed: new Set() });
    onRead = undefined;
    const panel = await show({ path });
    await appendFile(path, lines().assistant('four').text().slice(lines().text().length));
    views.sessionsChanged({ changed: new Set([path]), removed: new Set() });
    await until(() => lastOf(panel, 'update')?.from === 3);
  });

  describe('of a session whose file was moved', () => {
    let from: string;
    let to: string;
    let panel: FakePanel;
    beforeEach(async () => {
      from = await sessionFile();
      to = join(folder.path, 'moved.jsonl');
      onRead = readSession;
      panel = await show({ path: from, entryId: entryId(2) });
      await rename(from, to);
    });
    const move = async (): Promise<void> => void listed.push({ id: (await readSession(to)).header.id, path: to });
    const headers = (): PageHeader[] => panel.posted.flatMap((message) => ('header' in message ? [message.header] : []));
    const follows = (): Promise<void> => until(() => views.active()?.path === to && headers().at(-1)?.path === to);

    it('follow it', async () => {
      await move();
      views.sessionsChanged({ changed: new Set([to]), removed: new Set([from]) });
      await follows();
      assert.deepEqual(views.activeTarget(), { path: to, entryId: entryId(2) });
    });

    it('follow it if its new file is known later', async () => {
      views.sessionsChanged({ changed: new Set(), removed: new Set([from]) });
      await until(() => headers().at(-1)?.warning !== undefined);
      await move();
      views.sessionsChanged({ changed: new Set([to]), removed: new Set() });
      await follows();
    });

    it('read it where it is once they are shown again', async () => {
      await move();
      panel.hide();
      views.sessionsChanged({ changed: new Set([to]), removed: new Set([from]) });
      panel.reveal();
      panel.send({ type: 'ready' });
      await until(() => headers().at(-1)?.path === to);
    });

    it('stay where they are if it is only copied, or if another one appears', async () => {
      listed.push({ id: 'other', path: to });
      views.sessionsChanged({ changed: new Set([to]), removed: new Set([from]) });
      assert.equal(views.active()?.path, from);
      await rename(to, from);
      views.sessionsChanged({ changed: new Set([from]), removed: new Set() });
      listed = [{ id: (await readSession(from)).header.id, path: to }];
      views.sessionsChanged({ changed: new Set([to]), removed: new Set() });
      assert.equal(views.active()?.path, from);
    });
  });

  it('draw everything again when their page is new, as after being hidden', async () => {
    const path = await sessionFile();
    const panel = await show({ path });
    panel.hide();
    panel.posted.length = 0;
    views.sessionsChanged({ changed: new Set([path]), removed: new Set() });
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
    now += 1000;
    await views.show({ path }, { preserveFocus: true });
    assert.deepEqual(panel.reveals[1], [undefined, true]);
    assert.equal(panels.length, 1);
  });

  describe('scrolled to an entry', () => {
    // The first branch has the entries 1 to 3, the newer one 4 and 5 after the first entry.
    const branched = (): SessionBuilder => lines().branchFrom(entryId(1)).user('other').assistant('needle and pin');
    const query = { text: 'needle pin', matchCase: false, wholeWord: false, anyWord: true };
    const showEntry = async (ref: Required<SessionRef>, options?: Parameters<typeof views.showEntry>[1]): Promise<FakePanel> => {
      await views.showEntry(ref, options);
      await until(() => lastOf(panels.at(-1)!, 'go')?.entryId === ref.entryId);
      return panels.at(-1)!;
    };
    const headerOf = (panel: FakePanel) => lastOf(panel, 'open')!.header;

    it('show the session if the entry is on its current branch, otherwise the newest branch with the entry', async () => {
      const path = await folder.write('b.jsonl', branched().text());
      const panel = await showEntry({ path, entryId: entryId(4) }, { query });
      assert.deepEqual([headerOf(panel).atLeaf, lastOf(panel, 'open')?.lines.length], [true, 3]);
      await until(() => lastOf(panel, 'showMatches') !== undefined);
      assert.deepEqual(lastOf(panel, 'showMatches'), { type: 'showMatches', query, index: 1 });
      await showEntry({ path, entryId: entryId(2) }, { query });
      assert.equal(panels.length, 1);
      assert.equal(headerOf(panel).entryId, entryId(3));
      await until(() => lastOf(panel, 'showMatches')?.index === 1 && lastOf(panel, 'go')?.index === 1);
    });

    it('stay on the branch that they show', async () => {
      const path = await folder.write('b.jsonl', branched().text());
      const panel = await show({ path, entryId: entryId(3) });
      panel.posted.length = 0;
      await showEntry({ path, entryId: entryId(1) });
      assert.deepEqual(
        panel.types().filter((type) => type !== 'branches'),
        ['go'],
      );
    });

    it('use the full transcript if the model no longer gets the entry', async () => {
      const path = await folder.write(
        'c.jsonl',
        session().user('needle').assistant('two').compaction('sum', entryId(2)).user('three').text(),
      );
      const panel = await showEntry({ path, entryId: entryId(1) }, { query });
      assert.equal(headerOf(panel).view, 'transcript');
      await until(() => lastOf(panel, 'showMatches')?.index === 0);
    });

    it('refuse an entry that doesn’t exist', async () => {
      const path = await sessionFile();
      await assert.rejects(views.showEntry({ path, entryId: 'gone' }), { code: 'unknown-entry' });
      assert.equal(panels.length, 0);
    });
  });

  describe('the preview', () => {
    const one = { path: '', entryId: entryId(1) };
    const two = { path: '', entryId: entryId(2) };
    beforeEach(async () => {
      one.path = two.path = await sessionFile();
    });
    const isPreview = (panel: FakePanel): boolean | undefined => {
      const last: unknown = panel.posted.findLast((message) => message.type === 'open' || message.type === 'update');
      return (last as { header: { isPreview?: boolean } } | undefined)?.header.isPreview;
    };

    it('is replaced by the next context until it is kept open', async () => {
      const first = await show(one);
      await show(two);
      assert.deepEqual([panels.length, first.title, isPreview(first)], [1, 'needle one', true]);
      assert.deepEqual(editor.executed, [['setContext', 'sessionTree.contextIsPreview', true]]);
      await editor.commands.get('sessionTree.keepOpen')!();
      await until(() => isPreview(first) === false);
      assert.deepEqual(editor.executed.at(-1), ['setContext', 'sessionTree.contextIsPreview', false]);
      const second = await show(one);
      assert.deepEqual([panels.length, isPreview(second)], [2, true]);
      // An open context isn't opened twice.
      await views.show(two);
      assert.deepEqual([panels.length, first.reveals.length > 0], [2, true]);
    });

    it('is kept open, and gets the focus, by a double click on the row', async () => {
      const first = await show(one, { preserveFocus: true });
      now = 499;
      await views.show(one, { preserveFocus: true });
      await until(() => isPreview(first) === false);
      assert.deepEqual(first.reveals, [[undefined, undefined]]);
      const second = await show(two, { preserveFocus: true });
      now += 500;
      await views.show(two, { preserveFocus: true });
      assert.deepEqual([panels.length, isPreview(second), second.reveals], [2, true, []]);
    });

    it('isn’t used for contexts to the side, which are new each time', async () => {
      await show(one);
      const side = await show(one, { toSide: true });
      await show(one, { toSide: true });
      assert.deepEqual(
        panels.map(({ column }) => column),
        [-1, -2, -2],
      );
      assert.equal(isPreview(side), false);
    });

    it('is the preview again after a reload of the window, and the others aren’t', async () => {
      const restored = async (state: object): Promise<FakePanel> => {
        const panel = new FakePanel();
        await serializer.deserializeWebviewPanel(panel, state);
        panel.send({ type: 'ready' });
        await until(() => lastOf(panel, 'branches') !== undefined);
        return panel;
      };
      const kept = await restored({ ...one, view: 'transcript', preview: false });
      const preview = await restored({ ...two, preview: true });
      assert.deepEqual([isPreview(kept), isPreview(preview)], [false, true]);
      const { view, entryId: shown } = lastOf(kept, 'open')!.header;
      assert.deepEqual([view, shown], ['transcript', entryId(1)]);
      await views.show({ path: one.path });
      assert.deepEqual([panels.length, lastOf(preview, 'open')?.header.atLeaf], [0, true]);
    });
  });

  it('run the commands of their buttons and menus on the entry, or on the leaf', async () => {
    const path = await sessionFile();
    const panel = await show({ path });
    for (const action of [
      'openMarkdown',
      'exportSession',
      'branchHere',
      'label',
      'fork',
      'resume',
      'copyText',
      'copyLink',
      'openRaw',
    ] as const)
      panel.send({ type: 'runAction', action, entryId: entryId(1) });
    panel.send({ type: 'runAction', action: 'resume' });
    panel.send({ type: 'runAction', action: 'reveal', entryId: entryId(2) });
    assert.deepEqual(ran, [
      ...['openMarkdown', 'exportSession', 'branchHere', 'label', 'fork', 'resume', 'copyText', 'copyLink', 'openRaw'].map((name) => [
        `sessionTree.${name}`,
        { path, entryId: entryId(1) },
      ]),
      ['sessionTree.resume', { path, entryId: entryId(3) }],
    ]);
    assert.deepEqual(revealed, [{ path, entryId: entryId(2) }]);
  });

  it('report the entries that the person goes to', async () => {
    const path = await sessionFile();
    const panel = await show({ path });
    const gone: SessionRef[] = [];
    views.onDidNavigate((ref) => gone.push(ref));
    panel.send({ type: 'go', entryId: entryId(2) });
    await until(() => gone.length === 1);
    panel.send({ type: 'wantTarget', kind: 'user', by: 1, from: { position: 0, entryId: entryId(1) } });
    await until(() => gone.length === 2);
    panel.send({ type: 'wantTarget', kind: 'error', by: 1, from: { position: 0 } });
    panel.send({ type: 'runAction', action: 'leaf' });
    await until(() => gone.length === 3);
    assert.deepEqual(gone, [{ path, entryId: entryId(2) }, { path, entryId: entryId(3) }, { path }]);
  });

  it('know whether the page of the active one has the keyboard focus', async () => {
    const panel = await show({ path: await sessionFile() });
    assert.equal(views.hasFocus(), false);
    panel.send({ type: 'focus', hasFocus: true });
    assert.equal(views.hasFocus(), true);
    panel.active = false;
    assert.equal(views.hasFocus(), false);
    panel.active = true;
    panel.send({ type: 'focus', hasFocus: false });
    assert.equal(views.hasFocus(), false);
  });

  it('end with a cancellation when they are closed while they load, and at once', async () => {
    const path = await sessionFile();
    const { CancellationError } = editor.api;
    onNewPanel = (panel) => panel.dispose();
    await assert.rejects(views.show({ path }), CancellationError);
    onNewPanel = () => undefined;
    const waiting = views.show({ path });
    await until(() => panels.length === 2);
    await known;
    await new Promise((resolve) => setImmediate(resolve));
    panels.at(-1)!.dispose();
    await assert.rejects(waiting, CancellationError);
  });

  it('open no panel after the extension has ended', async () => {
    const opening = views.show({ path: await sessionFile() });
    views.dispose();
    await assert.rejects(opening, editor.api.CancellationError);
    assert.equal(panels.length, 0);
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
    const opened = () => editor.executed.filter(([id]) => id === 'openExternal');
    await until(() => opened().length >= 2);
    assert.deepEqual(
      opened().map(([id, uri]) => [id, (uri as Uri).scheme]),
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
    // A slow search reports its matches in parts.
    const found = panel.posted.filter((message) => message.type === 'found');
    assert.deepEqual(
      found.flatMap(({ counts }) => counts),
      [
        [0, 1],
        [2, 1],
      ],
    );
    assert.deepEqual(new Set(found.map(({ id }) => id)), new Set([2]));
    assert.equal(found.at(-1)?.through, 3);
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
