import { basename } from 'node:path';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import type { Driver } from './driver';
import { eventually, type OwnSessions } from './temporarySessions';
import { untilEqual, useWindow } from './testWindow';
import { open, showClosed, tallWindow } from './treeRows';

describe('Hovers of rows', () => {
  let driver: Driver;
  let own: OwnSessions;
  useWindow((window) => ({ driver, own } = window));
  beforeEach(() => tallWindow(driver));

  /** Points at a row until its hover has the link, and clicks it. A hover ends when its row is replaced. */
  const follow = (row: string, link: string): Promise<true> =>
    eventually(`${link} in the hover of ${row}`, async () => {
      await driver.awayFromRows();
      await driver.find(`.part.sidebar .monaco-list-row >> text=${row}`).hover();
      const found = driver.find(`.monaco-hover a >> text=${link}`);
      return await found
        .waitFor({ timeout: 3_000 })
        .then(() => driver.screenshot(`hover-${link}.png`))
        .then(() => found.click({ timeout: 3_000 }))
        .then(
          () => true,
          () => undefined,
        );
    });

  const copied = async (): Promise<string> => vscode.env.clipboard.readText();

  it('lead to the context of a session and to its link, and to the path of a project', async () => {
    const path = await own.put('hovered', session({ cwd: own.cwd, id: 'hovered' }).name('Doors').user('Which way?').assistant('Left.'));
    await vscode.env.clipboard.writeText('');
    await showClosed(driver);
    await follow(basename(own.cwd), 'Copy Path');
    await untilEqual(copied, own.cwd);
    await open(driver, basename(own.cwd));
    await follow('Doors', 'Copy Link');
    const link = await vscode.commands.executeCommand<string>('sessionTree.copyLink', { path });
    await untilEqual(copied, link);
    await follow('Doors', 'Show Context');
    await driver.waitFor('article >> text=Left.', {}, await driver.frame('pi-session-tree'));
  });
});
