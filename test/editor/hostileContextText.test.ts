import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { HOSTILE, hostileSession } from './hostileTexts';
import type { Frame, Request } from './playwright';
import { openContext, openFind, scrollMessages, until } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, run, show } from './editorSuite';
import { eventually } from './waiting';

/** Bidi characters, and control characters of terminals. */
const CONTROLS = '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\udb40]';

/** Finds elements that must not be in the page. */
const FOUND = `(() => {
  if (!(document.body instanceof HTMLBodyElement)) return ['a name hides the page', ...window.violations];
  const all = [...document.querySelectorAll('*')];
  const names = (attribute) => all.flatMap((e) => e.getAttribute(attribute) ?? []);
  const control = new RegExp(${JSON.stringify(CONTROLS)});
  // Attributes that hold ids and are never shown or announced.
  const silent = ['data-entry', 'data-row', 'data-fold', 'data-key', 'data-vscode-context', 'data-path'];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const controlTexts = [];
  while (texts.nextNode()) if (control.test(texts.currentNode.data)) controlTexts.push(texts.currentNode.data.slice(0, 100));
  return [
    window.hacked === undefined ? [] : ['something ran'],
    window.violations,
    [...document.querySelectorAll('body script:not(body > #export-info:first-child):not([src^="https://"][nonce]):not([src$="/dist/markdown-it.js"], [src$="/dist/page.js"]), iframe, frame, object, embed, form, input:not(.find-input), body style, body link, body meta, base, video, audio, picture, source, math, use, image, foreignObject, svg:not(.icon, .plot, .branches-lines), img:not([data-image])')].map((e) => e.outerHTML.slice(0, 200)),
    all.flatMap((e) => e.getAttributeNames().filter((name) => name.startsWith('on') || ['srcdoc', 'srcset', 'ping', 'formaction', 'background', 'poster', 'xlink:href', 'name'].includes(name) && e.tagName !== 'META').map((name) => name + ' of ' + e.outerHTML.slice(0, 100))),
    names('href').filter((href) => !/^(https?:\\/\\/|mailto:)/.test(href)),
    names('src').filter((src) => !/^data:image\\/(png|jpeg|gif|webp);base64,/.test(src) && !/\\/dist\\/(?:markdown-it|page)\\.js$/.test(src)),
    [...document.body.querySelectorAll('[style]')].map((e) => e.getAttribute('style')).filter((style) => /url|import|expression|fixed/i.test(style)),
    document.querySelectorAll('#export-info').length > 1 ? ['another block with the page’s language'] : [],
    names('id').filter((id) => !['_defaultStyles', 'export-info', '_vscodeApiScript', 'go-to', 'overview-details', 'branches-tree'].includes(id) && !id.startsWith('vscode')),
    names('class').filter((name) => /hacked|evil/.test(name)),
    controlTexts,
    all.flatMap((e) => e.getAttributeNames().filter((name) => !silent.includes(name) && control.test(e.getAttribute(name))).map((name) => name + '=' + e.getAttribute(name).slice(0, 100))),
    document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['wider than the page'] : [],
  ].flat();
})()`;

describe('Session text in the context view', () => {
  const requests: string[] = [];
  const recordRequest = (request: Request): void => {
    requests.push(request.url());
  };
  editorSuite();
  beforeEach(async () => {
    driver.page.on('request', recordRequest);
    await driver.page.setViewportSize({ width: 1280, height: 2400 });
  });
  afterEach(() => driver.page.off('request', recordRequest));

  /** The page, with a counter of policy violations that is installed before hostile text is shown. */
  const openMonitoredPage = async (): Promise<Frame> => {
    const frame = await openContext({ path: await own.put('harmless', session({ cwd: own.cwd }).user('Hello')) });
    await driver.evaluate(
      'window.violations = []; document.addEventListener("securitypolicyviolation", (e) => window.violations.push(e.violatedDirective + " " + e.blockedURI))',
      frame,
    );
    return frame;
  };
  /** Inspects the whole page with everything unfolded, and returns what must not be there. */
  const inspectAll = async (frame: Frame): Promise<Set<string>> => {
    const found = new Set<string>();
    await scrollMessages(frame, '0');
    for (let isEnd = false; !isEnd;) {
      await until(frame, '!document.querySelector(".placeholder")');
      await driver.evaluate('for (const fold of document.querySelectorAll("details:not([open])")) fold.open = true', frame);
      for (const one of (await driver.evaluate(FOUND, frame)) as string[]) found.add(one);
      const before = await driver.evaluate('document.querySelector("main").scrollTop', frame);
      await scrollMessages(frame, 'main.scrollTop + main.clientHeight * 0.9');
      isEnd = (await driver.evaluate('document.querySelector("main").scrollTop', frame)) === before;
    }
    return found;
  };

  it('runs nothing, loads nothing and styles nothing, wherever it is shown', async function () {
    this.timeout(240_000);
    const frame = await openMonitoredPage();
    // Requests of the page's frame are recorded. The page's own files may come from a cache, but not under a new address.
    await driver.evaluate(
      `document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', id: 'recorded', href: document.querySelector('link[href$="/dist/page.css"]').href + '?recorded' }))`,
      frame,
    );
    await eventually('a request of the page to be recorded', () => requests.some((url) => url.endsWith('/dist/page.css?recorded')));
    await driver.evaluate('document.getElementById("recorded").remove()', frame);
    requests.length = 0;
    const path = await own.put('hostile <img src=x onerror=alert(1)>', hostileSession(own.cwd));
    await show({ path });
    const origin = new URL(driver.page.url()).origin;
    for (const view of ['model', 'transcript']) {
      await driver.click(`[data-key=${view}]`, frame);
      await until(frame, `document.querySelector('[data-key=${view}]').getAttribute('aria-pressed') === 'true'`);
      assert.deepEqual([...(await inspectAll(frame))], [], view);
    }
    await driver.click('.disclosure', frame);
    await driver.waitFor('.largest-item', {}, frame);
    await driver.click('.branch-row.is-more', frame);
    await openFind(frame);
    await driver.type('<img src=x onerror');
    await until(frame, 'CSS.highlights.get("find").size > 0 && CSS.highlights.get("find-current").size === 1');
    await driver.find('.branch-row', frame).hover();
    await driver.find('.usage-segment', frame).hover();
    await driver.screenshot('untrusted.png');
    assert.deepEqual(await driver.evaluate(FOUND, frame), []);
    assert.deepEqual(
      requests.filter((url) => /evil/.test(url) || !(url.startsWith(origin) || /^(data|blob):/.test(url))),
      [],
    );
    assert.equal(await driver.evaluate('window.hacked ?? null'), null);
  });

  it('shows text that terminals would hide, and bidi characters', async () => {
    const frame = await openMonitoredPage();
    const builder = session({ cwd: own.cwd });
    for (const text of Object.values(HOSTILE).filter((text) =>
      ['\u001b', '\u202e', '\u2067', '&#8238;', '\u{e0064}'].some((mark) => text.includes(mark)),
    ))
      builder.user(text);
    await show({ path: await own.put('marks', builder) });
    await driver.waitFor('article >> text=⟦RLO⟧', {}, frame);
    for (const part of [
      'link more red',
      'green',
      '␛]0;window.hacked=1',
      'safe⟦RLO⟧)1(trela',
      '⟦RLI⟧evil⟦LRI⟧ ⟦FSI⟧x and never ends',
      'a ⟦RLO⟧b⟦RLO⟧ c⟦RLM⟧d',
      'Hello⟦delete all files⟧',
    ]) {
      await eventually(part, async () => (await driver.text('main', frame)).includes(part));
    }
    assert.deepEqual([...(await inspectAll(frame))], []);
  });

  it('doesn’t reorder the text beside it', async () => {
    const rtl = 'שלום';
    const frame = await openMonitoredPage();
    const builder = session({ cwd: own.cwd })
      .user('Go', { id: 'go' })
      .assistant('Yes', { message: { model: rtl, stopReason: rtl } })
      .tool(rtl, { command: `${rtl} 1 2` }, 'x')
      .customMessage(rtl, 'x')
      .label('go', rtl)
      .name(rtl);
    await show({ path: await own.put('rtl', builder) });
    await driver.waitFor('article .article-details >> text=ended early', {}, frame);
    // Returns the position of each piece of a line, from the left.
    const order = (selector: string, parts: readonly string[]): string => `(() => {
      const line = document.querySelector(${JSON.stringify(selector)});
      const nodes = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      const found = [];
      while (nodes.nextNode()) for (const part of ${JSON.stringify(parts)}) {
        const at = nodes.currentNode.data.indexOf(part);
        if (at < 0) continue;
        const range = new Range();
        range.setStart(nodes.currentNode, at);
        range.setEnd(nodes.currentNode, at + part.length);
        found.push([range.getBoundingClientRect().left, part]);
      }
      return found.sort((a, b) => a[0] - b[0]).map(([, part]) => part).join(' | ');
    })()`;
    assert.equal(
      await driver.evaluate(order('.article-details:not(:empty)', [rtl, '13 in', '5 out', 'ended early']), frame),
      `${rtl} | 13 in | 5 out | ended early | ${rtl}`,
    );
    assert.equal(await driver.evaluate(order('.article-header:has(.label)', ['User', rtl]), frame), `User | ${rtl}`);
    assert.equal(await driver.evaluate(order('summary', [rtl, 'done']), frame), `${rtl} | ${rtl} | done`);
  });

  it('is plain text in error messages, too, and in compared documents', async () => {
    await openMonitoredPage();
    const path = await own.put('errors', hostileSession(own.cwd, Object.values(HOSTILE).slice(0, 40)));
    const { left, right } = await run<{ left: string; right: string }>('compare', [
      { path, entryId: 'u35' },
      { path, entryId: 'u39' },
    ]);
    for (const uri of [left, right]) {
      const text = (await vscode.workspace.openTextDocument(vscode.Uri.parse(uri))).getText();
      assert.doesNotMatch(text, new RegExp(CONTROLS));
      assert.doesNotMatch(text.replace(/^( {4,}|[^\n]*`)[^\n]*$/gm, ''), /(?<!\\)<(?:script|img|svg|iframe)/);
    }
    assert.doesNotMatch(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '', new RegExp(CONTROLS));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');

    const entryId = `id ${HOSTILE['text that isolates']!} <img src=x onerror=window.hacked=1>`;
    await show({ path: await own.put('gone', session({ cwd: own.cwd }).user('Here', { id: entryId }).assistant('Yes')), entryId });
    await own.put('gone', session({ cwd: own.cwd }).user('Another'));
    const last = await driver.frame('pi-session-tree');
    await driver.waitFor('.warning >> text=<img src=x', {}, last);
    await driver.evaluate('window.violations ??= []', last);
    assert.deepEqual(await driver.evaluate(FOUND, last), []);
  });
});
