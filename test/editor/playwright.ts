// The part of Playwright's API that tests use. Playwright is installed with the editor (test/host) after the type
// check, so its own types aren't available here. The full API: https://playwright.dev/docs/api/class-page

export interface ClickOptions {
  readonly button?: 'left' | 'right' | 'middle';
  readonly modifiers?: readonly ('Alt' | 'Control' | 'ControlOrMeta' | 'Meta' | 'Shift')[];
  readonly position?: { readonly x: number; readonly y: number };
  readonly timeout?: number;
}

export interface WaitOptions {
  readonly state?: 'attached' | 'detached' | 'visible' | 'hidden';
  /** Milliseconds. */
  readonly timeout?: number;
}

/** The methods that pages, frames and locators share. */
export interface Searchable {
  locator(selector: string, options?: { readonly hasText?: string | RegExp }): Locator;
  getByRole(role: string, options?: { readonly name?: string | RegExp; readonly exact?: boolean }): Locator;
  getByText(text: string | RegExp, options?: { readonly exact?: boolean }): Locator;
}

/** The elements that match a selector. Each action looks them up again, and waits until it is possible. */
export interface Locator extends Searchable {
  first(): Locator;
  last(): Locator;
  nth(index: number): Locator;
  filter(options: {
    readonly hasText?: string | RegExp;
    readonly hasNotText?: string | RegExp;
    readonly has?: Locator;
    readonly visible?: boolean;
  }): Locator;
  count(): Promise<number>;
  click(options?: ClickOptions): Promise<void>;
  dblclick(options?: ClickOptions): Promise<void>;
  hover(options?: ClickOptions): Promise<void>;
  focus(): Promise<void>;
  fill(text: string): Promise<void>;
  press(key: string): Promise<void>;
  check(): Promise<void>;
  selectOption(value: string): Promise<string[]>;
  dragTo(target: Locator): Promise<void>;
  scrollIntoViewIfNeeded(): Promise<void>;
  innerText(): Promise<string>;
  allInnerTexts(): Promise<string[]>;
  textContent(): Promise<string | null>;
  inputValue(): Promise<string>;
  getAttribute(name: string): Promise<string | null>;
  isVisible(): Promise<boolean>;
  boundingBox(): Promise<{ readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null>;
  /** Runs in the page. The JavaScript is a text: an expression or a function of the element. */
  evaluate(script: string): Promise<unknown>;
  screenshot(options: { readonly path: string }): Promise<Buffer>;
  waitFor(options?: WaitOptions): Promise<void>;
}

export interface Frame extends Searchable {
  url(): string;
  parentFrame(): Frame | null;
  frameElement(): Promise<{ getAttribute(name: string): Promise<string | null>; isVisible(): Promise<boolean> }>;
  /** Runs in the frame. The JavaScript is a text, because the types of a page aren't available here. */
  evaluate(script: string): Promise<unknown>;
  waitForFunction(script: string, argument?: undefined, options?: { readonly timeout?: number }): Promise<unknown>;
}

export interface Request {
  url(): string;
}

export interface Page extends Omit<Frame, 'parentFrame' | 'frameElement'> {
  readonly keyboard: {
    press(key: string): Promise<void>;
    type(text: string): Promise<void>;
    down(key: string): Promise<void>;
    up(key: string): Promise<void>;
  };
  readonly mouse: {
    move(x: number, y: number): Promise<void>;
    click(x: number, y: number): Promise<void>;
    wheel(dx: number, dy: number): Promise<void>;
    down(): Promise<void>;
    up(): Promise<void>;
  };
  /** Reports every network request of all frames of the page. */
  on(event: 'request', listener: (request: Request) => void): void;
  off(event: 'request', listener: (request: Request) => void): void;
  context(): { newCDPSession(page: Page): Promise<BrowserSession> };
  mainFrame(): Frame;
  frames(): readonly Frame[];
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>;
  emulateMedia(media: {
    readonly reducedMotion?: 'reduce' | 'no-preference' | null;
    readonly forcedColors?: 'active' | null;
  }): Promise<void>;
  setDefaultTimeout(milliseconds: number): void;
  screenshot(options: { readonly path: string }): Promise<Buffer>;
}

/** Speaks the browser's own protocol: https://chromedevtools.github.io/devtools-protocol/tot/Input */
export interface BrowserSession {
  send(method: `Input.${string}`, parameters: object): Promise<unknown>;
  on(event: 'Input.dragIntercepted', listener: (event: { readonly data: unknown }) => void): void;
  detach(): Promise<void>;
}

export interface Browser {
  contexts(): readonly { pages(): readonly Page[] }[];
  /** Ends this connection, but not the browser. */
  close(): Promise<void>;
}

export interface Playwright {
  readonly chromium: { connectOverCDP(endpoint: string): Promise<Browser> };
}
