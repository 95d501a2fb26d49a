import assert from 'node:assert/strict';
import { findPattern } from '../../../src/core/format/text/findPattern';

const found = (text: string, query: string, { matchCase = false, wholeWord = false, anyWord = false } = {}): string[] =>
  text.match(findPattern({ text: query, matchCase, wholeWord, anyWord }) ?? /(?!)/g) ?? [];

describe('findPattern', () => {
  it('matches a text literally, in any case and across any white space', () => {
    assert.deepEqual(found('A.b a.B axb', 'a.b'), ['A.b', 'a.B']);
    assert.deepEqual(found('one\n  two', 'one two'), ['one\n  two']);
    assert.deepEqual(found('(x) [y] {z} ^$|?*+\\/', '^$|?*+\\/'), ['^$|?*+\\/']);
    assert.deepEqual(found('ÄRGER ärger', 'ärger'), ['ÄRGER', 'ärger']);
    assert.deepEqual(found('Case case', 'case', { matchCase: true }), ['case']);
  });

  it('matches whole words of any script', () => {
    assert.deepEqual(found('cat concat cat_ cat.', 'cat', { wholeWord: true }), ['cat', 'cat']);
    assert.deepEqual(found('über übertrieben', 'über', { wholeWord: true }), ['über']);
    assert.deepEqual(found('a$x b', '$x', { wholeWord: true }), ['$x']);
  });

  it('matches each of several words, the longest first', () => {
    assert.deepEqual(found('We retry. Just (re)try', ' re\njust retry  just ', { anyWord: true }), ['retry', 'Just', 're']);
    assert.deepEqual(found('retry re', 're just', { anyWord: true, wholeWord: true }), ['re']);
  });

  it('returns undefined for a blank query', () =>
    assert.equal(findPattern({ text: ' \n', matchCase: false, wholeWord: false }), undefined));

  it('matches the white space before a word', () => {
    assert.deepEqual(
      Array.from('a  x x'.matchAll(findPattern({ text: ' x', matchCase: true, wholeWord: false })!), ({ index, 0: whole }) => [
        index,
        whole,
      ]),
      [
        [1, '  x'],
        [4, ' x'],
      ],
    );
  });
});
