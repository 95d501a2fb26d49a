import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Catalog } from '../../../src/core/index';
import { session, type Fields, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

/** An answer that costs a number of dollars. */
const costs = (total: number, given: Fields = {}, usage: Fields = {}): { message: Fields } => ({
  message: { usage: { input: 10, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total }, ...usage }, ...given },
});
const FAILED = { stopReason: 'error', errorMessage: 'overloaded' };

describe('Causes of costs', () => {
  const test = testCatalog();
  const causes = async (catalog: Catalog): Promise<Record<string, number>> =>
    Object.fromEntries((await catalog.usage({ by: 'cause' })).map(({ key, cost }) => [key, cost]));
  const causesOf = async (lines: SessionBuilder): Promise<Record<string, number>> => causes(await test.open({ one: lines }));

  it('are answers that failed or were interrupted, and retries after errors', async () => {
    const lines = session()
      .user('x')
      .assistant('a', costs(1, FAILED))
      .assistant('b', costs(2, FAILED))
      .assistant('c', costs(4))
      .assistant('d', costs(8, { stopReason: 'aborted' }))
      .user('y')
      .assistant('e', costs(16))
      .assistant('f', costs(32, FAILED))
      .user('z')
      .assistant('after a new message', costs(64));
    assert.deepEqual(await causesOf(lines), { failed: 1 + 2 + 8 + 32, retry: 2 + 4 });
  });

  it('are branches that were left, also by lines that are added later', async () => {
    const lines = session().user('x');
    const prompt = lines.last;
    const answer = lines.assistant('a', costs(1)).last;
    const first = lines.user('y').assistant('b', costs(2)).last;
    lines.branchFrom(answer).user('z');
    const catalog = await test.open({ one: lines });
    assert.deepEqual(await causes(catalog), { abandoned: 2 });
    const before = lines.lines().length;
    lines.branchFrom(first).assistant('on the first branch again', costs(4));
    appendFileSync(test.path('one'), `${lines.lines().slice(before).join('\n')}\n`);
    await catalog.refresh();
    assert.deepEqual(await causes(catalog), {});
    lines.branchFrom(prompt).assistant('another', costs(8));
    appendFileSync(
      test.path('one'),
      `${lines
        .lines()
        .slice(before + 1)
        .join('\n')}\n`,
    );
    await catalog.refresh();
    assert.deepEqual(await causes(catalog), { abandoned: 1 + 2 + 4 });
    assert.equal((await catalog.usage({ by: 'project' }))[0]?.cost, 15);
  });

  it('aren’t branches that a fork went on with', async () => {
    const original = session({ id: 'one' }).user('x');
    const prompt = original.last;
    original.assistant('a', costs(1)).assistant('b', costs(2)).branchFrom(prompt).assistant('c', costs(4));
    const fork = session({ id: 'two', timestamp: '2026-01-03T00:00:00.000Z' }).user('x').assistant('a', costs(1));
    assert.deepEqual(await causes(await test.open({ one: original, two: fork })), { abandoned: 2 });
  });

  it('are answers that read less than half of what was in the cache, of the same model and without a summary between', async () => {
    const cached = { cacheRead: 4000, cacheWrite: 1000 };
    const lines = session()
      .assistant('a', costs(1, {}, cached))
      .assistant('half', costs(2, {}, { cacheRead: 2500 }))
      .assistant('b', costs(4, {}, cached))
      .assistant('miss', costs(8, {}, { cacheRead: 2499, cacheWrite: 1000 }))
      .assistant('other model', costs(16, { model: 'other' }))
      .assistant('other model', costs(32, { model: 'other' }, { cacheWrite: 1024 }))
      .compaction('Short.', 'e1', { usage: { input: 1, output: 1, cost: { total: 64 } } })
      .assistant('after a compaction', costs(128, { model: 'other' }))
      .assistant('few', costs(256, {}, { cacheWrite: 1023 }))
      .assistant('miss of few', costs(512));
    assert.deepEqual(await causesOf(lines), { compaction: 64, cacheMiss: 8 });
  });

  it('are subagents, whether their sessions are there or only their results', async () => {
    const parent = session({ id: 'parent' })
      .user('x')
      .assistant('a', costs(1))
      .message({
        role: 'toolResult',
        toolCallId: 't',
        toolName: 'subagent',
        content: 'done',
        usage: { input: 1, cost: { total: 2 } },
        details: { sessionFile: '/gone/child.jsonl' },
      });
    mkdirSync(join(test.root, 'p', 'parent'), { recursive: true });
    const below = join(test.root, 'p', 'parent', 'child.jsonl');
    mkdirSync(dirname(below), { recursive: true });
    writeFileSync(below, session({ id: 'child' }).user('y').assistant('b', costs(4)).text());
    assert.deepEqual(await causes(await test.open({ parent })), { subagent: 2 + 4 });
  });
});
