import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import type { Frame } from './playwright';
import { focusMessages, openContext, until, whenStill } from './contextPage';
import { driver } from './driver';
import { editorSuite, own } from './editorSuite';
import { eventually, untilEqual } from './waiting';

/** Runs in the page: from now on, records starting animations and transitions, and the scroll position of each frame. */
const WATCH = `(() => {
  const main = document.querySelector('main');
  window.motions = [];
  window.tops = [main.scrollTop];
  for (const type of ['animationstart', 'transitionrun']) document.addEventListener(type, ({ target }) => window.motions.push(type + ' ' + target.className), true);
  const look = () => {
    if (main.scrollTop !== window.tops.at(-1)) window.tops.push(main.scrollTop);
    requestAnimationFrame(look);
  };
  look();
})()`;
/** Returns the names of animations and transitions that run after two frames. */
const MOVING = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.getAnimations().map(({ animationName, transitionProperty }) => animationName ?? transitionProperty)))))`;

describe('Motion in the context view', () => {
  let isReduced = true;
  editorSuite();
  afterEach(async () => {
    await setting('on');
    await driver.page.emulateMedia({ reducedMotion: null });
  });

  /** The editor's own setting, which is on in these tests. */
  const setting = async (value: 'on' | 'off'): Promise<void> => {
    isReduced = value === 'on';
    await vscode.workspace.getConfiguration('workbench').update('reduceMotion', value, vscode.ConfigurationTarget.Global);
  };
  const opened = async (): Promise<Frame> => {
    const builder = session({ cwd: own.cwd }).user('The very first', { id: 'first' });
    for (let turn = 1; turn <= 150; turn++) builder.assistant(`Answer ${turn}\n\n\`\`\`ts\nconst a = ${turn};\n\`\`\``);
    const frame = await openContext({ path: await own.put('motion', builder.name('Motion')) });
    await driver.waitFor('article', {}, frame);
    // The page has the editor's setting, and the list has measured its rows.
    await until(frame, `document.body.classList.contains('vscode-reduce-motion') === ${String(isReduced)}`);
    await focusMessages(frame);
    await whenStill(frame, 'document.querySelector("main").scrollTop');
    return frame;
  };
  const goToFirst = async (frame: Frame): Promise<void> => {
    await driver.press('Alt+ArrowUp');
    await eventually('the first message', async () => (await driver.evaluate('document.activeElement?.dataset.entry', frame)) === 'first');
  };

  const assertNoMotion = async (): Promise<void> => {
    const frame = await opened();
    await driver.evaluate(WATCH, frame);
    await goToFirst(frame);
    await untilEqual(() => driver.evaluate(MOVING, frame), []);
    // The target is in place from the first frame on; measuring rows may then move it a little.
    const [from, next, last] = (await driver.evaluate(`[window.tops[0], window.tops[1], window.tops.at(-1)]`, frame)) as [
      number,
      number,
      number,
    ];
    assert.ok(from > 3000 && Math.abs(next - last) < 100, `${from} → ${next} … ${last}`);
    await driver.find('article', frame).hover();
    await driver.find('pre.code', frame).hover();
    await driver.click('button.disclosure', frame);
    assert.deepEqual(await driver.evaluate(MOVING, frame), []);
    assert.deepEqual(await driver.evaluate('window.motions', frame), []);
  };

  it('is off if the system is set to reduce it', async () => {
    await setting('off');
    await driver.page.emulateMedia({ reducedMotion: 'reduce' });
    await assertNoMotion();
  });

  it('is off if the editor is set to reduce it', async () => {
    await driver.page.emulateMedia({ reducedMotion: 'no-preference' });
    await assertNoMotion();
  });

  it('is otherwise a short highlight of the navigation target', async () => {
    await setting('off');
    await driver.page.emulateMedia({ reducedMotion: 'no-preference' });
    const frame = await opened();
    await driver.evaluate(WATCH, frame);
    await goToFirst(frame);
    await eventually('the highlight', async () =>
      ((await driver.evaluate('window.motions', frame)) as string[]).some((motion) => motion.startsWith('animationstart article')),
    );
  });
});
