import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type * as commentThreads from '../../../src/ui/safe/commentThreads';
import type * as vscode from 'vscode';
import type * as commands from '../../../src/ui/safe/registerCommand';
import type * as inputs from '../../../src/ui/safe/quickInput';
import type * as decorations from '../../../src/ui/safe/lineDecorations';
import type * as lazy from '../../../src/ui/loadCode';
import type * as logs from '../../../src/ui/log';
import type * as messages from '../../../src/ui/safe/messages';
import type * as sentence from '../../../src/ui/localize';
import type * as statusBar from '../../../src/ui/safe/statusBar';
import type * as terminals from '../../../src/ui/safe/terminals';
import type * as treeView from '../../../src/ui/safe/treeView';
import { SessionError } from '../../../src/core/index';
import { requireWithVscode, type Call } from '../../fixtures/fakeVscode';

const UI = join(__dirname, '../../../src/ui');
const EVIL = 'a\u202e\n[Details](command:x.y) $(bug) \u001b[1m[z](https://127.0.0.1/) \u0007';
/** Matches everything harmful in `EVIL` except the line break, which `harmful` checks. */
const HARM = /\]\(|\$\(|[\u0000-\u0009\u000b-\u001f\u202e]/; // eslint-disable-line no-control-regex -- control characters are part of what this matches

/** Returns the property paths of unsafe texts in a value. Functions and the editor's own objects are skipped. */
function harmful(value: unknown, path = '', allowed: readonly string[] = []): string[] {
  if (typeof value === 'string') return HARM.test(value) || (value.includes('\n') && !allowed.includes(path)) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => harmful(inner, `${path}.${name}`, allowed));
}

interface Used<T> {
  readonly ui: T;
  readonly calls: readonly Call[];
}

function use(name: string, made?: Readonly<Record<string, unknown>>): Used<unknown> {
  const { loaded, calls } = requireWithVscode(join(UI, `${name}.js`), made);
  return { ui: loaded, calls };
}

const treeItem = (fields: object): vscode.TreeItem => fields;

describe('Text shown in the editor', () => {
  it('passes through modules that are all tested here', () => {
    assert.deepEqual(
      readdirSync(UI, { recursive: true, encoding: 'utf8' })
        .map((name) => name.replaceAll('\\', '/'))
        .filter((name) => name.endsWith('.js'))
        .sort(),
      [
        // Shows nothing itself. commands/changeCounts.test.ts tests it.
        'changeCountText.js',
        // Shows nothing itself. tree/treeItems.test.ts tests it.
        'entryRoles.js',
        // Shows nothing itself. commands/usage.test.ts tests it.
        'formatNumbers.js',
        // Shows nothing itself. commands/languageModels.test.ts tests it.
        'languageModelApi.js',
        'loadCode.js',
        // Shows nothing itself.
        'localWindow.js',
        'localize.js',
        'log.js',
        // Shows nothing itself. tree/labelsView.test.ts tests it.
        'rowAges.js',
        // Shows nothing itself. commandLink.test.ts tests it.
        'safe/commandLink.js',
        'safe/commentThreads.js',
        'safe/lineDecorations.js',
        'safe/messages.js',
        'safe/quickInput.js',
        'safe/registerCommand.js',
        'safe/sanitizingProxy.js',
        'safe/statusBar.js',
        'safe/terminals.js',
        'safe/treeView.js',
        // Shows nothing itself.
        'windowTurn.js',
        // Shows nothing itself.
        'workspaceFolders.js',
      ],
    );
  });

  it('is safe in every argument of every message', () => {
    const { ui, calls } = use('safe/messages') as Used<typeof messages>;
    const done: Record<keyof typeof ui, () => unknown> = {
      showInformation: () => ui.showInformation(EVIL, EVIL, EVIL),
      showWarning: () => ui.showWarning(EVIL, EVIL),
      showError: () => ui.showError(EVIL, EVIL),
      showModal: () => ui.showModal({ question: EVIL, detail: EVIL }, EVIL, EVIL),
      setStatusBarMessage: () => ui.setStatusBarMessage(EVIL, 10),
      withProgress: () => {
        const reports: unknown[] = [];
        void ui.withProgress({ location: { viewId: 'x' }, title: EVIL }, (progress) => {
          progress.report({ message: EVIL, increment: 3 });
          progress.report({ increment: 4 });
          return Promise.resolve();
        });
        const task = calls.at(-1)!.args[1] as (progress: { report: (step: unknown) => void }) => unknown;
        void task({ report: (step) => reports.push(step) });
        assert.deepEqual(harmful(reports), []);
        assert.deepEqual(reports[1], { increment: 4 });
      },
    };
    assert.deepEqual(Object.keys(ui).sort(), Object.keys(done).sort());
    for (const run of Object.values(done)) run();
    assert.equal(calls.length, 6);
    // The detail of a dialog may have line breaks.
    assert.deepEqual(
      calls.flatMap(({ name, args }) => harmful(args, name, ['window.showWarningMessage.1.detail'])),
      [],
    );
    assert.match((calls[3]!.args[1] as { detail: string }).detail, /^a⟦RLO⟧\n\[Details\]\u2060\(command:x\.y\) \$\u2060\(bug\)/);
    assert.deepEqual(
      calls.map(({ name, args }) => [name, args.length]),
      [
        ['window.showInformationMessage', 3],
        ['window.showWarningMessage', 2],
        ['window.showErrorMessage', 2],
        ['window.showWarningMessage', 4],
        ['window.setStatusBarMessage', 2],
        ['window.withProgress', 2],
      ],
    );
  });

  it('is safe in quick picks and input boxes, whose items stay the same objects', async () => {
    let hidden = 0;
    const native = {
      title: '',
      placeholder: '',
      items: [] as vscode.QuickPickItem[],
      activeItems: [] as unknown[],
      value: '',
      hide() {
        hidden += this === native ? 1 : 0;
      },
    };
    const { ui, calls } = use('safe/quickInput', { 'window.createQuickPick': native }) as Used<typeof inputs>;
    assert.deepEqual(Object.keys(ui).sort(), [
      'createFilledQuickPick',
      'createQuickPick',
      'showInputBox',
      'showInputBoxWithButton',
      'showSaveDialog',
    ]);
    const picker = ui.createQuickPick();
    const item = { label: EVIL, description: EVIL, detail: EVIL };
    picker.title = EVIL;
    picker.placeholder = EVIL;
    picker.items = [item, { label: 'x' }];
    picker.activeItems = [item];
    picker.value = EVIL;
    picker.hide();
    assert.deepEqual(harmful({ ...native, value: '' }), []);
    assert.equal(native.items[0], item);
    assert.equal(picker.activeItems[0], item);
    assert.deepEqual([native.value, hidden, native.items[1]], [EVIL, 1, { label: 'x' }]);

    const many = Array.from({ length: 2_000 }, () => ({ label: EVIL, description: EVIL, detail: EVIL }));
    const given = [...many];
    const filled = ui.createFilledQuickPick(given);
    // What is added meanwhile isn't shown.
    given.push({ label: EVIL, description: EVIL, detail: EVIL });
    const { title } = Object.assign(await filled, { title: EVIL });
    assert.equal(native.items.length, many.length);
    assert.ok(native.items.every((one, index) => one === many[index]));
    assert.deepEqual(harmful([native.items, title]), []);

    void ui.showInputBox({ title: EVIL, prompt: EVIL, placeHolder: EVIL, value: EVIL, ignoreFocusOut: true });
    const { value, ...options } = calls.at(-1)!.args[0] as vscode.InputBoxOptions;
    assert.deepEqual(harmful(options), []);
    assert.deepEqual([value, Object.keys(options)], [EVIL, ['title', 'prompt', 'placeHolder', 'ignoreFocusOut']]);

    const box = {
      ...{ title: '', prompt: '', placeholder: '', value: '', buttons: [] as unknown[] },
      ...{ onDidAccept: () => undefined, onDidHide: () => undefined, show: () => undefined },
      onDidTriggerButton: (press: () => void) => press(),
      dispose: () => undefined,
    };
    const { ui: boxes } = use('safe/quickInput', { 'window.createInputBox': box }) as Used<typeof inputs>;
    const button = { iconPath: { id: 'sparkle' }, tooltip: 'x' } as unknown as vscode.QuickInputButton;
    assert.equal(await boxes.showInputBoxWithButton({ title: EVIL, prompt: EVIL, placeHolder: EVIL, value: EVIL }, button), null);
    assert.deepEqual(harmful([box.title, box.prompt, box.placeholder]), []);
    assert.deepEqual([box.value, box.buttons], [EVIL, [button]]);

    void ui.showSaveDialog({ title: EVIL });
    assert.deepEqual(harmful(calls.at(-1)!.args), []);
  });

  it('is safe in items of the status bar, whose only icon is their own', () => {
    const shown: string[] = [];
    const native = {
      text: '',
      tooltip: '',
      name: '',
      accessibilityInformation: {},
      show: () => shown.push('shown'),
      hide: () => shown.push('hidden'),
    };
    const { ui } = use('safe/statusBar', { 'window.createStatusBarItem': native }) as Used<typeof statusBar>;
    assert.deepEqual(Object.keys(ui), ['createStatusBarItem']);
    const item = ui.createStatusBarItem('id', EVIL, 'record', 'command');
    item.show({ text: EVIL, tooltip: EVIL, label: EVIL });
    item.show(undefined);
    const icon = '$(record) ';
    assert.ok(native.text.startsWith(icon));
    assert.deepEqual(harmful({ ...native, text: native.text.slice(icon.length) }, '', ['.tooltip']), []);
    assert.deepEqual(shown, ['shown', 'hidden']);
  });

  it('is safe in names of terminals, tooltips of their links, and errors of their profiles', async () => {
    const { ui, calls } = use('safe/terminals') as Used<typeof terminals>;
    assert.deepEqual(Object.keys(ui).sort(), [
      'createTerminal',
      'onShellCommand',
      'pasteInto',
      'registerTerminalLinks',
      'registerTerminalProfile',
      'runningTerminals',
    ]);
    const program = { cwd: '/a', shellPath: '/b', shellArgs: ['c'] };
    ui.createTerminal({ ...program, name: EVIL });
    ui.createTerminal(program);
    assert.deepEqual(harmful(calls[0]!.args), []);
    assert.deepEqual(calls[1]!.args, [program]);
    ui.registerTerminalLinks(
      EVIL,
      () => [{ start: 0, length: 1, target: 'x' }],
      () => undefined,
    );
    const links = calls[2]!.args[0] as vscode.TerminalLinkProvider;
    assert.deepEqual(harmful(links.provideTerminalLinks({ line: 'x' } as vscode.TerminalLinkContext, {} as vscode.CancellationToken)), []);
    ui.registerTerminalProfile('id', () => Promise.reject(new Error(EVIL)));
    const profiles = calls[3]!.args[1] as vscode.TerminalProfileProvider;
    await assert.rejects(
      Promise.resolve(profiles.provideTerminalProfile({} as vscode.CancellationToken)),
      (error: Error) => harmful(error.message).length === 0,
    );
  });

  it('is no key in what is pasted into programs', () => {
    const { ui } = use('safe/terminals') as Used<typeof terminals>;
    const sent: string[] = [];
    const terminal = { sendText: (text: string) => sent.push(text) } as unknown as vscode.Terminal;
    ui.pasteInto(terminal, 'a\tb\r\nc\u001b[201~\u009b201~\u0003\r/quit');
    assert.deepEqual(sent, ['\u001b[200~a\tb\nc[201~201~\n/quit\u001b[201~']);
  });

  it('is safe in threads of comments, where the person’s own text is plain text as it was written', () => {
    const { ui } = use('safe/commentThreads') as Used<typeof commentThreads>;
    const thread = {} as vscode.CommentThread;
    const shown = {
      range: { isEqual: () => true } as unknown as vscode.Range,
      label: EVIL,
      contextValue: 'draft',
      isResolved: false,
      comments: [
        { author: EVIL, text: EVIL, isOwn: true },
        { author: EVIL, text: EVIL, isOwn: false },
      ],
    };
    ui.showThread(thread, shown);
    assert.deepEqual(harmful([thread.label, thread.comments.map(({ author }) => author)]), []);
    const bodies = thread.comments.map(({ body }) => body);
    // A string is shown as text, and Markdown isn't.
    assert.deepEqual([typeof bodies[0], typeof bodies[1], bodies[0]], ['string', 'string', EVIL]);
    assert.deepEqual(harmful({ answer: bodies[1] }, '', ['.answer']), []);
    ui.beginEditing(thread);
    const edited = thread.comments;
    ui.showThread(thread, shown);
    assert.equal(thread.comments, edited, 'editing goes on');
    ui.endEditing(thread);
    ui.showThread(thread, shown);
    assert.notEqual(thread.comments, edited);
  });

  it('leaves the parents and changes of a tree to its provider, even an instance of a class', () => {
    const { ui, calls } = use('safe/treeView', { 'window.createTreeView': {} }) as Used<typeof treeView>;
    const changes = (() => undefined) as unknown as vscode.Event<undefined>;
    class Provider implements vscode.TreeDataProvider<string> {
      private readonly root = 'root';
      get onDidChangeTreeData(): vscode.Event<undefined> {
        return changes;
      }
      getChildren(): string[] {
        return [];
      }
      getTreeItem(): vscode.TreeItem {
        return treeItem({ label: 'x' });
      }
      getParent(): string {
        return this.root;
      }
    }
    ui.createTreeView('id', { treeDataProvider: new Provider() });
    const { treeDataProvider: provider } = calls[0]!.args[1] as vscode.TreeViewOptions<string>;
    assert.equal(provider.onDidChangeTreeData, changes);
    assert.equal(provider.getParent!('a'), 'root');
  });

  it('is safe in tree rows, view titles and errors of tree views', async () => {
    const native = { message: '', description: '', title: '' };
    const { ui, calls } = use('safe/treeView', { 'window.createTreeView': native }) as Used<typeof treeView>;
    assert.deepEqual(Object.keys(ui).sort(), ['assertRowExists', 'createTreeView']);
    const evilItem = (element: string): vscode.TreeItem =>
      treeItem({
        label: element === 'a' ? EVIL : { label: EVIL, highlights: [[0, 1]] },
        description: EVIL,
        tooltip: EVIL,
        accessibilityInformation: { label: EVIL, role: 'treeitem' },
      });
    const view = ui.createTreeView('id', {
      treeDataProvider: {
        getChildren: (parent?: string) => (parent === undefined ? ['a', 'b'] : Promise.reject(new Error(EVIL))),
        getTreeItem: evilItem,
        resolveTreeItem: (_, element) => (element === 'a' ? evilItem(element) : Promise.reject(new Error(EVIL))),
      },
    });
    Object.assign(view, { message: EVIL, title: EVIL, description: EVIL });
    assert.deepEqual(harmful(native), []);
    Object.assign(view, { message: undefined });
    assert.equal(native.message, undefined);
    const { treeDataProvider: provider } = calls[0]!.args[1] as vscode.TreeViewOptions<string>;
    assert.deepEqual(await provider.getChildren(), ['a', 'b']);
    for (const element of ['a', 'b']) assert.deepEqual(harmful(provider.getTreeItem(element), '', ['.tooltip']), []);
    assert.deepEqual(
      harmful(await provider.resolveTreeItem!(treeItem({ label: 'x' }), 'a', {} as vscode.CancellationToken), '', ['.tooltip']),
      [],
    );
    const rejections = await Promise.allSettled([
      provider.getChildren('a'),
      provider.resolveTreeItem!(treeItem({ label: 'x' }), 'b', {} as vscode.CancellationToken),
    ]);
    assert.deepEqual(
      rejections.flatMap((one) => (one.status === 'rejected' ? harmful((one.reason as Error).message) : ['no rejection'])),
      [],
    );
  });

  it('is safe in the errors of commands, which the editor shows if a key or a link ran them', async () => {
    const { ui, calls } = use('safe/registerCommand') as Used<typeof commands>;
    assert.deepEqual(Object.keys(ui), ['registerCommand']);
    const errors: readonly unknown[] = [
      Object.assign(new Error(EVIL), { code: 'ENOENT' }),
      new SessionError('invalid', `{x} ${EVIL}`, { x: EVIL }),
      EVIL,
    ];
    for (const error of errors) {
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- other code may reject with anything
      ui.registerCommand('id', () => Promise.reject(error));
      const run = calls.at(-1)!.args[1] as () => Promise<unknown>;
      const reason = await run().then(
        () => 'none',
        (caught: unknown) => caught,
      );
      assert.deepEqual(harmful(reason instanceof Error ? reason.message : reason), []);
      if (error instanceof Error) assert.equal(reason, error);
    }
    ui.registerCommand('id', (a: number, b: number) => a + b);
    assert.equal(await (calls.at(-1)!.args[1] as (a: number, b: number) => Promise<number>)(1, 2), 3);
  });

  it('begins each log record on a line of its own', () => {
    const lines: string[] = [];
    const write = (text: string): void => void lines.push(...text.split('\n'));
    const { ui } = use('log', { 'window.createOutputChannel': { info: write, warn: write, error: write } }) as Used<typeof logs>;
    const log = ui.openLog('x');
    const evil = `${EVIL}\n2026-01-01 00:00:00.000 [error] a record\n    at nothing${'x'.repeat(100_000)}`;
    log.info(evil);
    log.warn(evil);
    log.error(evil, 'doing this');
    log.error(new Error(evil), evil);
    assert.deepEqual(harmful(lines), []);
    assert.ok(lines.every((line) => line.length <= 4000));
    assert.equal(lines.filter((line) => !line.startsWith('    at ')).length, 4);
    assert.match(lines[2]!, /^doing this: a⟦RLO⟧ /);
    assert.ok(
      lines.some((line) => /^ {4}at .*ui\.test/.test(line)),
      'the stack',
    );
  });

  it('is one line in annotations of code, with every space', () => {
    const shown: { readonly renderOptions: { readonly after: { readonly contentText: string } } }[][] = [];
    const { ui } = use('safe/lineDecorations', { 'window.createTextEditorDecorationType': {} }) as Used<typeof decorations>;
    const editor = {
      document: { lineCount: 3, lineAt: (line: number) => ({ range: line }) },
      setDecorations: (_: unknown, options: never) => shown.push(options),
    };
    const lines = [EVIL, 'a   b', '', 'below the end'].map((text, line) => ({ line, text, hover: [text] }));
    new ui.LineDecorations('after', {}).show(editor as unknown as vscode.TextEditor, lines);
    assert.deepEqual(harmful(shown), []);
    const texts = shown[0]!.map(({ renderOptions }) => renderOptions.after.contentText.replaceAll('\u00a0', '_'));
    assert.deepEqual(texts.slice(1), ['a___b', '_']);
  });

  it('offers to reload the window, once at a time, if code can’t be loaded', async () => {
    const answers: ((answer: string | undefined) => void)[] = [];
    const answer = { then: (resolve: (chosen: string | undefined) => void) => void answers.push(resolve) };
    const { ui, calls } = use('loadCode', { 'window.showErrorMessage': answer }) as Used<typeof lazy>;
    const names = (): string[] => calls.map(({ name }) => name);
    const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const reasons: unknown[] = [];
    const reason = new Error('Cannot find module');
    const fail = async (): Promise<void> => {
      await assert.rejects(
        ui.loadCode(
          () => Promise.reject(reason),
          (given) => reasons.push(given),
        ),
        (error) => error !== reason,
      );
      await tick();
    };
    assert.equal(await ui.loadCode(() => Promise.resolve(7), assert.ifError), 7);
    await fail();
    await fail();
    assert.deepEqual([reasons, names()], [[reason, reason], ['window.showErrorMessage']]);
    assert.deepEqual(calls[0]?.args.slice(1), ['Reload Window']);
    answers.pop()?.(undefined);
    await tick();
    await fail();
    answers.pop()?.('Reload Window');
    await tick();
    assert.deepEqual(names().slice(1), ['window.showErrorMessage', 'commands.executeCommand']);
    assert.deepEqual(calls.at(-1)?.args, ['workbench.action.reloadWindow']);
  });

  it('makes something once, and again after a failure', async () => {
    const { ui } = use('loadCode', {}) as Used<typeof lazy>;
    const results = [Promise.reject(new Error('gone')), Promise.resolve(1), Promise.resolve(2)];
    const make = ui.once(() => results.shift() ?? assert.fail('made too often'));
    await assert.rejects(make(), /gone/);
    assert.deepEqual([await make(), await make()], [1, 1]);
  });

  it('logs a repeated warning once, and remembers the last 1,000 different ones', () => {
    const lines: string[] = [];
    const { ui } = use('log', { 'window.createOutputChannel': { warn: (text: string) => lines.push(text) } }) as Used<typeof logs>;
    const log = ui.openLog('x');
    for (let i = 0; i < 1000; i++) log.warnOnce(`warning ${i}`);
    for (let i = 0; i < 1000; i++) log.warnOnce(`warning ${i}`);
    assert.equal(lines.length, 1000);
    log.warnOnce(EVIL);
    log.warnOnce('warning 999');
    assert.equal(lines.length, 1001);
    log.warnOnce('warning 0');
    assert.equal(lines.length, 1002);
    assert.deepEqual(harmful(lines), []);
  });

  it('is safe in translated errors, which stay readable with any arguments', () => {
    const { ui } = use('localize') as Used<typeof sentence>;
    assert.deepEqual(Object.keys(ui).sort(), [
      'localizeError',
      'localizeFilter',
      'localizeForNotification',
      'localizeProblem',
      'localizeRow',
      'localizeSessionTitle',
      'localizeTitle',
    ]);
    const long = `${EVIL}${'x'.repeat(100_000)}`;
    const error = new SessionError('not-found', 'This folder doesn’t exist: {cwd}. Choose another one.', { cwd: long });
    for (const text of [
      ui.localizeProblem(error),
      ui.localizeForNotification(error),
      ui.localizeError(error),
      ui.localizeError(new Error(long)),
      ui.localizeError(long),
    ])
      assert.deepEqual(harmful(text), []);
    assert.match(ui.localizeProblem(error), /^This folder doesn’t exist: a[^]*[x…]\. Choose another one\.$/);
  });

  it('has ~ for the home folder in the paths of errors', () => {
    const { ui } = use('localize') as Used<typeof sentence>;
    const text = (path: string): string => ui.localizeProblem(new SessionError('not-found', 'Not found: {path}', { path }));
    const shown = [homedir(), join(homedir(), 'a', 'b.jsonl'), `${homedir()}er`, join('/x', homedir())].map(text);
    assert.deepEqual(shown, [
      'Not found: ~',
      `Not found: ${join('~', 'a', 'b.jsonl')}`,
      `Not found: ${homedir()}er`,
      `Not found: ${join('/x', homedir())}`,
    ]);
  });

  it('has the name of a long path in notifications, and other arguments as they are', () => {
    const { ui } = use('localize') as Used<typeof sentence>;
    const text = (path: string): string =>
      ui.localizeForNotification(new SessionError('not-found', '{title}: {path}', { title: 'x'.repeat(100), path }));
    const name = '2026-11-02T10-00-00-000Z_01a209db-10c8-706c-8606-706f5504d09e.jsonl';
    assert.equal(text(join(homedir(), 'a', name)), `${'x'.repeat(100)}: ${join('~', 'a', name)}`);
    assert.equal(text(join(homedir(), 'a'.repeat(100), name)), `${'x'.repeat(100)}: ${join('~', 'a'.repeat(9))}…${join('/', name)}`);
  });
});
