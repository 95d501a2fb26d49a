import assert from 'node:assert/strict';
import { PinState } from '../../../src/tree/view/pinState';

describe('Pins of sessions', () => {
  let stored: unknown;
  const memento = {
    get: () => stored as never,
    update: (_: string, value: unknown) => {
      stored = value;
      return Promise.resolve();
    },
  };
  beforeEach(() => (stored = undefined));

  it('are remembered until they are taken away', async () => {
    const pins = new PinState(memento);
    await pins.set(['a', 'b'], true);
    await pins.set(['a'], false);
    assert.deepEqual([pins.has('a'), pins.has('b')], [false, true]);
    assert.equal(new PinState(memento).has('b'), true);
  });

  it('of another window are kept', async () => {
    const [one, other] = [new PinState(memento), new PinState(memento)];
    await one.set(['a'], true);
    await other.set(['b'], true);
    assert.deepEqual(stored, ['a', 'b']);
  });

  it('are limited in number and length, the oldest go first; what another version stored is ignored', async () => {
    stored = { not: 'a list' };
    const pins = new PinState(memento);
    await pins.set(
      Array.from({ length: 1001 }, (_, n) => String(n)),
      true,
    );
    assert.deepEqual([pins.has('0'), pins.has('1'), pins.has('1000')], [false, true, true]);
    await pins.set(['x'.repeat(10_000)], true);
    assert.equal((stored as string[]).at(-1)?.length, 200);
    assert.equal(pins.has('x'.repeat(10_000)), true);
  });
});
