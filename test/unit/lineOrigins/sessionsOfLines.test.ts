import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { LineOrigin } from '../../../src/core/index';
import type * as sessionsModule from '../../../src/lineOrigins/sessionsOfLines';
import type * as turnsModule from '../../../src/lineOrigins/turnReader';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { read } from '../../fixtures/read';

describe('The sessions that wrote lines', () => {
  const { api } = fakeEditor();
  const { sessionsOfLines } = loadWithVscode(join(__dirname, '../../../src/lineOrigins/sessionsOfLines.js'), api) as typeof sessionsModule;
  const { keyOf, readTurns } = loadWithVscode(join(__dirname, '../../../src/lineOrigins/turnReader.js'), api) as typeof turnsModule;
  const origin = (from: number, to: number, path: string, at: number, time: number): LineOrigin => ({
    from,
    to,
    path,
    entryId: entryId(at),
    time,
    certainty: 'exact',
  });
  const unexpected = (): never => {
    throw new Error('Nothing fails here');
  };
  const opened: string[] = [];
  const deps = {
    session: (path: string) => {
      opened.push(path);
      const call = { path: 'a.ts', content: 'x' };
      return Promise.resolve(read(session().user(`First of ${path}`).tool('write', call).user(`Second of ${path}`).tool('write', call)));
    },
    log: { warnOnce: unexpected, error: unexpected },
  };
  beforeEach(() => (opened.length = 0));

  it('are in the order of their last messages, with the number of their lines', async () => {
    const origins = [
      origin(1, 4, '/old', 2, 10),
      origin(5, 5, '/new', 2, 30),
      origin(6, 9, '/middle', 2, 20),
      origin(10, 12, '/new', 5, 25),
      origin(20, 29, '/elsewhere', 2, 90),
    ];
    const found = await sessionsOfLines(origins, 3, 11, deps);
    assert.deepEqual(
      found.map(({ path, time, lines }) => [path, time, lines]),
      [
        ['/new', 30, 3],
        ['/middle', 20, 4],
        ['/old', 10, 2],
      ],
    );
    assert.deepEqual([found[0]!.entryId, found[0]!.title], [entryId(2), 'First of /new']);
  });

  it('are opened once for all their messages', async () => {
    const origins = [origin(1, 1, '/one', 2, 10), origin(2, 2, '/other', 2, 10), origin(3, 3, '/one', 5, 20)];
    const turns = await readTurns(origins, deps);
    assert.deepEqual(
      origins.map((one) => turns.get(keyOf(one))?.prompt),
      ['First of /one', 'First of /other', 'Second of /one'],
    );
    assert.deepEqual(opened, ['/one', '/other']);
  });
});
