import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SessionStore } from '../../../src/core/catalog/store/sessionStore';
import { pinFilesOf } from '../../../src/core/files/locate/programs/sessionPins';
import { findRoots } from '../../../src/core/files/locate/findRoots';
import type { CatalogRow, Root } from '../../../src/core/index';
import { archiveIn, ompText, writeArchived } from '../../fixtures/archive';
import { session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';

describe('Sessions that are pinned in oh-my-pi', () => {
  const test = testCatalog();
  const folder = testFolder();
  const pinFile = (): string => join(folder.path, 'session-pins.json');
  const pin = (...ids: unknown[]): void => writeFileSync(pinFile(), JSON.stringify(ids, null, '\t'));
  const roots = (): Root[] => [
    // The folder of PI_CODING_AGENT_DIR may have sessions of both programs.
    { path: join(folder.path, 'sessions'), dialect: 'pi', flat: false },
    { path: archiveIn(folder.path), dialect: 'omp', flat: false },
  ];
  /** Writes sessions `a` and `b` with these IDs, another one of pi's with the ID `a`, and an archived one, `old`. */
  const write = (): string[] => {
    mkdirSync(join(folder.path, 'sessions', 'p'), { recursive: true });
    const paths = ['a', 'b', 'pi'].map((name) => join(folder.path, 'sessions', 'p', `${name}.jsonl`));
    for (const path of paths.slice(0, 2)) writeFileSync(path, ompText(session({ id: basename(path, '.jsonl') }).user('hello')));
    writeFileSync(paths[2]!, session({ id: 'a' }).user('hello').name('of pi').text());
    return [...paths, writeArchived(folder.path, 'p/old', session({ id: 'old' }).user('hello'))];
  };
  const pinned = (rows: readonly CatalogRow[]): string[] =>
    rows.flatMap(({ id, isPinned, dialect }) => (isPinned ? [dialect === 'omp' ? id : 'of another program'] : [])).sort();

  it('are listed in the agent folder, beside the sessions or their archive, of each profile', async () => {
    mkdirSync(join(folder.path, '.omp', 'profiles', 'work'), { recursive: true });
    mkdirSync(archiveIn(join(folder.path, '.omp', 'agent')), { recursive: true });
    const files = pinFilesOf(await findRoots({ env: {}, home: folder.path }));
    for (const agent of ['.omp/agent', '.omp/profiles/work/agent'])
      assert.ok(files.includes(join(folder.path, agent, 'session-pins.json')));
    assert.equal(new Set(files).size, files.length);
    assert.deepEqual(
      pinFilesOf([
        { path: '/x/sessions', dialect: 'openclaw', flat: true },
        { path: '/y', dialect: 'omp', flat: false },
      ]),
      [],
    );
  });

  it('are marked in the catalog’s rows, archived ones too, and followed', async () => {
    const [a, b, , old] = write();
    pin('a', 'old', 7, 'unknown');
    const catalog = await test.open({}, { roots: roots() });
    assert.deepEqual(pinned(await catalog.sessions()), ['a', 'old']);
    assert.deepEqual((await catalog.sessions()).find(({ id }) => id === 'old')?.isArchived, true);
    pin('b', 'old');
    assert.deepEqual((await catalog.refresh([pinFile()])).changed.sort(), [a, b].sort());
    assert.deepEqual(pinned(await catalog.sessions()), ['b', 'old']);
    rmSync(pinFile());
    assert.deepEqual((await catalog.refresh()).changed.sort(), [old, b].sort());
    assert.deepEqual(pinned(await catalog.sessions()), []);
    pin('a');
    await catalog.close();
    assert.deepEqual(pinned(await (await test.open({}, { roots: roots() })).sessions()), ['a']);
  });

  it('are marked in the store’s rows and followed, without reading a session again', async () => {
    const [a, b] = write() as [string, string];
    pin('a');
    const changes: string[] = [];
    const store = new SessionStore({
      roots,
      onProblem: (at, error) => assert.fail(`${at}: ${String(error)}`),
      onChange: ({ changed }) => changes.push(...changed),
    });
    await store.refresh();
    const marksOf = (path: string): unknown => {
      const row = store.files().get(path);
      return row?.kind === 'session' ? row.summary.marks : row;
    };
    assert.deepEqual([marksOf(a), marksOf(b)], [{ isPinned: true }, undefined]);
    changes.length = 0;
    pin('b');
    await store.refresh([pinFile()]);
    assert.deepEqual([marksOf(a), marksOf(b)], [undefined, { isPinned: true }]);
    assert.deepEqual(changes.sort(), [a, b].sort());
  });

  it('stay as they were while their list can’t be read, which is reported', async () => {
    write();
    pin('a');
    const catalog = await test.open({}, { roots: roots() });
    for (const text of ['{"a": true}', '["a"', 'x'.repeat(1024 * 1024 + 1)]) {
      writeFileSync(pinFile(), text);
      const { problems } = await catalog.refresh();
      assert.deepEqual(
        problems.map((problem) => problem.path),
        [pinFile()],
      );
      assert.deepEqual(pinned(await catalog.sessions()), ['a']);
    }
    if (process.platform !== 'win32') {
      rmSync(pinFile());
      execFileSync('mkfifo', [pinFile()]);
      assert.match((await catalog.refresh()).problems[0]?.message ?? '', /isn’t a regular file/);
    }
    assert.deepEqual(pinned(await catalog.sessions()), ['a']);
  });
});
