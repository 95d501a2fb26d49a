import assert from 'node:assert/strict';
import { caseSeeds, report, runCase } from '../fuzz/runner/cases';
import { fuzzTargets } from '../fuzz/runner/targets';
import { DANGEROUS, type FuzzTarget } from '../fuzz/target';

/** Default number of cases per target. */
const CASES = 200;

/** A fixed seed, so that results don't depend on the run. `npm run fuzz` uses new ones. */
const seed = Number(process.env['PST_FUZZ_SEED'] ?? 1);

describe(`Fuzzing with PST_FUZZ_SEED=${seed}`, () => {
  for (const target of fuzzTargets()) {
    it(`finds no fault in ${target.name}`, async () => {
      const seeds = caseSeeds(seed);
      for (let left = target.cases ?? CASES; left > 0; left--) {
        const failure = await runCase(target, seeds.next().value as number);
        if (failure) assert.fail(report(failure));
      }
    });
  }
});

describe('The fuzzer', () => {
  it('gives every target a name of its own', () => {
    const names = fuzzTargets().map(({ name }) => name);
    assert.ok(names.length > 0);
    assert.deepEqual([...new Set(names)], names);
  });

  it('runs the same case again by its seed', async () => {
    const seen: string[] = [];
    const target: FuzzTarget = {
      name: 'seen',
      run: (random) => void seen.push(random.text() + random.mutate(random.bytes(50)).toString('hex')),
    };
    await runCase(target, 5);
    await runCase(target, 5);
    await runCase(target, 6);
    assert.equal(seen[0], seen[1]);
    assert.notEqual(seen[0], seen[2]);
  });

  it('makes a failing input smaller', async () => {
    const target: FuzzTarget = {
      name: 'brackets',
      run: (random) => {
        const text = random.text(40);
        if (text.includes('<')) throw new Error(`input ${JSON.stringify(text)}`);
      },
    };
    const seeds = caseSeeds(1);
    const failures = [];
    for (let count = 0; count < 100; count++) {
      const failure = await runCase(target, seeds.next().value as number);
      if (failure) failures.push(failure);
    }
    assert.ok(failures.length > 10);
    const smallest = new Set(DANGEROUS.filter((piece) => piece.includes('<')).map((piece) => `input ${JSON.stringify(piece)}`));
    for (const failure of failures) {
      assert.ok(smallest.has(failure.error.message), failure.error.message);
      assert.match(report(failure), new RegExp(`npm run fuzz -- --only "brackets" --case ${failure.seed}`));
    }
  });
});
