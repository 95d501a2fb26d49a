import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { encodeAnswers } from '../../../src/core/catalog/encoding/answerTable';
import { packUsage, unpackUsage, type StoredAnswers } from '../../../src/core/catalog/encoding/packedUsage';
import type { Answer } from '../../../src/core/catalog/rows/answer';
import { DAY_MS, utcDayOf } from '../../../src/core/catalog/rows/localDays';
import { countOnce, usageOfSessions } from '../../../src/core/catalog/rows/sharedUsage';
import { usageBy } from '../../../src/core/catalog/rows/usageBy';
import { causeBit } from '../../../src/core/catalog/rows/usageCauses';
import { finishSteps, STEP_LENGTH } from '../../../src/core/format/session/steps';
import { countPauses } from '../../fixtures/countPauses';

const COUNT = 10 * STEP_LENGTH;

describe('usage of thousands of sessions', () => {
  it('is added up in steps', () => {
    const totals = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: 0.5 };
    const facts = Array.from({ length: COUNT }, (_, index) => ({
      path: `/s/${index}`,
      day: '2026-01-01',
      model: 'm',
      causes: 0,
      ...totals,
    }));
    const { pauses, result } = countPauses(usageBy('project', facts, (path) => ({ cwd: path.endsWith('7') ? '/a' : '/b', dialect: 'pi' })));
    assert.ok(pauses >= 10, `${pauses} pauses`);
    assert.deepEqual(
      result.map(({ key, input, cost }) => [key, input, cost]),
      [
        ['/b', (COUNT * 9) / 10, (COUNT * 9) / 20],
        ['/a', COUNT / 10, COUNT / 20],
      ],
    );
  });

  it('passes between threads in few values, and is unpacked in steps', () => {
    const paths = Array.from({ length: COUNT }, (_, index) => `/s/${index}\n😀`);
    const answers = paths.map((path, index): StoredAnswers & Answer => {
      const time = (index % 2) * DAY_MS;
      const answer = {
        fingerprint: index,
        time,
        numbers: [index, 2 ** 40, 0, 4, 0, index / 3],
        model: `m${index % 3}`,
        children: [],
        causes: index % 5,
      };
      const [encoded] = encodeAnswers([answer]);
      return { session: index, path, ...answer, bytes: encoded!.bytes };
    });
    const packed = structuredClone(packUsage((only) => (only ? [] : answers), utcDayOf));
    const isKnown = (path: string): boolean => !path.startsWith('/s/7');
    const { pauses, result } = countPauses(unpackUsage(packed, (path) => (isKnown(path) ? path : undefined)));
    assert.ok(pauses >= 20, `${pauses} pauses`);
    const expected = answers
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
      .filter(({ path }) => isKnown(path))
      .map(({ path, time, model, numbers, causes }) => {
        const [input, output, cacheRead, cacheWrite, , cost] = numbers;
        return {
          paths: [path],
          day: time === 0 ? '' : '1970-01-02',
          model,
          children: [],
          causes,
          input,
          output,
          cacheRead,
          cacheWrite,
          cost,
        };
      });
    // Their difference would take a minute to print.
    assert.ok(isDeepStrictEqual(result, expected));
  });

  it('is read again only of sessions with answers that were met twice', () => {
    const again: number[] = [];
    const failed = causeBit('failed');
    const answer = (fingerprint: number, causes = 0): Answer => ({
      ...{ fingerprint, causes, time: DAY_MS, model: 'm', children: [] },
      numbers: [0, 0, 0, 0, 0, 2 ** fingerprint],
    });
    // Sessions 20 and 30 share an answer, and 40 has one twice. No other one is read again.
    const sessions = new Map([
      [10, [answer(1), answer(2)]],
      [20, [answer(3, failed), answer(4, failed)]],
      [30, [answer(4), answer(5, failed)]],
      [40, [answer(6, failed), answer(6)]],
    ]);
    const packed = packUsage(function* (only) {
      again.push(...(only ?? []));
      for (const [number, answers] of sessions)
        if (!only || only.includes(number))
          for (const { model, bytes } of encodeAnswers(answers)) yield { session: number, path: `/${number}`, model, bytes };
    }, utcDayOf);
    assert.deepEqual(again, [20, 40]);
    const usage = finishSteps(unpackUsage(packed, (path) => path)).map(({ paths, cost, causes }) => [paths.toSorted(), cost, causes]);
    assert.deepEqual(usage, [
      [['/10'], 6, 0],
      [['/20'], 8, failed],
      [['/20', '/30'], 16, 0],
      [['/30'], 32, failed],
      [['/40'], 128, 0],
    ]);
  });

  it('is counted for sessions in steps', () => {
    const totals = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: 0.5 };
    const shared = Array.from({ length: COUNT }, (_, index) => ({
      paths: [`/s/${index}`, '/s/first'],
      day: '2026-01-01',
      model: 'm',
      children: [],
      causes: 0,
      ...totals,
    }));
    const { pauses, result } = countPauses(
      usageOfSessions(
        shared,
        countOnce((path) => (path === '/s/first' ? 1 : 2)),
        () => false,
      ),
    );
    assert.ok(pauses >= 10, `${pauses} pauses`);
    assert.deepEqual([result.length, new Set(result.map(({ path }) => path))], [COUNT, new Set(['/s/first'])]);
  });
});
