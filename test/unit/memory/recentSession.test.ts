import assert from 'node:assert/strict';
import { join } from 'node:path';
import { listSessions } from '../../../src/memory/answers/listSessions';
import { Memory } from '../../../src/memory/memory';
import { locate, locateKnown } from '../../../src/memory/refs';
import { branchedStore } from '../../fixtures/branchedStore';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('Sessions as others ask for them', function () {
  this.timeout(60_000);
  const folder = testFolder();
  const open = (): { readonly memory: Memory; readonly store: ReturnType<typeof branchedStore> } => {
    const store = branchedStore(folder.path);
    return { store, memory: new Memory({ roots: [{ path: store.root, dialect: 'pi', flat: false }], cache: store.cache }) };
  };

  it('are found by their references at the moment when they are written', async () => {
    const { memory, store } = open();
    try {
      await memory.current();
      for (const [id, find] of [
        ['0c000000-0000-7000-8000-000000000001', locate],
        ['0d000000-0000-7000-8000-000000000001', locateKnown],
      ] as const) {
        store.put(id, session({ id }).user('just now'));
        assert.equal((await find(memory, `pi:${id}`)).session.header.id, id);
      }
      store.put('late', session({ id: '0e000000-0000-7000-8000-000000000001' }).user('just now'));
      assert.equal((await locateKnown(memory, store.path('late'))).session.path, store.path('late'));
      await assert.rejects(locateKnown(memory, join(store.root, 'p', 'nowhere.jsonl')), /No session of the known folders/);
    } finally {
      await memory.close();
    }
  });

  it('are listed by titles without secrets, unless these are asked for', async () => {
    const { memory, store } = open();
    const secret = ['ghp', 'aB3dE5gH7jK9mN1pQ3sT5vX7zB9dF1hJ3lN5'].join('_');
    store.put('secret', session({ id: '0f000000-0000-7000-8000-000000000001' }).user('hello').name(`token ${secret}`));
    try {
      await memory.current();
      const titles = async (redact: boolean): Promise<string> =>
        (await listSessions(memory, { redact })).sessions.map(({ title }) => title).join('\n');
      assert.ok((await titles(false)).includes(secret));
      assert.ok(!(await titles(true)).includes(secret));
      assert.match(await titles(true), /token/);
    } finally {
      await memory.close();
    }
  });
});
