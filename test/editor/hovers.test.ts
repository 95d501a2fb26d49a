import { basename } from 'node:path';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own } from './editorSuite';
import { open, row, rows, showClosed } from './treeRows';
import { eventually, untilEqual } from './waiting';

describe('Hovers of rows', () => {
  editorSuite({ tall: true });

  it('don’t keep the pointer from the rows that they cover', async () => {
    for (const name of ['apples', 'pears', 'plums'])
      await own.put(name, session({ cwd: own.cwd }).name(name).user(`What about ${name}?`).assistant('Ripe.'));
    await showClosed();
    await open(basename(own.cwd));
    const names = (await rows()).map(({ name }) => name).filter((name) => ['apples', 'pears', 'plums'].includes(name));
    await eventually('the first hover', async () => {
      await driver.awayFromRows();
      await driver.find(`${row(names[0]!)} .label-name`).hover();
      return driver
        .find(`.monaco-hover >> text=What about ${names[0]}?`)
        .waitFor({ timeout: 3_000 })
        .then(
          () => true,
          () => undefined,
        );
    });
    await driver.screenshot('hover-session.png');
    // The hover is below the pointer, to its right.
    const { mouse } = driver.page;
    const { x, y, width, height } = (await driver.find(row(names[2]!)).boundingBox())!;
    await mouse.move(x + width * 0.6, y + height / 2);
    await driver.find(`.monaco-hover >> text=What about ${names[0]}?`).waitFor({ state: 'hidden' });
    await mouse.down();
    await mouse.up();
    await untilEqual(() => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)), [names[2]]);
  });
});
