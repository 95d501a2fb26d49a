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
      await driver.find(row(names[0]!)).hover();
      return driver
        .find(`.monaco-hover >> text=What about ${names[0]}?`)
        .waitFor({ timeout: 3_000 })
        .then(
          () => true,
          () => undefined,
        );
    });
    await driver.screenshot('hover-session.png');
    // As a hand does: through the hover, without waiting for it to go.
    const { mouse } = driver.page;
    const { x, y, width, height } = (await driver.find(row(names[2]!)).boundingBox())!;
    await mouse.move(x + width / 2, y + height / 2);
    await mouse.down();
    await mouse.up();
    await untilEqual(() => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)), [names[2]]);
  });
});
