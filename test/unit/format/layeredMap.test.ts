import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LayeredMap } from '../../../src/core/format/linking/layeredMap';

describe('LayeredMap', () => {
  it('behaves as a map, and stays unchanged when it is extended', () => {
    const additions = fc.array(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', '__proto__', 'd'), fc.nat()), { maxLength: 4 }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(additions, (all) => {
        let plain = new Map<string, number>([['a', 0]]);
        let layered = LayeredMap.of(plain);
        for (const added of all) {
          const [before, size] = [layered, layered.size];
          layered = layered.with(new Map(added));
          plain = new Map([...plain, ...added]);
          assert.equal(before.size, size);
          assert.deepEqual(new Map([...layered].sort()), new Map([...plain].sort()));
          assert.deepEqual([layered.size, layered.has('a'), layered.has('z'), layered.get('d')], [plain.size, true, false, plain.get('d')]);
          assert.deepEqual([...layered.keys()].length, [...layered.values()].length);
        }
      }),
    );
  });

  it('merges a layer that has grown', () => {
    const many = new Map(Array.from({ length: 2_000 }, (_, n) => [`k${String(n)}`, n]));
    const layered = LayeredMap.of(new Map([['k0', -1]]))
      .with(many)
      .with(new Map([['k1', 5]]));
    assert.deepEqual([layered.size, layered.get('k0'), layered.get('k1'), layered.get('k1999')], [2_000, 0, 5, 1_999]);
    assert.equal(layered.with(new Map()), layered);
  });

  it('keeps added entries separate from a much larger base', () => {
    let iterations = 0;
    const base = new Map(Array.from({ length: 10_000 }, (_, n) => [`k${String(n)}`, n]));
    base[Symbol.iterator] = () => {
      iterations++;
      return base.entries();
    };
    let layered = LayeredMap.of(base);
    for (let n = 0; n < 3_000; n++) layered = layered.with(new Map([[`k${String(9_000 + n)}`, -n]]));
    assert.deepEqual(
      [layered.size, layered.get('k8999'), layered.get('k9000'), layered.get('k11999'), layered.has('k12000')],
      [12_000, 8_999, -0, -2_999, false],
    );
    assert.equal(iterations, 0);
    const all = new Map(layered);
    assert.deepEqual([all.size, all.get('k0'), all.get('k9001'), all.get('k11000'), iterations], [12_000, 0, -1, -2_000, 1]);
  });
});
