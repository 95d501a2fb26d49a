import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import type { Driver } from './driver';
import { choose } from './menus';
import type { OwnSessions } from './temporarySessions';
import { untilMatches, useWindow } from './testWindow';
import { open, rows, showClosed, tallWindow, until } from './treeRows';

describe('Pins of sessions', () => {
  let driver: Driver;
  let own: OwnSessions;
  useWindow((window) => ({ driver, own } = window));
  beforeEach(() => tallWindow(driver));

  it('put a session first from its menu, until it’s unpinned, and change no file', async () => {
    const put = (name: string, minute: number): Promise<string> =>
      own.put(
        name,
        session({ cwd: own.cwd, id: `pinned-${name}` }).user(name, { message: { timestamp: Date.UTC(2026, 0, 1, 1, minute) } }),
      );
    const path = await put('Older', 1);
    await put('Newer', 2);
    const before = await readFile(path);
    await showClosed(driver);
    await open(driver, basename(own.cwd));
    const names = async (): Promise<string> => (await rows(driver)).flatMap(({ name, level }) => (level === 2 ? [name] : [])).join();
    const menu = (item: string): Promise<void> =>
      choose(driver, () => driver.find('.part.sidebar .monaco-list-row >> text=Older').click({ button: 'right' }), item);
    await until('both sessions', async () => (await names()) === 'Newer,Older');
    await menu('Pin');
    await until('the pinned one first', async () => (await names()) === 'Older,Newer');
    await untilMatches(async () => (await rows(driver)).find(({ name }) => name === 'Older')?.spoken ?? '', /^Older, session, pinned,/);
    await driver.screenshot('pinned.png');
    await menu('Unpin');
    await until('the newer one first', async () => (await names()) === 'Newer,Older');
    await vscode.commands.executeCommand('sessionTree.pin', { path });
    await until('the pinned one first', async () => (await names()) === 'Older,Newer');
    await vscode.commands.executeCommand('sessionTree.unpin', [{ path }]);
    assert.deepEqual(await readFile(path), before);
  });
});
