import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { barChart } from '../fixtures/sample/chart';
import { another } from './externalProcess';
import type { Frame } from './playwright';
import { openContext, openFind, until } from './contextPage';
import { driver } from './driver';
import { editorSuite, own } from './editorSuite';
import { eventually, untilEqual } from './waiting';

/** Elements that aren't wholly within the page. */
const outside = (selector: string): string => `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => {
  const at = one.getBoundingClientRect();
  return at.width > 0 && (at.left < 0 || at.right > innerWidth + 1);
}).map((one) => one.title || one.className)`;

const THEMES = ['Default Dark Modern', 'Default Light Modern', 'Default High Contrast', 'Default High Contrast Light'];

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

describe('Accessibility of the context view, checked with axe', () => {
  let axe: string;
  const usualTheme = vscode.window.activeColorTheme.kind;
  editorSuite();
  before(async () => {
    axe = await readFile(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
  });
  afterEach(async () => {
    await vscode.workspace.getConfiguration('workbench').update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
    await untilEqual(() => vscode.window.activeColorTheme.kind, usualTheme, 'the usual theme');
  });

  const opened = async (): Promise<Frame> => {
    const builder = session({ cwd: own.cwd })
      .user('Which *way*?', { id: 'ask' })
      .assistant('Left.')
      .branchFrom('ask')
      .user(
        [
          {
            type: 'text',
            text: '# A heading\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst one = 1; // a comment that scrolls '.concat(
              'and scrolls '.repeat(30),
              `\n\`\`\`\n\n|${' a |'.repeat(60)}\n|${'---|'.repeat(60)}\n|${' 1 |'.repeat(60)}\n\n[link](https://x.example) and \`code\``,
            ),
          },
          barChart([0.2, 0.9]),
        ],
        { id: 'shown' },
      )
      .compaction('They talked.', 'shown')
      .assistant([
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'I run it.' },
      ])
      .tool('bash', { command: 'npm test' }, 'all green', { id: 'run' })
      .contextEdit('run', 'shortened')
      .tool('edit', { path: 'src/a.ts', oldText: 'a', newText: 'b' }, 'Edited.', {
        message: { details: { diff: `-1 a\n+1 ${'b'.repeat(400)}` } },
      })
      .bash('git status', 'nothing', { message: { exitCode: 1 } })
      .contextEdit('shown', 'Replaced')
      .assistant('Done.', { id: 'done' })
      .label('done', 'good end')
      .name('Accessible');
    await mkdir(join(own.cwd, 'src'), { recursive: true });
    await writeFile(join(own.cwd, 'src', 'a.ts'), 'one\n');
    const frame = await openContext({ path: await own.put('axe', builder) });
    // Both buttons beside a fold's summary.
    await until(frame, 'document.querySelectorAll(".tool-buttons > button").length === 2');
    return frame;
  };

  const findings = async (frame: Frame): Promise<string[]> => {
    // The page's content security policy allows no script, but the debugger can evaluate axe's source.
    await driver.evaluate(axe, frame);
    const violations = (await driver.evaluate(
      'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
      frame,
    )) as Finding[];
    return violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html.slice(0, 200)}\n  ${failureSummary}`).join('\n')}`,
    );
  };

  for (const theme of THEMES) {
    it(`finds nothing in ${theme}, with everything open`, async function () {
      await vscode.workspace.getConfiguration('workbench').update('colorTheme', theme, vscode.ConfigurationTarget.Global);
      const frame = await opened();
      // Newer editors have shorter names for some themes.
      const names = JSON.stringify([theme, theme.replace('Default ', '')]);
      await until(frame, `${names}.includes(document.body.dataset.vscodeThemeId)`);
      assert.deepEqual(await findings(frame), []);
      await driver.click('text=Full transcript', frame);
      await driver.waitFor('.entry-row time', {}, frame);
      const parts = `['.actions', 'time'].map((part) => document.querySelector('.entry-row:has(time)').querySelector(part))`;
      // The buttons of a row cover its time.
      await until(frame, `(([buttons, time]) => buttons.getBoundingClientRect().right >= time.getBoundingClientRect().right)(${parts})`);
      await driver.click('text=Model view', frame);
      await driver.click('[popovertarget]', frame);
      await driver.waitFor('.menu', {}, frame);
      assert.deepEqual(await findings(frame), []);
      await driver.screenshot(`axe-menu-${theme.replaceAll(' ', '-')}.png`);
      await driver.press('Escape');
      await driver.waitFor('.menu', { state: 'hidden' }, frame);
      await driver.click('.disclosure', frame);
      await driver.waitFor('.largest-item', {}, frame);
      await openFind(frame);
      await driver.type('a');
      await until(frame, 'CSS.highlights.get("find-current").size === 1');
      await driver.evaluate('for (const fold of document.querySelectorAll("details:not([open])")) fold.open = true', frame);
      await driver.click('text=Full transcript', frame);
      await until(frame, '!!document.querySelector("article.entry-row") && !document.querySelector(".placeholder")');
      assert.deepEqual(await findings(frame), []);
      await driver.screenshot(`axe-${theme.replaceAll(' ', '-')}.png`);
    });
  }

  it('finds nothing in notes: irregular lines, a missing file, another branch, images that can’t be shown', async () => {
    const builder = session({ cwd: own.cwd })
      .raw('{ no line')
      .user('See `src/a.ts`', { id: 'ask' })
      .user([{ type: 'image', mimeType: 'image/png', data: '%' }])
      .assistant('', { message: { errorMessage: 'Overloaded', stopReason: 'error' } })
      .compaction('Short.', 'nowhere');
    await mkdir(join(own.cwd, 'src'), { recursive: true });
    await writeFile(join(own.cwd, 'src', 'a.ts'), 'one\n');
    const path = await own.put('places', builder.name('In place'));
    const frame = await openContext({ path });
    await driver.click('text=Full transcript', frame);
    await driver.waitFor('.problems >> text=isn’t valid JSON', {}, frame);
    await driver.waitFor('.path-link', {}, frame);
    await rm(join(own.cwd, 'src', 'a.ts'));
    await driver.click('.path-link', frame);
    await driver.waitFor('.path-gone', {}, frame);
    const lines = builder.lines().length;
    await another.append(path, `${builder.branchFrom('ask').assistant('Elsewhere').lines().slice(lines).join('\n')}\n`);
    await driver.waitFor('.branch-switch-notice', {}, frame);
    await rm(path);
    await driver.waitFor('.warning', {}, frame);
    assert.deepEqual(await findings(frame), []);
    await driver.screenshot('axe-places.png');
  });

  it('finds nothing in a panel of 320 pixels, nor at a zoom of 200 %, and nothing is wider than the page', async function () {
    const frame = await opened();
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    try {
      await driver.page.setViewportSize({ width: 384, height: 700 });
      await until(frame, 'innerWidth < 340');
      await openFind(frame);
      await until(frame, 'document.documentElement.scrollWidth <= innerWidth');
      await until(
        frame,
        '(() => { const at = document.querySelector(".find").getBoundingClientRect(); return at.left >= 0 && at.right <= innerWidth; })()',
      );
      await untilEqual(() => driver.evaluate(outside('button:not(.menu *, .branches-body *, .details *)'), frame), []);
      assert.deepEqual(await findings(frame), []);
      await driver.screenshot('axe-320.png');
      await driver.click('[popovertarget]', frame);
      await driver.waitFor('.menu', {}, frame);
      await until(
        frame,
        '(() => { const at = document.querySelector(".menu").getBoundingClientRect(); return at.left >= 0 && at.right <= innerWidth; })()',
      );
      await driver.press('Escape');
      await driver.waitFor('.menu', { state: 'hidden' }, frame);
      await driver.evaluate('document.body.style.zoom = 2', frame);
      await driver.page.setViewportSize({ width: 760, height: 800 });
      await until(frame, 'innerWidth > 600');
      // In pixels, for the messages.
      await until(frame, 'document.querySelector("main").getBoundingClientRect().height > 200');
      await untilEqual(() => driver.evaluate(outside('.title *, .header-fields *, .usage-line *'), frame), []);
      assert.deepEqual(await findings(frame), []);
      await driver.screenshot('axe-zoom.png');
    } finally {
      await driver.page.setViewportSize({ width: 1280, height: 800 });
      await vscode.commands.executeCommand('workbench.view.explorer');
    }
  });

  it('cuts neither the switch between the views in a low and narrow panel, whatever the language, nor a fact within a word', async () => {
    const frame = await opened();
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    try {
      await driver.page.setViewportSize({ width: 384, height: 400 });
      await until(frame, 'innerWidth < 340 && innerHeight < 400');
      const cut = `[...document.querySelectorAll('.header-fields dl > div')].filter((fact) => {
        const [at, all] = [fact, fact.parentElement].map((each) => each.getBoundingClientRect());
        return at.top < all.bottom - 1 && at.right > all.right + 1;
      }).map(({ textContent }) => textContent)`;
      for (const [first, last] of [
        ['Model view', 'Full transcript'],
        ['Modellansicht', 'Vollständiges Transkript'],
      ]) {
        const name = `([first, last]) => { [first.textContent, last.textContent] = ${JSON.stringify([first, last])}; }`;
        await driver.evaluate(`(${name})([...document.querySelectorAll('.segment')])`, frame);
        await untilEqual(() => driver.evaluate(outside('.segment'), frame), []);
        await untilEqual(() => driver.evaluate(cut, frame), []);
        await driver.screenshot(`axe-low-${last!.length}.png`);
      }
    } finally {
      await driver.page.setViewportSize({ width: 1280, height: 800 });
      await vscode.commands.executeCommand('workbench.view.explorer');
    }
  });

  it('keeps the title, the costs and the numbers whole beside long words of a language', async () => {
    const usage = { input: 41_017, output: 80, cacheRead: 0, cacheWrite: 0, totalTokens: 41_097, cost: { total: 0.18 } };
    const builder = session({ cwd: own.cwd })
      .user('Go')
      .assistant('One', { id: 'one', message: { usage, model: 'claude-sonnet-4-5' } })
      .assistant('Two', { id: 'two', message: { usage, model: 'claude-sonnet-4-5' } })
      .name('Fix the flaky checkout test');
    const frame = await openContext({ path: await own.put('words', builder) });
    await driver.click('.disclosure', frame);
    await driver.waitFor('.totals td >> text=$', {}, frame);
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    const rename = (selector: string, names: readonly string[]): Promise<unknown> =>
      driver.evaluate(
        `document.querySelectorAll('${selector}').forEach((one, at) => { one.textContent = ${JSON.stringify(names)}[at] ?? one.textContent; })`,
        frame,
      );
    const cut = `['h1', '.totals', '.kind-name > :last-child', '.note', '.article-header:hover .article-details', 'article:hover .article-details']
      .flatMap((selector) => [...document.querySelectorAll(selector)])
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ textContent }) => textContent)`;
    try {
      await driver.evaluate('document.documentElement.lang = "ja"', frame);
      await rename('.totals thead th', ['セッション', 'このブランチ', 'このブランチのみ']);
      await rename('.kinds tbody th .kind-name > :last-child', ['Systemprompt und Tools', 'Zusammenfassungen']);
      await rename('.button-text', [
        '移動…',
        'Markdown として開く',
        'セッションのエクスポート…',
        'ラベル…',
        'ここでブランチを作成…',
        'フォーク',
        'ターミナルで再開',
      ]);
      for (const width of [1200, 1060, 960, 700]) {
        await driver.page.setViewportSize({ width, height: 800 });
        await until(frame, `innerWidth > ${width - 80} && innerWidth < ${width}`);
        for (const id of ['one', 'two']) {
          await driver.find(`article[data-entry=${id}] .body`, frame).hover();
          await untilEqual(() => driver.evaluate(cut, frame), [], `nothing cut at ${width}`);
          await until(
            frame,
            `(([cost, buttons]) => cost.getBoundingClientRect().right <= buttons.getBoundingClientRect().left)(
              ['.article-details > :last-child', '.actions'].map((part) => document.querySelector('article:hover ' + part)))`,
          );
        }
        await driver.screenshot(`axe-words-${width}.png`);
      }
      await driver.page.setViewportSize({ width: 358, height: 700 });
      await until(frame, 'innerWidth < 310');
      // Names of kinds give way to their numbers there.
      const narrow = cut.replace("'.kind-name > :last-child', ", '');
      await untilEqual(() => driver.evaluate(narrow, frame), [], 'nothing cut in a narrow page');
    } finally {
      await driver.page.setViewportSize({ width: 1280, height: 800 });
      await vscode.commands.executeCommand('workbench.view.explorer');
    }
  });

  for (const theme of THEMES.filter((name) => name.includes('High Contrast'))) {
    it(`tells the kinds of usage and the chosen view apart in ${theme}`, async () => {
      await vscode.workspace.getConfiguration('workbench').update('colorTheme', theme, vscode.ConfigurationTarget.Global);
      const frame = await opened();
      await until(
        frame,
        `document.body.classList.contains('vscode-high-contrast') && document.body.dataset.vscodeThemeId.endsWith(${JSON.stringify(theme.split(' ').at(-1))})`,
      );
      // Colors of neighbors in the bar, and the background, whose lightness each color differs from.
      const similar = `(() => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const rgb = (color) => {
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
          return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
        };
        const light = (color) => rgb(color)
          .map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
          .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0.05);
        const kinds = ['prompt', 'system', 'tools', 'summary', 'user', 'command', 'custom', 'assistant', 'thinking', 'call',
          ...[0, 1, 2, 3, 4, 5].map((nth) => 'result ' + nth), 'image'];
        const colors = kinds.map((name) => {
          const [kind, nth] = name.split(' ');
          const swatch = document.body.appendChild(document.createElement('span'));
          swatch.className = 'swatch';
          Object.assign(swatch.dataset, { kind, nth: nth ?? '0' });
          const color = getComputedStyle(swatch).backgroundColor;
          swatch.remove();
          return color;
        });
        const back = light(getComputedStyle(document.body).backgroundColor);
        const contrast = (color) => Math.max(light(color), back) / Math.min(light(color), back);
        const distance = (one, other) => Math.hypot(...rgb(one).map((part, at) => part - rgb(other)[at]));
        return kinds.filter((_, at) => contrast(colors[at]) < 3 || (at > 0 && distance(colors[at], colors[at - 1]) < 60))
          .map((kind) => kind + ' ' + rgb(colors[kinds.indexOf(kind)]));
      })()`;
      assert.deepEqual(await driver.evaluate(similar, frame), []);
      const fills = `[...document.querySelectorAll('.segment')].map((one) => getComputedStyle(one).backgroundColor)`;
      assert.equal(new Set((await driver.evaluate(fills, frame)) as string[]).size, 2);
    });
  }

  it('has no header of a message that is wider than a panel of 300 pixels: what doesn’t fit goes to another line', async () => {
    const builder = session({ cwd: own.cwd })
      .user('The first one', { id: 'first' })
      .label('first', 'before the rewrite of everything')
      .contextEdit('first', 'Another text')
      .assistant('Done.', { id: 'done' })
      .label('done', 'a checkpoint with a long name');
    const frame = await openContext({ path: await own.put('headers', builder) });
    await driver.waitFor('article .label', {}, frame);
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    try {
      await driver.page.setViewportSize({ width: 358, height: 700 });
      await until(frame, 'innerWidth < 310');
      await until(frame, '!document.querySelector(".placeholder")');
      await untilEqual(() => driver.evaluate(outside('.article-header > *'), frame), []);
      assert.equal(
        await driver.evaluate('(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector("main"))', frame),
        0,
      );
      await driver.find('article[data-entry=done] .body', frame).hover();
      const covered = `(() => {
        const header = document.querySelector('article[data-entry=done] .article-header');
        const [actions, ...parts] = ['.actions', '.label', '.article-details'].map((name) => header.querySelector(name).getBoundingClientRect());
        const covers = (part) => part.right > actions.left && part.left < actions.right && part.bottom > actions.top && part.top < actions.bottom;
        return actions.width > 0 ? parts.filter(covers).length : 'no actions';
      })()`;
      await untilEqual(() => driver.evaluate(covered, frame), 0);
      await driver.screenshot('axe-headers.png');
    } finally {
      await driver.page.setViewportSize({ width: 1280, height: 800 });
      await vscode.commands.executeCommand('workbench.view.explorer');
    }
  });

  it('keeps the color of code in a message that was summarized: the background of code is dark in a light high contrast', async () => {
    await vscode.workspace
      .getConfiguration('workbench')
      .update('colorTheme', 'Default High Contrast Light', vscode.ConfigurationTarget.Global);
    const builder = session({ cwd: own.cwd })
      .user('With `code`', { id: 'old' })
      .user('Again `code`', { id: 'kept' })
      .compaction('They talked.', 'kept')
      .assistant('Done.');
    const frame = await openContext({ path: await own.put('code', builder) });
    await until(frame, 'document.body.classList.contains("vscode-high-contrast-light")');
    await driver.click('text=Full transcript', frame);
    await driver.waitFor('[data-status="compacted"] code', {}, frame);
    const colors = `['[data-entry="old"]', '[data-entry="kept"]'].map((entry) => getComputedStyle(document.querySelector(entry + ' code')).color)`;
    const [old, kept] = (await driver.evaluate(colors, frame)) as [string, string];
    assert.equal(old, kept);
  });

  it('distinguishes the usage segments with forced colors', async () => {
    const frame = await opened();
    await driver.waitFor('.usage-segment', {}, frame);
    const colours = `[...document.querySelectorAll('.usage-segment')].map((part) => getComputedStyle(part, '::before').backgroundColor)`;
    const different = await eventually('different colours', async () => {
      const found = (await driver.evaluate(colours, frame)) as string[];
      return new Set(found).size > 3 ? found : undefined;
    });
    const window = vscode.workspace.getConfiguration('window');
    // Otherwise the editor switches to a high-contrast theme by itself.
    await window.update('autoDetectHighContrast', false, vscode.ConfigurationTarget.Global);
    try {
      await driver.page.emulateMedia({ forcedColors: 'active' });
      await until(frame, 'matchMedia("(forced-colors: active)").matches');
      await untilEqual(() => driver.evaluate(colours, frame), different);
      await driver.screenshot('axe-forced.png');
    } finally {
      await driver.page.emulateMedia({ forcedColors: null });
      await window.update('autoDetectHighContrast', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
