import assert from 'node:assert/strict';
import { LineTexts } from '../../../../../src/core/format/lineOrigins/lineTexts';
import type { FileEdit } from '../../../../../src/core/format/lineOrigins/record/fileEdit';
import { likelyOpeningLineOf, openingLineOf } from '../../../../../src/core/format/lineOrigins/replay/blockEnds';
import { changedOrigins } from '../../../../../src/core/format/lineOrigins/replay/changedOrigins';
import { findLines } from '../../../../../src/core/format/lineOrigins/replay/findLines';
import { documentOf } from '../../../../../src/core/format/lineOrigins/replay/lineDocument';
import { editOf, guess, NO_EDIT } from '../../../../../src/core/format/lineOrigins/replay/origin';
import { type FileEvent, Replay, type Replayed } from '../../../../../src/core/format/lineOrigins/replay/replay';
import { withText } from '../../../../../src/core/format/lineOrigins/replay/withText';
import { finishWork } from '../../../../../src/core/format/lineOrigins/work';
import { numbers } from '../../../../fixtures/random';

describe('The replay of edits', () => {
  const texts = new LineTexts();

  function replayed(...events: FileEvent[]): Replayed & { text: string } {
    const replay = new Replay(texts);
    for (const event of events) finishWork(replay.adding(event));
    const result = finishWork(replay.result());
    return { ...result, text: result.document.lines.map((line) => (line < 0 ? '?' : texts.text(line))).join('\n') };
  }
  const edit = (change: Partial<FileEdit>): FileEvent => ({
    kind: 'edit',
    edit: { file: 'a.ts', hunks: [], replacements: [], isCertain: true, ...change },
  });
  const replacement = (before: string, after: string): FileEvent => edit({ replacements: [{ before, after, all: false }] });
  const text = (shown: string, isWhole: boolean): FileEvent => ({ kind: 'text', text: shown, isWhole });

  it('is complete after a whole text and edits that fit it', () => {
    const { text: found, isComplete, document } = replayed(text('first\nsecond', true), replacement('second', 'other'));
    assert.equal(found, 'first\nother');
    assert.deepEqual(document.origins, [-1, 1]);
    assert.ok(isComplete);
  });

  it('has the lines of several hunks at their places in a text that isn’t known otherwise', () => {
    const hunk = (start: number, line: string) => ({
      start,
      lines: [
        { sign: '-' as const, text: 'old' },
        { sign: '+' as const, text: line },
      ],
    });
    const { text: found } = replayed(edit({ hunks: [hunk(2, 'const third = 3;'), hunk(5, 'const sixth = 6;')] }));
    assert.equal(found, '?\n?\nconst third = 3;\n?\n?\nconst sixth = 6;');
  });

  it('isn’t complete after an edit of a part that was read', () => {
    const { text: found, isComplete, document } = replayed(text('first\nsecond', false), replacement('second', 'other'));
    assert.equal(found, 'first\nother');
    assert.ok(!isComplete && !document.isWhole);
  });

  it('keeps a whole text although a part of a later one was read', () => {
    const whole = 'first line\nsecond line\nthird line';
    const { text: found, isComplete } = replayed(
      text(whole, true),
      text('other line\nthird line', false),
      replacement('other line', 'new line'),
    );
    assert.ok(found.startsWith('first line\nsecond line'), found);
    assert.ok(!isComplete);
  });

  it('finds the lines of an edit without a place in the text that the file had before the next one', () => {
    const { document } = replayed(
      text('first line', true),
      replacement('missing line', 'written line'),
      text('first line\nwritten line', true),
      edit({ text: 'first line\nwritten line\nlast line' }),
    );
    assert.deepEqual(document.origins, [-1, 1, 3]);
  });
});

describe('The end of a block', () => {
  const leader = (at: number, ...lines: string[]): number | undefined => {
    const texts = new LineTexts();
    return openingLineOf(texts.numbersOf(lines), at, texts);
  };

  it('belongs to the line that opened it, and a blank line to the end before it', () => {
    assert.equal(leader(3, 'f() {', '  a {', '  }', '}'), 0);
    assert.equal(leader(2, 'f() {', '  a {', '  }', '}'), 1);
    assert.equal(leader(1, '});', ''), 0);
  });

  it('belongs to none if another line of its indentation, or a line outside, is nearer', () => {
    assert.equal(leader(2, 'f() {', 'a', '}'), undefined);
    assert.equal(leader(3, '  f() {', 'a', '    b', '  }'), undefined);
    assert.equal(leader(1, 'a', ''), undefined);
    assert.equal(leader(1, 'f() {', 'a'), undefined);
  });

  it('likely belongs to the nearest opening line of its indentation, unless a block ends in between', () => {
    const texts = new LineTexts();
    assert.equal(likelyOpeningLineOf(texts.numbersOf(['f() {', 'a', '}']), 2, texts), 0);
    assert.equal(likelyOpeningLineOf(texts.numbersOf(['f() {', 'a', '}', '}']), 3, texts), undefined);
  });

  it('is new with the block if there are several alike', () => {
    const texts = new LineTexts();
    const old = ['one() {', '  one', '}', '', 'two', '}'];
    const now = ['one() {', '  one', '}', '', 'three() {', '  three', '}', '', '}'];
    const { origins } = finishWork(withText(documentOf(texts.numbersOf(old)), texts.numbersOf(now), texts, 7));
    assert.deepEqual(origins.slice(0, 8), [-1, -1, -1, -1, 7, 7, 7, 7]);
  });
});

describe('Origins of lines in a rewritten text', () => {
  const texts = new LineTexts();
  const origins = (old: string[], now: string[], meanwhile?: { lines: string[]; origin: number }): number[] =>
    finishWork(
      changedOrigins(
        documentOf(texts.numbersOf(old)),
        texts.numbersOf(now),
        texts,
        7,
        meanwhile && { lines: texts.numbersOf(meanwhile.lines), origin: () => meanwhile.origin },
      ),
    );

  it('are guesses where the old and the new text have equal lines in different numbers', () => {
    assert.deepEqual(origins(['first', '', 'last'], ['second', '', 'third', '', 'last']), [7, guess(7), 7, NO_EDIT, NO_EDIT]);
    assert.deepEqual([editOf(guess(7)), editOf(7), editOf(guess(NO_EDIT))], [7, 7, NO_EDIT]);
    assert.ok(guess(0) < NO_EDIT);
  });

  it('are guesses for an old bracket that ends a new block, while its own block stays', () => {
    const old = ['  first();', '}', 'last'];
    assert.deepEqual(origins(old, ['  first();', 'new() {', '  new();', '}', 'last']), [NO_EDIT, 7, 7, guess(7), NO_EDIT]);
    const block = ['old() {', '  first();', '}'];
    assert.deepEqual(origins(block, ['new() {', '  first();', '}']), [7, NO_EDIT, NO_EDIT]);
  });

  it('are unknown for the blank line between an old block and what was added behind it', () => {
    const added = ['}', '', 'second() {', '}', ''];
    const before = { lines: texts.numbersOf(['}', '']), origins: [3, 3], isWhole: true };
    const { origins: old } = finishWork(withText(before, texts.numbersOf(added), texts, 7));
    assert.deepEqual(old, [guess(3), NO_EDIT, 7, 7, 7]);
  });

  it('are those of a text in between for lines that it has', () => {
    assert.deepEqual(origins(['first'], ['first', 'second', 'third'], { lines: ['first', 'second'], origin: 3 }), [NO_EDIT, 3, 7]);
  });

  it('keep a distinctive line in its place rather than a bracket', () => {
    // Two pairs in opposite orders, in both orders.
    assert.deepEqual(origins(['}', 'telling();', 'third();'], ['telling();', '}', 'third();']), [NO_EDIT, 7, NO_EDIT]);
    assert.deepEqual(origins(['telling();', '}', ']', 'third();'], ['}', ']', 'telling();', 'third();']), [7, 7, NO_EDIT, NO_EDIT]);
  });
});

describe('Finding lines in a text', () => {
  it('yields all places, as comparing at each place does', () => {
    const next = numbers(3);
    for (let round = 0; round < 300; round++) {
      const lines = Array.from({ length: 40 }, () => Math.floor(next() * 2.2));
      const wanted = Array.from({ length: 1 + Math.floor(next() * 5) }, () => Math.floor(next() * 2.2));
      const from = Math.floor(next() * 10);
      const expected = lines.flatMap((_, at) => (at >= from && wanted.every((line, index) => lines[at + index] === line) ? [at] : []));
      assert.deepEqual([...findLines(lines, wanted, from)], expected, JSON.stringify({ lines, wanted, from }));
    }
  });

  it('yields none for no lines, and for more lines than there are', () => {
    assert.deepEqual([...findLines([1, 2], [])], []);
    assert.deepEqual([...findLines([1, 2], [1, 2, 3])], []);
  });
});
