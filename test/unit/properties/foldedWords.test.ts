import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bytesOfText, LineWordsWriter } from '../../../src/core/catalog/index/words/lineWords';
import { RepeatedWords } from '../../../src/core/catalog/index/words/repeatedWords';
import { foldCharacter } from '../../../src/core/catalog/index/words/foldCharacter';
import { spacedWords } from '../../../src/core/catalog/index/words/words';
import { Scanner } from '../../../src/core/format/scanner/scanner';
import { printJson } from './printJson';

const scanner = new Scanner(1024 * 1024, 0, foldCharacter);

/** Returns the words that the scanner collects of a message with this text as JSON; `undefined` if it leaves them to the caller. */
function scannedWords(json: Buffer): string[] | undefined {
  const line = Buffer.concat([
    Buffer.from('{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-02T10:00:00.000Z","message":{"role":"user","content":'),
    json,
    Buffer.from('}}\n'),
  ]);
  const scan = scanner.beginFile('words').scan(scanner.load(line), 0, line.length, { line: 2, offset: 0 });
  assert.ok(scan, json.toString());
  return scan.needsWords ? undefined : wordsIn(Buffer.from(scan.rows.part('words')).toString());
}

/** In lower case, as the index has them: capitals stay only to find the parts of names. */
const wordsIn = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Texts of several alphabets, with characters that don’t fold by themselves. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(
      fc.constantFrom(
        'Größe',
        ' ',
        'мир',
        '言',
        'が',
        'か\u3099',
        'สวัสดี',
        'ー',
        'データ',
        'e\u0301',
        '🚀',
        '\ud800',
        '\udc00',
        'ΟΔΟΣ',
        '한',
        '\u1112\u1161',
        'İ',
        '\u0345',
        '១២៛',
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
);

describe('Words that the scanner folds', function () {
  this.timeout(60_000);

  it('are those of the index for every character between letters', () => {
    let complex = 0;
    for (let code = 0x80; code < 0x20000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const text = `Aé${String.fromCodePoint(code)}ñ言`;
      const words = scannedWords(Buffer.from(JSON.stringify(text)));
      if (words) assert.deepEqual(words, wordsIn(spacedWords(text)), code.toString(16));
      else complex++;
    }
    assert.ok(complex < 500, `${complex} are left to the parser`);
  });

  it('are those of the index for any text, with escapes and without', () => {
    let folded = 0;
    fc.assert(
      fc.property(anyText, fc.nat(), fc.constantFrom(0, 2), (one, seed, escapes) => {
        const words = scannedWords(Buffer.from(printJson(`é ${one}`, seed, { spaces: 0, escapes, shuffles: false, repeats: 0 })));
        if (!words) return;
        folded++;
        assert.deepEqual(words, wordsIn(spacedWords(`é ${one}`)));
      }),
      { numRuns: 4000 },
    );
    assert.ok(folded > 2000, `${folded} were folded`);
  });

  it('are those of the index for texts that the caller has read', () => {
    let folded = 0;
    fc.assert(
      fc.property(anyText, fc.constantFrom('', '\\u0041 "', '\n\t\\n'), (one, mark) => {
        const text = `${mark}é ${one}`;
        const words = scanner.foldText(text);
        if (!words) return;
        folded++;
        assert.deepEqual(wordsIn(Buffer.from(words).toString()), wordsIn(spacedWords(text)));
      }),
      { numRuns: 4000 },
    );
    assert.ok(folded > 2000, `${folded} were folded`);
  });

  it('are left to the caller in a very long text, and where a word depends on several characters', () => {
    assert.deepEqual(wordsIn(Buffer.from(scanner.foldText('é'.repeat(256 * 1024)) ?? '').toString()), ['e'.repeat(256 * 1024)]);
    assert.ok(scanner.foldText('é'.repeat(256 * 1024 + 1)) === undefined);
    assert.ok(scanner.foldText('é ΟΔΟΣ') === undefined);
  });

  it('are the same in an index with the scanner and without it, after one another and in any buffer', () => {
    const texts = ['言葉言', 'Größe', 'ΟΔΟΣ и мир', 'plain ASCII', 'e\u0301té', '', '言葉', 'データ'];
    const collect = (room: number, given?: Scanner): string[] => {
      const writer = new LineWordsWriter(Buffer.alloc(room), new RepeatedWords(), given);
      const ranges = texts.map((text) => writer.add(text));
      const collected = writer.finish(ranges.flatMap(({ from, to }, index) => [index, from, to]));
      return texts.map((_, index) => Buffer.from(bytesOfText(collected, index)).toString());
    };
    const expected = collect(1024).map(wordsIn);
    for (let room = 1; room < 64; room++) {
      const found = collect(room, scanner);
      assert.deepEqual(found.map(wordsIn), expected);
      assert.ok(
        found.every((words) => words.endsWith('\n')),
        `the separators, with room for ${room} bytes`,
      );
    }
  });

  it('are those of the index for bytes that are not UTF-8', () => {
    const byte = fc.integer({ min: 0x80, max: 0xff });
    const bytes = fc.array(
      fc.oneof(
        byte.map((one) => Buffer.of(one)),
        fc.constantFrom('é', '言', 'a', ' ').map((one) => Buffer.from(one)),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(bytes, (parts) => {
        const text = Buffer.concat([Buffer.from('é '), ...parts]);
        const words = scannedWords(Buffer.concat([Buffer.from('"'), text, Buffer.from('"')]));
        if (words) assert.deepEqual(words, wordsIn(spacedWords(text.toString())), text.toString('hex'));
      }),
      { numRuns: 4000 },
    );
  });
});
