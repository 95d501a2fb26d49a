import assert from 'node:assert/strict';
import { mergeTexts, type MergeResult } from '../../../../src/core/format/restore/threeWay';
import { finishSteps } from '../../../../src/core/format/session/steps';
import { dice } from '../../../fixtures/random';

const merge = (base: string, theirs: string, mine: string): MergeResult => finishSteps(mergeTexts({ base, theirs, mine }));
const textOf = (base: string, theirs: string, mine: string): string => {
  const merged = merge(base, theirs, mine);
  return merged.kind === 'merged' ? merged.text : merged.kind;
};
const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');

describe('A merge of three texts', () => {
  it('takes the changes of both sides', () => {
    assert.equal(
      textOf(lines('a', 'b', 'c', 'd', 'e'), lines('A', 'b', 'c', 'd', 'e'), lines('a', 'b', 'c', 'd', 'E')),
      lines('A', 'b', 'c', 'd', 'E'),
    );
    assert.equal(textOf(lines('a', 'b', 'c'), lines('b', 'c'), lines('a', 'b', 'c', 'd')), lines('b', 'c', 'd'));
    assert.equal(
      textOf(lines('}', '}', 'x', '}', '}'), lines('n', '}', '}', 'x', '}', '}'), lines('}', '}', 'x', '}', '}', 'm')),
      lines('n', '}', '}', 'x', '}', '}', 'm'),
    );
  });

  it('takes a change that both sides made once', () => {
    assert.equal(textOf(lines('a', 'b', 'c'), lines('a', 'X', 'c'), lines('a', 'X', 'c')), lines('a', 'X', 'c'));
    assert.equal(
      textOf(lines('a', '1', '2', '3', '4', 'b'), lines('A', '1', '2', '3', 'x', 'b'), lines('a', '1', '2', '3', 'x', 'b')),
      lines('A', '1', '2', '3', 'x', 'b'),
    );
  });

  it('overlaps in the same lines, and in lines next to each other', () => {
    assert.equal(textOf(lines('a', 'b', 'c'), lines('a', 'X', 'c'), lines('a', 'Y', 'c')), 'overlap');
    assert.equal(textOf(lines('a', 'b', 'c'), lines('a', 'X', 'c'), lines('a', 'b', 'Y')), 'overlap');
    assert.equal(textOf(lines('a', 'b', 'c'), lines('a', 'c'), lines('a', 'B', 'c')), 'overlap');
    assert.equal(textOf(lines('a'), lines('a', 'x'), lines('a', 'y')), 'overlap');
    assert.equal(textOf('', 'x\n', 'y\n'), 'overlap');
  });

  it('keeps the bytes of each line', () => {
    const [base, theirs, mine] = ['äöü\r\nb\nc\r\nd\re\n\u{1F600}', 'äöü!\r\nb\nc\r\nd\re\n\u{1F600}', 'äöü\r\nb\nc\r\nd\re\n\u{1F600}\n'];
    assert.equal(textOf(base, theirs, mine), 'äöü!\r\nb\nc\r\nd\re\n\u{1F600}\n');
    assert.equal(
      textOf('constructor\n__proto__\ntoString\nx', 'constructor\n__proto__\ntoString\ny', 'new\nconstructor\n__proto__\ntoString\nx'),
      'new\nconstructor\n__proto__\ntoString\ny',
    );
    assert.equal(textOf('a\n\nb', 'a\n\nB', 'A\n\nb'), 'A\n\nB');
  });

  it('merges line breaks and the byte order mark as properties of the text', () => {
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
    const [base, theirs, mine, both] = [lines('a', 'b', 'c'), lines('A', 'b', 'c'), lines('a', 'b', 'C'), lines('A', 'b', 'C')];
    assert.equal(textOf(crlf(base), crlf(theirs), crlf(mine)), crlf(both));
    assert.equal(textOf(base, theirs, crlf(mine)), crlf(both), 'a person converted them');
    assert.equal(textOf(base, crlf(theirs), mine), crlf(both), 'the recorded text had others');
    assert.equal(textOf(crlf(base), theirs, mine), both);
    assert.equal(textOf(base, theirs, `\uFEFF${mine}`), `\uFEFF${both}`);
    assert.equal(textOf(`\uFEFF${base}`, theirs, `\uFEFF${mine}`), both);
    assert.equal(textOf('a', 'a', 'a\r\nb'), 'a\r\nb');
    assert.equal(textOf('', crlf(base), ''), crlf(base));
    assert.equal(textOf(crlf(base), '', crlf(base)), '');
  });

  it('ends soon, whatever the texts are', () => {
    const many = (count: number, of: (at: number) => string): string => Array.from({ length: count }, (_, at) => `${of(at)}\n`).join('');
    const same = many(20_000, () => '}');
    assert.equal(textOf(same, `${same}x\n`, `y\n${same}`), 'tooMuch');
    const long = many(50_000, (at) => `line ${at}`);
    assert.equal(textOf(long, `first\n${long}`, `${long}last\n`), `first\n${long}last\n`);
    const two = many(20_000, (at) => String(at % 2));
    assert.equal(textOf(two, `${two}x\n`, two), `${two}x\n`);
    assert.equal(textOf(many(250_000, String), many(250_000, String), 'x'), 'tooMuch');
    const shuffled = many(20_000, (at) => String((at * 7919) % 20_000));
    textOf(
      many(20_000, String),
      shuffled,
      many(20_000, (at) => String((at * 104_729) % 20_000)),
    );
  });

  it('loses no change of either side in random texts that fit', () => {
    const random = dice(7);
    let [fits, overlaps] = [0, 0];
    for (let round = 0; round < 400; round++) {
      const base = Array.from({ length: 30 + random.below(30) }, (_, at) => (random.once(3) ? '}' : `line ${at}`));
      const [theirs, mine] = [[...base], [...base]];
      const added: string[] = [];
      for (const [side, name] of [
        [theirs, 'theirs'],
        [mine, 'mine'],
      ] as const)
        for (let change = 0; change < 1 + random.below(3); change++) {
          const line = `${name} ${round} ${change}`;
          added.push(line);
          side.splice(random.below(side.length), random.below(2), line);
        }
      const found = merge(base.join('\n'), theirs.join('\n'), mine.join('\n'));
      if (found.kind !== 'merged') {
        overlaps++;
        continue;
      }
      fits++;
      const merged = found.text.split('\n');
      for (const line of added)
        if (theirs.includes(line) || mine.includes(line)) assert.ok(merged.includes(line), `round ${round}: ${line}`);
      for (const line of base)
        if (line !== '}' && !(theirs.includes(line) && mine.includes(line)))
          assert.ok(!merged.includes(line), `round ${round}: ${line} is removed`);
    }
    assert.ok(fits > 100 && overlaps > 20, `${fits} ${overlaps}`);
  });
});
