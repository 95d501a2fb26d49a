import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pointStates } from '../../../src/core/catalog/origins/pointStates';
import { filesAt } from '../../../src/core/index';
import { entryId } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { TimedSession } from '../../fixtures/timedSession';

describe('The files after an entry', () => {
  const project = testFolder();
  const store = testCatalog();
  const here = (minutes = 0, header: object = {}): TimedSession => new TimedSession(project.path, minutes, header);
  const ref = (name: string, n: number) => ({ path: store.path(name), entryId: entryId(n) });

  it('are those in the session’s folder that any session wrote', async () => {
    const catalog = await store.open({
      a: here().tool('write', { path: 'a.ts', content: 'a1\n' }).tool('write', { path: '/elsewhere/x.ts', content: 'x' }),
      b: here(10).tool('edit', { path: 'a.ts', oldText: 'a1', newText: 'a2' }).tool('write', { path: 'ü.ts', content: 'b\n' }),
      c: here(20).tool('read', { path: 'only-read.ts' }, 'r\n'),
    });
    await project.write('a.ts', 'a2\n');
    await project.write('ü.ts', 'b\n');
    const files = await filesAt(catalog, ref('a', 2));
    assert.deepEqual(files, [
      { file: join(project.path, 'a.ts'), text: 'a1\n', certainty: 'exact' },
      {
        file: join(project.path, 'ü.ts'),
        certainty: 'unknown',
        reason: 'No session had written this file yet, and nothing shows whether it was there.',
      },
    ]);
    const { folder, time, states } = await pointStates(catalog, ref('a', 2));
    assert.deepEqual([folder, time], [project.path, Date.parse('2026-01-02T10:00:02.000Z')]);
    const [a, b] = states;
    assert.deepEqual([a?.isTouchedAfter, a?.last?.text, b?.last?.text], [true, 'a2\n', 'b\n']);
    assert.deepEqual(
      ['a1\n', 'a2\n', 'a3\n', undefined].map((text) => a?.wasRecorded(text)),
      [true, true, false, false],
    );
    const tip = await filesAt(catalog, ref('b', 4), { files: ['a.ts', '/elsewhere/x.ts'] });
    assert.deepEqual(
      tip.map(({ text }) => text),
      ['a2\n', 'x'],
    );
  });

  it('refuses an entry that isn’t there, and one that isn’t named', async () => {
    const catalog = await store.open({ a: here() });
    await assert.rejects(filesAt(catalog, { path: store.path('a'), entryId: 'none' }), { code: 'unknown-entry' });
    await assert.rejects(filesAt(catalog, { path: store.path('a'), entryId: '' }), { code: 'entry-required' });
  });
});
