import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { decodeTouches } from '../../../src/core/catalog/encoding/touchTable';
import { decodeAnswers } from '../../../src/core/catalog/encoding/answerTable';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

describe('stored facts of a session', () => {
  const test = testCatalog();

  /** The stored facts of the only session. */
  function stored(): { answers: unknown; labels: unknown; touches: unknown } {
    const database = new DatabaseSync(join(test.cacheDir, 'catalog.sqlite'), { readOnly: true });
    const all = (sql: string): Record<string, unknown>[] => database.prepare(sql).all();
    try {
      return {
        // One row per append and model.
        answers: all('SELECT text, bytes FROM answers JOIN names ON names.id = model ORDER BY place').map(({ text, bytes }) => {
          const answers: unknown[] = [];
          decodeAnswers(bytes as Uint8Array, ({ time, numbers }) => answers.push([time, ...numbers]));
          return [text, ...answers];
        }),
        labels: all('SELECT entry, label, time FROM labels ORDER BY entry').map((row) => Object.values(row)),
        // One row per append.
        touches: all('SELECT paths, entries FROM touches ORDER BY place').map(({ paths, entries }) =>
          (JSON.parse(String(paths)) as string[]).map((file) => [
            file,
            ...[...decodeTouches({ paths: String(paths), bytes: entries as Uint8Array }, (path) => path === file)].map(
              ({ entryId, kind }) => `${kind} ${entryId}`,
            ),
          ]),
        ),
      };
    } finally {
      database.close();
    }
  }

  const start = Date.parse('2026-01-02T10:00:00.000Z');
  /** The time of the builder's n-th entry. */
  const at = (n: number): number => start + (n - 1) * 1000;
  /** The usage of an answer or a tool's result. */
  const costs = (input: number, output: number, cacheRead: number, cacheWrite: number, total: number) => ({
    usage: { input, output, cacheRead, cacheWrite, cost: { total } },
  });
  const gpt = { provider: 'openai', model: 'gpt' };
  const call = (name: string, args: object) => [{ type: 'toolCall', id: name, name, arguments: args }];
  const result = (toolName: string, text: string, costs: object = {}) => ({
    role: 'toolResult',
    toolCallId: toolName,
    toolName,
    content: [{ type: 'text', text }],
    isError: false,
    ...costs,
  });

  /** Two branches after entry 2; entries without usage cost nothing. @param long makes the file large enough for growth to be read alone */
  const forked = (long = 'y'.repeat(9_000_000)): SessionBuilder =>
    session()
      .user('begin') // 1
      .assistant('of both', { message: costs(100, 10, 4, 2, 0.5) }) // 2
      .assistant(call('read', { path: 'src/a.ts' }), { message: costs(200, 20, 8, 4, 1) }) // 3
      .message(result('read', long, costs(1, 2, 3, 4, 0.25))) // 4
      .branchFrom(entryId(2))
      .user('once more', { message: { ...costs(1000, 1000, 1000, 1000, 1000), timestamp: Date.parse('2026-01-04T00:00:00.000Z') } }) // 5: user messages cost nothing
      .assistant(call('edit', { path: 'src/b.ts' }), {
        message: { ...gpt, ...costs(300, 30, 0, 0, 2), timestamp: Date.parse('2026-01-03T00:00:00.000Z') },
      }) // 6
      .message(result('edit', 'done')) // 7
      .label(entryId(2), 'the fork'); // 8

  it('have the costs of each day, also in the year 20000', async () => {
    const on = (day: number, cost: number) => ({ message: { ...costs(1, 1, 1, 1, cost), timestamp: Date.UTC(20000, 0, day) } });
    const catalog = await test.open({ a: session().user('x').assistant('y', on(5, 2)).assistant('z', on(6, 3)) });
    assert.deepEqual(
      (await catalog.usage({ by: 'day' })).map(({ key, cost }) => [key, cost]),
      [
        ['+020000-01-05', 2],
        ['+020000-01-06', 3],
      ],
    );
  });

  it('match its lines after a full read and after growth', async () => {
    const lines = forked();
    const catalog = await test.open({ a: lines });
    const read = [
      ['/work/demo/src/a.ts', `read ${entryId(3)}`],
      ['/work/demo/src/b.ts', `write ${entryId(6)}`],
    ];
    assert.deepEqual(stored(), {
      answers: [
        ['anthropic/claude-x', [at(2), 100, 10, 4, 2, 0, 0.5], [at(3), 200, 20, 8, 4, 0, 1]],
        ['', [at(4), 1, 2, 3, 4, 0, 0.25]],
        ['openai/gpt', [Date.parse('2026-01-03T00:00:00.000Z'), 300, 30, 0, 0, 0, 2]],
      ],
      labels: [[entryId(2), 'the fork', at(8)]],
      touches: [read],
    });

    const known = lines.lines().length;
    lines
      .branchFrom(entryId(4))
      .assistant(call('write', { path: 'src/a.ts' }), { message: { ...gpt, ...costs(400, 40, 0, 0, 4) } }) // 9
      .message(result('write', 'done')) // 10
      .label(entryId(2), 'renamed') // 11
      .branchFrom(entryId(3))
      .assistant('a third branch', { message: costs(500, 50, 0, 0, 8) }); // 12
    appendFileSync(
      test.path('a'),
      lines
        .lines()
        .slice(known)
        .map((line) => `${line}\n`)
        .join(''),
    );
    await catalog.refresh();
    assert.deepEqual(stored(), {
      answers: [
        ['anthropic/claude-x', [at(2), 100, 10, 4, 2, 0, 0.5], [at(3), 200, 20, 8, 4, 0, 1], [at(12), 500, 50, 0, 0, 0, 8]],
        ['', [at(4), 1, 2, 3, 4, 0, 0.25]],
        ['openai/gpt', [Date.parse('2026-01-03T00:00:00.000Z'), 300, 30, 0, 0, 0, 2], [at(9), 400, 40, 0, 0, 0, 4]],
      ],
      labels: [[entryId(2), 'renamed', at(11)]],
      touches: [[[...read[0]!, `write ${entryId(9)}`], read[1]]],
    });

    // The first growth of a large file has been read with all of it, the next one is added.
    const stillKnown = lines.lines().length;
    lines.assistant(call('write', { path: 'src/b.ts' }), { message: costs(1, 1, 0, 0, 1) }); // 13
    appendFileSync(test.path('a'), `${lines.lines().slice(stillKnown).join('\n')}\n`);
    await catalog.refresh();
    assert.deepEqual(stored(), {
      answers: [
        ['anthropic/claude-x', [at(2), 100, 10, 4, 2, 0, 0.5], [at(3), 200, 20, 8, 4, 0, 1], [at(12), 500, 50, 0, 0, 0, 8]],
        ['', [at(4), 1, 2, 3, 4, 0, 0.25]],
        ['openai/gpt', [Date.parse('2026-01-03T00:00:00.000Z'), 300, 30, 0, 0, 0, 2], [at(9), 400, 40, 0, 0, 0, 4]],
        ['anthropic/claude-x', [at(13), 1, 1, 0, 0, 0, 1]],
      ],
      labels: [[entryId(2), 'renamed', at(11)]],
      touches: [[[...read[0]!, `write ${entryId(9)}`], read[1]], [['/work/demo/src/b.ts', `write ${entryId(13)}`]]],
    });
  });
});
