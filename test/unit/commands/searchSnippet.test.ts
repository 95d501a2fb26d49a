import assert from 'node:assert/strict';
import { bracketMarks, stripMarkup, type Snippet } from '../../../src/commands/search/searchSnippet';

/** Makes a snippet of a text with `<` and `>` around its matches. */
function snippet(text: string): Snippet {
  const parts = text.split(/[<>]/);
  let at = 0;
  const marks: [number, number][] = [];
  parts.forEach((part, index) => {
    if (index % 2 === 1) marks.push([at, at + part.length]);
    at += part.length;
  });
  return { snippet: parts.join(''), marks };
}

describe('Snippets of hits', () => {
  const plain = (text: string): string => {
    const read = stripMarkup(snippet(text));
    return bracketMarks(read, '');
  };

  it('lose their Markdown markup and keep the marks of matches', () => {
    assert.equal(plain('A **token <bucket>** for `each <address>`'), 'A token ‹bucket› for each ‹address›');
    assert.equal(plain('…now:  ### Hold <stock>  It holds'), '…now: Hold ‹stock› It holds');
    assert.equal(plain('# The <plan>'), 'The ‹plan›');
    assert.equal(plain('see [the <docs>](https://a.b/c_d) and ![a <picture>](x.png)'), 'see the ‹docs› and a ‹picture›');
    assert.equal(plain('```ts const <a> = 1; ```'), ' const ‹a› = 1; ');
    assert.equal(plain('*so* and **so** and ~~not~~ <so>'), 'so and so and not ‹so›');
    assert.equal(plain('**<a>** and **<b>**'), '‹a› and ‹b›');
  });

  it('keep what only looks like markup', () => {
    for (const text of [
      '2 * 3 * 4',
      'a ** b',
      '__init__.py in my_file_name',
      'issue #12 or # 12',
      'a[0](x',
      'src/**/*.ts',
      '~/code',
      'an **open one',
    ])
      assert.equal(stripMarkup({ snippet: text, marks: [] }).snippet, text);
  });

  it('drop a mark on markup alone', () => assert.deepEqual(stripMarkup(snippet('a <**>b** c')), { snippet: 'a b c', marks: [] }));

  it('mark matches, unless the editor highlights them itself', () => {
    const shown = (text: string, marks: readonly [number, number][], typed: string): string =>
      bracketMarks({ snippet: text, marks }, typed);
    assert.equal(shown('the quick fox', [[4, 9]], 'Quick'), 'the quick fox');
    assert.equal(
      shown(
        'the quick fox',
        [
          [0, 3],
          [10, 13],
        ],
        'the fox',
      ),
      'the quick fox',
    );
    assert.equal(
      shown(
        'the quick fox',
        [
          [0, 3],
          [10, 13],
        ],
        'fox the',
      ),
      '‹the› quick ‹fox›',
    );
    assert.equal(
      shown(
        `the ${'quick '.repeat(12)}fox`,
        [
          [0, 3],
          [76, 79],
        ],
        'the fox',
      ),
      `‹the› ${'quick '.repeat(12)}‹fox›`,
    );
    const far = `${'quick '.repeat(12)}fox`;
    assert.equal(shown(far, [[72, 75]], 'fox '), far, 'spaces around the words make no difference');
    assert.equal(shown('other (fox', [[7, 10]], 'the (fox'), 'other (‹fox›');
    assert.equal(shown('tool', [[0, 4]], ''), '‹tool›');
  });

  it('are marked at once if the words are out of order', () => {
    // A regular expression of all words would try every way to leave one out, which takes exponential time.
    const text = 'a '.repeat(30);
    assert.equal(bracketMarks({ snippet: text, marks: [] }, 'a '.repeat(31)), text);
    const one = 'aa b c';
    assert.equal(bracketMarks({ snippet: one, marks: [[0, 1]] }, 'aa c'), one, 'the editor marks it');
    assert.equal(bracketMarks({ snippet: one, marks: [[0, 1]] }, 'c aa'), '‹a›a b c');
    assert.equal(bracketMarks({ snippet: 'b aa c', marks: [[0, 1]] }, 'a  c'), 'b aa c', 'a word may be begun');
  });
});
