// Opens exported sessions in a browser, from the disk and from a server that counts requests.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { installHost } from './install.mjs';
import { exitOnSignals } from './processes.mjs';

exitOnSignals();

const root = join(import.meta.dirname, '..', '..');
const require = createRequire(import.meta.url);
const built = (path) => require(join(root, 'out', path));

describe('an exported page', function () {
  this.timeout(240_000);
  let folder, context, page, exportHtml, extractSession, session, hostileSession, axe;
  /** The page's log, and the addresses that it requested beyond its own. */
  let noise;

  before(async () => {
    await installHost();
    const { launchBrowser } = await import('./browser.mjs');
    ({ exportHtml } = built('src/core/files/export/htmlExport.js'));
    ({ extractSession } = built('src/core/format/export/htmlData.js'));
    ({ session } = built('test/fixtures/build.js'));
    ({ hostileSession } = built('test/editor/hostileTexts.js'));
    axe = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
    folder = await mkdtemp(join(tmpdir(), 'export-'));
    ({ context } = await launchBrowser(join(folder, 'profile')));
  });
  after(async () => {
    await context?.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    page = await context.newPage();
    noise = [];
    page.on('console', (message) => noise.push(message.text()));
    page.on('pageerror', (error) => noise.push(String(error)));
    page.on('request', (request) => {
      if (!request.isNavigationRequest() && !request.url().startsWith('data:')) noise.push(request.url());
    });
  });
  afterEach(() => page.close());

  const textOf = async (lines, options = {}) => {
    let text = '';
    for await (const piece of exportHtml(each(lines), { title: 'A title', pageFolder: join(root, 'dist'), ...options })) text += piece;
    return text;
  };
  const write = async (builder, options) => {
    const lines = typeof builder === 'string' ? builder.split('\n') : builder.text().trimEnd().split('\n');
    const path = join(folder, 'export.html');
    await writeFile(path, await textOf(lines, options));
    return pathToFileURL(path).href;
  };
  const drawn = () => page.waitForFunction(() => globalThis.performance.getEntriesByName('rendered').length > 0);
  const open = async (builder, { hash = '', ...options } = {}) => {
    await page.goto('about:blank');
    await page.goto((await write(builder, options)) + hash);
    await drawn();
  };
  const messages = () => page.locator('main article').allInnerTexts();
  const rows = () => page.locator('.tree-row .tree-text').allInnerTexts();
  const count = () => page.locator('.tree-count').innerText();

  /** A question with two answers; the session continues at the second. */
  const branched = () =>
    session({ cwd: '/work/shop' })
      .user('Which way?', { id: 'ask' })
      .assistant('Left.', { id: 'left' })
      .user('And then?', { id: 'then' })
      .tool('bash', { command: 'echo needle' }, 'a result')
      .branchFrom('ask')
      .assistant('Right.', { id: 'right' })
      .label('right', 'chosen')
      .user('Thanks', { id: 'thanks' });

  it('runs nothing of the session’s texts, requests nothing and logs nothing', async () => {
    const requests = [];
    const bytes = await textOf(hostileSession('/work/x').text().trimEnd().split('\n'), {
      title: '</title><script>window.hacked=1</script>',
      note: '</script><img src=x onerror="window.hacked=1">',
    });
    const server = createServer(({ url }, response) => {
      requests.push(url);
      response.writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(url === '/' ? bytes : '');
    }).listen(0, '127.0.0.1');
    try {
      await new Promise((resolve) => server.once('listening', resolve));
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      await drawn();
      await page.locator('.tree-filter').selectOption('all');
      for (const view of ['transcript', 'model']) {
        await page.locator(`.segment[data-key=${view}]`).click();
        await page.evaluate(openEverything);
      }
      assert.equal(await page.evaluate('window.hacked'), undefined);
      assert.deepEqual(await page.locator('main :is(script, iframe, object, embed, form, style, link, meta)').count(), 0);
      assert.deepEqual(noise, []);
      assert.deepEqual(requests, ['/']);
    } finally {
      server.close();
    }
  });

  it('shows the branch of the leaf, any other one on a click, and the leaf again', async () => {
    await open(branched());
    assert.match((await messages()).join('\n'), /Which way\?[^]*Right\.[^]*Thanks/);
    await page.locator('.tree-row', { hasText: 'Left.' }).click();
    await page.locator('main article[data-entry=then]').waitFor();
    assert.doesNotMatch((await messages()).join('\n'), /Right\./);
    assert.equal(await page.evaluate('location.hash'), '#left');
    await page.getByRole('button', { name: 'Go to Current Leaf' }).click();
    await page.locator('main article', { hasText: 'Right.' }).waitFor();
    assert.equal(await page.evaluate('location.hash'), '');
    await page.goBack();
    await page.locator('main article[data-entry=left]').waitFor();
    assert.deepEqual(noise, []);
  });

  it('shows how full the window of the model is', async () => {
    const answered = session({ cwd: '/work/shop' })
      .user('Which way?')
      .assistant('Left.', { message: { provider: 'sea', model: 'tide' } });
    await open(answered, { windows: { tide: { sea: 200_000 } } });
    await page.locator('.overview', { hasText: / \/ 200K \(/ }).waitFor();
  });

  it('opens at the entry in its address', async () => {
    await open(branched(), { hash: '#then' });
    await page.locator('article.navigation-target', { hasText: 'And then?' }).waitFor();
    await open(branched(), { hash: '#at=left' });
    assert.doesNotMatch((await messages()).join('\n'), /And then|Right\./);
    await open(branched(), { hash: '#%E0%A4%A' });
    assert.match((await messages()).join('\n'), /Thanks/);
  });

  it('works in the frame of a viewer of gists, with links by the viewer’s address', async () => {
    const text = (await textOf(branched().text().trimEnd().split('\n'))).replace(
      '<head>',
      '<head><meta name="pi-share-base-url" content="https://viewer.example/#gist"><meta name="pi-url-params" content="targetId=then">',
    );
    for (const sandbox of ['', 'allow-scripts']) {
      await page.goto('about:blank');
      await page.evaluate(
        ([srcdoc, rights]) => {
          const frame = globalThis.document.createElement('iframe');
          if (rights !== '') frame.setAttribute('sandbox', rights);
          frame.srcdoc = srcdoc;
          frame.width = frame.height = '900';
          globalThis.document.body.replaceChildren(frame);
        },
        [text, sandbox],
      );
      const frame = page.frameLocator('iframe');
      await frame.locator('article.navigation-target', { hasText: 'And then?' }).waitFor();
      await frame.getByRole('button', { name: 'Go to Current Leaf' }).click();
      await frame.locator('main article', { hasText: 'Right.' }).waitFor();
      await frame.locator('.tree-row', { hasText: 'Left.' }).click();
      await frame.locator('main article', { hasText: 'Left.' }).waitFor();
    }
    await page.frames()[1].waitForSelector('main article [data-action=copyLink]', { state: 'attached' });
    const copied = page.frames()[1].evaluate(
      () =>
        new Promise((resolve) => {
          const { document } = globalThis;
          document.execCommand = () => resolve(document.activeElement.value);
          document.querySelector('main article [data-action=copyLink]').click();
        }),
    );
    assert.match(await copied, /^https:\/\/viewer\.example\/#gist&targetId=(?:ask|left|then)$/);
    assert.deepEqual(noise, []);
  });

  it('filters and searches all entries', async () => {
    await open(branched());
    assert.equal(await count(), '6 of 8 entries');
    await page.locator('.tree-filter').selectOption('user-only');
    assert.deepEqual(await rows(), ['Which way?', 'And then?', 'Thanks']);
    await page.locator('.tree-filter').selectOption('labeled-only');
    assert.deepEqual(await rows(), ['Right.']);
    await page.locator('.tree-filter').selectOption('all');
    await page.locator('.tree-search').fill('NEEDLE echo');
    await page.waitForFunction(() => globalThis.document.querySelectorAll('.tree-row').length === 1);
    assert.match((await rows())[0], /echo needle/);
  });

  it('has no findings of axe, in light and dark, wide and narrow', async () => {
    for (const [colorScheme, width] of [
      ['dark', 1280],
      ['light', 320],
    ]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await open(branched().user([{ type: 'text', text: '# Title\n\n```ts\nconst a = 1;\n```\n\n[a](https://x.example) `b`' }]));
      if (width === 320) await page.locator('[aria-controls=entry-tree]').click();
      // The policy allows no script but the page's own, so the test's one is evaluated from outside.
      await page.evaluate(axe);
      const { violations } = await page.evaluate('axe.run()');
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
        [],
      );
      assert.ok((await page.evaluate('document.documentElement.scrollWidth')) <= width);
    }
  });

  it('has an index beside several ones, without findings of axe, that leads to each', async () => {
    const { HTML_FORMAT } = built('src/core/files/export/htmlFormat.js');
    const { formatMessage } = built('src/core/format/entry/problem.js');
    const head = { title: '<b>A</b> long title '.repeat(20), cwd: `/work/${'x'.repeat(300)}`, timestamp: '2026-01-02T03:04:05Z' };
    const path = join(folder, 'session-1.html');
    const { name, text } = HTML_FORMAT.index([{ path, head }], { translate: formatMessage, language: 'en' });
    await writeFile(join(folder, name), text);
    await writeFile(path, await textOf(branched().text().trimEnd().split('\n')));
    for (const [colorScheme, width] of [
      ['dark', 1280],
      ['light', 320],
    ]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(pathToFileURL(join(folder, name)).href);
      await page.evaluate(axe);
      const { violations } = await page.evaluate('axe.run()');
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
        [],
      );
      assert.ok((await page.evaluate('document.documentElement.scrollWidth')) <= width);
    }
    await page.getByRole('link').click();
    await drawn();
    assert.deepEqual(noise, []);
  });

  it('switches between light and dark', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await open(branched());
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await page.locator('[data-key=theme]').click();
    assert.notEqual(await background(), light);
  });

  it('prints the whole conversation and nothing around it', async () => {
    const long = session();
    for (let turn = 0; turn < 200; turn++) long.user(`Question ${turn}`).assistant(`Answer ${turn}`);
    await open(long);
    assert.ok((await page.locator('main article').count()) < 100);
    await page.evaluate(() => void globalThis.dispatchEvent(new globalThis.Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.print-sheet article').count(), 400);
    assert.match(await page.locator('.print-sheet').innerText(), /Question 0[^]*Answer 199/);
    assert.equal(await page.locator('.tree-pane, .header .buttons, main').filter({ visible: true }).count(), 0);
  });

  it('prints thinking, calls and results unfolded, with a note in place of the middle of long ones, and folds none on the page', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n');
    const prompt = { role: 'system', content: 'the whole prompt', sections: { rules: 'the rules' } };
    await open(
      session()
        .message(prompt)
        .user('Read it.')
        .assistant([{ type: 'thinking', thinking: 'a thought' }])
        .tool('read', { path: 'a.txt' }, 'a short result')
        .tool('bash', { command: 'seq 300' }, lines),
    );
    const opened = () => page.locator('main .fold[open]').count();
    assert.equal(await opened(), 0);
    await page.evaluate(() => void globalThis.dispatchEvent(new globalThis.Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    const sheet = await page.locator('.print-sheet').innerText();
    for (const part of ['a thought', 'a short result', 'seq 300', 'line 11\n', 'line 294\n', 'line 299'])
      assert.ok(sheet.includes(part), part);
    assert.match(sheet, /line 11\n+\[… 2,\d{3} characters are left out here …\]\n+line 294/);
    for (const part of ['line 150', 'the rules', 'Show']) assert.ok(!sheet.includes(part), part);
    await page.evaluate(() => void globalThis.dispatchEvent(new globalThis.Event('afterprint')));
    await page.emulateMedia({ media: 'screen' });
    assert.deepEqual([await page.locator('.print-sheet').count(), await opened()], [0, 0]);
    assert.equal(await page.evaluate('Boolean(history.state?.folds?.length)'), false);
  });

  it('prints no more than a thousand results of a long session', async () => {
    const long = session();
    for (let call = 0; call < 1010; call++) long.tool('read', { path: 'a.txt' }, `result ${call}`);
    await open(long);
    await page.evaluate(() => void globalThis.dispatchEvent(new globalThis.Event('beforeprint')));
    assert.deepEqual(
      await page
        .locator('.print-sheet')
        .evaluate((sheet) => [sheet.querySelectorAll('.fold').length, sheet.querySelectorAll('.fold[open]').length]),
      [1010, 1000],
    );
  });

  it('has words in the cells of wide tables, which scroll on a narrow page and fit on paper', async () => {
    const row = (cell) => `|${`${cell}|`.repeat(12)}\n`;
    await page.setViewportSize({ width: 320, height: 800 });
    await open(
      session()
        .user('Which?')
        .assistant(`${row('Column')}${row('-')}${row('sometext')}`),
    );
    const sizes = (root) =>
      page.evaluate(
        (root) => [
          ...['.markdown table', `td`].map((selector) => globalThis.document.querySelector(`${root} ${selector}`).getBoundingClientRect()),
          globalThis.document.documentElement.scrollWidth,
        ],
        root,
      );
    const [table, cell, width] = await sizes('main');
    assert.ok(cell.height < 40, `a cell of ${cell.height} pixels`);
    assert.ok(table.width < 320 && width <= 320, `a table of ${table.width} pixels`);
    await page.setViewportSize({ width: 700, height: 1000 });
    await page.evaluate(() => void globalThis.dispatchEvent(new globalThis.Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    assert.ok(
      await page.evaluate('(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector(".print-sheet table"))'),
    );
  });

  it('has no message that is wider than a page of 300 pixels, whatever its ID and status', async () => {
    await page.setViewportSize({ width: 300, height: 700 });
    const id = (name) => ({ id: `${name}-whose-id-is-as-long-as-those-of-some-programs` });
    const builder = session()
      .user('Hello', id('one'))
      .assistant('One', id('two'))
      .assistant('Two', id('three'))
      .user('Continue', { id: 'kept' })
      .compaction('They talked.', 'kept');
    await open(builder);
    await page.locator('.segment[data-key=transcript]').click();
    await page.locator('article.is-continuation[data-status] .actions > .icon-button').first().waitFor({ state: 'attached' });
    assert.deepEqual(
      await page.evaluate(`(() => {
        const main = document.querySelector('main');
        const actions = [...document.querySelectorAll('.actions > *')].map((one) => one.getBoundingClientRect());
        return [main.scrollWidth - main.clientWidth, actions.filter(({ left, right }) => left < 0 || right > innerWidth).length];
      })()`),
      [0, 0],
    );
  });

  it('writes tables, lists and quotes in the direction of their text', async () => {
    const forms = [(word) => `| ${word} |\n|---|\n| ${word} |`, (word) => `> ${word}`, (word) => `- \`1\` ${word}`, (word) => `1. ${word}`];
    // All messages are drawn.
    await page.setViewportSize({ width: 800, height: 3000 });
    const builder = session();
    for (const form of forms)
      builder
        .user(form('שלום'))
        .assistant(form('مرحبا'))
        .user(`${form('hello שלום')}\n\n> שלום`);
    await open(builder);
    const directions = `[...document.querySelectorAll('main :is(table, blockquote, ul, ol)')].map((one) => getComputedStyle(one).direction)`;
    assert.deepEqual(await page.evaluate(directions), Array(forms.length).fill(['rtl', 'rtl', 'ltr', 'rtl']).flat());
  });

  it('goes to messages by the keys that its menu shows', async () => {
    await open(
      session()
        .user('First', { id: 'first' })
        .tool('bash', { command: 'false' }, 'failed', { message: { isError: true } })
        .user('Second', { id: 'second' })
        .assistant('Good', { id: 'good' })
        .label('good', 'here')
        .user('Third', { id: 'third' })
        .assistant('Last'),
    );
    const focused = async (key, text) => {
      await page.keyboard.press(key);
      await page.locator('main :focus', { hasText: text }).waitFor();
    };
    await focused('Alt+ArrowUp', 'Third');
    await focused('Alt+ArrowUp', 'Second');
    await focused('Shift+F8', 'false');
    await focused('Shift+Alt+ArrowDown', 'Good');
    await page.locator('.tree-filter').focus();
    await page.keyboard.press('Alt+ArrowUp');
    assert.equal(await page.locator('.tree-filter:focus').count(), 1);
  });

  it('names the boxes of tasks', async () => {
    await open(session().user('- [x] one\n- [ ] two'));
    const list = page.locator('main li');
    assert.deepEqual(await list.getByRole('img').evaluateAll((boxes) => boxes.map((box) => box.ariaLabel)), ['done', 'not done']);
    assert.deepEqual(await list.allInnerTexts(), ['☑ one', '☐ two']);
  });

  it('says what is missing', async () => {
    const image = { type: 'image', mimeType: 'image/png', data: `blob:sha256:${'a'.repeat(64)}` };
    const lines = `${branched().user([image]).text()}{"type":"message","id":"torn","mess`;
    await open(lines, { note: 'Two branches were left out.' });
    const header = await page.locator('.header').innerText();
    assert.match(header, /Two branches were left out\./);
    assert.match(header, /Problems in the file: Line \d+/);
    assert.match((await messages()).join('\n'), /This image isn’t part of the export/);
    await page.goto(await write('{"type":"message"}'));
    await page.locator('[role=alert]').waitFor();
  });

  it('speaks the language of the export', async () => {
    const german = JSON.parse(await readFile(join(root, 'l10n', 'bundle.l10n.de.json'), 'utf8'));
    await open(branched(), { language: 'de', translations: german });
    await page.getByRole('button', { name: german['Full transcript'], exact: true }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
  });

  it('has the lines of the session, and is hardly larger', async () => {
    const lines = hostileSession('/work/x').text().trimEnd().split('\n');
    const [text, empty] = [await textOf(lines), await textOf([])];
    assert.deepEqual((await extractSession(text)).map(JSON.parse), lines.map(JSON.parse));
    assert.ok(text.length - empty.length < 1.5 * lines.join('\n').length);
    // The tests' build isn't minified.
    const scripts = await Promise.all(['markdown-it.js', 'page.js'].map((name) => readFile(join(root, 'dist', name), 'utf8')));
    const { code } = await transform(scripts.join('\n'), { minify: true, charset: 'utf8' });
    assert.ok(code.length < 600_000, `${code.length}`);
  });
});

async function* each(lines) {
  yield* lines;
}

/** Runs in the page: scrolls through the messages and opens all folds. */
async function openEverything() {
  const { document, requestAnimationFrame, setTimeout } = globalThis;
  const main = document.querySelector('main');
  for (let at = -1; main.scrollTop !== at;) {
    at = main.scrollTop;
    for (const fold of document.querySelectorAll('details:not([open])')) fold.open = true;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    main.scrollTop -= main.clientHeight;
  }
}
