import assert from 'node:assert/strict';
import { chmod, lutimes, mkdir, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { archivePathOf } from '../../../src/core/files/archive/archivePaths';
import { cleanUp, plannedCleanUp } from '../../../src/core/files/archive/cleanUp';
import {
  countOldSessions,
  planCleanUp,
  type CleanUpFilter,
  type CleanUpOptions,
  type CleanUpTarget,
} from '../../../src/core/files/archive/planCleanUp';
import type { Writes } from '../../../src/core/files/history/writes';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { session } from '../../fixtures/build';
import { openWindow } from '../../fixtures/doomed';
import { testFolder } from '../../fixtures/folder';
import { snapshot } from '../../fixtures/writes';

const NOW = Date.now();
const DAY = 24 * 60 * 60 * 1000;
const TEXT = session().user('one').assistant('first').text();

describe('A clean-up of old sessions', function () {
  this.timeout(60_000);
  const folder = testFolder();
  const root = (): string => join(folder.path, 'sessions');
  const project = (): string => join(root(), '--work--');
  let writes: Writes;
  let known: CleanUpOptions['sessions'][number][];

  /** `days`: the age of the session's last message, and of its file. */
  const put = async (
    name: string,
    days: number,
    given: { text?: string; file?: number; cwd?: string; dialect?: 'pi' | 'gsd' | 'omp' } = {},
  ): Promise<string> => {
    const path = join(project(), name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, given.text ?? TEXT);
    const at = new Date(NOW - (given.file ?? days) * DAY);
    await utimes(path, at, at);
    known.push({ path, cwd: given.cwd ?? '/work', dialect: given.dialect ?? 'pi', modified: NOW - days * DAY });
    return path;
  };
  const plan = (filter: CleanUpFilter, to: CleanUpTarget = 'archive') =>
    planCleanUp({ sessions: known, filter, to, writer: writes.writer, now: NOW });
  const found = async (filter: CleanUpFilter): Promise<string[]> => (await plan(filter)).found.map(({ path }) => path);

  beforeEach(async () => {
    known = [];
    await mkdir(project(), { recursive: true });
    writes = await openWindow(join(folder.path, 'storage'), root());
  });

  it('counts as many sessions as it finds', async () => {
    await put('old.jsonl', 100);
    await put('labeled.jsonl', 100, { file: 40 });
    await put('elsewhere.jsonl', 200, { cwd: '/other' });
    await put('old/subagent.jsonl', 200);
    await put('new.jsonl', 1);
    known.push({ path: join(project(), 'gone.jsonl'), cwd: '/work', dialect: 'pi', modified: 0 });
    const choices = [
      ...[30, 90, 180].map((olderThanDays) => ({ olderThanDays })),
      ...[TEXT.length, TEXT.length + 1].map((largerThan) => ({ olderThanDays: 30, largerThan })),
    ];
    const count = (filter: CleanUpFilter): Promise<number[]> => countOldSessions({ sessions: known, filter, now: NOW }, choices);
    assert.deepEqual(await count({}), [3, 2, 1, 3, 0]);
    assert.deepEqual(await count({ isInProject: (cwd) => cwd === '/work' }), [2, 1, 0, 2, 0]);
    for (const [olderThanDays, number] of [
      [30, 3],
      [90, 2],
      [180, 1],
    ] as const)
      assert.equal((await found({ olderThanDays })).length, number);
  });

  it('finds what is old in its messages and its file, large, of a project and of a program; the largest first', async () => {
    const long = TEXT + session().user('x'.repeat(5000)).text().split('\n').slice(1).join('\n');
    const [old, large] = [await put('old.jsonl', 100), await put('large.jsonl', 91, { text: long, cwd: '/other' })];
    await put('labeled.jsonl', 100, { file: 10 });
    await put('written.jsonl', 10, { file: 100 });
    const gsd = await put('gsd.jsonl', 200, { dialect: 'gsd' });
    assert.deepEqual(await found({ olderThanDays: 90 }), [large, gsd, old]);
    assert.deepEqual(await found({ olderThanDays: 90, largerThan: 5000 }), [large]);
    assert.deepEqual(await found({ olderThanDays: 90, isInProject: (cwd) => cwd === '/work' }), [gsd, old]);
    assert.deepEqual(await found({ olderThanDays: 90, program: 'gsd' }), [gsd]);
    assert.deepEqual(await found({ olderThanDays: 201 }), []);
    assert.equal((await found({})).length, 5);
  });

  it('looks at each of more than a thousand, also for programs that have it', async () => {
    for (let number = 0; number < 1002; number++) await put(`${String(number).padStart(4, '0')}.jsonl`, 100);
    const paths = known.map(({ path }) => path);
    const used = [paths[0], paths[1001]];
    const asked: string[] = [];
    const presence: Writes['writer']['presence'] = (given) => {
      asked.push(...given);
      return Promise.resolve(
        new Map(given.map((path) => [path, used.includes(path) ? { state: 'live', signs: [{ how: 'open' }] } : { state: 'free' }])),
      );
    };
    const planned = await planCleanUp({
      sessions: known.toReversed(),
      filter: {},
      to: 'archive',
      writer: { ...writes.writer, presence },
      now: NOW,
    });
    assert.deepEqual(
      planned.found.map(({ path }) => path),
      paths.filter((path) => !used.includes(path)),
    );
    assert.deepEqual(
      planned.left.map(({ path, reason }) => [path, reason.code]),
      used.map((path) => [path, 'live']),
    );
    assert.deepEqual(asked, paths);
  });

  it('leaves sessions of subagents with their owner, and what is in a database; archived ones go to the trash alone', async () => {
    const owner = await put('a.jsonl', 100);
    const sub = await put('a/sub.jsonl', 100);
    const deep = await put('a/run/run-0/session.jsonl', 100);
    const archived = await put('b.jsonl.gz', 100);
    await put('../../archive/sessions/-work/c.jsonl.gz', 100, { dialect: 'omp' });
    known.push({ path: join(folder.path, 'openclaw-agent.sqlite', 'x.jsonl'), cwd: '', dialect: 'openclaw', modified: 0 });
    known.push({ path: join(project(), 'gone.jsonl'), cwd: '', dialect: 'pi', modified: 0 });
    const archive = await plan({});
    assert.deepEqual([archive.found.map(({ path }) => path), archive.left], [[owner], []]);
    const trash = await plan({}, 'trash');
    assert.deepEqual(plannedCleanUp(trash).cleaned, [
      { path: owner, bytes: 3 * TEXT.length },
      { path: archived, bytes: TEXT.length },
    ]);
    await cleanUp(archive, writes);
    for (const path of [sub, deep]) assert.equal((await readSession(path)).entries.length, 2);
  });

  for (const to of ['archive', 'trash'] as const)
    it(`does exactly what a dry run says (${to}), and is undone as a whole`, async () => {
      const [a, b] = [await put('a.jsonl', 100), await put('b.jsonl', 100)];
      await put('a/sub.jsonl', 100);
      const live = await put('live.jsonl', 100);
      await mkdir(`${live}.lock`);
      await symlink(a, join(project(), 'link.jsonl'));
      await lutimes(join(project(), 'link.jsonl'), 0, 0);
      known.push({ path: join(project(), 'link.jsonl'), cwd: '', dialect: 'pi', modified: 0 });
      if (to === 'archive') {
        await put('taken.jsonl', 100);
        await writeFile(archivePathOf(join(project(), 'taken.jsonl'), 'gz'), 'something');
        await chmod(await put('kept.jsonl', 100), 0o400);
      }
      const before = await snapshot(project());
      const planned = await plan({});
      const dry = plannedCleanUp(await plan({}, to));
      assert.deepEqual(await snapshot(project()), before);
      assert.deepEqual(
        dry.cleaned.map(({ path }) => path),
        [a, b],
      );
      assert.deepEqual(
        dry.left.map(({ path }) => path.slice(project().length + 1)),
        to === 'archive' ? ['kept.jsonl', 'link.jsonl', 'live.jsonl', 'taken.jsonl'] : ['link.jsonl', 'live.jsonl'],
      );
      assert.equal(dry.left.find(({ path }) => path === live)?.reason.code, 'live');
      assert.equal(planned.to, 'archive');
      const done = await cleanUp(await plan({}, to), writes);
      assert.deepEqual(done, dry);
      for (const { path, newPath } of done.cleaned) {
        await assert.rejects(stat(path));
        if (newPath !== undefined) await stat(newPath);
      }
      const { paths } = await writes.undo();
      assert.deepEqual(paths, to === 'archive' ? [archivePathOf(b), b, archivePathOf(a), a] : [b, a]);
      assert.deepEqual(
        (await readdir(project())).filter((name) => name.startsWith('.')),
        [],
      );
      for (const path of [a, b]) assert.equal((await readSession(path)).entries.length, 2);
      assert.equal(await writes.nextUndo(), undefined);
    });

  it('leaves a session that changed since it was planned, and those after it was canceled', async () => {
    const [a, b] = [await put('a.jsonl', 100), await put('b.jsonl', 100)];
    const at = new Date(NOW - 99 * DAY);
    for (const to of ['archive', 'trash'] as const) {
      const planned = await plan({}, to);
      await utimes(a, at, new Date(at.getTime() - (to === 'trash' ? 1000 : 0)));
      const { cleaned, left } = await cleanUp({ ...planned, found: planned.found.filter(({ path }) => path === a) }, writes);
      assert.deepEqual([cleaned, left.map(({ reason }) => reason.code)], [[], ['changed']]);
    }
    const canceled = await cleanUp(await plan({}), { ...writes, signal: AbortSignal.abort() });
    assert.deepEqual(
      canceled.left.map(({ path, reason }) => [path, reason.message.includes('Canceled')]),
      [
        [a, true],
        [b, true],
      ],
    );
    await assert.rejects(
      planCleanUp({ sessions: known, filter: {}, to: 'archive', writer: writes.writer, signal: AbortSignal.abort(new Error('enough')) }),
      /enough/,
    );
  });
});
