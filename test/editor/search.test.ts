import * as assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { connectDriver, type Driver } from './driver';
import { eventually, OwnSessions } from './ownSessions';
import { showClosed, tallWindow, until, usualWindow } from './treeRows';

interface Hit {
  readonly path: string;
  readonly entryId: string;
  readonly active: boolean;
  readonly role: string;
  readonly time: number;
  readonly snippet: string;
  readonly marks: readonly [number, number][];
}

const search = (query: string, limit?: number): Thenable<Hit[]> => vscode.commands.executeCommand<Hit[]>('sessionTree.search', { query, ...(limit === undefined ? {} : { limit }) });
const ROWS = '.quick-input-list .monaco-list-row';

describe('search', function () {
  this.timeout(40_000);
  let driver: Driver;
  before(async () => {
    driver = await connectDriver();
    await tallWindow(driver);
  });
  after(async () => {
    await usualWindow(driver);
    await driver.close();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** Opens the list as from the palette and types. */
  async function typeInto(text: string): Promise<void> {
    void vscode.commands.executeCommand('sessionTree.search');
    await driver.waitFor('.quick-input-widget input');
    await until('the list', async () => (await driver.texts('.quick-input-title')).join().startsWith('Search Sessions'));
    await driver.type(text);
  }

  describe('with plain arguments', () => {
    it('answers with hits of all sessions and shows nothing @oldest', async () => {
      const [hit, ...others] = await search('just retry');
      assert.ok(hit);
      assert.deepEqual(others, []);
      assert.match(hit.path, /\.jsonl$/);
      assert.equal(hit.snippet, 'We have a release tonight. Could CI just retry the test for now?');
      assert.deepEqual(hit.marks.map(([start, end]) => hit.snippet.slice(start, end)), ['just', 'retry']);
      assert.deepEqual([hit.role, hit.active], ['user', false]);
      assert.ok(Math.abs(Date.now() - hit.time) < 24 * 3_600_000);
      assert.equal(await driver.find('.quick-input-widget').isVisible(), false);
    });

    it('takes prefixes and a limit', async () => {
      const fix = await search('label:fix');
      assert.ok(fix.length > 0);
      assert.deepEqual([...new Set(fix.map(({ role }) => role))], ['label']);
      assert.deepEqual([...new Set((await search('role:assistant retry')).map(({ role }) => role))], ['assistant']);
      assert.deepEqual((await search('project:dotfiles just retry')).length, 0);
      assert.deepEqual((await search('project:webshop just retry')).length, 1);
      assert.equal((await search('the', 2)).length, 2);
      assert.deepEqual(await search(''), []);
    });

    it('refuses what it can not mean', async () => {
      const code = async (args: unknown): Promise<unknown> => vscode.commands.executeCommand('sessionTree.search', args).then(() => undefined, (error: unknown) => (error as { code?: unknown }).code);
      assert.deepEqual([await code({}), await code({ query: 'a', limit: -1 }), await code({ query: 'a', limit: '2' })], ['invalid', 'invalid', 'invalid']);
    });

    it('finds what was appended a moment ago, and no more what is gone', async () => {
      const own = await OwnSessions.make();
      try {
        await search('anything');
        const content = session({ cwd: own.cwd }).user('About quokkas');
        const path = await own.put('growing', content);
        assert.deepEqual((await search('quokkas')).map((hit) => hit.path), [path]);
        const before = content.text().length;
        const grown = content.assistant('They are wombatlike').text().slice(before);
        await appendFile(path, grown);
        await vscode.commands.executeCommand('sessionTree.refresh');
        assert.deepEqual((await search('wombatlike')).map((hit) => hit.path), [path]);
      } finally {
        await own.remove();
      }
      assert.deepEqual(await search('quokkas'), []);
    });
  });

  it('finds while typing, and lands on an entry of a branch that was left', async () => {
    await showClosed(driver);
    await typeInto('just ret');
    await until('the hit', async () => (await driver.texts(ROWS)).length === 1);
    const [shown = ''] = await driver.texts(ROWS);
    assert.match(shown.replaceAll('\u00a0', ' '), /We have a release tonight[^]*Fix the flaky checkout test · user · .* ago · on a branch that was left[^]*webshop/);
    assert.equal(await driver.text(`${ROWS} .highlight`), 'just ret');
    await driver.press('Enter');
    await until('the row', async () => (await driver.texts('.part.sidebar .monaco-list-row.selected')).join().includes('release tonight'));
    await eventually('its context', async () => ((await driver.frameText('pi-session-tree')).includes('release tonight') ? true : undefined));
  });

  it('lists the labels of all sessions by project, and goes to one', async () => {
    await showClosed(driver);
    await vscode.commands.executeCommand('sessionTree.labels.focus');
    const row = '.part.sidebar .monaco-list-row >> text=trigram index';
    await driver.waitFor(row);
    await driver.click(row);
    await until('the entry', async () => (await driver.texts('.part.sidebar .monaco-list-row.selected')).some((text) => text.includes('assistant: In')));
    await driver.click('.part.sidebar .pane-header[aria-expanded="true"] >> text=Labels');
  });

  it('marks several words by itself, and says when there is nothing', async () => {
    await typeInto('retry just');
    await until('the marks', async () => (await driver.texts(ROWS)).join().replaceAll('\u00a0', ' ').includes('‹just› ‹retry›'));
    await driver.type(' zzzz');
    await until('nothing', async () => (await driver.texts(ROWS)).join().includes('Nothing found'));
    await driver.press('Escape');
    await driver.waitFor('.quick-input-widget', { state: 'hidden' });
  });
});
