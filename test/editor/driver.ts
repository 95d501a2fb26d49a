// Drives the editor's window like a person, with actions and observations for tests.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Frame, Locator, Page, Playwright, Searchable, WaitOptions } from './playwright';
import { WAIT_LIMIT_MS } from './waiting';

const HOVERS = '.context-view .monaco-hover, .monaco-hover.workbench-hover';
/** Milliseconds in which the editor hides a hover that the pointer has left. */
const HIDE_HOVER_MS = 1_000;

const project = resolve(__dirname, '..', '..', '..');

/** The window that this extension host belongs to, while the tests run. */
export let driver: Driver;

/** @throws if the runner provides no window (PST_DRIVER isn't set) */
export async function connectDriver(): Promise<Driver> {
  const endpoint = process.env.PST_DRIVER;
  if (!endpoint) throw new Error('The tests need the window, but the runner provides none: PST_DRIVER is not set.');
  const { chromium } = createRequire(resolve(project, 'test', 'host', 'package.json'))('playwright-core') as Playwright;
  const browser = await chromium.connectOverCDP(endpoint);
  const pages = browser.contexts().flatMap((context) => context.pages());
  // A desktop VS Code may have other pages; a test's browser has only one.
  const page = pages.find((candidate) => candidate.url().includes('workbench.html')) ?? pages[0];
  if (!page) throw new Error(`There is no page at ${endpoint}`);
  page.setDefaultTimeout(WAIT_LIMIT_MS);
  driver = new Driver(browser, page);
  return driver;
}

/** Selectors are Playwright's: CSS, `text=…`, `role=treeitem[name="…"]`. `within` is a webview's frame or a part of the window. */
export class Driver {
  constructor(
    private readonly browser: Browser,
    /** The whole window, for actions without a shortcut here. */
    readonly page: Page,
  ) {}

  /** Returns the first match. */
  find(selector: string, within: Searchable = this.page): Locator {
    return within.locator(selector).first();
  }

  async click(selector: string, within?: Searchable): Promise<void> {
    await this.find(selector, within).click();
  }

  /** Moves the pointer to a corner without rows, so that no hover covers what is clicked next. */
  async awayFromRows(): Promise<void> {
    await this.page.mouse.move(1, 1);
    const hover = this.find(HOVERS);
    if (await isHiddenSoon(hover)) return;
    // The hover of a row that was drawn again meanwhile stays until the editor shows another one.
    const text = await hover.innerText();
    await this.find('.activitybar .action-item').hover();
    await this.page.locator(HOVERS).filter({ hasNotText: text }).first().waitFor();
    await this.page.mouse.move(1, 1);
    if (await isHiddenSoon(hover)) return;
    // The editor hides the hover that it showed last. Another one of a row that is gone would stay for ever.
    await this.evaluate(`for (const lost of document.querySelectorAll('${HOVERS}')) lost.remove()`);
    await hover.waitFor({ state: 'hidden' });
  }

  /** Clicks an entry of a quick pick. The pointer leaves the list first, because the hover of one entry covers others. */
  async pick(entry: string): Promise<void> {
    await this.awayFromRows();
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: entry }).first().click();
  }

  /** Presses keys such as `Control+Shift+P` or `Enter` in the focused element. */
  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Returns the visible text of the first match. */
  async text(selector: string, within?: Searchable): Promise<string> {
    return await this.find(selector, within).innerText();
  }

  /** Returns the texts of all current matches as lines, with usual spaces for the ones that don't break. */
  async plainText(selector: string, within?: Searchable): Promise<string> {
    return (await this.texts(selector, within)).join('\n').replaceAll('\u00a0', ' ');
  }

  /** Returns the texts of all current matches. */
  async texts(selector: string, within: Searchable = this.page): Promise<string[]> {
    return await within.locator(selector).allInnerTexts();
  }

  /** Waits until the first match is visible, or has the given `state`. */
  async waitFor(selector: string, options?: WaitOptions, within?: Searchable): Promise<void> {
    await this.find(selector, within).waitFor(options);
  }

  /** Evaluates JavaScript in the window or in a frame. The result must be JSON. */
  async evaluate(script: string, frame: Pick<Frame, 'evaluate'> = this.page): Promise<unknown> {
    return await frame.evaluate(script);
  }

  /**
   * Returns the content of the visible webview whose title, or whose address with the extension's id, contains the
   * text. VS Code makes a new frame when a webview's html is set again; call this again then.
   */
  async frame(titleOrAddress: string, { timeout = WAIT_LIMIT_MS }: { readonly timeout?: number } = {}): Promise<Frame> {
    const limit = Date.now() + timeout;
    const seen = new Set<string>();
    while (Date.now() < limit) {
      for (const frame of this.page.frames()) {
        const title = await titleOfWebview(frame);
        if (title === undefined) continue;
        if (title.includes(titleOrAddress) || frame.parentFrame()?.url().includes(titleOrAddress)) return frame;
        seen.add(title);
      }
      await pause(50);
    }
    throw new Error(`No webview "${titleOrAddress}" after ${timeout} ms; there were: ${[...seen].join(', ') || 'none'}`);
  }

  /** Returns all visible text of a webview. */
  async frameText(titleOrAddress: string): Promise<string> {
    return await this.text('body', await this.frame(titleOrAddress));
  }

  /** Takes a picture of the window. A relative path is below out/artifacts/<editor>. Returns the absolute path. */
  async screenshot(path: string): Promise<string> {
    const file = resolve(process.env.PST_ARTIFACTS ?? resolve(project, 'out', 'artifacts'), path);
    mkdirSync(dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
    return file;
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}

const isHiddenSoon = (hover: Locator): Promise<boolean> =>
  hover.waitFor({ state: 'hidden', timeout: HIDE_HOVER_MS }).then(
    () => true,
    () => false,
  );

/** A webview is two frames deep: VS Code's own `iframe.webview`, and in it the extension's `#active-frame`. */
async function titleOfWebview(frame: Frame): Promise<string | undefined> {
  const outer = frame.parentFrame();
  if (!outer?.parentFrame()) return undefined;
  try {
    const element = await frame.frameElement();
    if ((await element.getAttribute('id')) !== 'active-frame') return undefined;
    const shown = await (await outer.frameElement()).isVisible();
    return shown ? ((await element.getAttribute('title')) ?? '') : undefined;
  } catch {
    // The frame was removed in the meantime.
    return undefined;
  }
}
