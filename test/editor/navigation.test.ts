import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import type { Frame } from './playwright';
import { focusMessages, openContext, until } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { eventually, untilEqual } from './waiting';

/** The entry of the focused element in the messages, and whether it is visible. */
const AT = `(() => {
  const at = document.activeElement?.closest('main [data-entry]');
  const main = document.querySelector('main').getBoundingClientRect();
  const box = document.activeElement.getBoundingClientRect();
  return at && box.top >= main.top - 1 && box.top < main.bottom ? at.dataset.entry : null;
})()`;

describe('Next and previous in the context view', () => {
  editorSuite();

  const isAt = async (frame: Frame, entry: string): Promise<void> => {
    await untilEqual(() => driver.evaluate(AT, frame), entry, entry);
  };
  const announces = (frame: Frame, text: string): Promise<true> =>
    eventually(text, async () => (await driver.evaluate('document.querySelector("body > [aria-live]").textContent', frame)) === text);
  const pressed = async (frame: Frame, key: string, ...entries: string[]): Promise<void> => {
    for (const entry of entries) {
      await driver.press(key);
      await isAt(frame, entry);
    }
  };

  it('moves by keys and by the menu to messages, errors, labels and compactions, in both views, and reports the end', async () => {
    const builder = session({ cwd: own.cwd }).user('The very first', { id: 'u0' });
    for (let turn = 1; turn <= 100; turn++) builder.assistant(`Old answer ${turn}`);
    builder.tool('bash', { command: 'rm' }, 'Permission denied', { id: 'failed', message: { isError: true } });
    for (let turn = 1; turn <= 100; turn++) builder.assistant(`Later answer ${turn}`);
    builder.user('The kept one', { id: 'u1' }).compaction('They talked.', 'u1', { id: 'cut' });
    for (let turn = 1; turn <= 100; turn++) builder.assistant(`Answer ${turn}`);
    builder.user('The last question', { id: 'u2' });
    for (let turn = 1; turn <= 40; turn++) builder.assistant(`Then ${turn}`);
    const path = await own.put('places', builder.label('u1', 'here').name('Places'));
    const frame = await openContext({ path });
    await driver.waitFor('article', {}, frame);
    await focusMessages(frame);

    await pressed(frame, 'Alt+ArrowUp', 'u2', 'u1');
    await driver.press('Alt+ArrowUp');
    await announces(frame, 'No more user messages above');
    await driver.waitFor('.statusbar-item >> text=No more user messages above');
    await isAt(frame, 'u1');
    await pressed(frame, 'Alt+ArrowDown', 'u2');
    await pressed(frame, 'Alt+PageUp', 'cut');

    await driver.click('text=Full transcript', frame);
    await driver.waitFor('article.entry-row', {}, frame);
    await until(
      frame,
      `document.querySelector('[data-key=transcript]').getAttribute('aria-pressed') === 'true' && !document.querySelector('.placeholder')`,
    );
    await focusMessages(frame);
    await pressed(frame, 'Alt+ArrowDown', 'u2');
    await pressed(frame, 'Alt+ArrowUp', 'u1', 'u0');
    await pressed(frame, 'F8', 'failed');
    await untilEqual(() => driver.evaluate('document.activeElement.tagName', frame), 'SUMMARY');
    await driver.press('F8');
    await announces(frame, 'No more tool errors below');
    await pressed(frame, 'Shift+Alt+ArrowDown', 'u1');
    await pressed(frame, 'Alt+PageDown', 'cut');
    await pressed(frame, 'Shift+F8', 'failed');

    const inMenu = (): Promise<true> =>
      eventually('the menu', async () => (await driver.evaluate('document.activeElement.role', frame)) === 'menuitem');
    const button = frame.getByRole('button', { name: 'Go to…' });
    await button.focus();
    await driver.press('Enter');
    await driver.waitFor('.menu', {}, frame);
    await driver.screenshot('go-to.png');
    assert.deepEqual(
      (await driver.texts('.menu-item', frame)).slice(0, 3).map((text) => text.replace(/\s+/g, ' ')),
      ['Next User Message Alt+↓', 'Previous User Message Alt+↑', 'Next Tool Error F8'],
    );
    await driver.press('Escape');
    await driver.waitFor('.menu', { state: 'hidden' }, frame);
    await untilEqual(() => driver.evaluate('document.activeElement.dataset.key', frame), 'go-to');
    await driver.press('Enter');
    await inMenu();
    await driver.press('ArrowDown');
    await driver.press('Enter');
    await isAt(frame, 'u0');
    await button.click();
    await driver.click('.menu-item >> text=Next User Message', frame);
    await isAt(frame, 'u1');
    await run('contextNextUser');
    await isAt(frame, 'u2');
  });

  it('copies a link to an entry that the editor parses correctly', async () => {
    const path = await own.put('a & b %20', session({ cwd: own.cwd }).user('Look here', { id: 'here' }).assistant('Yes').name('Linked'));
    const link = await run<string>('copyLink', { path, entryId: 'here' });
    const { scheme, authority, path: what, query } = vscode.Uri.parse(link, true);
    assert.deepEqual(
      [scheme, authority, what, query],
      [vscode.env.uriScheme, 'pi-session-tree.pi-session-tree', '/open', `path=${path}&entry=here`],
    );
    const frame = await openContext({ path });
    await driver.find('article[data-entry=here]', frame).hover();
    await frame.getByRole('button', { name: 'Copy Link' }).first().click();
    await eventually('the link', async () => (await vscode.env.clipboard.readText()) === link);
  });
});
