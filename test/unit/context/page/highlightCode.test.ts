import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type * as highlighting from '../../../../src/context/page/content/highlightCode';
import { highlightCode, isHighlighted, type HighlightedText } from '../../../../src/context/page/content/highlightCode';

const all = (code: string, language: string): HighlightedText[] => [...highlightCode(code, language)].flat();
const pieces = (code: string, language: string): string[] =>
  [...highlightCode(code, language)].filter((piece) => piece.length > 0).map((piece) => piece.map(({ text }) => text).join(''));
/** Returns each character with its classes. */
const colours = (code: string, language: string): string[] =>
  all(code, language).flatMap(({ text, classes }) => Array.from(text, (character) => `${character} ${classes.join(' ')}`));

describe('highlightCode', () => {
  it('returns the code with classes', () => {
    const code = 'const a = "<b>&amp;\'"; // <i>\n';
    assert.equal(
      all(code, 'ts')
        .map(({ text }) => text)
        .join(''),
      code,
    );
    assert.deepEqual(
      all(code, 'ts').filter(({ text }) => text === 'const' || text.startsWith('//')),
      [
        { text: 'const', classes: ['hljs-keyword'] },
        { text: '// <i>', classes: ['hljs-comment'] },
      ],
    );
  });

  it('returns nested classes', () => {
    assert.deepEqual(
      all('`${a}`', 'ts').map(({ classes }) => classes),
      [['hljs-string'], ['hljs-string', 'hljs-subst'], ['hljs-string']],
    );
  });

  it('works in pieces, none of which ends within a comment or a string', () => {
    const line = 'const total = items.length; // in all\n';
    const comment = `/* a\n${'still the comment\n'.repeat(300)}*/\n`;
    const code = `${line.repeat(40)}${comment}${line.repeat(200)}const text = \`\n${'still the text\n'.repeat(300)}\`;\n${line.repeat(100)}`;
    assert.equal(pieces(code, 'ts').join(''), code);
    assert.ok(pieces(code, 'ts').length > 1);
    assert.equal(pieces(line.repeat(200), 'ts').length, 4);
    for (const piece of pieces(code, 'ts')) assert.doesNotMatch(piece, /still the (?:comment|text)\n$/);
    const whole = colours(code, 'ts');
    const at = (text: string): string | undefined => whole[code.indexOf(text)];
    assert.equal(at('still the comment'), 's hljs-comment');
    assert.equal(at('still the text'), 's hljs-string');
    assert.equal(whole[code.lastIndexOf('const')], 'c hljs-keyword');
  });

  it('compiles the language in a step of its own', () => {
    const [compiled, ...highlighted] = highlightCode('total', 'ts');
    assert.deepEqual([compiled, highlighted], [[], [[{ text: 'total', classes: [] }]]]);
  });

  it('registers the languages when it is first used, and not when the page loads its code', () => {
    const load = createRequire(__filename);
    for (const name of Object.keys(load.cache)) if (/highlight/.test(name)) Reflect.deleteProperty(load.cache, name);
    const fresh = load('../../../../src/context/page/content/highlightCode') as typeof highlighting;
    const { listLanguages } = load('highlight.js/lib/core') as { readonly listLanguages: () => string[] };
    assert.deepEqual(listLanguages(), []);
    assert.equal(fresh.isHighlighted('a', 'py'), true);
    assert.ok(listLanguages().includes('yaml'));
  });

  it('skips unknown languages and long code', () => {
    assert.equal(isHighlighted('a', 'ts'), true);
    assert.equal(isHighlighted('a', 'klingon'), false);
    assert.equal(isHighlighted('a'.repeat(20_001), 'ts'), false);
  });

  it('leaves code plain from the point where highlighting would take long', () => {
    const line = 'const a = 1;\n';
    const colour = (code: string): (string | undefined)[] => [colours(code, 'ts')[0], colours(code, 'ts')[code.lastIndexOf('const')]];
    assert.deepEqual(colour(line.repeat(400)), ['c hljs-keyword', 'c hljs-keyword']);
    for (const long of [`${'a'.repeat(301)}\n`, `/*\n${'b\n'.repeat(6000)}*/\n`]) {
      const code = line.repeat(200) + long + line;
      assert.deepEqual(colour(code), ['c hljs-keyword', 'c ']);
      assert.equal(pieces(code, 'ts').join(''), code);
    }
  });
});
