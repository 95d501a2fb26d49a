import assert from 'node:assert/strict';
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  applyRestore,
  planRestore,
  undoRestore,
  type Catalog,
  type PlannedFile,
  type PlanRestoreOptions,
  type RestorePlan,
} from '../../../src/core/index';
import { entryId } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { TimedSession } from '../../fixtures/timedSession';

describe('Restoring the files of a session', () => {
  const project = testFolder();
  const store = testCatalog();
  const here = (minutes = 0, header: object = {}): TimedSession => new TimedSession(project.path, minutes, header);
  const ref = (n: number, name = 'a') => ({ path: store.path(name), entryId: entryId(n) });
  const storage = (): string => join(store.cacheDir, '..', 'restores');
  const text = (name: string): Promise<string> => readFile(join(project.path, name), 'utf8');
  const plan = (catalog: Catalog, n: number, options: PlanRestoreOptions = {}): Promise<RestorePlan> =>
    planRestore(catalog, ref(n), { storage: storage(), ...options });
  const actions = ({ files }: RestorePlan): string[] => files.map(({ file, action }) => `${file.slice(project.path.length + 1)} ${action}`);

  const [FIRST, SECOND, THIRD] = ['one\ntwo\nthree\nfour\nfive\n', 'one\ntwo\nTHREE\nfour\nfive\n', 'one\ntwo\nTHREE\nfour\nFIVE\n'];

  const open = (): Promise<Catalog> =>
    store.open({
      a: here()
        .tool('write', { path: 'a.ts', content: FIRST })
        .tool('edit', { path: 'a.ts', oldText: 'three', newText: 'THREE' })
        .tool('edit', { path: 'a.ts', oldText: 'five', newText: 'FIVE' })
        .tool('write', { path: 'b.ts', content: 'b\r\n' }),
    });

  it('goes back, and forward again to the newest state', async () => {
    const catalog = await open();
    await project.write('a.ts', THIRD);
    await project.write('b.ts', 'b\r\n');
    for (const name of ['a.ts', 'b.ts']) await chmod(join(project.path, name), 0o755);
    const back = await plan(catalog, 2, { include: 'likely' });
    assert.deepEqual([actions(back), back.folder], [['a.ts write', 'b.ts delete'], project.path]);
    assert.deepEqual(
      back.files.map(({ certainty }) => certainty),
      ['exact', 'likely'],
    );
    const applied = await applyRestore(back, { storage: storage() });
    assert.deepEqual([applied.done.length, applied.left, await text('a.ts')], [2, [], FIRST]);
    const forward = await plan(catalog, 8);
    assert.deepEqual(actions(forward), ['a.ts write', 'b.ts create'], JSON.stringify(forward.files));
    await applyRestore(forward, { storage: storage() });
    assert.deepEqual([await text('a.ts'), await text('b.ts')], [THIRD, 'b\r\n']);
    for (const name of ['a.ts', 'b.ts']) assert.equal((await stat(join(project.path, name))).mode & 0o777, 0o755, name);
    await undoRestore(applied.restoreId, { storage: storage() });
    assert.equal(await text('a.ts'), THIRD);
  });

  it('tells each file once it’s planned, one that was written after the entry first', async () => {
    const many = here();
    for (let n = 0; n < 12; n++) many.tool('write', { path: `${String(n)}.ts`, content: 'old\n' });
    for (const newText of ['new', 'newer']) many.tool('edit', { path: '3.ts', oldText: 'old', newText });
    const catalog = await store.open({ a: many.tool('edit', { path: '7.ts', oldText: 'old', newText: 'new' }) });
    const planned: PlannedFile[] = [];
    const after: string[] = [];
    const options: Parameters<typeof plan>[2] = {
      onWrittenAfter: (folder) => after.push(folder) && assert.equal(planned.length, 0),
      onPlanned: (file, folder) => planned.push(file) && assert.equal(folder, project.path),
    };
    const { files } = await plan(catalog, 25, options);
    assert.equal(planned[0]?.file, join(project.path, '7.ts'), 'the one with the fewest edits');
    assert.deepEqual(new Set(planned), new Set(files));
    assert.equal(planned.length, 12);
    assert.deepEqual(after, [project.path]);
    await plan(catalog, 31, { onWrittenAfter: () => assert.fail('nothing was written after that') });
  });

  it('keeps what a person changes at each point on the way', async () => {
    const catalog = await open();
    await project.write('a.ts', THIRD);
    const go = async (n: number): Promise<PlannedFile['action'] | undefined> => {
      const planned = await plan(catalog, n, { files: ['a.ts'], include: 'likely' });
      const { left } = await applyRestore(planned, { storage: storage() });
      assert.deepEqual(left, []);
      return planned.files[0]?.action;
    };
    await writeFile(join(project.path, 'a.ts'), `mine\n${THIRD}`);
    assert.equal(await go(2), 'merge');
    assert.equal(await text('a.ts'), `mine\n${FIRST}`);
    assert.equal(await go(8), 'merge');
    assert.equal(await text('a.ts'), `mine\n${THIRD}`);
    assert.equal(await go(4), 'merge');
    await writeFile(join(project.path, 'a.ts'), `mine\nand more\n${SECOND}`);
    assert.equal(await go(8), 'merge');
    assert.equal(await text('a.ts'), `mine\nand more\n${THIRD}`);
    assert.equal(await go(2), 'merge');
    assert.equal(await text('a.ts'), `mine\nand more\n${FIRST}`);
    assert.equal(await go(2), 'none');
  });

  it('keeps what a person changed between recorded edits, but not what a command changed', async () => {
    const person = `mine\n${FIRST}`;
    const edited = `mine\n${SECOND}`;
    await project.write('a.ts', edited);
    const build = (command: boolean): TimedSession => {
      const lines = here().tool('write', { path: 'a.ts', content: FIRST });
      if (command) lines.tool('bash', { command: 'format' });
      return lines.tool('read', { path: 'a.ts' }, person).tool('edit', { path: 'a.ts', oldText: 'three', newText: 'THREE' });
    };
    const kept = await plan(await store.open({ a: build(false) }), 2);
    assert.deepEqual(
      kept.files.map(({ action, text: written }) => [action, written]),
      [['merge', person]],
    );
    await rm(store.cacheDir, { recursive: true });
    const formatted = await plan(await store.open({ a: build(true) }), 2);
    assert.deepEqual(
      formatted.files.map(({ action, text: written }) => [action, written]),
      [['write', FIRST]],
    );
  });

  it('leaves files outside of the folder, and creates what a person deleted', async () => {
    const outside = join(store.cacheDir, '..', 'outside.ts');
    const catalog = await store.open({
      a: here().tool('write', { path: 'a.ts', content: FIRST }).tool('write', { path: outside, content: 'x' }),
    });
    const planned = await plan(catalog, 4, { include: 'likely', files: ['a.ts', outside] });
    assert.deepEqual(
      planned.files.map(({ action }) => action),
      ['create', 'left'],
    );
    assert.match(planned.files[1]?.reason ?? '', /outside/);
  });

  it('refuses what can’t be planned, and stops when it’s aborted', async () => {
    const catalog = await open();
    await assert.rejects(planRestore(catalog, { path: store.path('a'), entryId: '' }), { code: 'entry-required' });
    await assert.rejects(planRestore(catalog, { path: store.path('a'), entryId: 'none' }), { code: 'unknown-entry' });
    await assert.rejects(plan(catalog, 2, { signal: AbortSignal.abort(new Error('stop')) }), /stop/);
    await rm(project.path, { recursive: true });
    await assert.rejects(plan(catalog, 2), { code: 'not-found' });
  });
});
