// The hands and eyes of a test: what a person does with the editor's window, and sees in it.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Frame, Locator, Page, Playwright, Searchable, WaitOptions } from './playwright';

/** Milliseconds an action waits until it is possible; below mocha's limit, so that the reason is told. */
const patience = 10_000;

const project = resolve(__dirname, '..', '..', '..');

/**
 * Connects to the window this extension host belongs to. Close it when done: `after(() => driver.close())`.
 * @throws when the runner offers no window (PST_DRIVER is not set); a test that needs one fails then
 */
export async function connectDriver(): Promise<Driver> {
  const endpoint = process.env.PST_DRIVER;
  if (!endpoint) throw new Error('This test needs the window, and the runner gave no way to it: PST_DRIVER is not set.');
  const { chromium } = createRequire(resolve(project, 'test', 'host', 'package.json'))('playwright-core') as Playwright;
  const browser = await chromium.connectOverCDP(endpoint);
  const pages = browser.contexts().flatMap((context) => context.pages());
  // A desktop VS Code may have other pages; a test's browser has the one.
  const page = pages.find((candidate) => candidate.url().includes('workbench.html')) ?? pages[0];
  if (!page) throw new Error(`There is no page at ${endpoint}`);
  page.setDefaultTimeout(patience);
  return new Driver(browser, page);
}

/** Selectors are Playwright's: CSS, `text=…`, `role=treeitem[name="…"]`; `within` is a webview's frame, or a part of the window. */
export class Driver {
  constructor(
    private readonly browser: Browser,
    /** The whole window, for all that has no shortcut here. */
    readonly page: Page,
  ) {}

  /** The first match. */
  find(selector: string, within: Searchable = this.page): Locator {
    return within.locator(selector).first();
  }

  async click(selector: string, within?: Searchable): Promise<void> {
    await this.find(selector, within).click();
  }

  /** Keys as `Control+Shift+P`, `Enter`; they go where the focus is. */
  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** The text of the first match, as it is shown. */
  async text(selector: string, within?: Searchable): Promise<string> {
    return await this.find(selector, within).innerText();
  }

  /** The texts of all matches there are now. */
  async texts(selector: string, within: Searchable = this.page): Promise<string[]> {
    return await within.locator(selector).allInnerTexts();
  }

  /** Waits until the first match is visible, or as `state` says. */
  async waitFor(selector: string, options?: WaitOptions, within?: Searchable): Promise<void> {
    await this.find(selector, within).waitFor(options);
  }

  /** Evaluates JavaScript in the window, or in a frame; the answer must be JSON. */
  async evaluate(script: string, frame: Pick<Frame, 'evaluate'> = this.page): Promise<unknown> {
    return await frame.evaluate(script);
  }

  /**
   * The content of the visible webview whose title contains the text, or whose address does (it has the extension's id).
   * VS Code makes a new frame when a webview's html is set anew: ask again then.
   */
  async frame(titleOrAddress: string, { timeout = patience }: { readonly timeout?: number } = {}): Promise<Frame> {
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

  /** All text of a webview, as it is shown. */
  async frameText(titleOrAddress: string): Promise<string> {
    return await this.text('body', await this.frame(titleOrAddress));
  }

  /** Takes a picture of the window; a relative path is below out/artifacts/<editor>. Answers with the whole path. */
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
    // It went away while we looked.
    return undefined;
  }
}
