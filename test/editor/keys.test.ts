import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import * as vscode from 'vscode';
import { entryId, session } from '../fixtures/build';
import { focusMessages, untilPageHasFocus } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { choose, menuTexts } from './menus';
import { answerDialogs } from './replacements';
import { linesOf } from './temporarySessions';
import { open, rows, showClosed } from './treeRows';
import { eventually } from './waiting';

const ROWS = '.part.sidebar .monaco-list-row[role="treeitem"]';
const INPUT = '.quick-input-widget input';

describe('keys and menus of rows', function () {
  editorSuite({ tall: true });
  let first: string;
  let second: string;
  beforeEach(async () => {
    first = await own.put('first', session({ cwd: own.cwd }).name('Above').user('q').assistant('a'));
    // Entries 1 to 3, then a branch that was left at 3, whose tip has a label.
    second = await own.put(
      'second',
      session({ cwd: own.cwd })
        .name('Below')
        .user('question')
        .assistant('answer')
        .user('on the way')
        .assistant('a tip')
        .label(entryId(5), 'the tip')
        .branchFrom(entryId(3))
        .user('elsewhere')
        .assistant('there')
        .label(entryId(2), 'asked'),
    );
    await showClosed();
    await open(own.cwd.split('/').at(-1)!);
  });

  const rowOf = (text: string): string => `${ROWS} >> text=${text}`;
  const shown = (): Promise<string> => driver.plainText(ROWS);
  const focused = (): Promise<string> => driver.plainText(`${ROWS}.focused`);

  /** Selects one session and moves the focus to another with an arrow key. The selection stays. */
  async function goFromTo(from: string, to: string): Promise<void> {
    await selectClosed(from);
    await driver.press((await isBefore(from, to)) ? 'ArrowDown' : 'ArrowUp');
    await eventually(`the focus on ${to}`, async () => (await focused()).includes(to));
  }

  /** Selects a session with a click, which shows its context and leaves it collapsed. */
  async function selectClosed(name: string): Promise<void> {
    await driver.click(rowOf(name));
    await eventually(`${name} with the focus`, async () => (await focused()).includes(name));
  }

  const isBefore = async (one: string, other: string): Promise<boolean> => {
    const names = (await rows()).map(({ name }) => name);
    return names.indexOf(one) < names.indexOf(other);
  };

  const openMenu = (text: string) => (): Promise<void> => driver.find(rowOf(text)).click({ button: 'right' });

  it('F2 renames the session with the focus, not the selected one', async () => {
    await goFromTo('Above', 'Below');
    await driver.press('F2');
    await eventually('its name', async () => (await driver.find(INPUT).inputValue()) === 'Below');
    await driver.press('Control+A');
    await driver.type('Renamed');
    await driver.press('Enter');
    await eventually('its new name', async () => (await shown()).includes('Renamed'));
    assert.equal((await linesOf(second)).at(-1)?.['name'], 'Renamed');
  });

  it('Delete deletes the session with the focus, not the selected one @oldest', async () => {
    await goFromTo('Above', 'Below');
    await driver.press('Delete');
    await eventually('it is gone', () => !existsSync(second));
    assert.ok(existsSync(first));
  });

  it('Delete deletes the whole selection if the focus is a part of it', async () => {
    await selectClosed('Above');
    await driver.press((await isBefore('Above', 'Below')) ? 'Shift+ArrowDown' : 'Shift+ArrowUp');
    await eventually('both to be selected', async () => (await driver.texts(`${ROWS}.selected`)).length === 2);
    await driver.press('Delete');
    await eventually('both are gone', () => !existsSync(first) && !existsSync(second));
  });

  it('a session that goes leaves the focus at its place', async () => {
    const names = async (): Promise<string[]> => (await rows()).map(({ name }) => name);
    await selectClosed('Above');
    const place = (await names()).indexOf('Above');
    const next = (await names())[(await isBefore('Above', 'Below')) ? place + 1 : place - 1];
    assert.equal(next, 'Below');
    await driver.press('Delete');
    await eventually(
      'the focus on the other session',
      async () => !(await names()).includes('Above') && (await focused()).includes('Below'),
    );
    await choose(openMenu('Below'), 'Archive');
    // It's the last one of its project, so its archive isn't beside another row.
    await eventually(
      'the focus on a row',
      async () => !existsSync(second) && (await focused()) !== '' && !(await focused()).includes('Below'),
    );
  });

  const runInPalette = async (title: string): Promise<void> => {
    await driver.press('F1');
    // Until the palette has the focus, the list of sessions would get the keys.
    await driver.waitFor(`${INPUT}:focus`);
    await driver.type(`Pi Session Tree: ${title}`);
    await eventually('the command', async () => (await driver.texts('.quick-input-list .monaco-list-row.focused')).join().includes(title));
    await driver.press('Enter');
  };

  it('Archive and Unarchive of the palette leave the focus on a row', async () => {
    await selectClosed('Above');
    await runInPalette('Archive');
    await eventually('the focus beside it', async () => !existsSync(first) && (await focused()).includes('Below'));
    await selectClosed('Above');
    await runInPalette('Unarchive');
    await eventually('the focus on it', async () => existsSync(first) && (await focused()).includes('Above'));
  });

  it('Clean Up of a project that goes leaves the focus on a row', async () => {
    const old = new Date(Date.UTC(2020, 0, 1));
    for (const path of [first, second]) await utimes(path, old, old);
    await run('refresh');
    const project = own.cwd.split('/').at(-1)!;
    answerDialogs('Move to Trash');
    await choose(openMenu(project), 'Clean Up Old Sessions…');
    const at = async (text: string): Promise<unknown> =>
      eventually(text, async () => (await driver.plainText('.quick-input-list .monaco-list-row.focused')).includes(text));
    await at('Older than 30 days');
    await driver.press('Enter');
    await at('Archive');
    await driver.press('ArrowDown');
    await at('Move to Trash');
    await driver.press('Enter');
    const selected = (count: number): Promise<unknown> =>
      eventually(`${count} selected`, async () => (await driver.texts('.quick-input-count')).join().startsWith(String(count)));
    await selected(0);
    await driver.pick('Above');
    await driver.pick('Below');
    await selected(2);
    await driver.press('Enter');
    await eventually('both are gone', () => !existsSync(first) && !existsSync(second));
    await eventually('the row is gone', async () => (await rows()).every(({ name }) => name !== project));
    await eventually('the focus on a row', async () => (await focused()) !== '');
  });

  it('Archive of the palette leaves the focus in the context view', async () => {
    await open('Below');
    await driver.click(rowOf('answer'));
    const frame = await driver.frame('pi-session-tree');
    await focusMessages(frame);
    // As the palette runs it, but with an end to wait for.
    await run('archive');
    assert.ok(!existsSync(second));
    await untilPageHasFocus(frame);
  });

  it('commands of the palette leave a selected row alone that is below a collapsed one', async () => {
    await open('Below');
    await driver.click(rowOf('answer'));
    await eventually('the focus', async () => (await focused()).includes('answer'));
    const tabs = (): readonly vscode.Tab[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await eventually('its context', () => tabs().length === 1);
    await vscode.window.tabGroups.close(tabs());
    await vscode.commands.executeCommand('sessionTree.sessions.focus');
    await driver.press('ArrowLeft');
    await eventually('the focus on the session', async () => (await focused()).includes('Below'));
    await driver.press('ArrowLeft');
    await eventually('it collapsed', async () => !(await shown()).includes('answer'));
    await runInPalette('Copy Path');
    await eventually('the question for a session', async () =>
      (await driver.texts('.quick-input-list .monaco-list-row')).join().includes('Above'),
    );
  });

  it('F2 edits the label of an entry', async () => {
    await open('Below');
    await driver.click(rowOf('answer'));
    await eventually('the focus', async () => (await focused()).includes('answer'));
    await driver.press('ArrowUp');
    await eventually('the focus', async () => (await focused()).includes('[asked]'));
    await driver.press('F2');
    await eventually('the label', async () => (await driver.find(INPUT).inputValue()) === 'asked');
  });

  it('Ctrl+C copies the text of the entry with the focus, and the path of a session; Ctrl+Enter opens it to the side', async () => {
    const copied = async (text: string): Promise<void> => {
      await driver.press('Control+C');
      await eventually(`a copy of ${text}`, async () => (await vscode.env.clipboard.readText()) === text);
    };
    await goFromTo('Above', 'Below');
    await copied(second);
    await open('Below');
    await driver.click(rowOf('answer'));
    await eventually('the focus', async () => (await focused()).includes('answer'));
    await driver.press('ArrowUp');
    await eventually('the focus', async () => (await focused()).includes('[asked]'));
    await copied('question');
    await driver.press('Control+Enter');
    await eventually('two groups', () => vscode.window.tabGroups.all.length === 2);
  });

  /** Returns the items of a row's menu, each with its key if it has one. */
  const menuOf = async (text: string): Promise<string[]> => {
    const items = await menuTexts(openMenu(text), '.action-menu-item');
    await driver.awayFromRows();
    return items.map((item) => item.replaceAll(/[\s\ue000-\uf8ff]+/g, ' ').trim());
  };

  it('menus begin with what is used most, and show the keys beside their items', async () => {
    const menu = await menuOf('Above');
    assert.deepEqual(menu, [
      'Resume in Terminal',
      'Fork',
      'Show Context',
      'Open',
      'Changes and Comparison',
      'Rename… F2',
      'Pins, Tags, Notes',
      'Share',
      'Copy',
      'Archive',
      'Move to Trash Del',
    ]);
    await open('Below');
    assert.ok((await menuOf('answer')).includes('Label… F2'));
  });

  it('an abandoned branch offers the commands for its tip, and shows the label there', async () => {
    await open('Below');
    await eventually('the branch', async () => (await shown()).includes('[the tip]'));
    assert.deepEqual(await menuOf('the tip'), [
      'Label… F2',
      'Clear Label',
      'Branch Here…',
      'Branch Here with Files…',
      'Branch and Resume…',
      'Fork',
      'Show Context',
      'Open',
      'Changes and Comparison',
      'Share',
      'Copy',
    ]);
    await choose(openMenu('the tip'), 'Clear Label');
    await eventually('it is cleared', async () => !(await shown()).includes('[the tip]'));
    assert.equal((await linesOf(second)).at(-1)?.['targetId'], entryId(5));
  });

  it('entries offer Clear Label only if they have a label', async () => {
    await open('Below');
    assert.ok((await menuOf('asked')).includes('Clear Label'));
    assert.ok(!(await menuOf('answer')).includes('Clear Label'));
  });

  it('no row has more than two buttons', async () => {
    await open('Below');
    for (const text of ['Above', 'Below', 'question', 'the tip']) {
      await driver.find(rowOf(text)).hover();
      const hovered = driver.page.locator(`${ROWS}:hover`).filter({ hasText: text });
      const count = await eventually(
        `buttons of ${text}`,
        async () => (await hovered.locator('.actions .action-label').count()) || undefined,
      );
      assert.ok(count <= 2, `${text}: ${String(count)}`);
    }
  });

  it('Ctrl+F searches; then the context has the keyboard focus, and the row is selected', async () => {
    await selectClosed('Above');
    await driver.press('Control+F');
    await driver.waitFor(INPUT);
    await driver.type('elsewhere');
    await eventually('the hit', async () => (await driver.plainText('.quick-input-list .monaco-list-row.focused')).includes('elsewhere'));
    await driver.press('Enter');
    await eventually('the row', async () => (await driver.texts('.part.sidebar .monaco-list-row.selected')).join().includes('elsewhere'));
    const frame = await driver.frame('pi-session-tree');
    await eventually(
      'the focus',
      async () => (await driver.evaluate('document.hasFocus() && document.activeElement.closest("main") !== null', frame)) === true,
    );
  });

  it('Enter chooses the first of a list of branches, whose names are their last messages', async () => {
    void run('compare', { row: 'entry', path: second, entryId: entryId(5) });
    const list = '.quick-input-list .monaco-list-row';
    await eventually('the branches', async () => (await driver.plainText(`${list}.focused`)).startsWith('assistant: there'));
    await driver.press('Enter');
    await eventually('the comparison', () => vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff);
  });

  it('the palette offers to drop a change only while one is pending', async () => {
    const offers = async (): Promise<boolean> => {
      await vscode.commands.executeCommand('workbench.action.quickOpen', '>Discard Pending Change');
      await eventually('an answer', async () => (await driver.texts('.quick-input-list .monaco-list-row')).length > 0);
      const found = (await driver.texts('.quick-input-list .monaco-list-row')).join().includes('Discard Pending Change');
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return found;
    };
    assert.equal(await offers(), false);
  });
});
