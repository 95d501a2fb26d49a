import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openJournal } from '../../../../src/core/files/history/journal';
import { beginRelink } from '../../../../src/core/files/history/relinkLog';
import { openWrites } from '../../../../src/core/files/history/writes';
import { relinkProject } from '../../../../src/core/files/relink/relinkProject';
import { createWriter } from '../../../../src/core/files/write/sessionWriter';
import { session } from '../../../fixtures/build';
import { endsBefore, openWindow } from '../../../fixtures/doomed';
import { testFolder } from '../../../fixtures/folder';
import { age } from '../../../fixtures/writes';

const OLD = '--old-place-demo--';

describe('A process that is killed while it relinks a project', () => {
  const folder = testFolder();
  const root = (): string => join(folder.path, 'sessions');
  const storage = (): string => join(folder.path, 'storage');

  const setUp = async (): Promise<string> => {
    await rm(root(), { recursive: true, force: true });
    await rm(storage(), { recursive: true, force: true });
    const put = async (name: string, header: object): Promise<string> => {
      const path = join(root(), name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(
        path,
        session({ id: basename(name), cwd: '/old/place/demo', ...header })
          .user(name)
          .text(),
      );
      return age(path);
    };
    const parent = await put(`${OLD}/a.jsonl`, {});
    await put(`${OLD}/a/sub.jsonl`, { parentSession: parent });
    await put(`${OLD}/b.jsonl`, { parentSession: parent });
    await put('--other--/c.jsonl', { cwd: '/other', parentSession: parent });
    return parent;
  };

  /** Each session's place, header and body, by its id; fails if one is there twice. */
  const found = async (): Promise<Map<string, { path: string; cwd: string; parent: string; body: string }>> => {
    const sessions = new Map<string, { path: string; cwd: string; parent: string; body: string }>();
    for (const one of await readdir(root(), { recursive: true, withFileTypes: true })) {
      if (!one.isFile()) continue;
      const path = join(one.parentPath, one.name);
      assert.ok(one.name.endsWith('.jsonl') && !one.name.startsWith('.'), `a leftover: ${path}`);
      const [header = '', ...body] = (await readFile(path, 'utf8')).split('\n');
      const { id, cwd, parentSession } = JSON.parse(header) as { id: string; cwd: string; parentSession?: string };
      assert.ok(!sessions.has(id), `${id} is there twice`);
      sessions.set(id, { path, cwd, parent: parentSession ?? '', body: body.join('\n') });
    }
    return sessions;
  };

  /** Every session is there once, whole, of the project of its folder, and leads to its parent. */
  const assertSound = async (): Promise<void> => {
    const sessions = await found();
    assert.deepEqual([...sessions.keys()].sort(), ['a.jsonl', 'b.jsonl', 'c.jsonl', 'sub.jsonl']);
    const parent = sessions.get('a.jsonl')?.path;
    for (const [id, { path, cwd, body, parent: named }] of sessions) {
      assert.match(body, /^\{.*"content":"[^"]*\.jsonl".*\}\n$/);
      if (id !== 'a.jsonl') assert.equal(named, parent, id);
      // A subagent's header may still have the old folder: the next relink takes it.
      if (id !== 'sub.jsonl') assert.ok(path.includes(`-${cwd.slice(1).replaceAll('/', '-')}-`), `${path} ${cwd}`);
    }
  };

  it('leaves its record until the disk of the sessions is mounted, and until forks in other roots have the new path', async function () {
    this.timeout(120_000);
    const path = await setUp();
    const other = join(folder.path, 'other');
    const fork = join(other, '--other--', 'fork.jsonl');
    await mkdir(dirname(fork), { recursive: true });
    await writeFile(fork, session({ id: 'fork', cwd: '/other', parentSession: path }).user('x').text());
    await age(fork);
    const newPath = path.replace(OLD, '--new-place-demo--');
    const [before = ''] = (await readFile(path, 'utf8')).split('\n');
    const step = { path, newPath, before, after: before.replaceAll('/old/place', '/new/place') };
    const journal = await openJournal(join(storage(), 'journal'));
    const roots = [root(), other].map((one) => ({ path: one, dialect: 'pi' as const, flat: false }));
    await (await beginRelink(journal, roots, (error) => assert.ifError(error))).begin(step);
    const records = join(storage(), 'journal', 'relinking');
    const [name = ''] = await readdir(records);
    const record = await readFile(join(records, name), 'utf8');
    await writeFile(join(records, name), record.replace(/"pid":\d+/, '"pid":1073741824'));
    await mkdir(dirname(newPath), { recursive: true });
    await writeFile(newPath, (await readFile(path, 'utf8')).replace(before, step.after));
    await age(newPath);
    const start = async (known: readonly string[]): Promise<readonly string[]> => {
      const writes = await openWrites({
        folder: storage(),
        writer: createWriter({ locksDir: join(storage(), 'windows') }),
        roots: () => roots.filter((one) => known.includes(one.path)),
        onProblem: (error) => assert.ifError(error),
      });
      await writes.recover();
      return readdir(records);
    };
    const parentOf = async (file: string): Promise<unknown> =>
      (JSON.parse((await readFile(file, 'utf8')).split('\n')[0] ?? '') as { parentSession?: string }).parentSession;
    await rename(root(), join(folder.path, 'unmounted'));
    await mkdir(root());
    assert.deepEqual(await start([root()]), [name]);
    await rm(root(), { recursive: true });
    await rename(join(folder.path, 'unmounted'), root());
    assert.deepEqual(await start([root()]), [name]);
    assert.deepEqual([existsSync(path), existsSync(newPath), await parentOf(fork)], [false, true, path]);
    assert.equal(await parentOf(join(root(), '--other--', 'c.jsonl')), newPath);
    await rename(other, join(folder.path, 'unmounted'));
    assert.deepEqual(await start([root(), other]), [name]);
    await rename(join(folder.path, 'unmounted'), other);
    assert.deepEqual(await start([root(), other]), []);
    assert.equal(await parentOf(fork), newPath);
  });

  it('keeps a line that a program adds to the file that has only its hidden name', async function () {
    this.timeout(120_000);
    const late = '{"type":"custom","id":"late0001","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","customType":"x"}\n';
    for (let n = 1; ; n++) {
      const path = await setUp();
      assert.equal(await endsBefore(n, 'relink', storage(), root(), path, 'after'), false, 'the file had no hidden name');
      const held = (await readdir(dirname(path))).find((name) => name.endsWith('.moving'));
      if (held === undefined || (await readdir(dirname(path))).includes(held.slice(1, -'.moving'.length))) continue;
      await writeFile(join(dirname(path), held), late, { flag: 'a' });
      await age(join(dirname(path), held));
      await (await openWindow(storage(), root())).recover();
      const one = (await found()).get(held.slice(1, -'.moving'.length));
      assert.deepEqual([one?.body.endsWith(late), one && dirname(one.path)], [true, dirname(path)]);
      return;
    }
  });

  // Every third change each, since the moments after one are those before the next.
  for (const [first, when] of [
    [1, 'before'],
    [3, 'after'],
  ] as const)
    it(`${when} any change: the next start finishes what began, and the whole can be finished or taken back`, async function () {
      this.timeout(240_000);
      for (let n: number = first; ; n += 3) {
        const path = await setUp();
        const before = await found();
        const isEnded = await endsBefore(n, 'relink', storage(), root(), path, when);
        const writes = await openWindow(storage(), root());
        await writes.recover();
        await assertSound();
        assert.deepEqual(await readdir(join(storage(), 'journal', 'relinking')).catch(() => []), []);
        for (const { path: one } of (await found()).values()) await age(one);
        if (n % 2 === 0) {
          await relinkProject({ from: '/old/place/demo', to: '/new/place/demo', roots: [{ path: root() }], writer: writes.writer });
          assert.deepEqual([...new Set([...(await found()).values()].map(({ cwd }) => cwd))].sort(), ['/new/place/demo', '/other']);
        }
        while (await writes.nextUndo()) await writes.undo();
        const byId = (sessions: typeof before) => [...sessions].sort(([a], [b]) => (a < b ? -1 : 1));
        assert.deepEqual(byId(await found()), byId(before));
        if (isEnded) return;
      }
    });
});
