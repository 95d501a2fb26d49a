import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { writeBigSession } from '../fixtures/bigSessions';
import { session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { choose } from './menus';
import { changeSetting } from './replacements';
import { closeSessions, open, picture, rows, showClosed } from './treeRows';
import { eventually, untilEqual, untilMatches } from './waiting';

/** Returns a text block without its indentation. */
function text(block: string): string {
  const lines = block.replace(/^\n|\n *$/g, '').split('\n');
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)![0].length));
  return lines.map((line) => line.slice(indent)).join('\n');
}

describe('the Sessions view', function () {
  editorSuite({ tall: true });
  beforeEach(showClosed);

  /**
   * Waits for the expected rows, so that a failure shows the actual ones. For some seconds, a file that just grew is
   * shown as running, which has a test of its own.
   */
  async function shows(expected: string, below?: string): Promise<void> {
    let seen = '';
    const now = async (): Promise<string> => (await picture(below)).replaceAll(/ ‖ running(?= \[|$)|(?<=‖ )running · /gm, '');
    await eventually('the rows', async () => (seen = await now()) === text(expected)).catch(() => undefined);
    assert.equal(seen, text(expected));
  }

  describe('with the sample store', () => {
    it('shows projects and sessions, forks and subagents under their session @oldest', async () => {
      for (const project of ['webshop-admin', 'parser-lab', 'workspace', 'dotfiles', 'Unknown project', 'webshop']) await open(project);
      await closeSessions();
      await shows(`
        ▾ webshop ‖ minutes · 8 sessions
          ▸ Fix the flaky checkout test ‖ 2 forks [minutes]
          ▸ Rate limiting for the login ‖ $0.12 · $0.15 with subagents · 2 subagents · oh-my-pi [3h]
          ▸ The product search is slow with 40,000 products. Where does… [6h]
          ▸ Money in cents [days]
          ▸ Smaller image ‖ jensen-code [days]
          ▸ Translate the order mails to French and Dutch. ‖ asks you [days]
          ▸ Look at docs/load.png and tell me what the load test says. [days]
          ▸ Checkout with holds [days]
          The file is empty ‖ ….jsonl
        ▾ parser-lab ‖ 4h · 5 sessions
          ▸ Error recovery [4h]
          ▸ Pratt against recursive descent ‖ oh-my-pi [days]
          ▸ Type hints ‖ jensen-code [days]
          ▸ Write the grammar down as EBNF for the README. ‖ gsd [days]
          ▸ Write a tokenizer for arithmetic in Python. [days]
        ▾ workspace ‖ 7h · 2 sessions
          ▸ Sum up my week from the notes folder. [7h]
          ▸ Remind me on Friday to renew the certificate. [days]
        ▾ webshop-admin ‖ days · 2 sessions
          ▸ Money in cents, back office ‖ from “Money in cents” [days]
          ▸ M003 Audit log ‖ gsd [days]
        ▾ dotfiles ‖ days · 1 session
          ▸ Fast shell [days]
        ▾ Unknown project ‖ days · 1 session
          ▸ Which regular expression matches an ISO date? [days]
      `);
    });

    it('shows the active path, abandoned branches, labels and the leaf', async () => {
      await open('webshop');
      await open('Rate limiting');
      await open('Try it by account');
      await open('Money in cents');
      await open('Prices are floats. Make');
      await shows(
        `
        ▾ Rate limiting for the login ‖ $0.12 · $0.15 with subagents · 2 subagents · oh-my-pi [3h]
          ▸ Which proxies stand before the shop, and which header has… ‖ explore · $0.01 · oh-my-pi [3h]
          ▸ Is there a test for the login? ‖ explore · $0.01 · oh-my-pi [3h]
          Somebody tries passwords on /login, 40 a second. Add rate limiting, without Redis for now.
          A token bucket for each address, in memory: - 5 tries at once, then one every 5 seconds - 429 with Retry-After - buckets go after 10 idle minutes With two servers each has its own buckets; t
          ▾ Try it by account instead of by address. ‖ 1 turn [3h]
            Try it by account instead of by address.
            By account, anyone can lock out anyone else by failing on purpose. I would not.
          [branch summary]: By account: lets strangers lock people out. Back to addresses.
          By address, then. Let two helpers look at the proxies and the tests meanwhile.
          Two helpers are on it.
          [task: explore Which proxies stand before the shop, and which header has the real address? and 1 more]
          [write: src/rateLimit.ts]
          [edit: src/server.ts]
          [bash: npx vitest run test/login.test.ts]
          The sixth try in a row gets 429, the real address comes from one trusted hop. Three tests. ‖ ← active
        `,
        'Rate limiting',
      );
      await shows(
        `
        ▾ Money in cents [days]
          ▾ Prices are floats. Make them integers in cents everywhere. ‖ 1 turn [days]
            Prices are floats. Make them integers in cents everywhere.
            That touches 14 files. I would start with src/cart.ts and let the type checker find the rest. Shall I?
          Prices are floats, and 0.1 + 0.2 shows up in the totals. Which type would you use for money here, and why?
          [money = cents] Plain integers in cents, with the currency on the order: - number is exact to 2^53, about 90 trillion euros - no library, JSON stays readable - division happens in one place, where discounts ar
          Good. Do src/cart.ts and src/checkout.ts first.
          [read: src/cart.ts:1-5]
          [edit: src/cart.ts]
          [edit: src/checkout.ts]
          Done: the interfaces say so now, and totalOf needs no rounding any more. ‖ ← active
        `,
        'Money in cents',
      );
    });

    it('shows problems: lines that were skipped, a leaf at an outdated position', async () => {
      await open('webshop');
      await open('Translate the order');
      await open('2 lines couldn’t be read');
      await open('The product search');
      await shows(
        `
        ▾ The product search is slow with 40,000 products. Where does… [6h]
          Will resume on an older branch ‖ a newer branch ends at “Added as migration 42, with CONCURRENTLY so that the shop stays open. 480 ms → 9 ms on a copy of the data.”
          The product search is slow with 40,000 products. Where does the time go?
          [trigram index] In LIKE '%…%': it reads the whole table. A trigram index makes it an index scan. ‖ ← active
          ▸ Add the index as a migration. ‖ 1 turn [6h]
        `,
        'The product search',
      );
      await untilMatches(
        () => picture('2 lines couldn’t be read'),
        /^▾ 2 lines couldn’t be read\n {2}Line \d+ isn’t valid JSON and was skipped\.\n {2}The last line \(\d+\) isn’t complete/,
      );
    });

    it('shows the context of a row that is clicked, and of rows that are reached by keys', async () => {
      await open('webshop');
      await open('Money in cents');
      await driver.click('.part.sidebar .monaco-list-row >> text=Good. Do');
      const frame = await driver.frame('pi-session-tree');
      const stands = async (text: string): Promise<unknown> =>
        eventually(text, async () => (await driver.text('.location', frame)).includes(text));
      await stands('user: Good. Do');
      await driver.press('ArrowDown');
      await driver.press('ArrowDown');
      await driver.press('Enter');
      await stands('[edit: src/cart.ts]');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });

    it('moves to the newer tip, through collapsed rows', async () => {
      await open('webshop');
      await open('The product search');
      const note = driver.page.locator('.part.sidebar .monaco-list-row').filter({ hasText: 'Will resume on an older branch' }).first();
      await note.hover();
      await note.locator('.action-label[aria-label="Go to Newer Branch"]').first().click();
      await eventually('the newer tip is selected', async () =>
        (await driver.texts('.part.sidebar .monaco-list-row.selected')).some((row) => row.includes('Added as migration 42')),
      );
    });

    it('gives the kind and the state of a row to a screen reader', async () => {
      await open('webshop');
      await open('Money in cents');
      for (const expected of [
        /^webshop, project of this workspace, 8 sessions, \d+ min\. ago, \S+\/code\/webshop$/,
        /^Money in cents, session, (yesterday|2 days ago), 11 messages, pi$/,
        /^The product search.*, session, Will resume on an older branch, 6 hr\. ago, 6 messages, pi$/,
        /^unreadable file \S+\.jsonl: The file is empty$/,
        /^abandoned branch, user: Prices are floats\. Make .*, 1 turn, (yesterday|2 days ago)$/,
        /^label money = cents, assistant: Plain integers/,
        /^assistant: Done: the interface.*, current leaf$/,
      ]) {
        await eventually(String(expected), async () => (await rows()).some(({ spoken }) => expected.test(spoken)));
      }
    });
  });

  describe('the visible rows', () => {
    // Commands change them, too.
    beforeEach(async () => {
      for (const name of ['filter', 'program', 'hideEmpty']) await changeSetting(`sessionTree.${name}`, undefined);
    });

    it('are the entries that a filter passes, as soon as the command resolves', async () => {
      await open('dotfiles');
      await open('Fast shell');
      const pictures: Readonly<Record<string, string>> = {
        all: `
          ▾ Fast shell [days]
            [model: claude-haiku-4-5]
            [bash]: time zsh -i -c exit
            My shell takes 0.85 s to start. Make it fast.
            [read: .zshrc]
            compinit checks its cache on each start and nvm is loaded eagerly. compinit -C and a lazy nvm bring it to about 0.1 s.
            [todo]: Open: lazy nvm
            [bash]: cat ~/.zsh_history | tail -1
            [context omit: f7e8c50a]
            [bash]: time zsh -i -c exit
            [title: Fast shell] ‖ ← active
        `,
        'no-tools': `
          ▾ Fast shell [days]
            [bash]: time zsh -i -c exit
            My shell takes 0.85 s to start. Make it fast.
            compinit checks its cache on each start and nvm is loaded eagerly. compinit -C and a lazy nvm bring it to about 0.1 s.
            [todo]: Open: lazy nvm
            [bash]: cat ~/.zsh_history | tail -1
            [bash]: time zsh -i -c exit ‖ ← active
        `,
        'user-only': `
          ▾ Fast shell [days]
            My shell takes 0.85 s to start. Make it fast. ‖ ← active
        `,
        'labeled-only': `
          ▾ Fast shell [days]
            No entries match the filter “Labeled Entries”
        `,
        default: `
          ▾ Fast shell [days]
            [bash]: time zsh -i -c exit
            My shell takes 0.85 s to start. Make it fast.
            [read: .zshrc]
            compinit checks its cache on each start and nvm is loaded eagerly. compinit -C and a lazy nvm bring it to about 0.1 s.
            [todo]: Open: lazy nvm
            [bash]: cat ~/.zsh_history | tail -1
            [bash]: time zsh -i -c exit ‖ ← active
        `,
      };
      for (const [filter, expected] of Object.entries(pictures)) {
        await run('setFilter', { filter });
        await shows(expected, 'Fast shell');
      }
      assert.equal(vscode.workspace.getConfiguration('sessionTree').inspect('filter')?.globalValue, 'default');
      await run('setFilter', { filter: 'no-tools' });
      await untilMatches(() => driver.text('.part.sidebar .tree-explorer-viewlet-tree-view'), /Filters: .*no tool results/i);
      // With another view beside it, the focused view's header shows its buttons.
      await driver.waitFor('.part.sidebar .pane-header .codicon-filter-filled');
      await driver.click('.part.sidebar .pane-header .action-label[aria-label="Clear Filters"]');
      await eventually(
        'no filters',
        async () => !(await driver.text('.part.sidebar .tree-explorer-viewlet-tree-view')).includes('Filters:'),
      );
      assert.equal(vscode.workspace.getConfiguration('sessionTree').get('filter'), 'default');
    });

    it('are the sessions of one program, and those without messages if they are requested', async () => {
      await changeSetting('sessionTree.program', 'jensen');
      await run('refresh');
      await eventually('two projects', async () => (await rows()).filter(({ level }) => level === 1).length === 2);
      await open('parser-lab');
      await shows(
        `
        ▾ parser-lab ‖ days · 1 session
          ▸ Type hints [days]
        `,
        'parser-lab',
      );
      await changeSetting('sessionTree.program', undefined);
      await changeSetting('sessionTree.hideEmpty', false);
      await open('webshop');
      await eventually('the session without messages', async () =>
        (await rows()).some(({ name, spoken }) => name === '(no messages)' && spoken.includes('0 messages')),
      );
      await changeSetting('sessionTree.program', 'openclaw');
      await eventually(
        'one project',
        async () =>
          (await rows())
            .filter(({ level }) => level === 1)
            .map(({ name }) => name)
            .join() === 'workspace',
      );
    });
  });

  describe('the arrangement', () => {
    const DEFAULTS = { sort: 'modified', group: 'project', workspaceOnly: false };
    afterEach(() => run('arrange', DEFAULTS));

    it('sorts, groups and limits the sessions, as the menu says', async () => {
      const level1 = async (): Promise<string[]> => (await rows()).filter(({ level }) => level === 1).map(({ name }) => name);
      const openMenu = async (): Promise<void> => {
        await driver.find('.part.sidebar .pane-header').hover();
        await driver.click('.part.sidebar .pane-header .codicon-toolbar-more');
      };
      await choose(openMenu, 'Group By', '✓ Project', 'Day');
      // Soon after midnight, no session of the sample store is of today.
      await eventually('the days', async () => /^(Today,)?Yesterday,/.test((await level1()).join()));
      await driver.screenshot('tree-days.png');
      await run('arrange', { group: 'program' });
      await eventually('the programs', async () => (await level1()).includes('oh-my-pi'));
      await run('arrange', { group: 'none', sort: 'name', workspaceOnly: true });
      await eventually('the sessions by name', async () => (await level1())[0] === 'Checkout with holds');
      await eventually('only this workspace', async () => !(await level1()).includes('Error recovery'));
      await untilMatches(() => driver.text('.part.sidebar .tree-explorer-viewlet-tree-view'), /Filters: This Workspace/);
      await run('arrange', { workspaceOnly: false, sort: 'cost' });
      await eventually('costs', async () => /^\$\d/.test((await rows())[0]?.name ?? ''));
      await run('arrange', DEFAULTS);
      await eventually('the projects', async () => (await level1()).includes('webshop'));
    });
  });

  describe('the active editor’s session', () => {
    it('is selected without taking the focus', async () => {
      await changeSetting('sessionTree.autoReveal', true);
      const [found] = await run<{ path: string }[]>('goToSession', { query: 'Pratt' });
      await run('showContext', { path: found!.path });
      await eventually('its row', async () => (await driver.texts('.part.sidebar .monaco-list-row.selected')).join().includes('Pratt'));
      await untilEqual(() => driver.evaluate(`document.activeElement?.closest('.part.sidebar') === null`), true);
    });
  });

  describe('Go to Session', () => {
    const titles = (): string[] => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));

    it('opens from its key, and to the side with Ctrl+Enter', async () => {
      await driver.press('Control+Alt+j');
      await driver.waitFor('.quick-input-widget .monaco-list-row >> text=Fix the flaky checkout test');
      await driver.type('ebnf gram');
      await driver.waitFor('.quick-input-widget .monaco-list-row.focused >> text=Write the grammar down');
      await driver.press('Enter');
      await eventually('it is open', async () => Promise.resolve(titles().some((title) => title.includes('Write the grammar'))));
      // It takes the focus as long as it isn't drawn.
      await driver.waitFor('h1 >> text=Write the grammar', {}, await driver.frame('pi-session-tree'));
      void run('goToSession');
      await driver.waitFor('.quick-input-widget .monaco-list-row >> text=Fix the flaky checkout test');
      await driver.type('fast shell');
      await driver.waitFor('.quick-input-widget .monaco-list-row.focused >> text=Fast shell');
      await driver.press('Control+Enter');
      await eventually('two groups', async () => Promise.resolve(vscode.window.tabGroups.all.length === 2 && titles().length === 2));
    });

    it('has a key that the editor does not use', async () => {
      await vscode.commands.executeCommand('workbench.action.openDefaultKeybindingsFile');
      const keys = await eventually('the keys', () => {
        const text = vscode.window.activeTextEditor?.document.getText();
        return Promise.resolve(text?.includes('"ctrl+p"') === true && text);
      });
      const uses = [...keys.matchAll(/\{ "key": "ctrl\+alt\+j"[^}]*\}/g)].map(([rule]) => rule);
      assert.deepEqual(
        uses.filter((rule) => !rule.includes('sessionTree.goToSession')),
        [],
      );
    });

    it('opens a session file as a session, and as text by default', async () => {
      const [found] = await run<{ path: string }[]>('goToSession', { query: 'Fast shell' });
      await run('openAsSession', { path: found!.path });
      const frame = await driver.frame('pi-session-tree');
      await driver.waitFor('article', {}, frame);
      await eventually('its tab', () => {
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        return Promise.resolve(input instanceof vscode.TabInputCustom && input.viewType === 'sessionTree.session');
      });
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(found!.path));
      await eventually('the text', () => vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputText);
    });
  });

  describe('with sessions that change', () => {
    it('reveals a session that came while it was hidden, in an open project, and keeps its row current @oldest', async () => {
      await own.put('first', session({ cwd: own.cwd, id: 'first' }).user('What came first?'));
      await open(basename(own.cwd));
      await eventually('its row', async () => (await rows()).some(({ name }) => name === 'What came first?'));
      await vscode.commands.executeCommand('workbench.view.explorer');
      await eventually('it is hidden', async () => !(await rows()).some(({ name }) => name === 'What came first?'));
      const path = await own.put('second', session({ cwd: own.cwd, id: 'second' }).user('And then?'));
      await run('revealSession', { path });
      await eventually('it is selected', async () =>
        (await driver.texts('.part.sidebar .monaco-list-row.selected')).join().includes('And then?'),
      );
      await run('rename', { path, name: 'Another name' });
      await eventually('its new name', async () => (await rows()).some(({ name }) => name === 'Another name'));
    });

    it('keeps the session selected that it was shown to reveal, although the active editor shows another one', async () => {
      await changeSetting('sessionTree.autoReveal', true);
      const first = await own.put('first', session({ cwd: own.cwd, id: 'first' }).user('What came first?'));
      const second = await own.put('second', session({ cwd: own.cwd, id: 'second' }).user('And then?'));
      await run('showContext', { path: first });
      await driver.waitFor('article', {}, await driver.frame('pi-session-tree'));
      await vscode.commands.executeCommand('workbench.view.explorer');
      await run('revealSession', { path: second });
      // Later than the active editor's session would be revealed: the row is refreshed twice.
      for (const name of ['Once', 'Twice']) {
        await run('rename', { path: second, name });
        await eventually('its name', async () => (await rows()).some((row) => row.name === name));
      }
      assert.match((await driver.texts('.part.sidebar .monaco-list-row.selected')).join(), /Twice/);
    });

    it('keeps the expanded rows and the selection while lines and files come and go', async () => {
      const talk = session({ cwd: own.cwd }).user('Which way?').user('Left.', { id: 'left' }).branchFrom('e0000001').user('Right.');
      const path = await own.put('talk', talk);
      await open(basename(own.cwd));
      await open('Which way?');
      await open('Left.');
      await driver.click('.part.sidebar .monaco-list-row >> text=Right.');
      await appendFile(path, `${session({}).branchFrom('e0000003').assistant('A door.', { id: 'door' }).lines()[1]!}\n`);
      await shows(
        `
        ▾ ${basename(own.cwd)} ‖ days · 1 session
          ▾ Which way? [days]
            Which way?
            ▾ Left. ‖ 1 turn [days]
              Left.
            Right.
            A door. ‖ ← active
        `,
        basename(own.cwd),
      );
      await untilMatches(async () => (await driver.texts('.part.sidebar .monaco-list-row.selected')).join(), /Right/);
      const second = await own.put('second', session({ cwd: own.cwd, id: 'second', parentSession: path }).user('And now?'));
      await eventually('the fork', async () => (await rows()).some(({ name }) => name === 'And now?'));
      await rm(second);
      await eventually('no fork', async () => !(await rows()).some(({ name }) => name === 'And now?'));
      await shows(
        `
          ▾ Which way? [days]
            Which way?
            ▾ Left. ‖ 1 turn [days]
              Left.
            Right.
            A door. ‖ ← active
        `,
        'Which way?',
      );
    });

    it('opens a session of 10,000 entries at once, at its end, and shows earlier entries in steps', async () => {
      await writeBigSession(join(own.folder, 'big.jsonl'), { entries: 10_000, cwd: own.cwd, forks: { count: 100, from: 'spread' } });
      await run('refresh');
      await open(basename(own.cwd));
      await open('Please look at');
      const more = await eventually('the row for more', async () => (await rows()).find(({ name }) => name === 'Show 500 Earlier'));
      assert.match(more.description, /^[\d,.]+ in all$/);
      await driver.click('.part.sidebar .monaco-list-row >> text=Show 500 Earlier');
      const isSelected = async (name: string): Promise<boolean> =>
        (await driver.texts('.part.sidebar .monaco-list-row.selected')).join().includes(name);
      await eventually('the place where one was reading', async () => !(await isSelected('Show 500')) && (await isSelected(':')));
      await driver.press('Home');
      await eventually('less is left', async () =>
        (await rows()).some(({ name, description }) => name === 'Show 500 Earlier' && description !== more.description),
      );
      await driver.press('End');
      await eventually('the end', async () => (await rows()).some(({ description }) => description === '← active'));
    });

    it('marks a running session', async () => {
      await own.put('live', session({ cwd: own.cwd }).user('Are you there?'));
      await open(basename(own.cwd));
      const isRunning = async (): Promise<boolean> =>
        (await rows()).some(({ name, description }) => name === 'Are you there?' && description.startsWith('running'));
      await eventually('it does not run', async () => !(await isRunning()));
      const lock = join(own.folder, '.live.jsonl.lock');
      await writeFile(lock, `${String(process.ppid)}:${String(Date.now())}\n`);
      await eventually('it runs', isRunning);
      await rm(lock);
      await eventually('it ended', async () => !(await isRunning()));
    });

    it('shows the progress of reading many sessions, stops, and continues with a refresh', async () => {
      // Reading takes several times as long as the click.
      const text = session({ cwd: own.cwd }).user('One of many').assistant('words '.repeat(8000)).text();
      for (let i = 0; i < 4000; i += 200)
        await Promise.all(Array.from({ length: 200 }, (_, more) => writeFile(join(own.folder, `many${String(i + more)}.jsonl`), text)));
      const refreshed = run('refresh');
      const header = (): Promise<string> => driver.text('.part.sidebar .pane-header');
      await eventually('how far it has come', async () => /\d+ of \d+ read/i.test(await header()));
      await driver.click('.part.sidebar .pane-header .action-label[aria-label="Stop Reading Sessions"]');
      const notice = /Stopped reading sessions \(\d+ of \d+ read\)\. Refresh to continue\./;
      const says = async (): Promise<boolean> => notice.test(await driver.text('.part.sidebar .tree-explorer-viewlet-tree-view'));
      await eventually('that it was stopped', says);
      await refreshed;
      await eventually('no progress', async () => !/ read/i.test(await header()));
      await driver.waitFor('.part.sidebar .pane-header .action-label[aria-label="Refresh"]');
      await run('refresh');
      await eventually('that it went on', async () => !(await says()));
    });

    it('continues when the catalog can not be used, shows that above the rows, and uses it again when it can', async () => {
      const storage = join(dirname(homedir()), 'editor', 'data', 'User', 'globalStorage', 'pi-session-tree.pi-session-tree', 'catalog');
      assert.ok(existsSync(storage), storage);
      const says = async (): Promise<boolean> =>
        (await driver.text('.part.sidebar .tree-explorer-viewlet-tree-view')).includes('The search index can’t be used');
      const roots = (paths: readonly string[] | undefined): Thenable<void> => changeSetting('sessionTree.roots', paths);
      const lines = session({ cwd: own.cwd }).user('Still here?');
      const path = await own.put('talk', lines);
      try {
        // With other roots the catalog is opened again.
        await roots([join(own.folder, 'more')]);
        await rename(storage, `${storage}.aside`);
        await writeFile(storage, 'not a folder');
        await roots([join(own.folder, 'others')]);
        await eventually('why', says);
        await open(basename(own.cwd));
        await appendFile(path, `${lines.assistant('Yes.').lines().at(-1)!}\n`);
        await eventually('the append', async () =>
          (await rows()).some(({ name, spoken }) => name === 'Still here?' && spoken.includes('2 messages')),
        );
        assert.ok(await says());
      } finally {
        await rm(storage, { recursive: true, force: true });
        await rename(`${storage}.aside`, storage).catch(() => undefined);
        await roots(undefined);
      }
      await run('refresh');
      await eventually('nothing above the rows', async () => !(await says()));
      await eventually('its rows', async () =>
        (await rows()).some(({ name, spoken }) => name === 'Still here?' && spoken.includes('2 messages')),
      );
    });

    it('opens a chain of 5,000 entries as one level, and 200 forks of one entry', async () => {
      await writeBigSession(join(own.folder, 'chain.jsonl'), { entries: 5000, chain: true, cwd: own.cwd, seed: 1 });
      await run('refresh');
      await open(basename(own.cwd));
      await open('Please look at');
      await untilEqual(async () => [...new Set((await rows()).map(({ level }) => level))], [1, 2, 3]);
      await rm(join(own.folder, 'chain.jsonl'));
      await run('refresh');
      // The other session has the same text.
      await eventually('the end of the first session', async () => (await rows()).every(({ name }) => !name.startsWith('Please look at')));
      await writeBigSession(join(own.folder, 'forks.jsonl'), { entries: 500, forks: { count: 200, from: 'one' }, cwd: own.cwd, seed: 2 });
      await run('refresh');
      await open(basename(own.cwd));
      await open('Please look at');
      await eventually('the end', async () => {
        // Rows that come after the key would be below its end.
        await driver.press('End');
        return (await rows()).some(({ description }) => description === '← active');
      });
    });
  });
});
