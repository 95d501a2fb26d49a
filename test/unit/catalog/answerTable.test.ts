import assert from 'node:assert/strict';
import { decodeAnswers, encodeAnswers } from '../../../src/core/catalog/encoding/answerTable';
import { DamagedDatabase } from '../../../src/core/catalog/encoding/damagedDatabase';
import { fingerprintOf, type Answer } from '../../../src/core/catalog/rows/answer';

const answer = (given: Partial<Answer>): Answer => ({
  fingerprint: 2 ** 48 - 1,
  time: Date.UTC(2026, 0),
  model: 'p/m',
  numbers: [1, 2, 3, 4, 5, 0.006012],
  children: [],
  causes: 0,
  ...given,
});

const decoded = (bytes: Uint8Array): unknown[] => {
  const answers: unknown[] = [];
  decodeAnswers(bytes, ({ numbers, ...one }) => answers.push({ ...one, numbers: [...numbers] }));
  return answers;
};

describe('Stored answers', () => {
  it('are what they were, one run of bytes for each model', () => {
    const answers = [
      answer({}),
      answer({ model: '', time: 0, causes: 63, children: ['/a "b".jsonl', '/ü.jsonl'] }),
      answer({ fingerprint: 0, time: -(2 ** 51), numbers: [0.5, Number.MAX_SAFE_INTEGER, 0, 2 ** 52, 1e-300, 1 / 3] }),
      answer({ time: 2 ** 51, causes: 5, numbers: [0, 0, 0, 0, 0, 0.1 + 0.2] }),
    ];
    const encoded = encodeAnswers(answers);
    assert.deepEqual(
      encoded.map(({ model }) => model),
      ['p/m', ''],
    );
    for (const { model, bytes } of encoded)
      assert.deepEqual(
        decoded(bytes),
        answers
          .filter((one) => one.model === model)
          .map(({ fingerprint, time, numbers, children, causes }) => ({ fingerprint, time, children, causes, numbers })),
      );
  });

  it('have no times before or after those of dates', () => {
    const times = [8.64e15, -8.64e15, 0].map((time) => answer({ time }));
    assert.deepEqual(
      decoded(encodeAnswers(times)[0]!.bytes).map((one) => (one as Answer).time),
      [2 ** 51, -(2 ** 51), 0],
    );
  });

  it('take some twenty bytes each', () => {
    const answers = Array.from({ length: 1000 }, (_, index) => answer({ time: 20_000 * index, numbers: [4, 120, 9000, 400, 0, 0.006012] }));
    assert.ok(encodeAnswers(answers)[0]!.bytes.length < 22_000);
  });

  it('are damaged if their bytes end too early, or have numbers that no answer has', () => {
    const [{ bytes } = { bytes: new Uint8Array() }] = encodeAnswers([answer({ numbers: [1 / 3, 0, 0, 0, 0, 0] })]);
    for (let end = 1; end < bytes.length; end++) assert.throws(() => decoded(bytes.subarray(0, end)), DamagedDatabase);
    for (const numbers of [[-0.5], [Infinity], [Number.NaN], [2 ** 60]])
      assert.throws(() => decoded(encodeAnswers([answer({ numbers })])[0]!.bytes), DamagedDatabase, String(numbers));
    assert.throws(() => decoded(encodeAnswers([answer({ causes: 64 })])[0]!.bytes), DamagedDatabase);
  });
});

describe('The fingerprint of an answer', () => {
  it('has 48 bits, and is another one for each of many answers', () => {
    const found = new Set<number>();
    for (let index = 0; index < 200_000; index++) {
      const fingerprint = fingerprintOf(`e${index.toString(16).padStart(7, '0')}`, {
        time: 1000 * index,
        model: 'm',
        numbers: [index % 7],
      });
      assert.ok(Number.isInteger(fingerprint) && fingerprint >= 0 && fingerprint < 2 ** 48);
      found.add(fingerprint);
    }
    assert.equal(found.size, 200_000);
  });
});
