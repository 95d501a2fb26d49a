// Runs the commands that show something on hostile sessions: none of their text becomes a link, an icon, a command or a
// request.
import assert from 'node:assert/strict';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { session, type SessionBuilder } from '../fixtures/build';
import { Bait, reads } from './injectionBait';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { replace } from './replacements';
import { oldSession } from './temporarySessions';
import { eventually } from './waiting';

const INPUT = '.quick-input-widget:visible input';

describe('text of a hostile session', function () {
  editorSuite({ tall: true });
  let bait: Bait;
  before(async () => {
    bait = await Bait.lay();
    await vscode.commands.executeCommand('sessionTree.sessions.focus');
  });
  afterEach(async () => {
    await run('emptyTrash', {});
    assert.deepEqual(bait.taken(), { runs: 0, requests: [] });
  });
  after(() => bait.dispose());

  /** Returns a session with the text in every place that rows, lists and messages use. */
  const hostile = (cwd = `/gone/${bait.name}`): SessionBuilder => {
    const { text } = bait;
    const builder = session({ cwd })
      .user(text, { id: 'ask' })
      .assistant(text, { id: 'answer' })
      .user(text, { id: 'left' })
      .assistant(text, { id: 'wall' });
    return builder
      .branchFrom('answer')
      .user(text, { id: 'right' })
      .assistant(text, { id: 'door' })
      .label('answer', text)
      .label('wall', text)
      .raw(`{"${text}`)
      .name(text);
  };

  /** Waits until the text is shown, and checks that it is nothing but text. */
  const isText = async (surface: string, part: string, after = ''): Promise<void> => {
    await eventually(`“${part}” in ${surface}${after}`, async () =>
      (await driver.texts(surface)).some((text) => reads(text).includes(part)),
    );
    assert.deepEqual(await bait.found(), [], surface);
  };
  const MESSAGE = '.notification-list-item-message';
  /** Checks the list of notifications, because not each of many notifications is shown separately. */
  const isTextInNotification = async (part: string, after?: string): Promise<void> => {
    await vscode.commands.executeCommand('notifications.showList');
    await isText(`.notifications-center ${MESSAGE}`, part, after);
    // A click on it has no effect either.
    await driver.find(`.notifications-center ${MESSAGE}`).click({ position: { x: 60, y: 8 } });
    await vscode.commands.executeCommand('notifications.clearAll');
    await driver.waitFor(MESSAGE, { state: 'hidden' });
  };
  /** Presses a button in the list of notifications: the editor shows at most three in 800 ms separately, whichever test they are from. */
  const pressInNotification = async (button: string): Promise<void> => {
    await vscode.commands.executeCommand('notifications.showList');
    await driver.click(`.notifications-center .monaco-button >> text=${button}`);
    await vscode.commands.executeCommand('notifications.hideList');
  };
  const listed = (part: string): Promise<void> => isText('.quick-input-list .monaco-list-row', part);
  const leave = async (asked: Thenable<unknown>): Promise<void> => {
    await driver.press('Escape');
    await asked;
  };
  /** Replaces dialogs, which the editor refuses while tests run in it. They return the given answer, and their messages are collected. */
  const dialogs = (): readonly string[] => {
    const real = vscode.window.showWarningMessage;
    const texts: string[] = [];
    replace(vscode.window, {
      showWarningMessage: (text: string, options: unknown, ...items: string[]) => {
        if (typeof options !== 'object') return real(text, options as string, ...items);
        texts.push(text, (options as vscode.MessageOptions).detail ?? '', ...items);
        return Promise.resolve(items[0]);
      },
    });
    return texts;
  };

  it('would be links and icons if the editor received it unchanged @oldest', async () => {
    const becomes = (part: string, what: string): Promise<true> =>
      eventually(what, async () => (await bait.found()).some((element) => element.includes(part)));
    void vscode.window.showInformationMessage(bait.text);
    await driver.waitFor(MESSAGE);
    await becomes('sessionTreeTest.canary', 'a link in a message');
    await vscode.commands.executeCommand('notifications.clearAll');
    const asked = vscode.window.showInputBox({ prompt: bait.text, ignoreFocusOut: true });
    await driver.waitFor(INPUT);
    await becomes('sessionTreeTest.canary', 'a link in a prompt');
    await leave(asked);
    void vscode.window.showQuickPick([bait.text], { ignoreFocusOut: true });
    await driver.waitFor('.quick-input-list .monaco-list-row');
    await becomes('codicon-squirrel', 'an icon in a list');
  });

  it('is plain text in messages about sessions that can’t be resumed, opened, branched or compared @oldest', async () => {
    const path = await own.put(bait.name, hostile());
    const row = { row: 'session', path };
    await run('resume', row);
    await isTextInNotification(`folder no longer exists (/gone/${bait.name})`);
    await run('branchAndResume', { row: 'entry', path, entryId: 'left' });
    await isTextInNotification(`/gone/${bait.name}`);
    await run('newSession', { row: 'project', cwd: `/gone/${bait.name}` });
    if (await driver.find('.quick-input-widget').isVisible()) await driver.press('Enter');
    await isTextInNotification(`This folder doesn’t exist: /gone/${bait.name}`);
    const missing = join(own.folder, `no ${bait.name}.jsonl`);
    for (const command of [
      'showContext',
      'openMarkdown',
      'openRaw',
      'rename',
      'fork',
      'copyText',
      'goToTip',
      'migrate',
      'compareWithSelected',
    ]) {
      await run('selectForCompare', { path: missing });
      await run(command, { row: 'session', path: missing });
      await isTextInNotification(`${bait.name}.jsonl`, ` after ${command}`);
    }
    await run('showContext', { row: 'entry', path, entryId: bait.text });
    await isTextInNotification('This session has no entry [Details]');
    await writeFile(join(own.cwd, bait.name), '');
    await run('revealSession', vscode.Uri.file(join(own.cwd, bait.name)));
    await isTextInNotification(`This isn’t a session: ${own.cwd}/${bait.name}`);
    await assert.rejects(
      Promise.resolve(run('showContext', { path: missing })),
      (error: Error) => reads(error.message).includes(bait.name) && !error.message.includes('](') && !error.message.includes('$('),
    );
  });

  it('is plain text in prompts and messages of changes', async () => {
    const path = await own.put('changes', hostile());
    const ref = { row: 'entry', path, entryId: 'answer' };
    const PROMPT = '.quick-input-message';
    const labels = run('label', ref);
    await isText(PROMPT, `Leave empty to clear “${bait.name}`);
    await leave(labels);
    const label = run('label', { ...ref, entryId: 'left' });
    await isText(PROMPT, 'Label for “user: [Details](command');
    await leave(label);
    const name = run('rename', { row: 'session', path });
    await isText(PROMPT, `Leave empty to clear “${bait.name}`);
    await leave(name);
    await run('clearLabel', ref);
    await isTextInNotification(`Cleared label “${bait.name}`);
    await run('undo');
    await isTextInNotification(`Undid label: restored “${bait.name}`);
    const branch = run('branchHere', { ...ref, entryId: 'wall' });
    await driver.waitFor(INPUT);
    await driver.press('Enter');
    await branch;
    await isTextInNotification('The session continues after “assistant: [Details](command');
    await run('fork', ref);
    await isTextInNotification('Forked into a new session.');
    await run('undo');
    await isTextInNotification('Undid fork: moved “[Details](command');
  });

  it('is plain text in pending changes', async () => {
    const path = await own.put('waits', hostile());
    const { name } = bait;
    const lock = await open(join(own.folder, '.waits.jsonl.lock'), 'w');
    await lock.writeFile(`${process.ppid}:${Date.now()}\n`);
    await lock.close();
    const pendingCommand = run('rename', { row: 'session', path });
    await driver.waitFor(INPUT);
    await driver.find(INPUT).fill(name);
    await driver.press('Enter');
    await pendingCommand;
    await pressInNotification('Apply When Closed');
    await run('revealSession', { path });
    await isText('.part.sidebar .monaco-list-row', 'name “[Details](command');
    await rm(join(own.folder, '.waits.jsonl.lock'));
    await isTextInNotification(`Applied pending change: name “${name}”`);
  });

  it('is plain text in dialogs, in the trash and in reports', async () => {
    const path = await own.put(`deleted ${bait.name}`, hostile());
    await run('fork', { path });
    await own.put(`old ${bait.name}`, oldSession(`${own.cwd}/${bait.name}`, { text: bait.text }));
    const texts = dialogs();
    await run('migrateAll', { row: 'project', cwd: `${own.cwd}/${bait.name}` });
    await vscode.commands.executeCommand('notifications.showList');
    await isText(`.notifications-center ${MESSAGE}`, 'Migrated 1 session.');
    await pressInNotification('Show Report');
    await isText('.tabs-container .tab', 'Migration Report: [Details](command');
    await vscode.commands.executeCommand('notifications.clearAll');
    await run('delete', { row: 'session', path });
    await isTextInNotification('Moved to the trash: [Details](command');
    const pendingCommand = run('restore');
    await listed('[Details](command');
    await leave(pendingCommand);
    await run('emptyTrash');
    await isTextInNotification('Permanently deleted 1 session.');
    assert.equal(texts.filter((text) => reads(text).includes('[Details](command')).length, 5, texts.join('\n'));
    assert.deepEqual(
      texts.filter((text) => text.includes('](') || text.includes('$(')),
      [],
    );
  });

  it('is plain text in lists, also while the typed text is highlighted in them @oldest', async () => {
    const path = await own.put('lists', hostile().tool('read', { path: join(own.cwd, bait.name) }));
    // The list of projects has only folders that exist.
    await mkdir(join(own.cwd, bait.name), { recursive: true });
    await own.put('more', hostile(join(own.cwd, bait.name)));
    const seen = async (asked: Thenable<unknown>, part: string, typed = '\\'): Promise<void> => {
      await listed(part);
      await driver.screenshot(`list-${part.replaceAll(/\W/g, '')}.png`);
      // A backslash before an icon would be highlighted separately, and the rest would be an icon.
      await driver.find(INPUT).fill(typed);
      assert.deepEqual(await bait.found(), []);
      await leave(asked);
    };
    await seen(run('forkTo', { row: 'session', path }), bait.name);
    await seen(run('compare', { row: 'session', path }), `[${bait.name}`, 'squirrel');
    await vscode.commands.executeCommand('list.clear');
    await seen(run('label'), bait.name, 'Details');
    const search = run('search');
    await driver.waitFor(INPUT);
    await driver.find(INPUT).fill('squirrel');
    await seen(search, '(command:sessionTreeTest.canary', 'squirrel Details');
  });

  it('is plain text in rows, in their tooltips, and on tabs @oldest', async () => {
    const path = await own.put('rows', hostile(join(own.cwd, bait.name)));
    await own.put(`broken ${bait.name}`, 'no session\n');
    const ROW = '.part.sidebar .monaco-list-row';
    await run('revealSession', { path, entryId: 'door' });
    await isText(ROW, bait.name);
    await isText(`${ROW}.selected`, '[Details](command');
    // The project, both files in it, and the session's entries, a label, a branch and a line that isn't an entry.
    await eventually('six rows', async () => (await driver.texts(ROW)).map(reads).filter((text) => text.includes('[Details]')).length >= 6);
    // A hover ends when its row is replaced.
    await eventually('the hover', async () => {
      await driver.awayFromRows();
      await driver.page.locator(`${ROW}.selected`).first().hover();
      return await driver.waitFor('.monaco-hover', { timeout: 3_000 }).then(
        () => true,
        () => undefined,
      );
    });
    await isText('.monaco-hover', '[Details](command');
    await driver.screenshot('hostile-rows.png');
    for (const [command, tab] of [
      ['showContext', 'Details'],
      ['openMarkdownSource', '[Details]'],
      ['openMarkdown', '[Details]'],
    ] as const) {
      await run(command, { row: 'session', path });
      await isText('.tabs-container .tab', tab);
      // The list of tabs has their titles as rows.
      const tabs = vscode.commands.executeCommand('workbench.action.showAllEditors');
      await listed(tab);
      await leave(tabs);
    }
  });
});
