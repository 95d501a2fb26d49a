import assert from 'node:assert/strict';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { writeBigSession } from '../fixtures/bigSessions';
import { session, type Given, type SessionBuilder } from '../fixtures/build';
import { barChart } from '../fixtures/sample/chart';
import { another } from './externalProcess';
import type { Frame } from './playwright';
import { openContext, scrollMessages, until, untilStateKept, whenStill } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, run, show } from './editorSuite';
import { choose, menuTexts } from './menus';
import { open, rows, showClosed } from './treeRows';
import { eventually, untilEqual, untilMatches } from './waiting';

const talk = (cwd: string): SessionBuilder =>
  session({ cwd })
    .model('anthropic', 'claude-x')
    .thinking('high')
    .user('Forgotten question', { id: 'old' })
    .assistant('Forgotten answer')
    .user('What do you **see**?', {
      id: 'kept',
      message: { content: [{ type: 'text', text: 'What do you **see**?' }, barChart([0.2, 0.9])] },
    })
    .compaction('They talked about the past.', 'kept')
    .assistant(
      [
        { type: 'thinking', thinking: 'A secret thought' },
        { type: 'text', text: 'A chart. I will run the tests.' },
      ],
      { id: 'seen' },
    )
    .tool('bash', { command: 'npm test' }, '\u001b[32mall green\u001b[0m')
    .tool('edit', { path: 'src/a.ts', oldText: 'a', newText: 'b' }, 'Edited.', { message: { details: { diff: '-1 a\n+1 b' } } })
    .bash('git status', 'nothing to commit', { message: { exitCode: 1 } })
    .customMessage('reminder', 'Stay on the path.')
    .branchSummary('The other way was a wall.')
    .assistant('Done.', { id: 'done' })
    .label('done', 'good end')
    .name('Charts and tests');

describe('The context view', () => {
  editorSuite();

  const headings = (frame: Frame): Promise<string[]> => driver.texts('article h2', frame);

  it('has one preview, which a double click keeps open, and opens to the side', async () => {
    const talkAbout = async (name: string): Promise<void> => {
      await own.put(name, session({ cwd: own.cwd }).user(`About ${name}`).assistant(`${name}!`).name(name));
    };
    for (const name of ['apples', 'pears', 'plums']) await talkAbout(name);
    const row = (text: string): string => `.part.sidebar .monaco-list-row >> text=${text}`;
    await showClosed();
    await open(basename(own.cwd));
    for (const name of ['apples', 'pears', 'plums']) await open(name);
    const tabs = (): string[][] => vscode.window.tabGroups.all.map((group) => group.tabs.map(({ label }) => label));
    const untilTabs = (...expected: string[][]): Promise<void> => untilEqual(tabs, expected);
    await driver.click(row('About apples'));
    await untilTabs(['apples']);
    await driver.click(row('About pears'));
    await untilTabs(['pears']);
    await driver.find(row('About pears')).dblclick();
    await driver.click(row('About plums'));
    await untilTabs(['pears', 'plums']);
    await driver.screenshot('preview.png');
    await driver.find('.editor-actions [aria-label^="Keep Open"]').click();
    await driver.click(row('About apples'));
    await untilTabs(['pears', 'plums', 'apples']);
    const plums = '.part.sidebar .monaco-list-row[aria-label*="plums"]';
    await driver.find(plums).hover();
    await driver.find(`${plums} [aria-label^="Show Context"]`).hover();
    await driver.page.keyboard.down('Alt');
    await driver.click(`${plums} [aria-label^="Open to the Side"]`);
    await driver.page.keyboard.up('Alt');
    await untilTabs(['pears', 'plums', 'apples'], ['plums']);
    await driver.screenshot('to-the-side.png');
  });

  it('enlarges images, and shows how full the model’s window is and its largest messages', async () => {
    const usage = { input: 179_000, output: 1000, cacheRead: 0, cacheWrite: 0, totalTokens: 180_000, cost: { total: 1 } };
    const path = await own.put(
      'full',
      session({ cwd: own.cwd })
        .model('anthropic', 'claude-opus-4-5')
        .user([{ type: 'text', text: 'Look at **this** chart' }, barChart([0.2, 0.9])])
        .tool('bash', { command: 'npm test' }, 'green '.repeat(2000))
        .assistant([{ type: 'text', text: 'It grows.' }], { message: { usage, model: 'claude-opus-4-5' } }),
    );
    const frame = await openContext({ path });
    await driver.waitFor('.usage-total >> text=180K / 200K (90%)', {}, frame);
    await untilEqual(() => driver.text('h1', frame), 'Look at this chart');
    await driver.click('.usage-total', frame);
    await driver.waitFor('.largest-item >> text=[bash: npm test]', {}, frame);
    await until(frame, 'document.querySelector(".details").offsetHeight <= document.body.offsetHeight * 0.4');
    await driver.screenshot('window-full.png');

    const image = '.image-button img[alt^="Image, "]';
    await until(frame, `document.querySelector('${image}')?.naturalWidth > 0`);
    const before = Number(await whenStill(frame, `document.querySelector('${image}').offsetWidth`));
    await driver.find('.image-button', frame).focus();
    await driver.press('Enter');
    await driver.waitFor('.lightbox img', {}, frame);
    await until(frame, `document.querySelector(".lightbox img").offsetWidth > ${before}`);
    for (let presses = 0; presses < 3; presses++) {
      await until(frame, 'document.activeElement.closest(".lightbox") !== null');
      await driver.press('Tab');
    }
    await driver.screenshot('lightbox.png');
    await driver.press('Shift+Tab');
    await driver.press('Escape');
    await until(frame, 'document.querySelector(".lightbox") === null && document.activeElement.className === "image-button"');
    await driver.click('.image-button', frame);
    await driver.click('.lightbox img', frame);
    await until(frame, 'document.querySelector(".lightbox") === null');
  });

  it('has a narrow rail for one branch, whole headers of continued answers, and copies what is selected', async () => {
    const path = await own.put(
      'rail',
      session({ cwd: own.cwd })
        .user('Go')
        .compaction('They went.', '')
        .assistant('One', {
          message: { usage: { input: 1234, output: 567, reasoning: 300, cacheRead: 12_345, cacheWrite: 0, cost: { total: 1.2345 } } },
        })
        .assistant('Two more words', {
          id: 'second',
          message: {
            model: `a-model-with-${'a-long-'.repeat(12)}name`,
            usage: { input: 1234, output: 567, reasoning: 300, cacheRead: 12_345, cacheWrite: 0, cost: { total: 1.2345 } },
          },
        }),
    );
    const frame = await openContext({ path });
    await driver.waitFor('.branches', {}, frame);
    await until(frame, 'document.querySelector(".branches").offsetWidth < 50');
    await driver.click('[data-key=transcript]', frame);
    await until(frame, 'document.querySelectorAll("article.is-continuation").length > 0');
    await driver.find('article[data-entry=second]', frame).hover();
    await driver.screenshot('continued.png');
    await whenStill(frame, 'document.querySelectorAll("article").length');
    const lefts = (await driver.evaluate(
      `[...document.querySelectorAll('article')].map((one) => {
        const header = one.querySelector('.article-header');
        return header === null ? 0 : header.getBoundingClientRect().left - one.getBoundingClientRect().left;
      })`,
      frame,
    )) as number[];
    assert.deepEqual(
      lefts.filter((left) => left < 0),
      [],
    );
    await driver.evaluate(`getSelection().selectAllChildren(document.querySelector('article[data-entry=second] .markdown p'))`, frame);
    const selected = String(await driver.evaluate('getSelection().toString()', frame));
    const openMenu = (): Promise<void> => driver.find('article[data-entry=second] .markdown p', frame).click({ button: 'right' });
    const items = (await menuTexts(openMenu)).filter((text) => /^(Cut|Copy Selection|Paste)$/.test(text));
    assert.deepEqual(items, ['Copy Selection']);
    await choose(openMenu, 'Copy Selection');
    await eventually('the copy', async () => (await vscode.env.clipboard.readText()) === selected);
    await driver.screenshot('rail.png');
  });

  it('shows every message that the model would get, in order, with a divider at the compaction @oldest', async () => {
    await driver.page.setViewportSize({ width: 1280, height: 1600 });
    const path = await own.put('talk', talk(own.cwd));
    assert.deepEqual(await show({ path }), { messages: 11 });
    const frame = await driver.frame('pi-session-tree');
    await untilEqual(
      () => headings(frame),
      [
        'Compaction summary',
        'User',
        'Assistant',
        'Assistant',
        'Assistant',
        'Command',
        'Custom message: reminder',
        'Branch summary',
        'Assistant',
      ],
    );
    await whenStill(frame, 'document.querySelector("main").innerText');
    const text = await driver.text('main', frame);
    const parts = [
      '2 earlier messages are summarized here',
      'They talked about the past.',
      'What do you see?',
      'Compacted here',
      'A chart. I will run the tests.',
      'npm test',
      'src/a.ts',
      '-1 a',
      '+1 b',
      'git status',
      'nothing to commit',
      'exit code 1',
      'Stay on the path.',
      'The other way was a wall.',
      'Done.',
    ];
    const places = parts.map((part) => text.indexOf(part));
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
      text,
    );
    assert.ok(!places.includes(-1), `${parts[places.indexOf(-1)] ?? ''} is missing in: ${text}`);
    for (const hidden of ['Forgotten', 'A secret thought', 'all green']) assert.ok(!text.includes(hidden), hidden);

    const head = await driver.text('header.header', frame);
    for (const part of ['Charts and tests', 'Current leaf', 'anthropic/claude-x', 'high', 'Messages\n11', 'Cost', 'system prompt'])
      assert.ok(head.includes(part), `${part} is missing in: ${head}`);
    assert.equal(await driver.text('article .label', frame), 'good end');
  });

  it('shows the system prompt and the tools at the chosen entry, and each change', async () => {
    const built = session({ cwd: own.cwd })
      .message({
        role: 'system',
        content: '',
        sections: { preamble: 'You are a coding assistant.', rules: '- Be concise\n- Show paths', docs: 'Read the docs.' },
        toolsAdded: [
          { name: 'read', description: 'Read a file', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
          { name: 'bash', description: 'Run a command', parameters: { type: 'object' } },
        ],
      })
      .user('Fix the bug', { id: 'ask' })
      .assistant('Done.')
      .message({
        role: 'system',
        content: '',
        sections: { rules: '- Be verbose', docs: null },
        toolsAdded: [{ name: 'edit', description: 'Edit a file', parameters: { type: 'object' } }],
        toolsRemoved: [{ name: 'bash' }],
      })
      .user('Now explain it');
    const path = await own.put('prompt', built);
    const frame = await openContext({ path });
    const block = 'article.prompt';
    await driver.waitFor(block, {}, frame);
    await untilEqual(() => headings(frame), ['System prompt and tools', 'User', 'Assistant', 'System prompt and tools changed', 'User']);
    assert.ok(!(await driver.text('header.header', frame)).includes('the model saw more'), 'nothing is missing');

    const unfold = (name: string): Promise<unknown> => driver.click(`${block} .tool-name:text-is("${name}")`, frame);
    await unfold('System prompt');
    await unfold('rules');
    await driver.waitFor('text=- Be verbose', {}, frame);
    await unfold('Tools');
    await unfold('read');
    await driver.waitFor('pre >> text=properties', {}, frame);
    const names = (): Promise<string[]> => driver.texts(`${block} .tool-name`, frame);
    await untilEqual(names, ['System prompt', 'preamble', 'rules', 'Tools', 'read', 'edit']);
    await untilEqual(
      async () => (await driver.texts('article.promptChange :is(summary, .prompt-line)', frame)).map((line) => line.replaceAll('\n', ' ')),
      ['rules updated 12 characters', 'docs removed', 'edit added Edit a file', 'bash removed'],
    );
    await driver.screenshot('system-prompt.png');

    await show({ path, entryId: 'ask' });
    await driver.waitFor('text=- Show paths', {}, frame);
    await untilEqual(names, ['System prompt', 'preamble', 'rules', 'docs', 'Tools', 'read', 'bash']);
  });

  it('unfolds thinking and tool calls on a click, and shows images', async () => {
    const path = await own.put('talk', talk(own.cwd));
    const frame = await openContext({ path });
    await scrollMessages(frame, '0');
    await driver.waitFor('img', {}, frame);
    await until(frame, 'document.querySelector("img").naturalWidth === 240');
    await driver.click('summary >> text=Thinking', frame);
    await driver.waitFor('text=A secret thought', {}, frame);
    await driver.click('summary >> text=npm test', frame);
    await driver.waitFor('text=all green', {}, frame);
    await until(frame, `document.querySelector('details.tool pre.output')?.innerText === 'all green'`);
    await driver.click('summary >> text=npm test', frame);
    await driver.waitFor('text=all green', { state: 'hidden' }, frame);
  });

  it('switches to the whole branch, with entries that the model no longer gets, and keeps the position', async () => {
    const builder = session({ cwd: own.cwd });
    for (let turn = 1; turn <= 20; turn++) builder.user(`Old question ${turn}`).assistant(`Old answer ${turn}`);
    builder.user('Kept question', { id: 'kept' }).custom('state', {}).compaction('They talked.', 'kept');
    for (let turn = 1; turn <= 20; turn++) builder.user(`Question ${turn}`, { id: `q${turn}` }).assistant(`Answer ${turn}`);
    builder.contextEdit('q20', 'Question, replaced').label('q3', 'mark').name('Two views');
    const path = await own.put('views', builder);
    assert.deepEqual(await show({ path }), { messages: 42 });
    const frame = await driver.frame('pi-session-tree');
    await driver.waitFor('article >> text=Question, replaced', {}, frame);
    const top = `(() => {
      const main = document.querySelector('main');
      const edge = main.getBoundingClientRect().top;
      const row = [...document.querySelectorAll('.row')].find((row) => row.getBoundingClientRect().bottom > edge);
      return row?.querySelector('article')?.dataset.entry + ' ' + Math.round(row?.getBoundingClientRect().top - edge);
    })()`;
    await driver.find('main', frame).hover();
    await driver.page.mouse.wheel(0, -700);
    await until(
      frame,
      '(() => { const m = document.querySelector("main"); return m.scrollHeight - m.scrollTop - m.clientHeight > 300 && !document.querySelector(".placeholder"); })()',
    );
    const place = await whenStill(frame, top);

    const button = (name: string) => frame.getByRole('button', { name });
    assert.equal(await button('Model view').getAttribute('aria-pressed'), 'true');
    await button('Full transcript').focus();
    await driver.press('Enter');
    await until(
      frame,
      `document.querySelector('[data-key=transcript]').getAttribute('aria-pressed') === 'true' && !document.querySelector('.placeholder')`,
    );
    await untilEqual(() => driver.evaluate('document.activeElement.dataset.key', frame), 'transcript');
    await untilEqual(() => driver.evaluate(top, frame), place);
    await untilMatches(() => driver.text('header.header', frame), /Messages\s*41 of 81/);

    await scrollMessages(frame, '0');
    await driver.waitFor('article[data-status=compacted] >> text=Old question 1', {}, frame);
    await untilEqual(() => driver.text('article[data-status=compacted] .status-badge', frame), 'summarized');
    await scrollMessages(frame, 'main.scrollHeight');
    await driver.waitFor('article.entry-row >> text=Label “mark”', {}, frame);
    // The transcript shows the original text, the model view the edited one.
    await driver.waitFor('article[data-status=edited] >> text=Question 20', {}, frame);
    await driver.click('article.entry-row >> text=Label “mark”', frame);
    await driver.waitFor('article[data-entry=q3].navigation-target', {}, frame);
    await untilEqual(() => driver.evaluate('document.activeElement.dataset.entry', frame), 'q3');

    await button('Model view').click();
    await until(
      frame,
      `document.querySelector('[data-key=model]').getAttribute('aria-pressed') === 'true' && !document.querySelector('.placeholder')`,
    );
    await driver.waitFor('article[data-entry=q3]', {}, frame);
  });

  it('shows an entry row for each entry that is no message, and unfolds summaries', async () => {
    const builder = session({ cwd: own.cwd })
      .model('anthropic', 'claude-x')
      .thinking('high')
      .user('Go', { id: 'go' })
      .compaction('They **talked**.', 'go')
      .branchSummary('A wall.')
      .custom('todo', { left: 3 })
      .entry('usage', { usage: {} })
      .label('go', 'start')
      .label('go')
      .name('Rows');
    const frame = await openContext({ path: await own.put('rows', builder) });
    await driver.click('text=Full transcript', frame);
    await driver.waitFor('article.entry-row >> text=Renamed to “Rows”', {}, frame);
    await untilEqual(
      () => driver.texts('article.entry-row .row-text', frame),
      [
        'Model: anthropic/claude-x',
        'Thinking: high',
        'Compacted; the context had 12,345 tokens',
        'Branch summary',
        'Extension data: todo',
        'Usage',
        'Label “start”: user: Go',
        'Label cleared: user: Go',
        'Renamed to “Rows”',
      ],
    );
    assert.equal(await frame.locator('article.entry-row strong').count(), 0);
    await driver.click('summary >> text=Compacted', frame);
    await driver.waitFor('article.entry-row strong >> text=talked', {}, frame);
  });

  it('shows usage, growth and cost, also by keyboard and to screen readers', async () => {
    const usage = (totalTokens: number): Given => ({
      message: { usage: { input: totalTokens - 100, output: 100, cacheRead: 0, cacheWrite: 0, totalTokens, cost: { total: 0.5 } } },
    });
    const builder = session({ cwd: own.cwd })
      .user('x'.repeat(400), { id: 'first' })
      .assistant('short', usage(1200))
      .user('The long way?', { id: 'fork' })
      .assistant('y'.repeat(2000), { ...usage(1800), id: 'long' })
      .branchFrom('fork')
      .assistant('z'.repeat(4000), { ...usage(2300), id: 'end' });
    const path = await own.put('fill', builder.label('end', 'tip').name('Fill'));
    const frame = await openContext({ path });
    await driver.waitFor('.usage-total >> text=2,300 tokens', {}, frame);
    const bar = `[...document.querySelectorAll('.usage-segment')].map((part) => part.getAttribute('aria-label'))`;
    // The first answer read 1,100 tokens, of which 100 are the 400 characters of the question.
    await untilEqual(
      async () => ((await driver.evaluate(bar, frame)) as string[]).map((share) => share.replace(/: .*, /, ' ')),
      ['System prompt and tools 43%', 'User 5%', 'Assistant 51%'],
    );

    await driver.find('.usage-segment', frame).focus();
    await driver.press('Enter');
    await driver.waitFor('.details h2 >> text=Largest messages', {}, frame);
    await untilEqual(async () => (await driver.texts('.largest-item', frame)).length, 4);
    await driver.press('ArrowRight');
    await untilEqual(() => driver.evaluate('document.activeElement.dataset.key', frame), 'bar/user/');
    await driver.press('ArrowRight');
    await driver.press('Enter');
    await driver.waitFor('.details h2 >> text=Largest: Assistant', {}, frame);
    await driver.waitFor('.largest-item', {}, frame);
    await untilEqual(async () => (await driver.texts('.largest-item', frame)).length, 2);
    await untilMatches(() => driver.text('.data-table', frame), /System prompt and tools\s+1,000\s+43%/);
    await untilEqual(
      async () =>
        (await driver.text('.totals table', frame))
          .split('\n')
          .slice(0, 2)
          .map((row) => row.trim().split('\t')),
      [
        ['Session', 'This Branch', 'Only This Branch'],
        ['Cost', '$1.50', '$1.00', '$0.50'],
      ],
    );

    const plot = frame.getByRole('slider', { name: 'Growth on this branch' });
    await plot.focus();
    await driver.press('Home');
    await untilEqual(() => plot.getAttribute('aria-valuetext'), '1,200 tokens at entry 2 of 6');
    await driver.waitFor('.tooltip >> text=1,200 tokens', {}, frame);
    await driver.press('End');
    await driver.press('Enter');
    await driver.waitFor('article.navigation-target[data-entry=end]', {}, frame);
    await frame.getByRole('button', { name: 'All Kinds' }).click();
    await driver.click('.largest-item >> text=xxx', frame);
    await driver.waitFor('article.navigation-target[data-entry=first]', {}, frame);

    // Appended messages are counted too.
    const lines = builder.lines().length;
    await another.append(path, `${builder.user('w'.repeat(8000)).lines().slice(lines).join('\n')}\n`);
    await driver.waitFor('.usage-total >> text=~', {}, frame);
  });

  it('opens files that are named, at their line, and only existing ones', async () => {
    await mkdir(join(own.cwd, 'src', 'folder'), { recursive: true });
    await writeFile(join(own.cwd, 'src', 'a.ts'), Array.from({ length: 30 }, (_, line) => `// line ${line + 1}\n`).join(''));
    const builder = session({ cwd: own.cwd })
      .user('See `src/a.ts:12`, `src/none.ts:3`, `src/folder`, `command:workbench.action.quit` and `npm test`.')
      .tool('read', { path: 'src/a.ts', offset: 20, limit: 5 });
    const frame = await openContext({ path: await own.put('paths', builder.name('Paths')) });
    await until(frame, `!!document.querySelector('.path-link') && !!document.querySelector('.tool-buttons > button')`);
    await untilEqual(() => driver.texts('.path-link', frame), ['src/a.ts:12']);
    // A fold's summary is a control, and contains no others.
    assert.equal(await driver.evaluate(`document.querySelectorAll('summary :is(a, button, input, [tabindex])').length`, frame), 0);
    const at = async (line: number): Promise<void> => {
      await eventually(
        `the file at line ${line}`,
        () =>
          vscode.window.activeTextEditor?.document.uri.fsPath === join(own.cwd, 'src', 'a.ts') &&
          vscode.window.activeTextEditor.selection.active.line === line - 1,
      );
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    };
    await driver.click('.path-link >> text=src/a.ts:12', frame);
    await at(12);
    const again = await driver.frame('pi-session-tree');
    await again.getByRole('button', { name: 'Open src/a.ts:20' }).focus();
    await driver.press('Enter');
    await at(20);
    const last = await driver.frame('pi-session-tree');
    await driver.click('summary .path-text', last);
    await at(20);
    await until(await driver.frame('pi-session-tree'), `document.querySelector('details.tool')?.open === false`);
  });

  it('goes from an edited message to its original', async () => {
    const path = await own.put(
      'edit',
      session({ cwd: own.cwd })
        .user('What was said', { id: 'said' })
        .assistant('Yes.')
        .user('Taken away', { id: 'away' })
        .contextEdit('said', 'What the model gets')
        .contextEdit('away', null),
    );
    assert.deepEqual(await show({ path }), { messages: 2 });
    const frame = await driver.frame('pi-session-tree');
    await driver.waitFor('article.entry-row >> text=Removed by an edit: user: Taken away', {}, frame);
    await untilMatches(() => driver.text('article.user', frame), /What the model gets/);
    await driver.click('button.status-badge >> text=edited', frame);
    await driver.waitFor('article.navigation-target >> text=What was said', {}, frame);
    await driver.waitFor('article[data-status=omitted] >> text=Taken away', {}, frame);
  });

  it('unfolds the tool call when it goes to its result, and shows the result after long arguments', async () => {
    // Its first and last lines, which are shown, are higher than the page.
    const script = Array.from({ length: 200 }, (_, line) => `echo ${line}${' and so on'.repeat(50)}`).join('\n');
    const path = await own.put(
      'token',
      session({ cwd: own.cwd })
        .user('Where is the token?')
        .tool('write', { path: 'short.sh', content: 'echo' }, 'short-result', { id: 'short', message: { isError: true } })
        .tool('write', { path: 'long.sh', content: script }, 'long-result', { id: 'long', message: { isError: true } }),
    );
    const frame = await openContext({ path });
    for (const id of ['short', 'long']) {
      await run('contextNextError');
      await driver.waitFor(`details.navigation-target[open][data-entry=${id}] >> text=${id}-result`, {}, frame);
      await until(
        frame,
        `(() => { const at = [...document.querySelectorAll('details[data-entry=${id}] .result-name')].map((name) => name.getBoundingClientRect()); return at.length === 1 && at[0].top >= 0 && at[0].bottom < innerHeight; })()`,
      );
    }
  });

  it('shows the context at any entry, and goes to the leaf', async () => {
    const path = await own.put('talk', talk(own.cwd));
    assert.deepEqual(await show({ path, entryId: 'old' }), { messages: 1 });
    const frame = await driver.frame('pi-session-tree');
    await untilMatches(() => driver.text('main', frame), /Forgotten question/);
    await untilMatches(() => driver.text('.location', frame), /At user: Forgotten question/);
    await driver.click('text=Go to Current Leaf', frame);
    await driver.waitFor('.location >> text=Current leaf', {}, frame);
    await driver.waitFor('article >> text=Done.', {}, frame);
  });

  it('never covers text with the header of a continued answer that appears on hover', async () => {
    const path = await own.put(
      'talk',
      session({ cwd: own.cwd })
        .user('Go.')
        .assistant('First I look.')
        .tool('bash', { command: 'ls' }, 'a')
        .assistant('Then I talk.')
        .assistant('Marked.', { id: 'marked' })
        .label('marked', 'here'),
    );
    const frame = await openContext({ path });
    await driver.waitFor('article >> text=Marked.', {}, frame);
    for (const text of ['ls', 'Then I talk.', 'Marked.']) {
      await frame.locator('article.is-continuation').filter({ hasText: text }).first().hover();
      await until(frame, 'getComputedStyle(document.querySelector("article:hover > .article-header")).opacity === "1"');
      const overlap = `(() => {
        const line = document.querySelector('article:hover > .article-header').getBoundingClientRect();
        const bodies = [...document.querySelectorAll('article > .body')].map((body) => body.getBoundingClientRect());
        return bodies.some((body) => body.top < line.bottom - 1 && line.top < body.bottom - 1);
      })()`;
      await untilEqual(() => driver.evaluate(overlap, frame), false, `no overlap with ${text}`);
    }
  });

  it('copies exactly a block of code', async () => {
    const code = 'const price = cents / 100; // "as shown" <b>\n\tif (price > 1) return;\n';
    const path = await own.put('code', session({ cwd: own.cwd }).user('How?').assistant(`So:\n\n\`\`\`ts\n${code}\`\`\`\n\nDone.`));
    const frame = await openContext({ path });
    await driver.find('pre.code', frame).hover();
    await driver.click('.copy-code', frame);
    await eventually('the code', async () => (await vscode.env.clipboard.readText()).trimEnd() === code.trimEnd());
  });

  it('lays out long code only where it’s in sight, at its height and with its whole lines', async () => {
    const line = (number: number): string => `const value${number} = "${'w'.repeat(number === 395 ? 250 : 10)}"; // ${number}\n`;
    const code = Array.from({ length: 400 }, (_, number) => line(number)).join('');
    const path = await own.put('long-code', session({ cwd: own.cwd }).user('How?').assistant(`So:\n\n\`\`\`ts\n${code}\`\`\``));
    const frame = await openContext({ path });
    const heightOf = `document.querySelector('pre.code').offsetHeight`;
    const before = Number(await whenStill(frame, heightOf));
    const seen = (await frame.evaluate(`(() => {
      const pre = document.querySelector('pre.code');
      const pieces = [...pre.querySelectorAll('.code-piece')];
      const shown = pieces.map((piece) => piece.firstElementChild.checkVisibility({ contentVisibilityAuto: true }));
      getSelection().selectAllChildren(pre.querySelector('code'));
      const lineHeight = parseFloat(getComputedStyle(pieces[0]).lineHeight);
      return { shown, text: pre.querySelector('code').textContent, selected: getSelection().toString(), lineHeight,
        isWide: pre.scrollWidth > pre.clientWidth && pieces.at(-1).offsetWidth >= pieces.at(-1).scrollWidth };
    })()`)) as { shown: boolean[]; text: string; selected: string; lineHeight: number; isWide: boolean };
    assert.deepEqual([seen.shown.at(0), seen.shown.at(-1), seen.isWide], [false, true, true]);
    assert.equal(seen.text.trimEnd(), code.trimEnd());
    assert.equal(seen.selected.trimEnd(), code.trimEnd());
    assert.ok(Math.abs(before - 400 * seen.lineHeight) < 40, `${before} pixels for lines of ${seen.lineHeight}`);
    await scrollMessages(frame, '0');
    assert.ok(Math.abs(Number(await whenStill(frame, heightOf)) - before) < 10);
  });

  it('runs commands on a message', async () => {
    const path = await own.put('talk', talk(own.cwd));
    const frame = await openContext({ path });
    await driver.find('article >> text=Done.', frame).hover();
    await frame.locator('article').filter({ hasText: 'Done.' }).first().getByRole('button', { name: 'Copy Text' }).click();
    await eventually('the copied text', async () => (await vscode.env.clipboard.readText()) === 'Done.');
    await driver.click('role=button[name="Export Session…"]', frame);
    await driver.find('.quick-input-widget >> text=to read in any browser').waitFor();
    await driver.press('Escape');
    await driver.click('role=button[name="Open as Markdown"]', frame);
    await eventually(
      'the document',
      () =>
        vscode.window.tabGroups.all
          .flatMap((group) => group.tabs)
          .find((tab) => tab.label.includes('Charts and tests') && tab.label.includes('.md')) ?? undefined,
    );
  });

  it('rejects missing sessions and entries with a sentence', async () => {
    const path = await own.put('talk', talk(own.cwd));
    await assert.rejects(async () => show({ path, entryId: 'nowhere' }), /This session has no entry nowhere\./);
    await assert.rejects(async () => show({ path: join(own.folder, 'none.jsonl') }), /session file doesn’t exist/);
  });

  it('follows appends of another process, and stays at the end if it was there', async () => {
    const builder = session({ cwd: own.cwd }).user('Begin');
    for (let turn = 1; turn <= 30; turn++) builder.assistant(`Answer ${turn}`).user(`Question ${turn}`);
    const path = await own.put('long', builder.name('Follow'));
    const frame = await openContext({ path });
    await driver.waitFor('article >> text=Question 30', {}, frame);

    const append = (text: string): Promise<void> => {
      const lines = builder.lines().length;
      const line = builder.assistant(text).lines().slice(lines).join('\n');
      return another.append(path, `${line}\n`);
    };
    await append('News one');
    await driver.waitFor('article >> text=News one', {}, frame);
    await until(
      frame,
      '(() => { const m = document.querySelector("main"); return m.scrollHeight - m.scrollTop - m.clientHeight < 40; })()',
    );

    await driver.find('main', frame).hover();
    await driver.page.mouse.wheel(0, -600);
    await until(
      frame,
      '(() => { const m = document.querySelector("main"); return m.scrollHeight - m.scrollTop - m.clientHeight > 300; })()',
    );
    await append('News two');
    await driver.waitFor('button.new-messages >> text=1 new message', {}, frame);
    await driver.click('button.new-messages', frame);
    await driver.waitFor('article >> text=News two', {}, frame);
    await driver.waitFor('button.new-messages', { state: 'hidden' }, frame);
  });

  it('keeps the position when a compaction removes messages above, and follows in the transcript too', async () => {
    const builder = session({ cwd: own.cwd });
    for (let turn = 1; turn <= 40; turn++) builder.user(`Question ${turn}`, { id: `q${turn}` }).assistant(`Answer ${turn}`);
    const path = await own.put('live', builder.name('Live'));
    const frame = await openContext({ path });
    await driver.waitFor('article >> text=Answer 40', {}, frame);
    const append = (add: () => unknown): Promise<void> => {
      const lines = builder.lines().length;
      add();
      return another.append(path, `${builder.lines().slice(lines).join('\n')}\n`);
    };
    const top = `(() => {
      const edge = document.querySelector('main').getBoundingClientRect().top;
      const row = [...document.querySelectorAll('.row')].find((row) => row.getBoundingClientRect().bottom > edge);
      return row?.querySelector('article')?.dataset.entry + ' ' + Math.round(row?.getBoundingClientRect().top - edge);
    })()`;
    await driver.find('main', frame).hover();
    await driver.page.mouse.wheel(0, -900);
    await until(
      frame,
      '(() => { const m = document.querySelector("main"); return m.scrollHeight - m.scrollTop - m.clientHeight > 500 && !document.querySelector(".placeholder"); })()',
    );
    const place = await whenStill(frame, top);
    await append(() => builder.compaction('They talked.', 'q20'));
    await until(frame, `document.querySelector('.header').innerText.includes('43') && ${top} === ${JSON.stringify(place)}`);

    await driver.click('text=Full transcript', frame);
    await until(
      frame,
      `document.querySelector('[data-key=transcript]').getAttribute('aria-pressed') === 'true' && ${top} === ${JSON.stringify(place)}`,
    );
    // A label is an entry, but no message.
    await append(() => builder.label('q39', 'a mark').user('A new one'));
    await driver.waitFor('button.new-messages >> text=1 new message', {}, frame);
    await driver.click('button.new-messages', frame);
    await driver.waitFor('article >> text=A new one', {}, frame);
    await append(() => builder.assistant('A last one'));
    await driver.waitFor('article >> text=A last one', {}, frame);
    await until(
      frame,
      '(() => { const m = document.querySelector("main"); return m.scrollHeight - m.scrollTop - m.clientHeight < 40; })()',
    );
  });

  it('goes from a label to another branch', async () => {
    const builder = session({ cwd: own.cwd })
      .user('Start', { id: 'start' })
      .assistant('The left way', { id: 'left' })
      .branchFrom('start')
      .assistant('The right way')
      .label('left', 'over there');
    const frame = await openContext({ path: await own.put('across', builder.name('Across')) });
    await driver.click('text=Full transcript', frame);
    await driver.click('article.entry-row >> text=over there', frame);
    await driver.waitFor('.location >> text=The left way', {}, frame);
    await driver.waitFor('article.assistant >> text=The left way', {}, frame);
  });

  it('leads from the attempts at a fork to the end of each, by keyboard', async () => {
    const builder = session({ cwd: own.cwd })
      .user('Start', { id: 'start' })
      .assistant('How?', { id: 'how' })
      .user('<b>The left way</b>', { id: 'left' })
      .assistant('It is blocked', { id: 'blocked' })
      .branchFrom('how')
      .user('The right way', { id: 'right' })
      .assistant('It is open');
    const frame = await openContext({ path: await own.put('attempts', builder.name('Attempts')) });
    const group = frame.getByRole('group', { name: '2 attempts:' });
    await untilEqual(() => driver.texts('.attempts li', frame), ['“<b>The left way</b>” was abandoned, $0.04', '“The right way” was kept']);
    await group.getByRole('button').focus();
    await driver.press('Enter');
    await driver.waitFor('.location >> text=It is blocked', {}, frame);
    await untilEqual(() => driver.text('article[data-entry=left] .attempts [aria-current]', frame), '“<b>The left way</b>” was abandoned');
    await driver.click('.attempt >> text=The right way', frame);
    await driver.waitFor('article.assistant >> text=It is open', {}, frame);
  });

  it('keeps its messages when the file is removed, with a warning', async () => {
    const path = await own.put('talk', talk(own.cwd));
    const frame = await openContext({ path });
    await rm(path);
    await driver.waitFor('.warning >> text=This session file doesn’t exist', {}, frame);
    await untilMatches(() => driver.text('main', frame), /Done\./);
  });

  it('shows a note for a missing image, and shows one that is stored beside the sessions', async () => {
    const { data } = barChart([0.4]) as { data: string };
    const [there, gone] = ['a', 'b'].map((digit) => `1234${digit.repeat(60)}`) as [string, string];
    const folder = join(own.cwd, 'agent');
    await mkdir(join(folder, 'blobs'), { recursive: true });
    await mkdir(join(folder, 'sessions', 'x'), { recursive: true });
    await writeFile(join(folder, 'blobs', there), Buffer.from(data, 'base64'));
    const image = (hash: string): object => ({ type: 'image', mimeType: 'image/png', data: `blob:sha256:${hash}` });
    const path = join(folder, 'sessions', 'x', 's.jsonl');
    await writeFile(
      path,
      session({ title: 'Blobs', cwd: own.cwd })
        .user([image(there), image(gone)])
        .text(),
    );
    const frame = await openContext({ path });
    await driver.waitFor('img', {}, frame);
    await until(frame, 'document.querySelector("img").naturalWidth === 240');
    assert.match(await driver.text('.image-missing', frame), /This image’s file no longer exists/);
  });

  it('shows a huge output in pieces', async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `line ${index} of a long story`).join('\n');
    const path = await own.put('huge', session({ cwd: own.cwd }).user('Tell').tool('read', { path: 'story.txt' }, lines).name('Huge'));
    const frame = await openContext({ path });
    await driver.click('summary >> text=story.txt', frame);
    await driver.waitFor('text=line 59999 of', {}, frame);
    assert.ok(Number(await frame.evaluate('document.querySelector("main").textContent.length')) < 5000);
    await driver.click('button.show-more >> text=more characters', frame);
    await driver.click('button.show-more >> text=more characters', frame);
    await until(frame, 'document.querySelector("main").textContent.includes("line 5000 of a long story\\nline 5001 of")');
    await driver.waitFor('text=Open Raw File', {}, frame);
  });

  it('opens 10,000 messages at once and scrolls through them', async function () {
    const path = join(own.folder, 'big.jsonl');
    await writeBigSession(path, { entries: 10_000, chain: true, images: 40 });
    await run('refresh');
    const began = performance.now();
    const { messages } = await show({ path });
    const opened = performance.now() - began;
    assert.equal(messages, 10_000);
    const big = await driver.frame('pi-session-tree');
    await driver.evaluate(
      'window.tasks = []; new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((e) => Math.round(e.duration)))).observe({ type: "longtask" })',
      big,
    );
    for (let place = 0; place <= 60; place++) {
      await scrollMessages(big, `main.scrollHeight * ${place / 60}`);
      await until(big, '!document.querySelector(".placeholder") && !!document.querySelector("article")');
    }
    const tasks = (await driver.evaluate('window.tasks', big)) as number[];
    const rows = Number(await driver.evaluate('document.querySelectorAll(".row").length', big));
    console.log(
      `      ${Math.round((await stat(path)).size / 1e6)} MB, drawn after ${Math.round(opened)} ms; 61 jumps: ${tasks.length} tasks over 50 ms, the longest ${Math.max(0, ...tasks)} ms; ${rows} rows`,
    );
    assert.ok(rows < 60, String(rows));
  });

  it('restores position and folds after it was hidden', async () => {
    const builder = session({ cwd: own.cwd }).user('Begin').tool('bash', { command: 'echo first' }, 'first result');
    for (let turn = 1; turn <= 40; turn++) builder.user(`Question ${turn}`).assistant(`Answer ${turn}`);
    const path = await own.put('place', builder.name('Place'));
    await show({ path });
    let frame = await driver.frame('pi-session-tree');
    await scrollMessages(frame, '0');
    await driver.click('summary >> text=echo first', frame);
    await driver.waitFor('text=first result', {}, frame);
    await untilStateKept(frame, ['"view":"transcript"', '"folds":[['], () => driver.click('text=Full transcript', frame));
    await until(frame, `document.querySelector('[data-key=transcript]').getAttribute('aria-pressed') === 'true'`);
    const other = join(own.cwd, 'other.txt');
    await writeFile(other, '');
    await vscode.window.showTextDocument(vscode.Uri.file(other), { preview: false });
    await driver.waitFor('.tab.active >> text=other.txt');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    frame = await driver.frame('pi-session-tree');
    await driver.waitFor('article >> text=first result', {}, frame);
    await until(frame, 'document.querySelector("main").scrollTop < 50');
    await untilEqual(() => frame.getByRole('button', { name: 'Full transcript' }).getAttribute('aria-pressed'), 'true');
  });

  it('shows what was said and done as titles and rows, and folds what programs added', async () => {
    const sender = 'Sender (untrusted metadata):\n```json\n{\n  "label": "control-ui"\n}\n```';
    const builder = session({ cwd: own.cwd })
      .user(`${sender}\n\n[Tue 2026-05-05 09:41 GMT+8] Fix the parser`)
      .tool('bash', { command: `cd ${own.cwd} && npm test` }, 'all green')
      .tool('read', { path: join(own.cwd, 'src', 'parser.ts') }, 'text')
      .customMessage('reminder', 'Nobody should see this', { display: false })
      .user('Thanks');
    const path = await own.put('titles', builder);
    const frame = await openContext({ path });
    await untilEqual(() => driver.text('h1', frame), 'Fix the parser');
    await driver.click('text=Full transcript', frame);
    await driver.waitFor('article.is-hidden', {}, frame);
    const unfolded = (is: boolean): string => `document.querySelector("article.is-hidden details")?.open === ${String(is)}`;
    await until(frame, unfolded(false));
    const summaries =
      '[...document.querySelectorAll("article.tool .tool-summary, article.assistant .tool-summary")].map((one) => one.textContent).join()';
    await until(frame, `${summaries} === 'npm test,src/parser.ts'`);
    await untilEqual(() => driver.text('article.user .markdown', frame), 'Fix the parser');

    await showClosed();
    await open(basename(own.cwd));
    await open('Fix the parser');
    const names = async (): Promise<string[]> => (await rows()).map(({ name }) => name.replaceAll('\u00a0', ' '));
    for (const name of ['[read: src/parser.ts]', 'Fix the parser', '[bash: npm test]'])
      await eventually(`a row ${name}`, async () => (await names()).includes(name));
    await driver.screenshot('titles.png');

    await driver.click('text=Hidden messages', frame);
    await until(frame, unfolded(true));
    await driver.screenshot('titles-unfolded.png');
    await driver.click('text=Hidden messages', frame);
    await until(frame, unfolded(false));
  });
});
