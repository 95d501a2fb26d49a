import assert from 'node:assert/strict';
import { LineTexts } from '../../../../../src/core/format/lineOrigins/lineTexts';
import { editsOfCall } from '../../../../../src/core/format/lineOrigins/record/callEdits';
import { chanceMatches } from '../../../../../src/core/format/lineOrigins/replay/chanceMatches';
import { editOf } from '../../../../../src/core/format/lineOrigins/replay/origin';
import { replaying } from '../../../../../src/core/format/lineOrigins/replay/replayFile';
import { finishWork } from '../../../../../src/core/format/lineOrigins/work';

const long = (name: string, count: number): string[] => Array.from({ length: count }, (_, at) => `const ${name}${at} = compute(${at});`);

/** A function of a person, and how a session wrote it anew. */
const OLD = [...long('old', 3), '}', ...long('older', 3)];
const NEW = [...long('now', 3), '}', ...long('newer', 3)];

describe('Short lines of a rewritten stretch', () => {
  function marked(now: readonly string[], places: readonly number[], count: number): string[] {
    const texts = new LineTexts();
    const found = finishWork(chanceMatches(count, texts.numbersOf(now), places, texts));
    return now.filter((_, at) => found[at] === 1);
  }

  it('are written again if much is replaced on both sides', () => {
    assert.deepEqual(marked(NEW, [-1, -1, -1, 3, -1, -1, -1], 7), ['}']);
    const run = [...long('now', 3), '  return;', '}', '', ...long('newer', 3)];
    assert.deepEqual(marked(run, [-1, -1, -1, 3, 4, 5, -1, -1, -1], 9), ['  return;', '}', '']);
  });

  it('stay if little is replaced, or only on one side', () => {
    assert.deepEqual(marked(['a();', 'b();', '}', 'c();'], [-1, -1, 2, -1], 4), []);
    assert.deepEqual(marked(['}', ...NEW], [0, -1, -1, -1, 4, -1, -1, -1], 5), []);
    assert.deepEqual(marked([...long('now', 6), '}', ''], [-1, -1, -1, -1, -1, -1, 6, 7], 8), []);
  });

  it('stay beside a longer line that stays', () => {
    const now = [...long('now', 3), 'const kept = somethingThatStays();', '}', ...long('newer', 3)];
    assert.deepEqual(marked(now, [-1, -1, -1, 3, 4, -1, -1, -1], 8), []);
  });

  const patch = ['@@ -1,7 +1,7 @@', ...OLD.slice(0, 3).map((one) => `-${one}`), ...NEW.slice(0, 3).map((one) => `+${one}`), ' }'];
  patch.push(...OLD.slice(4).map((one) => `-${one}`), ...NEW.slice(4).map((one) => `+${one}`));
  const args = { path: 'f', edits: [{ oldText: OLD.join('\n'), newText: NEW.join('\n') }] };
  const cases = [
    ['edit', args, undefined],
    ['edit', args, { patch: patch.join('\n') }],
    ['write', { path: 'f', content: NEW.join('\n') }, undefined],
  ] as const;
  for (const [name, given, details] of cases)
    it(`are a guess after a call of ${name} ${details ? 'with a difference' : 'without one'}`, () => {
      const texts = new LineTexts();
      const [edit] = editsOfCall({ name, arguments: given }, { role: 'toolResult', content: [], details });
      assert.ok(edit);
      const whole = { kind: 'text', text: OLD.join('\n'), isWhole: true } as const;
      const { document } = finishWork(replaying([whole, { kind: 'edit', edit }], undefined, texts));
      assert.deepEqual(document.origins.map(editOf), Array<number>(7).fill(1));
      assert.ok((document.origins[3] ?? 0) < 0);
    });

  it('are a person’s if the person rewrote the stretch before a session wrote the whole text', () => {
    const texts = new LineTexts();
    const written = editsOfCall({ name: 'write', arguments: { path: 'f', content: [...NEW, 'last();'].join('\n') } }, undefined);
    const [edit] = written;
    assert.ok(edit);
    const [before, seen] = [OLD, NEW].map((lines) => ({ kind: 'text', text: lines.join('\n'), isWhole: true }) as const);
    assert.ok(before && seen);
    const { document } = finishWork(replaying([before, seen, { kind: 'edit', edit: { ...edit, isCertain: true } }], undefined, texts));
    assert.deepEqual(document.origins.map(editOf), [...Array<number>(7).fill(-1), 2]);
  });
});
