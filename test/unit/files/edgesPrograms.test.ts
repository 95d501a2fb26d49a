import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assertFree } from '../../../src/core/files/write/writeGuard';
import { listFiles } from '../../../src/core/files/locate/listFiles';
import { sessionFilesIn } from '../../../src/core/files/api/listSessions';
import { findRoots } from '../../../src/core/files/locate/findRoots';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { SessionManager } from '../../../src/core/files/api/sessionManager';
import { UntrustedPaths } from '../../../src/core/files/io/untrustedPaths';
import { runningAgents } from '../../../src/core/files/presence/agents';
import { readBreadcrumbs } from '../../../src/core/files/presence/breadcrumbs';
import { parseLockHolder } from '../../../src/core/files/presence/programLocks';
import { findOpeners, parseLsof } from '../../../src/core/files/presence/openFiles';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { age } from '../../fixtures/writes';

describe('Edge cases of the signs', () => {
  const folder = testFolder();
  /** A system without a list of processes, whose `ps` and `lsof` print this. */
  const printing = (ps: string, lsof = '') => ({
    proc: '/nowhere',
    run: (program: string) => Promise.resolve(program === 'ps' ? ps : lsof),
  });

  it('parses the output of ps and lsof, also incomplete output', async () => {
    const ps = [
      '  101 pts/3    pi --continue',
      '  102 ??       node /usr/bin/omp',
      '  103 ttys001  vim pi',
      'no row',
      `  ${String(process.pid)} pts/3 pi`,
      '',
    ].join('\n');
    assert.deepEqual(await runningAgents(printing(ps, 'p101\nfcwd\nn/work/demo\n')), [
      { pid: 101, dialect: 'pi', cwd: '/work/demo', terminal: 'pts-3' },
      { pid: 102, dialect: 'omp' },
    ]);
    assert.deepEqual(await runningAgents(printing('  103 ttys001  vim pi\n')), []);
    assert.equal(await runningAgents(printing('')), undefined);
  });

  it('runs lsof for one file, and ignores this process', async () => {
    assert.deepEqual(
      [...parseLsof(`p${String(process.pid)}\ncnode\nn/a\np7\ncomp\nn/b\nn/a\np8\nn/a\n`, ['/a'])],
      [['/a', { pid: 7, program: 'omp' }]],
    );
    assert.deepEqual(await findOpeners(['/a'], printing('', 'p7\ncomp\nn/a\n')), new Map([['/a', { pid: 7, program: 'omp' }]]));
    assert.equal((await findOpeners(['/a', '/b'], printing('', 'p7\nn/a\n'))).size, 0);
    assert.equal((await findOpeners([], printing('', 'p7\nn/a\n'))).size, 0);
  });

  it('requires a folder and a session in a breadcrumb; the session may be relative', async () => {
    await folder.write('pts-1', '/work/demo\n');
    await folder.write('pts-2', '/work/demo\nsub/a.jsonl\n');
    await folder.write('pts-3', '/work/demo\n/other/b.jsonl\n');
    const found = await readBreadcrumbs([folder.path, join(folder.path, 'none')], new UntrustedPaths(), () => true);
    assert.deepEqual(found.map(({ terminal, path }) => [terminal, path]).sort(), [
      ['pts-2', join('/work/demo', 'sub/a.jsonl')],
      ['pts-3', '/other/b.jsonl'],
    ]);
  });

  it('reads the process and the time of a lock', () => {
    const at = '2026-01-01T00:00:00.000Z';
    assert.deepEqual(['7:8\n', JSON.stringify({ pid: 7, createdAt: at }), '{"pid":7}', '{"pid":"7"}', '[7]', '{'].map(parseLockHolder), [
      { pid: 7, since: 8 },
      { pid: 7, since: Date.parse(at) },
      { pid: 7 },
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('has a sentence for each sign', () => {
    const messageFor = (
      state: 'live' | 'unsure',
      how: 'lease' | 'lock' | 'breadcrumb' | 'process' | 'growth' | 'open',
      who: { pid?: number; program?: string },
    ): string => {
      try {
        assertFree('/a', { state, signs: [{ how, ...who }] }, false);
      } catch (error) {
        return String(error);
      }
      return 'free';
    };
    assert.match(messageFor('live', 'breadcrumb', { pid: 7, program: 'omp' }), /omp \(PID 7\) has this session open in a terminal/);
    assert.match(messageFor('live', 'lease', { pid: 7, program: 'omp' }), /omp \(PID 7\) has claimed this session/);
    assert.match(messageFor('live', 'lock', {}), /Another program has locked/);
    assert.match(messageFor('live', 'lock', { pid: 7 }), /\? \(PID 7\) has locked/);
    assert.match(messageFor('live', 'growth', {}), /within the last 10 seconds. If oh-my-pi is using it/);
    assert.match(messageFor('unsure', 'breadcrumb', {}), /oh-my-pi last opened this session in a terminal/);
    assert.match(messageFor('unsure', 'process', { pid: 7 }), /\? \(PID 7\) is running in this session’s project/);
    assert.doesNotThrow(() => {
      assertFree('/a', { state: 'unsure', signs: [{ how: 'growth' }] }, true);
    });
  });
});

describe('Edge cases of listings', () => {
  const folder = testFolder();

  it("reports a folder that can't be listed, and lists the others", async () => {
    await symlink('loop', join(folder.path, 'loop'));
    const project = join(folder.path, '--work--');
    await mkdir(project);
    await writeFile(join(project, 'a.jsonl'), session().user('a').text());
    const problems: string[] = [];
    const { files, failed } = await listFiles([{ path: folder.path, dialect: 'pi', flat: false }], (path) => problems.push(path));
    assert.deepEqual(
      [files.map(({ path }) => path), failed, problems],
      [[join(project, 'a.jsonl')], [join(folder.path, 'loop')], [join(folder.path, 'loop')]],
    );
    assert.deepEqual([await sessionFilesIn(join(folder.path, 'loop'), (path) => problems.push(path)), problems.length], [[], 2]);
    assert.deepEqual([await sessionFilesIn(join(folder.path, 'none'), (path) => problems.push(path)), problems.length], [[], 2]);
  });

  it("finds all roots despite settings without a folder and folders that can't be listed", async () => {
    const home = folder.path;
    await mkdir(join(home, '.pi', 'agent'), { recursive: true });
    for (const text of ['[]', '{"sessionDir":""}', '{"sessionDir":7}']) {
      await writeFile(join(home, '.pi', 'agent', 'settings.json'), text);
      const roots = await findRoots({ env: {}, home }, assert.ifError);
      assert.deepEqual(
        roots.filter(({ path, ofSubagents }) => path.startsWith(join(home, '.pi')) && !ofSubagents).map(({ path }) => path),
        [join(home, '.pi', 'agent', 'sessions')],
      );
    }
    await mkdir(join(home, '.omp'));
    for (const name of ['.omp/profiles', '.openclaw']) await writeFile(join(home, name), 'no folder');
    await mkdir(join(home, '.pi', 'agent', 'x'));
    const problems: string[] = [];
    const roots = await findRoots({ env: {}, home }, (path) => problems.push(path));
    assert.ok(problems.includes(join(home, '.omp', 'profiles')), problems.join());
    assert.ok(roots.some(({ path }) => path === join(home, '.omp', 'agent', 'sessions')));
  });
});

describe('Edge cases of the SessionManager', () => {
  const folder = testFolder();
  const user = { role: 'user', content: 'hi', timestamp: 1 };

  it('writes compactions and summaries in the form of each program', async () => {
    const gsd = SessionManager.inMemory('/work/demo', { dialect: 'gsd' });
    const first = await gsd.appendMessage(user);
    await gsd.appendCompaction('sum', first, 10, { d: 1 });
    await gsd.branchWithSummary(first, 'left');
    await gsd.branchWithSummary(null, 'all left');
    const entryFacts = gsd
      .getEntries()
      .slice(1)
      .map((entry) => {
        const { type, firstKeptEntryId, fromId, parentId, systemMessage } = entry as unknown as Record<string, unknown>;
        return [type, firstKeptEntryId ?? fromId, parentId, systemMessage];
      });
    assert.deepEqual(entryFacts, [
      ['compaction', first, first, undefined],
      ['branch_summary', first, first, undefined],
      ['branch_summary', 'root', null, undefined],
    ]);
    const pi = SessionManager.inMemory('/work/demo');
    const from = await pi.appendMessage(user);
    await pi.branchWithSummary(null, 'left');
    assert.equal((pi.getEntries()[1] as unknown as { fromId: string }).fromId, from);
  });

  it('has an empty title for an oh-my-pi session without a name or with a removed one', async () => {
    const manager = SessionManager.create('/work/demo', folder.path, { dialect: 'omp' });
    await manager.appendMessage(user);
    const path = manager.getSessionFile()!;
    assert.equal((await readSession(path)).name, undefined);
    const memory = SessionManager.inMemory('/work/demo', { dialect: 'omp' });
    await memory.appendSessionInfo('named');
    assert.equal(memory.getSessionName(), 'named');
    await memory.appendSessionInfo('');
    assert.equal(memory.getSessionName(), undefined);
  });

  it('refuses a body whose line is gone', async () => {
    const text = session().user('one').assistant('first').text();
    const path = await age(await folder.write('a.jsonl', text));
    const manager = await SessionManager.open(path);
    assert.equal(manager.getEntries().length, 2);
    for (const other of [text.slice(0, -20), text.replaceAll(entryId(1), 'aaaaaaaa'), text.replace(/[{}]/g, ' ')]) {
      await writeFile(path, other);
      assert.throws(() => manager.getEntries(), { code: 'changed' });
    }
  });

  it('leaves out sessions without a project in a chosen folder', async () => {
    await folder.write('a.jsonl', session({ cwd: '' }).user('a').text());
    await folder.write('b.jsonl', session().user('b').text());
    assert.deepEqual(
      (await SessionManager.list('/work/demo', folder.path)).map(({ firstMessage }) => firstMessage),
      ['b'],
    );
  });
});
