// Acts in the page of the context view like a person.
import type { Frame } from './playwright';
import { driver } from './driver';
import { show } from './editorSuite';
import { eventually, WAIT_LIMIT_MS } from './waiting';

/** Milliseconds after which a key counts as dropped by the editor, and is pressed again. */
const PRESS_AGAIN_MS = 3_000;
/** Number of frames after each other in which nothing moves. */
const STILL_FRAMES = 5;

/** Opens a context view. Returns its page. */
export async function openContext(ref: object): Promise<Frame> {
  await show(ref);
  return driver.frame('pi-session-tree');
}

/**
 * Scrolls the messages. The browser reports the scrolling of a script only with the next frame, and until then the list
 * holds its position; this reports it at once, as with a person's scrolling.
 *
 * @param place an expression for the position in pixels, in which `main` is the scrolling element
 */
export async function scrollMessages(frame: Frame, place: string): Promise<void> {
  await frame.evaluate(
    `(() => { const main = document.querySelector('main'); main.scrollTop = ${place}; main.dispatchEvent(new Event('scroll')); })()`,
  );
}

/** Waits until no placeholder is drawn, and an expression has had the same value for some frames. Returns the value. */
export async function whenStill(frame: Frame, script: string): Promise<unknown> {
  return await frame.evaluate(`new Promise((resolve, reject) => {
    const end = performance.now() + ${WAIT_LIMIT_MS};
    let last;
    let frames = 0;
    const look = () => {
      const value = ${script};
      const now = JSON.stringify(value);
      frames = now === last && !document.querySelector('.placeholder') ? frames + 1 : 0;
      last = now;
      if (frames >= ${STILL_FRAMES}) resolve(value);
      else if (performance.now() > end) reject(new Error('It does not stay the same: ' + now));
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

/** Moves the focus to the messages, and waits until the window has noticed it, so that the keys of the view work. */
export async function focusMessages(frame: Frame): Promise<void> {
  await driver.find('main', frame).focus();
  await untilPageHasFocus(frame);
}

/** Waits until the page has the focus, and the window has noticed it. */
export async function untilPageHasFocus(frame: Frame): Promise<void> {
  await until(frame, 'document.hasFocus()');
  // The window updates its context keys in a task after the blur of what had the focus.
  await until(driver.page, `new Promise((resolve) => setTimeout(resolve, 0, document.activeElement?.matches('iframe.webview') === true))`);
}

/** Opens the find widget with its key. */
export async function openFind(frame: Frame): Promise<void> {
  await focusMessages(frame);
  await eventually('the find widget', async () => {
    await driver.press('Control+f');
    const isOpen = 'document.activeElement.classList.contains("find-input")';
    return await eventually(isOpen, async () => (await driver.evaluate(isOpen, frame)) === true, PRESS_AGAIN_MS).catch(() => undefined);
  });
}

/** Waits until a webview shows an element. The editor may replace the webview's frame meanwhile. */
export async function untilFrameShows(titleOrAddress: string, selector: string): Promise<void> {
  await eventually(`${selector} in ${titleOrAddress}`, async () => {
    const frame = await driver.frame(titleOrAddress);
    const shown = frame.locator(selector).filter({ visible: true });
    return (await shown.count().catch(() => 0)) > 0;
  });
}

/**
 * Waits until an expression is true in a frame. Playwright's own way is blocked by the page's content security policy.
 */
export const until = (frame: Pick<Frame, 'evaluate'>, script: string): Promise<true> =>
  eventually(script, async () => (await frame.evaluate(script)) === true);

/**
 * Performs an action in a webview that changes its saved state, and waits until a state with all of the given texts was
 * sent to the editor.
 */
export async function untilStateKept(frame: Frame, texts: readonly string[], act: () => Promise<void>): Promise<void> {
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
    return texts.every((text) => kept.includes(text));
  });
}
