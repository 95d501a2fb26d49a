import { basename } from 'node:path';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { open, showClosed } from './treeRows';
import { eventually, untilEqual } from './waiting';

describe('Hovers of rows', () => {
  editorSuite({ tall: true });

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
    await showClosed();
    await follow(basename(own.cwd), 'Copy Path');
    await untilEqual(copied, own.cwd);
    await open(basename(own.cwd));
    await follow('Doors', 'Copy Link');
    const link = await run<string>('copyLink', { path });
    await untilEqual(copied, link);
    await follow('Doors', 'Show Context');
    await driver.waitFor('article >> text=Left.', {}, await driver.frame('pi-session-tree'));
  });
});
