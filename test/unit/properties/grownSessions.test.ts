import assert from 'node:assert/strict';
import { withAppendedLines } from '../../../src/core/files/read/sessionFile';
import { dice } from '../../fixtures/random';
import { read } from '../../fixtures/read';
import { sessionValues } from '../../fixtures/shape';

/** Numbers of lines that are appended, one after the other: few and many, which are linked in different ways. */
const ADDITIONS = [3, 600, 1, 2, 700, 400, 300, 5] as const;

/** Returns messages whose parents and times are those of any earlier message, as if programs wrote at once, and some of whose ids are repeated. */
function lines(seed: number, count: number): string[] {
  const random = dice(seed);
  const timestamp = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      type: 'message',
      id: `e${index > 0 && random.once(150) ? index - 1 : index}`,
      parentId: index === 0 || random.once(100) ? null : `e${random.once(3) ? random.below(index) : index - 1}`,
      timestamp: timestamp(random.once(3) ? random.below(index + 1) : index),
      message: { role: 'user', content: 'a', timestamp: 0 },
    }),
  );
}

describe('Properties of sessions that grow', () => {
  it('are those of the whole file, however much is added at a time', () => {
    const header = JSON.stringify({ type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/work' });
    for (let seed = 1; seed <= 5; seed++) {
      let known = 400;
      const all = [header, ...lines(seed, known + ADDITIONS.reduce((sum, one) => sum + one, 0))];
      const text = (from: number, to: number): string =>
        all
          .slice(from, to)
          .map((line) => `${line}\n`)
          .join('');
      let grown = read(text(0, known + 1), { home: '/home/me' });
      for (const count of ADDITIONS) {
        const before = grown;
        const children = new Map(before.children);
        grown = withAppendedLines(grown, text(known + 1, known + 1 + count));
        known += count;
        const whole = read(text(0, known + 1), { home: '/home/me' });
        assert.deepEqual(
          { ...sessionValues(grown), lines: undefined },
          { ...sessionValues(whole), lines: undefined },
          `seed ${seed} with ${known}`,
        );
        assert.equal(grown.children.size, whole.children.size);
        assert.ok([...whole.byId.keys()].every((id) => grown.children.has(id) === whole.children.has(id)));
        assert.deepEqual(new Map(before.children), children, 'the session before stays what it was');
      }
    }
  });
});
