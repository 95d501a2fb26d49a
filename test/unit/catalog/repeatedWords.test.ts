import assert from 'node:assert/strict';
import { LineWordsWriter, bytesOfText } from '../../../src/core/catalog/index/words/lineWords';
import { RepeatedWords } from '../../../src/core/catalog/index/words/repeatedWords';
import { repeatedWordsOf } from '../../fixtures/scanSearch';
import { wordsOf } from '../../../src/core/catalog/index/words/words';
import { numbers } from '../../fixtures/random';

/** The words that the index gets of texts in one line each. */
function indexed(texts: readonly string[]): string[] {
  const writer = new LineWordsWriter(Buffer.alloc(16), new RepeatedWords());
  const ranges = texts.map((text) => writer.add(text));
  const words = writer.finish(ranges.flatMap(({ from, to }, index) => [index, from, to]));
  return texts.map((_, index) => Buffer.from(bytesOfText(words, index)).toString());
}

describe('Repeated words', () => {
  it('are added to the text that has them four times, once each, in any case', () => {
    const [first, second] = indexed(['Foo bar foo, foo_bar (FOO) foo bar', 'foo foo foo']);
    assert.equal(first, 'Foo bar foo, foo_bar (FOO) foo bar\n·FOO ');
    assert.equal(second, 'foo foo foo\n');
  });

  it('have the parts of names beside them, once each unless they are words before', () => {
    const added = (text: string): string => indexed([text])[0]!.split('\n').at(-1)!;
    assert.equal(added('call token getRefreshToken of parseHTMLFile.ts, isOK'), 'get Refresh parse HTML File ');
    assert.equal(added('Größe: fixGrößeNow, ПриветМир, sha256Sum x1Y'), 'fix Now sha256 Sum ');
    assert.equal(added('getW\u0301Refresh'), 'get Refresh ');
    assert.equal(added('aToken bToken cToken dToken'), '·Token Token ');
    assert.equal(added('JSON Json json NASA get_refresh_token a.b-C'), '');
    assert.equal(added(`${'aBc'.repeat(22)} ${'Ab'.repeat(20)}`), '');
  });

  it('are the same in the index as in a search without it', () => {
    const next = numbers(7);
    const random = (below: number): number => Math.floor(next() * below);
    const alphabet = ['a', 'B', 'foo', 'Foo', 'é', 'Straße', '中文', ' ', '-', '_', ' ', '9', 'xyz1', '·', '😀', '\n'];
    const texts = Array.from({ length: 200 }, () =>
      Array.from({ length: 1 + random(120) }, () => alphabet[random(alphabet.length)]).join(''),
    );
    for (const [index, text] of indexed(texts).entries()) {
      const marked = text
        .split('\n')
        .at(-1)!
        .split(' ')
        .filter((word) => word !== '');
      const given = texts[index]!;
      const lower = (some: readonly string[]): string[] => some.map((word) => word.toLowerCase());
      const parts: string[] = [];
      const repeated = repeatedWordsOf([...wordsOf(given)], parts);
      assert.deepEqual(new Set(lower(marked.filter((word) => word.startsWith('·')).map((word) => word.slice(1)))), repeated, given);
      assert.deepEqual(lower(marked.filter((word) => !word.startsWith('·'))), parts, given);
    }
  });

  it('are found in a text of more words than the table had room for', () => {
    const words = Array.from({ length: 40_000 }, (_, index) => `w${index}`);
    const [text] = indexed([[...words, 'x', ...words, 'x', ...words, 'x', 'x'].join(' ')]);
    assert.equal(text!.slice(text!.lastIndexOf('\n')), '\n·x ');
  });
});
