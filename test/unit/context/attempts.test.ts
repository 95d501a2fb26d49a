import assert from 'node:assert/strict';
import { readArticles } from '../../../src/context/articles/articleLoader';
import { readFileContext } from '../../../src/context/host/sessionFiles';
import type { AttemptsLine, ViewMode } from '../../../src/context/shared/protocol';
import { branchForks } from '../../../src/core/format/branches/attempts';
import { headsOf } from '../../../src/core/format/linking/headsById';
import { pathPlaces } from '../../../src/core/format/session/treeTraversal';
import { finishSteps, readSession, STEP_LENGTH } from '../../../src/core/index';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { countPauses } from '../../fixtures/countPauses';
import { testFolder } from '../../fixtures/folder';
import { read } from '../../fixtures/read';

describe('The attempts at a fork', () => {
  const folder = testFolder();
  const linesOf = async (
    builder: SessionBuilder,
    view: ViewMode = 'model',
    leaf?: string,
  ): Promise<(readonly [string, AttemptsLine])[]> => {
    const snapshot = await readFileContext(await readSession(await folder.write('s.jsonl', builder.text())), leaf, view);
    const found: (readonly [string, AttemptsLine])[] = [];
    for await (const { articles } of readArticles(snapshot, 0, snapshot.groups.length))
      for (const { entryId: id, forks = [] } of articles) found.push(...forks.map((line) => [id, line] as const));
    return found;
  };
  const texts = (lines: readonly (readonly [string, AttemptsLine])[]): unknown =>
    lines.map(([id, { title, attempts, more }]) => [id, title, ...attempts.map(({ text, tipId }) => [text, tipId]), more]);

  const tried = (): SessionBuilder =>
    session()
      .user('Fix it') // 1
      .assistant('How?') // 2
      .user('use a **mutex**') // 3
      .tool('bash', { command: 'make' }, 'no', { message: { isError: true } }) // 4, 5
      .assistant('', { message: { stopReason: 'error', errorMessage: 'Overloaded' } }) // 6
      .branchFrom(entryId(2))
      .user('use a lock') // 7
      .assistant('Slow.') // 8
      .branchFrom(entryId(2))
      .entry('model_change', { provider: 'p', modelId: 'm' }) // 9
      .user('use a queue') // 10
      .assistant('Done.'); // 11

  it('are above the first message after it, each with its end and a way to its tip', async () => {
    const expected = [
      [
        entryId(10),
        '3 attempts:',
        ['“use a mutex” failed, 2 errors, $0.07', entryId(6)],
        ['“use a lock” was abandoned, $0.04', entryId(8)],
        ['“use a queue” was kept', undefined],
        '',
      ],
    ];
    assert.deepEqual(texts(await linesOf(tried())), expected);
    assert.deepEqual(texts(await linesOf(tried(), 'transcript')), expected);
    assert.deepEqual(texts(await linesOf(tried(), 'model', entryId(8))), [
      [
        entryId(7),
        '3 attempts:',
        ['“use a mutex” failed, 2 errors, $0.07', entryId(6)],
        ['“use a lock” was abandoned', undefined],
        ['“use a queue” was kept', entryId(11)],
        '',
      ],
    ]);
    assert.deepEqual(await linesOf(tried(), 'model', entryId(2)), []);
  });

  it('aren’t there for labels and other notes alone', async () => {
    const builder = session().user('a').assistant('b').label(entryId(1), 'x').branchFrom(entryId(2)).user('c');
    assert.deepEqual(await linesOf(builder), []);
  });

  it('say of branches that weren’t left on purpose that they were interrupted or have no answer', async () => {
    const builder = session()
      .user('a')
      .user('stopped')
      .assistant('Half', { message: { stopReason: 'aborted' } })
      .branchFrom(entryId(1))
      .user('open')
      .branchFrom(entryId(1))
      .assistant('b');
    const [line] = await linesOf(builder);
    assert.deepEqual(
      line![1].attempts.map(({ text }) => text),
      ['“stopped” was interrupted, $0.04', '“open” has no answer', '“b” was kept'],
    );
  });

  it('are the newest eight with the one that is shown, as text of a single line', async () => {
    const builder = session().user('start');
    for (let nth = 0; nth < 12; nth++) builder.branchFrom(entryId(1)).user(`<b>${nth}</b>\n\u202e${'x'.repeat(500)}`);
    const [line] = await linesOf(builder, 'model', entryId(2));
    const { title, attempts, more } = line![1];
    assert.deepEqual([title, more, attempts.length], ['12 attempts:', 'and 4 more', 8]);
    assert.match(attempts[0]!.text, /^“<b>0<\/b> /);
    assert.equal(attempts[0]!.tipId, undefined);
    assert.match(attempts[1]!.text, /^“<b>5<\/b> /);
    for (const { text } of attempts) assert.ok(text.length < 100 && !/[\n\u202e]/.test(text));
  });

  it('make pauses over large branches, and aren’t read again for each fork', () => {
    const builder = session().user('start');
    for (let nth = 0; nth < 3000; nth++) builder.assistant('more');
    builder.branchFrom(entryId(1)).user('other');
    const opened = read(builder);
    const forks = finishSteps(branchForks(opened, pathPlaces(headsOf(opened), opened.leafId)));
    const long = countPauses(forks.before(entryId(3002)));
    assert.equal(long.result.length, 1);
    // One walk finds the tip, another one adds up.
    assert.ok(long.pauses >= 2 * Math.floor(3000 / STEP_LENGTH), String(long.pauses));
    assert.equal(countPauses(forks.before(entryId(3001))).result.length, 0);
    const back = finishSteps(branchForks(opened, pathPlaces(headsOf(opened), entryId(3001))));
    assert.ok(countPauses(back.before(entryId(2))).pauses < long.pauses);
  });
});
