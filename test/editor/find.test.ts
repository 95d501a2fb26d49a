import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { session } from '../fixtures/build';
import type { Frame } from './playwright';
import { openContext, openFind, until } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { untilEqual } from './waiting';

/** The current match: its text, its entry, and whether it is visible. */
const CURRENT = `(() => {
  const [range] = CSS.highlights.get('find-current') ?? [];
  if (!range) return null;
  const main = document.querySelector('main').getBoundingClientRect();
  const at = range.getBoundingClientRect();
  return {
    text: range.toString(),
    entry: range.startContainer.parentElement.closest('article')?.dataset.entry,
    seen: at.height > 0 && at.top >= main.top && at.bottom <= main.bottom,
  };
})()`;

describe('Find in the context view', () => {
  editorSuite();

  const expectCount = async (frame: Frame, count: string): Promise<void> => {
    await untilEqual(() => driver.text('.find-count', frame), count);
  };
  /** Waits until the current match is visible in this entry. */
  const expectCurrentMatch = async (frame: Frame, entry: string, text: string): Promise<void> => {
    await untilEqual(() => driver.evaluate(CURRENT, frame), { text, entry, seen: true });
  };
  const opened = async (path: string): Promise<Frame> => {
    const frame = await openContext({ path });
    await driver.waitFor('article', {}, frame);
    await openFind(frame);
    return frame;
  };

  it('finds all matches, in folds, in articles that aren’t loaded and in the middle of a long output, and steps through them', async () => {
    const builder = session({ cwd: own.cwd }).user('A **nee**dle in `a haystack`', { id: 'first' });
    for (let turn = 1; turn <= 150; turn++) builder.user(`Question ${turn}`).assistant(`Answer ${turn}`);
    builder.assistant(
      [
        { type: 'thinking', thinking: 'Is it a NEEDLE?' },
        { type: 'text', text: 'I look.' },
      ],
      { id: 'thinks' },
    );
    const lines = Array.from({ length: 8000 }, (_, line) => (line === 4000 ? 'the needle lies here' : `line ${line} of straw`));
    builder.tool('bash', { command: 'grep needle' }, lines.join('\n'), { id: 'result' });
    for (let turn = 151; turn <= 200; turn++) builder.user(`Question ${turn}`).assistant(`Answer ${turn}`);
    const path = await own.put('find', builder.assistant('```js\nconst needles = 1;\n```', { id: 'last' }).name('Find'));
    const frame = await opened(path);
    await driver.type('needle');
    await expectCount(frame, '5 of 5');
    await expectCurrentMatch(frame, 'last', 'needle');
    await untilEqual(() => driver.evaluate('document.activeElement.className', frame), 'find-input');
    await driver.screenshot('find-last.png');

    await driver.press('Enter');
    await expectCount(frame, '1 of 5');
    await expectCurrentMatch(frame, 'first', 'needle');
    await driver.press('F3');
    await expectCount(frame, '2 of 5');
    await expectCurrentMatch(frame, 'thinks', 'NEEDLE');
    await driver.press('Enter');
    await expectCount(frame, '3 of 5');
    await driver.press('Enter');
    await expectCount(frame, '4 of 5');
    await until(
      frame,
      `(() => { const at = ${CURRENT}; return at?.seen === true && document.querySelector('.excerpt')?.innerText.includes('the needle lies here') === true; })()`,
    );
    await driver.screenshot('find-excerpt.png');
    assert.ok(Number(await driver.evaluate('document.querySelector("main").textContent.length', frame)) < 20_000);
    await driver.press('Shift+Enter');
    await driver.press('Shift+F3');
    await expectCount(frame, '2 of 5');
    await expectCurrentMatch(frame, 'thinks', 'NEEDLE');

    await driver.press('Alt+c');
    await expectCount(frame, '2 of 4');
    await driver.press('Alt+w');
    await expectCount(frame, '2 of 3');
    await driver.type('zzz');
    await expectCount(frame, 'No results');
    await driver.press('Escape');
    await driver.waitFor('.find', { state: 'hidden' }, frame);
    await untilEqual(() => driver.evaluate('document.activeElement.tagName + CSS.highlights.get("find").size', frame), 'MAIN0');
  });

  it('shows a match in a folded output that is drawn above the view', async () => {
    const lines = Array.from({ length: 8000 }, (_, line) => (line === 4000 ? 'the needle lies here' : `line ${line} of straw`));
    const builder = session({ cwd: own.cwd }).user('Where is it?').tool('bash', { command: 'grep' }, lines.join('\n'));
    for (let turn = 1; turn <= 5; turn++) builder.user(`Question ${turn}`).assistant(`Answer ${turn}`);
    const frame = await opened(await own.put('above', builder));
    await driver.type('needle');
    await expectCount(frame, '1 of 1');
    await until(frame, `${CURRENT}?.seen === true && document.querySelector('.excerpt') !== null`);
  });

  it('updates the count when the session grows', async () => {
    const path = await own.put(
      'grows',
      session({ cwd: own.cwd }).user('one fish', { id: 'one' }).assistant('two fish', { id: 'two' }).name('Grows'),
    );
    const frame = await opened(path);
    await driver.type('fish');
    await expectCount(frame, '1 of 2');
    await appendFile(
      path,
      `${JSON.stringify({ type: 'message', id: 'three', parentId: 'two', timestamp: new Date().toISOString(), message: { role: 'user', content: 'red fish', timestamp: Date.now() } })}\n`,
    );
    await run('refresh');
    await expectCount(frame, '1 of 3');
    await driver.press('Shift+Enter');
    await expectCurrentMatch(frame, 'three', 'fish');
    assert.equal(await driver.evaluate('document.querySelector(".find-count").getAttribute("aria-live")', frame), 'polite');
  });
});
