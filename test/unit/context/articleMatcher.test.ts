import { yieldToEventLoop } from '../../../src/core/files/concurrency/eventLoop';
import assert from 'node:assert/strict';
import { buildArticle, type BuiltArticle } from '../../../src/context/articles/buildArticle';
import { searchableTexts, ArticleMatcher } from '../../../src/context/search/articleMatcher';
import { SEARCHED_UNITS } from '../../../src/core/format/text/searchSteps';
import { finishSteps } from '../../../src/core/format/session/steps';
import type { Message } from '../../../src/core/index';

const built = (...messages: object[]): BuiltArticle =>
  finishSteps(
    buildArticle({
      key: 'k',
      bases: { home: '/home/me', cwd: '/work/demo' },
      messages: messages as Message[],
      entries: messages.map((_, index) => ({ id: `e${index}`, time: 0 })),
      label: 'a mark',
    }),
  );
const matcherFor = (text: string): ArticleMatcher => new ArticleMatcher({ text, matchCase: false, wholeWord: false }, yieldToEventLoop);

describe('Searchable texts of an article', () => {
  const call = (args: object): object => ({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'deep' },
      { type: 'toolCall', id: 'c', name: 'edit', arguments: args },
    ],
    stopReason: 'toolUse',
  });
  const result = (text: string): object => ({
    role: 'toolResult',
    toolCallId: 'c',
    toolName: 'edit',
    content: [{ type: 'text', text }],
    isError: false,
  });

  it('come in drawing order, with the folds that contain them', () => {
    const texts = searchableTexts(built(call({ path: 'a.ts', other: 'x\ny' }), result('done')));
    assert.deepEqual(
      texts.map(({ key, folds, text }) => [key, folds.join(' '), text]),
      [
        ['label', '', 'a mark'],
        ['0', '0', 'deep'],
        ['name 1', '', 'edit'],
        ['head 1', '', 'a.ts'],
        ['1', '1', 'path: a.ts\nother:\nx\ny'],
        ['2', '1', 'done'],
      ],
    );
  });

  it('are found wherever a long text is cut to be searched', async () => {
    for (const before of [SEARCHED_UNITS - 9, SEARCHED_UNITS - 5, SEARCHED_UNITS - 1, SEARCHED_UNITS]) {
      const long = built(call({}), result(`${'x'.repeat(before)} abab abab ${'x'.repeat(SEARCHED_UNITS)}abab`));
      for (const [text, count] of [
        ['ABAB', 3],
        ['abab abab', 1],
        [' abab ', 1],
        ['ab', 6],
      ] as const)
        assert.equal(await matcherFor(text).count(long, 99), count, `${text} behind ${String(before)}`);
      const whole = new ArticleMatcher({ text: 'abab', matchCase: true, wholeWord: true }, yieldToEventLoop);
      assert.equal(await whole.count(long, 99), 2, String(before));
    }
  });

  it('are matched in Markdown as drawn, not as written', async () => {
    const message = built({
      role: 'user',
      content: 'A **bo**ld [link](https://x.example/hidden) &amp; `a_b`\n\n```js\nif (a < b) go();\n```',
    });
    const counts = await Promise.all(
      ['bold', 'bold link & a_b', 'hidden', '**', 'a < b', 'js'].map((text) => matcherFor(text).count(message, 9)),
    );
    assert.deepEqual(counts, [1, 1, 0, 0, 1, 0]);
  });

  it('are matched by any of several words, also by words of signs', async () => {
    const message = built({ role: 'user', content: 'The **sparrow** => the w**re**n' });
    const count = (text: string): Promise<number> =>
      new ArticleMatcher({ text, matchCase: false, wholeWord: false, anyWord: true }, yieldToEventLoop).count(message, 9);
    assert.deepEqual(
      [await count('sparrow wren'), await count('wren swallow'), await count('swallow =>'), await count('swallow duck')],
      [2, 1, 1, 0],
    );
  });

  it('are counted up to a limit, and each match has a location', async () => {
    const message = built(call({}), result('x deep x deep'));
    assert.equal(await matcherFor('deep').count(message, 2), 2);
    assert.equal(await matcherFor('deep').count(message, 9), 3);
    assert.deepEqual(await Promise.all([0, 1, 2, 3].map((nth) => matcherFor('deep').locate(message, nth))), [
      { key: '0', folds: ['0'], nth: 0 },
      { key: '1', folds: ['1'], nth: 0 },
      { key: '1', folds: ['1'], nth: 1 },
      undefined,
    ]);
  });

  it('come with an excerpt around the match if they are truncated', async () => {
    const lines = Array.from({ length: 5000 }, (_, line) => `line ${line}${line === 2500 ? ' here, here' : ''}`).join('\n');
    const excerpt = (await matcherFor('here').locate(built(call({}), result(lines)), 1))?.excerpt;
    assert.equal(excerpt?.nth, 1);
    assert.equal(lines.slice(excerpt.from, excerpt.from + excerpt.text.length), excerpt.text);
    assert.ok(excerpt.text.startsWith('line ') && excerpt.text.includes('line 2500 here, here') && excerpt.text.length < 5000);
  });

  it('are searched with yields to the event loop between long ones', async () => {
    const texts = Array.from({ length: 4 }, () => ({ type: 'text', text: `deep ${'a *b* '.repeat(4000)}` }));
    let turns = 0;
    let isCounted = false;
    const nextTurn = (): void => {
      turns++;
      if (!isCounted) setImmediate(nextTurn);
    };
    setImmediate(nextTurn);
    const count = await matcherFor('deep').count(built({ role: 'user', content: texts }), 9);
    isCounted = true;
    assert.equal(count, 4);
    assert.ok(turns >= 3, String(turns));
  });
});
