import assert from 'node:assert/strict';
import { session, type SessionBuilder } from '../fixtures/build';
import { another } from './externalProcess';
import type { Frame } from './playwright';
import { openContext, scrollMessages, until, whenStill } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, show } from './editorSuite';
import { untilEqual, untilMatches } from './waiting';

const AT_END = '(() => { const m = document.querySelector("main"); return m.scrollHeight - m.scrollTop - m.clientHeight < 40; })()';
/** The entry at the upper edge, and its distance from the edge. */
const TOP = `(() => {
  const edge = document.querySelector('main').getBoundingClientRect().top;
  const row = [...document.querySelectorAll('.row')].find((row) => row.getBoundingClientRect().bottom > edge + 2);
  return row?.querySelector('article')?.dataset.entry + ' ' + Math.round(row?.getBoundingClientRect().top - edge);
})()`;

describe('the context view of a running session', () => {
  let builder: SessionBuilder;
  let path: string;
  let frame: Frame;
  editorSuite();
  beforeEach(async () => {
    builder = session({ cwd: own.cwd });
    for (let turn = 1; turn <= 30; turn++)
      builder.user(`Question ${turn}`, { id: `q${turn}` }).assistant(`Answer ${turn}`, { id: `a${turn}` });
    path = await own.put('work', builder.name('At work', { id: 'name' }));
    frame = await openContext({ path });
    await driver.waitFor('article >> text=Answer 30', {}, frame);
  });

  const untilPage = (script: string): Promise<true> => until(frame, script);
  const append = async (add: () => unknown): Promise<void> => {
    const lines = builder.lines().length;
    add();
    await another.append(path, `${builder.lines().slice(lines).join('\n')}\n`);
  };
  const waitFor = (selector: string): Promise<void> => driver.waitFor(selector, {}, frame);
  const scrollUp = async (pixels: number): Promise<void> => {
    await driver.find('main', frame).hover();
    await driver.page.mouse.wheel(0, -pixels);
    await untilPage(`!${AT_END} && !document.querySelector(".placeholder")`);
  };
  const announced = (): Promise<string> => driver.text('.visually-hidden[role=status]', frame);

  it('follows the session to another branch, reports it, and leads back', async () => {
    await append(() => builder.branchFrom('a10').user('Another way', { id: 'other' }));
    await waitFor('article >> text=Another way');
    await untilPage(`${AT_END} && !document.querySelector('main').innerText.includes('Question 30')`);
    await waitFor('.branch-switch-notice');
    assert.match(await driver.text('.branch-switch-notice', frame), /The session moved to another branch/);
    await driver.screenshot('moved.png');
    // The view continues to follow.
    await append(() => builder.assistant('Its answer'));
    await waitFor('article >> text=Its answer');
    await untilPage(AT_END);
    await untilMatches(announced, /1 new message/);
    await frame.getByRole('button', { name: 'Go Back' }).focus();
    await driver.press('Enter');
    await waitFor('.location >> text=At');
    await waitFor('article >> text=Answer 30');
    await driver.waitFor('.branch-switch-notice', { state: 'hidden' }, frame);
    await untilPage('document.activeElement !== document.body');
  });

  it('keeps the reading position, or moves to the fork point if that position is not on the branch, and reports new messages', async () => {
    await scrollMessages(frame, '0');
    await untilPage('!!document.querySelector("article[data-entry=q2]") && !document.querySelector(".placeholder")');
    await scrollMessages(frame, '300');
    const place = await whenStill(frame, TOP);
    await append(() => builder.branchFrom('a20').user('A second way', { id: 'second' }));
    await waitFor('.branch-switch-notice');
    await untilEqual(() => driver.evaluate(TOP, frame), place);
    await frame.getByRole('button', { name: 'Close', exact: true }).click();
    await driver.waitFor('.branch-switch-notice', { state: 'hidden' }, frame);

    await scrollMessages(frame, 'main.scrollHeight / 2');
    await untilPage(`!document.querySelector(".placeholder") && /^[qa](9|1\\d) /.test(${TOP})`);
    await append(() => builder.branchFrom('a3').user('A third way', { id: 'third' }).assistant('x'.repeat(9000)));
    await untilPage(`${TOP}.startsWith('a3 ')`);
    await waitFor('.branch-switch-notice');
  });

  it('reports no other branch to a view of a fixed entry', async () => {
    await show({ path, entryId: 'a5' });
    await waitFor('.location >> text=At assistant: Answer 5');
    await append(() => builder.branchFrom('a10').user('Another way'));
    await untilPage('document.querySelectorAll(".branch-row").length > 3');
    assert.equal(await driver.find('.branch-switch-notice', frame).isVisible(), false);
    await untilMatches(() => driver.text('.location', frame), /Answer 5/);
  });

  it('stays at the end when the agent compacts, in both views, and shows the cut', async () => {
    for (const view of ['model', 'transcript']) {
      await driver.click(`[data-key=${view}]`, frame);
      await untilPage(
        `document.querySelector('[data-key=${view}]').getAttribute('aria-pressed') === 'true' && !document.querySelector('.placeholder')`,
      );
      await scrollMessages(frame, '1e9');
      await untilPage(AT_END);
      await append(() =>
        builder.compaction(`Summary in the ${view} view.`, view === 'model' ? 'q20' : 'q29').assistant(`After it, ${view}`),
      );
      await waitFor(`article >> text=After it, ${view}`);
      await untilPage(AT_END);
    }
    await untilPage(
      `document.querySelectorAll('article[data-status=compacted]').length > 0 && document.querySelector('main').innerText.includes('Compacted; the context had')`,
    );
    await driver.click('[data-key=model]', frame);
    await untilPage(`document.querySelector('[data-key=model]').getAttribute('aria-pressed') === 'true'`);
    await scrollMessages(frame, '0');
    await waitFor('article.compaction >> text=Summary in the transcript view.');
    await untilMatches(() => driver.text('.header-fields', frame), /Messages\s*7/);
  });

  it('shows the number of new messages while the person reads above, and clears it at the end', async () => {
    await scrollUp(700);
    const place = await whenStill(frame, TOP);
    await append(() => builder.assistant('News 1').label('q1', 'a mark'));
    await waitFor('.new-messages >> text=1 new message');
    await append(() => builder.user('News 2').assistant('News 3'));
    await waitFor('.new-messages >> text=3 new messages');
    await untilEqual(() => driver.evaluate(TOP, frame), place);
    await driver.find('main', frame).focus();
    await driver.press('End');
    await waitFor('article >> text=News 3');
    await untilPage(`${AT_END} && document.querySelector('.new-messages').hidden`);
  });
});
