import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import disk from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import { fileAt, fileVersions, lineOrigins, type Catalog } from '../../../src/core/index';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';

const TEXT = 'const one = 1;\nconst two = 2;\n';

describe('A session that ran through a link', () => {
  const folder = testFolder();
  const store = testCatalog();
  const at = (...names: string[]): string => join(realpathSync(folder.path), ...names);
  const link = (target: string, name: string): void => symlinkSync(target, at(name), 'junction');
  const wrote = (cwd: string, path = 'src/a.ts', id = 'a'): SessionBuilder =>
    session({ cwd, id }).user('x').tool('write', { path, content: TEXT });
  const touching = async (catalog: Catalog, file: string): Promise<string[]> => (await catalog.touching(file)).map(({ path }) => path);

  beforeEach(() => {
    mkdirSync(at('data', 'work', 'src'), { recursive: true });
    writeFileSync(at('data', 'work', 'src', 'a.ts'), TEXT);
    link(at('data'), 'linked');
    link(at('data', 'work'), 'work');
  });
  afterEach(() => mock.restoreAll());

  for (const [what, cwd, asked] of [
    ['has origins in the real path', ['work'], ['data', 'work']],
    ['has origins in the real path, if the link is above its folder', ['linked', 'work'], ['data', 'work']],
    ['has origins in another link', ['linked', 'work'], ['work']],
    ['has origins in the link', ['work'], ['work']],
    ['in the real path has origins in a link', ['data', 'work'], ['work']],
    ['in the real path has origins in a link above its folder', ['data', 'work'], ['linked', 'work']],
  ] as const)
    it(what, async () => {
      const catalog = await store.open({ a: wrote(at(...cwd)) });
      const file = at(...asked, 'src', 'a.ts');
      assert.deepEqual(await touching(catalog, file), [store.path('a')]);
      assert.deepEqual(
        (await catalog.locatedTouches([file])).map(({ path, entryId: id }) => [path, id]),
        [[store.path('a'), entryId(2)]],
      );
      assert.deepEqual(
        (await lineOrigins(catalog, file, { git: false })).map(({ from, to, entryId: id, certainty }) => [from, to, id, certainty]),
        [[1, 2, entryId(2), 'exact']],
      );
      assert.deepEqual(
        (await fileVersions(catalog, file, { git: false })).map(({ entryId: id, kind }) => [id, kind]),
        [[entryId(2), 'write']],
      );
      assert.deepEqual(await fileAt(catalog, file, { path: store.path('a'), entryId: entryId(2) }, { git: false }), {
        text: TEXT,
        exact: true,
      });
    });

  it('and one in the real path have one history, each entry once and in order', async () => {
    const edited = session({ cwd: at('data', 'work'), id: 'b', timestamp: '2026-01-03T10:00:00.000Z' })
      .user('x')
      .user('and so on')
      .tool('edit', { path: 'src/a.ts', oldText: 'two = 2', newText: 'two = 3' }, 'done', { timestamp: '2026-01-03T10:00:05.000Z' });
    const catalog = await store.open({ a: wrote(at('work')), b: edited });
    for (const file of [at('work', 'src', 'a.ts'), at('data', 'work', 'src', 'a.ts')]) {
      const versions = await fileVersions(catalog, file, { git: false });
      assert.deepEqual(
        versions.map(({ path, kind, added, removed }) => [path, kind, added, removed]),
        [
          [store.path('a'), 'write', 2, 0],
          [store.path('b'), 'edit', 1, 1],
        ],
      );
      assert.equal((await catalog.touching(file)).length, 2);
      // Each of several names of one file would find all of it.
      assert.equal((await catalog.locatedTouches([at('work', 'src', 'a.ts'), at('data', 'work', 'src', 'a.ts')])).length, 2);
    }
  });

  it('is found by a move to or from its other name', async () => {
    const patch =
      '*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/b.ts\n@@\n-const one = 1;\n+const one = 0;\n*** End Patch\n';
    const moved = session({ cwd: at('data', 'work'), id: 'b', timestamp: '2026-01-03T10:00:00.000Z' })
      .user('x')
      .user('and so on')
      .tool('apply_patch', { input: patch }, 'done', { timestamp: '2026-01-03T10:00:05.000Z' });
    const catalog = await store.open({ a: wrote(at('work')), b: moved });
    writeFileSync(at('data', 'work', 'src', 'b.ts'), 'const one = 0;\nconst two = 2;\n');
    for (const file of [at('work', 'src', 'b.ts'), at('data', 'work', 'src', 'b.ts')])
      assert.deepEqual(
        (await fileVersions(catalog, file, { git: false })).map(({ path, kind }) => [path, kind]),
        [
          [store.path('a'), 'write'],
          [store.path('b'), 'move'],
        ],
      );
  });

  it('has files below links in the project', async () => {
    mkdirSync(at('data', 'work', 'lib'));
    writeFileSync(at('data', 'work', 'lib', 'c.ts'), TEXT);
    link(at('data', 'work', 'lib'), join('data', 'work', 'shared'));
    const catalog = await store.open({ a: wrote(at('work'), 'shared/c.ts'), b: wrote(at('data', 'work'), 'lib/c.ts', 'b') });
    assert.deepEqual((await touching(catalog, at('data', 'work', 'shared', 'c.ts'))).sort(), [store.path('a'), store.path('b')]);
    assert.deepEqual((await touching(catalog, at('work', 'shared', 'c.ts'))).sort(), [store.path('a'), store.path('b')]);
  });

  it('has files in the real path that it wrote through links in the project', async () => {
    mkdirSync(at('data', 'work', 'packages', 'core', 'src'), { recursive: true });
    mkdirSync(at('data', 'work', 'packages', 'app', 'node_modules', '@me'), { recursive: true });
    const real = at('data', 'work', 'packages', 'core', 'src', 'c.ts');
    writeFileSync(real, TEXT);
    link(at('data', 'work', 'packages', 'core'), join('data', 'work', 'packages', 'app', 'node_modules', '@me', 'core'));
    link(at('data', 'work', 'packages', 'app', 'node_modules', '@me', 'core'), join('data', 'work', 'now'));
    const other = 'packages/app/node_modules/@me/core/src/c.ts';
    const catalog = await store.open({
      a: wrote(at('data', 'work'), other),
      b: wrote(at('work'), 'now/src/c.ts', 'b'),
      c: wrote(at('data', 'work'), 'now/src/gone/d.ts', 'c'),
      // Files of that name elsewhere.
      d: wrote(at('data', 'work'), 'packages/app/src/c.ts', 'd'),
      e: wrote('/nowhere', 'src/c.ts', 'e'),
    });
    for (const file of [
      real,
      at('data', 'work', ...other.split('/')),
      at('work', 'now', 'src', 'c.ts'),
      at('linked', 'work', 'now', 'src', 'c.ts'),
    ])
      assert.deepEqual((await touching(catalog, file)).sort(), [store.path('a'), store.path('b')], file);
    assert.deepEqual(await touching(catalog, at('data', 'work', 'packages', 'core', 'src', 'gone', 'd.ts')), [store.path('c')]);
    assert.deepEqual(
      (await lineOrigins(catalog, real, { git: false })).map(({ from, to, path, certainty }) => [from, to, path, certainty]),
      [[1, 2, store.path('a'), 'exact']],
    );
  });

  it('has files and folders that are gone', async () => {
    const catalog = await store.open({
      a: wrote(at('work')),
      b: wrote(at('work', 'old'), 'b.ts', 'b'),
      c: wrote(at('data', 'work', 'old'), 'c.ts', 'c'),
    });
    rmSync(at('data', 'work', 'src'), { recursive: true });
    assert.deepEqual(await touching(catalog, at('data', 'work', 'src', 'a.ts')), [store.path('a')]);
    assert.deepEqual(await touching(catalog, at('data', 'work', 'old', 'b.ts')), [store.path('b')]);
    assert.deepEqual(await touching(catalog, at('work', 'old', 'c.ts')), [store.path('c')]);
    assert.deepEqual(
      (await fileVersions(catalog, at('data', 'work', 'src', 'a.ts'), { git: false })).map(({ path }) => path),
      [store.path('a')],
    );
  });

  it('has its own names where the link leads nowhere or in a circle', async () => {
    link(at('nowhere'), 'dangling');
    link(at('round2'), 'round1');
    link(at('round1'), 'round2');
    const catalog = await store.open({
      a: wrote(at('work')),
      b: wrote(at('dangling'), 'src/a.ts', 'b'),
      c: wrote(at('round1'), 'src/a.ts', 'c'),
    });
    assert.deepEqual(await touching(catalog, at('dangling', 'src', 'a.ts')), [store.path('b')]);
    assert.deepEqual(await touching(catalog, at('round1', 'src', 'a.ts')), [store.path('c')]);
    assert.deepEqual(await touching(catalog, at('round2', 'src', 'a.ts')), []);
    assert.deepEqual(await touching(catalog, at('data', 'work', 'src', 'a.ts')), [store.path('a')]);
  });

  it('is found when it comes later, and its folder is looked up once', async () => {
    const catalog = await store.open({ a: wrote(at('data', 'work')) });
    const file = at('data', 'work', 'src', 'a.ts');
    assert.deepEqual(await touching(catalog, file), [store.path('a')]);
    writeFileSync(store.path('b'), wrote(at('work'), 'src/a.ts', 'b').text());
    await catalog.refresh();
    const { mock: realpath } = mock.method(disk, 'realpath');
    const looked = (): number => realpath.calls.filter(({ arguments: [path] }) => path === at('work')).length;
    for (let n = 0; n < 3; n++) assert.deepEqual((await touching(catalog, file)).sort(), [store.path('a'), store.path('b')]);
    assert.equal(looked(), 1);
  });

  it('isn’t another one with a folder of a similar name', async () => {
    mkdirSync(at('data', 'workshop', 'src'), { recursive: true });
    const catalog = await store.open({ a: wrote(at('work')) });
    assert.deepEqual(await touching(catalog, at('data', 'workshop', 'src', 'a.ts')), []);
    assert.deepEqual(await touching(catalog, at('data', 'src', 'a.ts')), []);
  });

  describe('is asked about with folders that anyone may have named', () => {
    const file = (): string => at('data', 'work', 'src', 'a.ts');
    const many = (count: number, cwdOf: (n: number) => string): Record<string, SessionBuilder> =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`s${n}`, session({ cwd: cwdOf(n), id: `s${n}`, timestamp: '2020-01-01T00:00:00.000Z' })]),
      );

    it('thousands of which cost a bounded number of calls, once', async () => {
      const catalog = await store.open({ ...many(3000, (n) => at(`gone${n}`, 'deep', 'er')), a: wrote(at('work')) });
      const { mock: realpath } = mock.method(disk, 'realpath');
      // A query doesn't wait for all of them on a slow disk; what is known later counts for the next one.
      while ((await touching(catalog, file())).length === 0);
      assert.deepEqual(await touching(catalog, file()), [store.path('a')]);
      assert.ok(realpath.callCount() <= 2100, `${realpath.callCount()} calls`);
    }).timeout(60_000);

    it('by names of other computers, which aren’t contacted, and by what is no folder', async () => {
      const hostile = ['/net/host/x', '//host/share', '\\\\host\\share', 'relative', '', '/\0', `/${'x/'.repeat(3000)}`, file()];
      const catalog = await store.open({ ...many(hostile.length, (n) => hostile[n] ?? ''), a: wrote(at('work')) });
      const { mock: realpath } = mock.method(disk, 'realpath');
      assert.deepEqual(await touching(catalog, file()), [store.path('a')]);
      assert.deepEqual(await touching(catalog, '/net/host/x/a.ts'), []);
      const asked = realpath.calls.map(({ arguments: [path] }) => String(path));
      assert.deepEqual(
        asked.filter((path) => path.startsWith('/net') || path.includes('host') || path.length > 4096 || path.includes('\0')),
        [],
      );
      assert.ok(asked.length < 20, asked.join('\n'));
    });

    it('by thousands of paths with the file’s name, of which a bounded number is looked up, and no other computer’s', async () => {
      const names = (n: number): string[] => Array.from({ length: 50 }, (_, at) => `/gone/${String(n)}/${String(at)}/a.ts`);
      const away = ['/net/host/a.ts', '//host/share/a.ts', '\\\\host\\a.ts', '/dev/stdin/a.ts', `/${'x/'.repeat(3000)}a.ts`];
      const sessions: Record<string, SessionBuilder> = { a: wrote(at('work')) };
      for (let n = 0; n < 20; n++) {
        const builder = session({ cwd: '/gone', id: `s${String(n)}` }).user('x');
        for (const path of n === 0 ? away : names(n)) builder.tool('write', { path, content: 'x' });
        sessions[`s${String(n)}`] = builder;
      }
      const catalog = await store.open(sessions);
      const { mock: realpath } = mock.method(disk, 'realpath');
      for (let n = 0; n < 2; n++) assert.deepEqual(await touching(catalog, file()), [store.path('a')]);
      const asked = realpath.calls.map(({ arguments: [path] }) => String(path));
      assert.deepEqual(
        asked.filter((path) => path.startsWith('/net') || path.includes('\\') || path.length > 4096),
        [],
      );
      assert.ok(asked.filter((path) => path.endsWith('/a.ts')).length <= 220, String(asked.length));
    });

    it('on a disk that hangs, which no query waits for twice', async () => {
      const catalog = await store.open({ ...many(1, () => '/hung/project'), a: wrote(at('work')) });
      const { realpath } = disk;
      const calls: string[] = [];
      const hangs = (path: string): Promise<string> => {
        calls.push(path);
        return path.startsWith('/hung') ? new Promise<string>(() => undefined) : realpath(path);
      };
      mock.method(disk, 'realpath', hangs);
      for (let n = 0; n < 3; n++) assert.deepEqual(await touching(catalog, file()), [store.path('a')]);
      assert.equal(calls.filter((path) => path === '/hung/project').length, 1);
    });

    it('by many links to one folder, of which a few count', async () => {
      for (let n = 0; n < 40; n++) link(at('data', 'work'), `again${n}`);
      const catalog = await store.open(many(40, (n) => at(`again${n}`)));
      assert.ok((await catalog.namesOf(file())).length < 20);
    });
  });
});
