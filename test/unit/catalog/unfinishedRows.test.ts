import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Catalog } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

describe('The rows of unfinished sessions', () => {
  const test = testCatalog();
  const states = async (catalog: Catalog): Promise<unknown> =>
    Object.fromEntries((await catalog.sessions()).map(({ path, unfinished, state }) => [basename(path, '.jsonl'), [unfinished, state]]));

  it('say how the last turn ended, also from the database and after the file grew', async () => {
    const asks = session().user('Go on').assistant('Shall I push it?');
    const files = {
      asks,
      done: session().user('Go on').assistant('Done.'),
      failed: session()
        .user('Go on')
        .assistant('', { message: { stopReason: 'error', errorMessage: 'Overloaded' } }),
      open: session()
        .user('Go on')
        .tool('todo', {}, 'Updated', { message: { details: { todos: [{ id: 1, text: 'a', done: false }], nextId: 2 } } })
        .assistant('Done.'),
      prompt: session().user('Go on'),
    };
    const expected = {
      asks: ['question', 'waiting'],
      done: [undefined, 'idle'],
      failed: ['error', 'failed'],
      open: ['todos', 'idle'],
      prompt: ['unanswered', undefined],
    };
    const catalog = await test.open(files);
    assert.deepEqual(await states(catalog), expected);
    await catalog.close();
    const again = await test.open({});
    assert.deepEqual(await states(again), expected);
    appendFileSync(test.path('asks'), `${asks.user('Yes').assistant('Pushed.').lines().slice(-2).join('\n')}\n`);
    await again.refresh();
    assert.deepEqual(await states(again), { ...expected, asks: [undefined, 'idle'] });
  });
});
