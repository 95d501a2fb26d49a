import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { until, untilFrameShows } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { refuses } from './refusals';
import { showClosed } from './treeRows';
import { eventually, untilEqual, untilMatches } from './waiting';

interface Hit {
  readonly path: string;
  readonly entryId: string;
  readonly active: boolean;
  readonly role: string;
  readonly time: number;
  readonly snippet: string;
  readonly marks: readonly [number, number][];
}

const search = (query: string, limit?: number): Thenable<Hit[]> =>
  run<Hit[]>('search', { query, ...(limit === undefined ? {} : { limit }) });
const ROWS = '.quick-input-list .monaco-list-row';

describe('search', function () {
  editorSuite({ tall: true });

  /** Opens the list like the palette does, and types. */
  async function typeInto(text: string): Promise<void> {
    void run('search');
    await driver.waitFor('.quick-input-widget input');
    await eventually('the list', async () => (await driver.texts('.quick-input-title')).join().startsWith('Search Sessions'));
    await driver.type(text);
  }

  describe('with plain arguments', () => {
    it('resolves to hits of all sessions and shows nothing @oldest', async () => {
      const [hit, ...others] = await search('just retry');
      assert.ok(hit);
      assert.deepEqual(others, []);
      assert.match(hit.path, /\.jsonl$/);
      assert.equal(hit.snippet, 'We have a release tonight. Could CI just retry the test for now?');
      assert.deepEqual(
        hit.marks.map(([start, end]) => hit.snippet.slice(start, end)),
        ['just', 'retry'],
      );
      assert.deepEqual([hit.role, hit.active], ['user', false]);
      assert.ok(Math.abs(Date.now() - hit.time) < 24 * 3_600_000);
      assert.equal(await driver.find('.quick-input-widget').isVisible(), false);
    });

    it('supports prefixes and a limit', async () => {
      const fix = await search('label:fix');
      assert.ok(fix.length > 0);
      assert.deepEqual([...new Set(fix.map(({ role }) => role))], ['label']);
      assert.deepEqual([...new Set((await search('role:assistant retry')).map(({ role }) => role))], ['assistant']);
      assert.deepEqual((await search('project:dotfiles just retry')).length, 0);
      assert.deepEqual((await search('project:webshop just retry')).length, 1);
      assert.equal((await search('the', 2)).length, 2);
      assert.deepEqual(await search(''), []);
    });

    it('finds entries by the tools they called and the files they touched', async () => {
      const edits = await search('tool:edit file:src/checkout.ts');
      assert.ok(edits.length >= 2);
      for (const { role, snippet, marks } of edits) {
        assert.equal(role, 'assistant');
        assert.deepEqual(
          marks.map(([start, end]) => snippet.slice(start, end)),
          ['edit', 'src/checkout.ts'],
        );
      }
      assert.deepEqual(
        edits.map(({ time }) => time),
        edits.map(({ time }) => time).sort((a, b) => b - a),
        'the newest first',
      );
      assert.deepEqual(await search('tool:edit file:src/checkout.ts zzzz'), []);
      assert.ok((await search('tool:edit file:src/checkout.ts await')).length >= 1);
      assert.deepEqual(await search('tool:nosuchtool'), []);
    });

    it('refuses queries without a meaning', async () => {
      for (const args of [{}, { query: 'a', limit: -1 }, { query: 'a', limit: '2' }]) await refuses('invalid', run('search', args));
    });

    it('finds text that was just appended, and none that is gone', async () => {
      await search('anything');
      const content = session({ cwd: own.cwd }).user('About quokkas');
      const path = await own.put('growing', content);
      assert.deepEqual(
        (await search('quokkas')).map((hit) => hit.path),
        [path],
      );
      const before = content.text().length;
      const grown = content.assistant('They are wombatlike').text().slice(before);
      await appendFile(path, grown);
      await run('refresh');
      assert.deepEqual(
        (await search('wombatlike')).map((hit) => hit.path),
        [path],
      );
      await own.remove();
      assert.deepEqual(await search('quokkas'), []);
    });
  });

  const shown = (): Promise<string> => driver.plainText(ROWS);
  const title = async (): Promise<string> => (await driver.texts('.quick-input-title')).join();
  const selected = async (): Promise<string> => (await driver.texts('.part.sidebar .monaco-list-row.selected')).join();

  it('explains the syntax of queries', async () => {
    await typeInto('');
    await eventually('the hints', async () => /role:.*tool:.*file:.*label:.*project:/s.test(await shown()));
    await driver.type('tool:gr');
    await eventually('the name of a tool', async () => (await shown()).startsWith('tool:grep'));
    await driver.press('Enter');
    await eventually('the whole name', async () => (await driver.find('.quick-input-widget input').inputValue()) === 'tool:grep ');
    await eventually('what called it', async () => (await shown()).includes('‹grep›'));
  });

  /** The current match of the context view: its text, and whether it is visible. */
  const currentMatch = async (): Promise<{ text: string; entry: string; isVisible: boolean } | null> =>
    (await driver.evaluate(
      `(() => {
        const [range] = CSS.highlights.get('find-current') ?? [];
        if (!range) return null;
        const main = document.querySelector('main').getBoundingClientRect();
        const { top, bottom, height } = range.getBoundingClientRect();
        const entry = range.startContainer.parentElement.closest('article')?.innerText ?? '';
        return { text: range.toString(), entry, isVisible: height > 0 && top >= main.top && bottom <= main.bottom };
      })()`,
      await driver.frame('pi-session-tree'),
    )) as never;

  it('finds while typing, and goes to the match in the context of an abandoned branch', async () => {
    await showClosed();
    await typeInto('');
    // As one change: after single keys, the list has the results of the beginning for a moment, which look the same.
    await driver.find('.quick-input-widget:visible input').fill('just ret');
    await eventually('the hit', async () => (await driver.texts(ROWS)).length === 1);
    await untilMatches(
      shown,
      /We have a release tonight[^]*user · on an abandoned branch · .* ago · webshop · Fix the flaky checkout test/,
    );
    await untilMatches(title, /^Search Sessions · 1 result$/);
    await untilEqual(() => driver.text(`${ROWS} .highlight`), 'just ret');
    await driver.press('Enter');
    await eventually('the row', async () => (await selected()).includes('release tonight'));
    await eventually('the match', async () => {
      const match = await currentMatch().catch(() => null);
      return match?.isVisible === true && match.text === 'just' && match.entry.includes('release tonight');
    });
    const frame = await driver.frame('pi-session-tree');
    await untilEqual(() => driver.evaluate('document.querySelector(".find-input").value', frame), 'just retry');
    await until(frame, 'document.hasFocus() && document.activeElement.closest("main") !== null');
    await driver.screenshot('search-hit.png');
    await driver.press('Escape');
    await eventually('no marks', async () => (await currentMatch()) === null);
  });

  it('goes from result to result across sessions with F4 and Shift+F4', async () => {
    const long = session({ cwd: own.cwd }).user('First quokka question');
    for (let turn = 1; turn <= 60; turn++) long.user(`Question ${turn}`).assistant(`Answer ${turn}`);
    await own.put('quokka-a', long.assistant('The second quokka').name('A'));
    await own.put('quokka-b', session({ cwd: own.cwd }).user('Another quokka').name('B'));
    await search('quokka');
    await typeInto('quokka');
    await eventually('the results', async () => (await title()).includes('3 results'));
    await driver.press('Enter');
    const seen: string[] = [];
    const next = async (): Promise<void> => {
      await eventually('another match', async () => {
        const match = await currentMatch().catch(() => null);
        const found = match?.isVisible === true ? match.entry.match(/(First|second|Another) quokka/)?.[1] : undefined;
        if (found === undefined || found === seen.at(-1)) return false;
        return seen.push(found) > 0;
      });
    };
    await next();
    for (const key of ['F4', 'F4', 'F4', 'Shift+F4']) {
      await driver.press(key);
      await next();
    }
    assert.deepEqual([...seen.slice(0, 3)].sort(), ['Another', 'First', 'second']);
    assert.deepEqual(seen.slice(3), [seen[0], seen[2]]);
    await untilEqual(() => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1, 'the preview to be used again');
  });

  it('opens a result to the side by its button', async () => {
    await showClosed();
    await typeInto('just ret');
    await eventually('the hit', async () => (await driver.texts(ROWS)).length === 1 && (await shown()).includes('release tonight'));
    await driver.find(ROWS).hover();
    await driver.click(`${ROWS} [aria-label="Open to the Side"]`);
    await eventually('the row', async () => (await selected()).includes('release tonight'));
    await untilFrameShows('pi-session-tree', 'main >> text=release tonight');
  });

  it('opens a recent session before anything is typed', async () => {
    await typeInto('');
    await eventually('the sessions', async () => (await shown()).includes('Fix the flaky checkout test'));
    await driver.click(`${ROWS} >> text=Fix the flaky checkout test`);
    await untilFrameShows('pi-session-tree', 'h1 >> text=Fix the flaky checkout test');
  });

  it('is narrowed by toggle buttons, and widened if that leaves nothing @oldest', async () => {
    await typeInto('retry');
    await eventually('all', async () => (await shown()).includes('user · ') && (await shown()).includes('assistant · '));
    await driver.click('.quick-input-widget [aria-label="Only the assistant’s messages"]');
    await eventually('some', async () => (await shown()).includes('assistant · ') && !(await shown()).includes('user · '));
    await untilMatches(title, /^Search Sessions · assistant · \d results$/);
    // The oldest editor has no toggle buttons; there only the title shows which filters are on.
    if (!vscode.version.startsWith('1.103.'))
      await untilEqual(
        () => driver.find('.quick-input-widget [aria-label="Only the assistant’s messages"]').getAttribute('aria-checked'),
        'true',
      );
    await driver.find('.quick-input-widget input').focus();
    await driver.type(' "for now"');
    await eventually('nothing', async () => (await shown()).includes('No results found'));
    await driver.click(`${ROWS} >> text=Search Without Filters`);
    await eventually('the search without it', async () => (await title()) === 'Search Sessions · 1 result');
    await driver.find('.quick-input-widget input').fill('retry');
    await eventually('all again', async () => (await shown()).includes('user · '));
    await driver.click('.quick-input-widget [aria-label="Only the active branch of each session"]');
    await eventually(
      'the active branches',
      async () => !(await shown()).includes('on an abandoned branch') && (await title()).includes('active branch'),
    );
    await driver.click('.quick-input-widget [aria-label="Only the open project"]');
    await eventually('the project', async () => (await title()).includes('this project') && !(await shown()).includes('· dotfiles ·'));
  });

  it('is narrowed to the person’s messages, to tool calls, and to entries with a label', async () => {
    const CALLS = /(assistant|tool call) · /;
    const press = (label: string): Promise<void> => driver.click(`.quick-input-widget [aria-label="${label}"]`);
    await typeInto('re');
    await eventually('all', async () => (await shown()).includes('user · ') && (await shown()).includes('assistant · '));
    await press('Only your messages');
    await eventually(
      'the person’s',
      async () => (await title()).includes('· user ·') && (await shown()).includes('user · ') && !(await shown()).includes('assistant · '),
    );
    await press('Only messages that call tools');
    await eventually('the tool calls, too', async () => (await title()).includes('· user · tool calls ·') && CALLS.test(await shown()));
    await press('Only your messages');
    await eventually(
      'the tool calls alone',
      async () =>
        (await title()).startsWith('Search Sessions · tool calls ·') && CALLS.test(await shown()) && !(await shown()).includes('user · '),
    );
    await press('Only messages that call tools');
    await press('Only labeled entries');
    await eventually(
      'the labeled',
      async () => (await title()).startsWith('Search Sessions · labeled ·') && !(await title()).includes('more than'),
    );
  });

  it('offers more hits if there are more', async () => {
    for (let n = 1; n <= 20; n++) {
      const text = (which: string): string => `${which} quagga of ${String(n)}`;
      await own.put(`session ${String(n)}`, session({ cwd: own.cwd }).user(text('first')).user(text('second')).user(text('third')));
    }
    await eventually('all of them to be known', async () => (await search('quagga', 100)).length === 60);
    await typeInto('quagga');
    await eventually('the first of them', async () => (await title()) === 'Search Sessions · more than 50 results');
    await eventually('their rows', async () => (await driver.texts(ROWS)).join().includes('quagga'));
    await eventually('the last row', async () => {
      const focused = (await driver.texts(`${ROWS}.focused`)).join();
      if (focused.includes('Show More Results')) return true;
      // While files are read the list is filled again, and the first row has the focus again.
      if ((await driver.find(`${ROWS}.focused`).getAttribute('data-index')) === '0') await driver.press('ArrowUp');
      return false;
    });
    await driver.press('Enter');
    await eventually('all of them', async () => (await title()) === 'Search Sessions · 60 results');
    await eventually(
      'the first that was not there before',
      async () => (await driver.find(`${ROWS}.focused`).getAttribute('data-index')) === '50',
    );
  });

  it('lists other sessions, too, if one has very many results', async () => {
    const many = session({ cwd: own.cwd });
    for (let n = 1; n <= 150; n++) many.user(`okapi number ${String(n)}`);
    await own.put('many', many);
    await own.put('other', session({ cwd: own.cwd }).user('the other okapi'));
    await eventually('both to be known', async () => (await search('okapi', 200)).length === 151);
    await typeInto('okapi');
    await eventually('their number', async () => (await title()) === 'Search Sessions · 151 results');
    await eventually('their rows', async () => (await driver.texts(ROWS)).length === 5);
    const rows = (await driver.texts(ROWS)).join('\n');
    assert.match(rows, /147 more in this session[^]*the other okapi|the other okapi[^]*147 more in this session/);
  });

  it('explains why nothing can be found, and offers an alternative', async () => {
    await typeInto('role:bot release');
    await eventually('the roles', async () => /Unknown role “bot”.*user, assistant.*role:user.*role:summary/s.test(await shown()));
    await driver.press('ArrowDown');
    await eventually('one of them', async () => (await driver.texts(`${ROWS}.focused`)).join().includes('role:user'));
    await driver.press('Enter');
    await eventually(
      'the search for one of them',
      async () =>
        (await driver.find('.quick-input-widget input').inputValue()) === 'role:user release' &&
        /user · .* ago · webshop/.test(await shown()),
    );
    const fill = (text: string): Promise<void> => driver.find('.quick-input-widget input').fill(text);
    await fill('file:');
    await eventually('what stands behind it', async () => /Type a value after “file:”.*file:src\/index\.ts/s.test(await shown()));
    await fill('from:me quokka');
    await eventually('the prefixes', async () => /Unknown prefix “from:”.*role:, tool:, file:, label:, project:/s.test(await shown()));
    await fill('project:nowhere');
    await eventually('the projects', async () => /No sessions in project.*project:webshop/s.test(await shown()));
  });

  it('shows tool calls as calls, and text without Markdown syntax', async () => {
    await typeInto('tool:edit ');
    await eventually('the calls', async () => /tool call · .* ago · webshop/.test(await shown()));
    await driver.waitFor(`${ROWS} .codicon-tools`);
    await driver.find('.quick-input-widget input').fill('token bucket');
    await eventually('the text', async () => (await shown()).includes('A token bucket for each address'));
    assert.ok(!(await shown()).includes('**'));
  });

  it('marks several words separately, and reports an empty result', async () => {
    await typeInto('retry just');
    await eventually('the marks', async () => (await shown()).includes('‹just› ‹retry›'));
    await driver.type(' zzzz');
    await eventually('nothing', async () => (await shown()).includes('No results found'));
    await driver.press('Escape');
    await driver.waitFor('.quick-input-widget', { state: 'hidden' });
  });
});
