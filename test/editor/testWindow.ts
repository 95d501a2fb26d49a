// The setup of most suites: a connection to the window, and sessions of their own. Waits for expected values.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { connectDriver, type Driver } from './driver';
import type { Frame } from './playwright';
import { eventually, OwnSessions } from './temporarySessions';

export interface TestWindow {
  readonly driver: Driver;
  readonly own: OwnSessions;
}

/**
 * Registers the setup of a suite: one connection to the window for all tests, and separate sessions for each test.
 * After each test all editors are closed, the sessions are removed, the window has its usual size, and the pointer is in
 * a corner. A test that leaves unsaved documents fails.
 *
 * @param take called before each test, and before the `beforeEach` hooks that are registered later
 */
export function useWindow(take: (window: TestWindow) => void): void {
  let driver: Driver;
  let own: OwnSessions;
  before(async () => {
    driver = await connectDriver();
  });
  beforeEach(async () => {
    own = await OwnSessions.make();
    take({ driver, own });
  });
  afterEach(async () => {
    await driver.page.setViewportSize({ width: 1280, height: 800 });
    // Otherwise a list that the next test opens under the pointer would show a hover over its entries.
    await driver.page.mouse.move(1, 1);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await own.remove();
    // An unsaved document would keep its tab, which the following tests could take for theirs.
    await untilEqual(unsavedDocuments, [], 'no unsaved document');
  });
  after(() => driver.close());
}

const unsavedDocuments = (): string[] =>
  vscode.workspace.textDocuments.filter((document) => document.isDirty).map(({ uri }) => uri.toString());

/**
 * Waits until an expression is true in a frame. Playwright's own way is blocked by the page's content security policy.
 */
export const until = (frame: Pick<Frame, 'evaluate'>, script: string): Promise<true> =>
  eventually(script, async () => ((await frame.evaluate(script)) === true ? true : undefined));

/** Waits until what is read equals the expected value. A failure shows what was read last. */
export async function untilEqual<T>(read: () => T | Promise<T>, expected: T, what = 'the expected value'): Promise<void> {
  let seen: T | undefined;
  await eventually(what, async () => (isDeepStrictEqual((seen = await read()), expected) ? true : undefined)).catch((error: unknown) =>
    assert.deepEqual(seen, expected, String(error)),
  );
}

/** Waits until a text matches. Returns the text. A failure shows what was read last. */
export async function untilMatches(read: () => string | Promise<string>, pattern: RegExp): Promise<string> {
  let seen = '';
  await eventually(String(pattern), async () => (pattern.test((seen = await read())) ? true : undefined)).catch((error: unknown) =>
    assert.match(seen, pattern, `${String(error)}; last seen: ${JSON.stringify(seen)}`),
  );
  return seen;
}

/** Closes all terminals, and waits until the editor has reported it. A panel that is just opening makes one of its own if there is none. */
export async function closeTerminals(): Promise<void> {
  await eventually('the terminals to be closed', () => {
    for (const terminal of vscode.window.terminals) terminal.dispose();
    return vscode.window.terminals.length === 0 ? true : undefined;
  });
}

/**
 * Performs an action in a webview that changes its saved state, and waits until a state with all of the given texts was
 * sent to the editor.
 */
export async function untilStateKept(driver: Driver, frame: Frame, texts: readonly string[], act: () => Promise<void>): Promise<void> {
  // The frame around the page's frame posts each state to the editor over a port.
  const outer = frame.parentFrame();
  if (!outer) throw new Error('The frame does not belong to a webview');
  await driver.evaluate(
    `(() => {
    const { postMessage } = MessagePort.prototype;
    window.keptState = '';
    MessagePort.prototype.postMessage = function (message, ...more) {
      if (message?.channel === 'do-update-state') window.keptState = message.data;
      return postMessage.call(this, message, ...more);
    };
  })()`,
    outer,
  );
  await act();
  await eventually(`the state to be kept with ${texts.join(', ')}`, async () => {
    const kept = String(await driver.evaluate('window.keptState', outer));
    return texts.every((text) => kept.includes(text)) ? true : undefined;
  });
}
