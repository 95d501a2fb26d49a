import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { presence, type PresenceOptions } from '../../../src/core/files/presence/presence';
import { dialectOfCommand, runningAgents } from '../../../src/core/files/presence/agents';
import { breadcrumbFolders } from '../../../src/core/files/presence/breadcrumbs';
import { findOpeners } from '../../../src/core/files/presence/openFiles';
import { thisSystem, type System } from '../../../src/core/files/presence/system';
import { createWriter } from '../../../src/core/files/write/sessionWriter';
import { titleSlotLine } from '../../../src/core/format/write/sessionNames';
import type { Dialect } from '../../../src/core/format/entry/dialect';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { age, grow, refuses } from '../../fixtures/writes';

const slot = titleSlotLine({ title: 'old', source: 'auto', updatedAt: '2026-01-01T00:00:00.000Z' });
/** Id of another process that certainly runs. */
const OTHER_PID = process.ppid;

describe('Signs of programs', function () {
  this.timeout(60_000);
  const folder = testFolder();
  let child: ChildProcess | undefined;
  afterEach(async () => {
    if (child?.exitCode === null && child.kill()) await once(child, 'exit');
    child = undefined;
  });

  /** Returns a system whose `/proc` has these processes, with their names, working folders and terminals. */
  const processes = async (...list: { words: string[]; cwd?: string; terminal?: string; open?: string }[]): Promise<System> => {
    const proc = join(folder.path, 'proc');
    for (const [index, { words, cwd, terminal, open: file }] of [{ words: ['init'] }, ...list].entries()) {
      const at = join(proc, String(index === 0 ? 1 : OTHER_PID + index - 1));
      await mkdir(join(at, 'fd'), { recursive: true });
      await writeFile(join(at, 'cmdline'), words.map((word) => `${word}\0`).join(''));
      await writeFile(join(at, 'comm'), `${words[0]}\n`);
      if (cwd) await symlink(cwd, join(at, 'cwd'));
      if (terminal) await symlink(terminal, join(at, 'fd', '0'));
      if (file) await symlink(file, join(at, 'fd', '9'));
    }
    return { proc, run: () => Promise.resolve('') };
  };
  /** Writes a program's session in the test project, last changed an hour ago. */
  const write = async (dialect: Dialect = 'pi', name = 'a.jsonl') =>
    age(
      await folder.write(
        name,
        (dialect === 'omp' ? slot : '') +
          session({ cwd: folder.path })
            .user('a', dialect === 'jensen' ? { payloadSha256: 'h' } : {})
            .assistant('b')
            .text(),
      ),
    );
  const state = async (path: string, options: PresenceOptions) => {
    const found = (await presence([path], { crumbs: [], ...options })).get(path)!;
    return found.state === 'free'
      ? ['free']
      : [found.state, ...found.signs.map(({ how, program }) => (program === undefined ? how : `${how} ${program}`))];
  };

  it('recognizes programs by their names, their scripts and the packages of those', () => {
    const cases: [string, Dialect | undefined][] = [
      ['pi', 'pi'],
      ['/usr/local/bin/omp --resume x', 'omp'],
      ['node /usr/bin/pi --session a', 'pi'],
      ['/opt/node/bin/node --max-old-space-size=4096 /usr/lib/node_modules/@earendil-works/pi-coding-agent/dist/cli.js', 'pi'],
      ['bun run /home/a/node_modules/@oh-my-pi/pi-coding-agent/src/cli.ts', 'omp'],
      ['node /usr/lib/node_modules/jensen-code/dist/cli.js', 'jensen'],
      ['node /usr/lib/node_modules/gsd-pi/dist/loader.js', 'gsd'],
      ['openclaw-gateway', 'openclaw'],
      ['node /usr/lib/node_modules/openclaw/openclaw.mjs gateway', 'openclaw'],
      ['C:\\tools\\pi.exe', 'pi'],
      ['node', undefined],
      ['node server.js pi', undefined],
      ['vim pi', undefined],
      ['', undefined],
    ];
    for (const [line, dialect] of cases) assert.equal(dialectOfCommand(line.split(' ')), dialect, line);
  });

  for (const dialect of ['pi', 'omp', 'jensen'] as const) {
    it(`is unsure about a process of ${dialect} in the session's project; with growth it's live`, async () => {
      const path = await write(dialect);
      const dialectKnown = { about: async () => ({ cwd: folder.path, dialect: (await readSession(path)).dialect }) };
      const here = { system: await processes({ words: [dialect], cwd: folder.path }), ...dialectKnown };
      assert.deepEqual(await state(path, here), ['unsure', `process ${dialect}`]);
      await grow(path);
      assert.deepEqual(await state(path, here), ['live', `process ${dialect}`, 'growth']);
      // A write during a run of oh-my-pi would lose the rest of the session, so the person can't force it.
      assert.deepEqual(await state(path, { system: { ...here.system, proc: '/nowhere' } }), [
        dialect === 'omp' ? 'live' : 'unsure',
        'growth',
      ]);
    });
  }

  it('ignores a process elsewhere, or of another program', async () => {
    const path = await write('omp');
    assert.deepEqual(
      await state(path, { system: await processes({ words: ['omp'], cwd: '/' }, { words: ['pi'], cwd: folder.path }, { words: ['gsd'] }) }),
      ['free'],
    );
  });

  it('refuses with the matching sentence, and force overrides doubt only', async () => {
    const path = await write();
    const system = await processes({ words: ['node', '/usr/bin/pi'], cwd: folder.path });
    const submit = (force: boolean) =>
      createWriter({ signs: { system, crumbs: [] } }).submit(path, { kind: 'label', entryId: entryId(1), label: 'x' }, { force });
    assert.match(
      await refuses(dirname(path), 'unsure', () => submit(false)),
      /pi \(PID \d+\) is running in this session’s project and may have it open/,
    );
    await submit(true);
    await grow(path);
    assert.match(
      await refuses(dirname(path), 'live', () => submit(true)),
      /pi \(PID \d+\) is running in this session’s project, and the file grew/,
    );
    assert.ok((await createWriter({ signs: { system } }).forkSession(path)).path.startsWith(folder.path), 'a fork goes all the same');
  });

  it("counts a descriptor that stays open, by the file's real name", async () => {
    const path = await write();
    const link = join(folder.path, 'link.jsonl');
    await symlink(path, link);
    assert.deepEqual(await state(link, { system: await processes({ words: ['rg'], open: path }) }), ['live', 'open rg']);
    const closing = { ...(await processes()), run: () => Promise.resolve('') };
    const held = presence([path], { system: closing, crumbs: [] });
    assert.equal((await held).get(path)?.state, 'live', 'still there');
    await unlink(join(closing.proc, String(OTHER_PID), 'fd', '9'));
    assert.deepEqual(await state(path, { system: closing }), ['free']);
  });

  it("attributes oh-my-pi's breadcrumb with its process at the terminal, or in its folder, to that session", async () => {
    const path = await write('omp');
    const other = await write('omp', 'other.jsonl');
    const crumbs = [join(folder.path, 'crumbs')];
    const crumb = async (terminal: string, file: string, cwd = folder.path) => {
      await mkdir(crumbs[0]!, { recursive: true });
      await writeFile(join(crumbs[0]!, terminal), `${cwd}\n${file}\nfresh\ncwdstat 1 2\n`);
    };
    await crumb('pts-7', path);
    const at = async (list: Parameters<typeof processes>[0][]) => {
      const system = await processes(...list);
      const found = [await state(path, { system, crumbs }), await state(other, { system, crumbs })];
      for (const id of (await readdir(system.proc)).filter((name) => name !== '1')) await rm(join(system.proc, id), { recursive: true });
      return found;
    };
    assert.deepEqual(await at([]), [['free'], ['free']], 'a crumb alone is what was');
    assert.deepEqual(await at([{ words: ['omp'], cwd: '/', terminal: '/dev/pts/7' }]), [['live', 'breadcrumb omp'], ['free']]);
    assert.deepEqual(
      await at([{ words: ['omp'], cwd: folder.path }]),
      [
        ['live', 'breadcrumb omp'],
        ['unsure', 'process omp'],
      ],
      'a terminal that nobody knows',
    );
    await crumb('pts-8', other);
    assert.deepEqual(await at([{ words: ['omp'], cwd: folder.path, terminal: '/dev/pts/8' }]), [
      ['unsure', 'process omp'],
      ['live', 'breadcrumb omp'],
    ]);
    // Without a process list, a breadcrumb that is younger than the machine's start is a sign, and an older one isn't.
    const blind = { proc: '/nowhere', run: () => Promise.resolve('') };
    assert.deepEqual(await state(path, { system: blind, crumbs }), ['unsure', 'breadcrumb']);
    await utimes(join(crumbs[0]!, 'pts-7'), 1000, 1000);
    assert.deepEqual(await state(path, { system: blind, crumbs }), ['free']);
  });

  it("finds breadcrumbs beside the sessions that they name, and at oh-my-pi's default place", () => {
    assert.deepEqual(
      breadcrumbFolders(['/x/agent/sessions/-p/a.jsonl', '/x/agent/sessions/-p/a/sub.jsonl'], '/home/me', { XDG_STATE_HOME: '/state' }),
      ['/x/agent/terminal-sessions', '/home/me/.omp/agent/terminal-sessions', '/state/omp/terminal-sessions'],
    );
  });

  it("respects OpenClaw's lock, a file with a process in it, for half an hour at most", async () => {
    const path = await write();
    const system = await processes();
    const lock = async (pid: number, since: number) => {
      await writeFile(`${path}.lock`, JSON.stringify({ pid, createdAt: new Date(since).toISOString() }));
      return state(path, { system });
    };
    assert.deepEqual(await lock(OTHER_PID, Date.now()), ['live', 'lock']);
    assert.deepEqual(await lock(OTHER_PID, Date.now() - 31 * 60_000), ['free']);
    assert.deepEqual(await lock(2 ** 30, Date.now()), ['free']);
  });

  it('finds a real process by its name and folder, and the file that it has open', async () => {
    // Other systems need lsof and ps, which are tested below.
    if (platform() !== 'linux') return;
    const path = await write();
    child = spawn(
      process.execPath,
      ['-e', 'process.title = "pi"; require("fs").openSync(process.argv[1], "r"); console.log("ready"); process.stdin.resume()', path],
      { cwd: folder.path, stdio: ['pipe', 'pipe', 'inherit'] },
    );
    await once(child.stdout!, 'data');
    const { pid } = child;
    const agent = (await runningAgents(thisSystem))?.find((one) => one.pid === pid);
    assert.deepEqual([agent?.dialect, agent?.cwd], ['pi', folder.path]);
    assert.equal((await findOpeners([path], thisSystem)).get(path)?.pid, pid);
    // Does the same without /proc, if lsof and ps are available.
    const bare = { ...thisSystem, proc: '/nowhere' };
    if ((await thisSystem.run('lsof', ['-v'])) !== '' || (await thisSystem.run('lsof', ['-p', String(process.pid)])) !== '')
      assert.equal((await findOpeners([path], bare)).get(path)?.pid, pid);
    else console.log('      (there is no lsof here)');
    if ((await thisSystem.run('ps', ['-axo', 'pid=,tty=,command='])) !== '')
      assert.equal((await runningAgents(bare))?.find((one) => one.pid === pid)?.dialect, 'pi');
    else console.log('      (there is no ps here)');
  });

  it("ignores lsof and ps if they're missing or take too long", async () => {
    assert.equal(await thisSystem.run('no-such-program', []), '');
    assert.deepEqual(await findOpeners(['/x'], { proc: '/nowhere', run: () => Promise.resolve('') }), new Map());
    assert.equal(await runningAgents({ proc: '/nowhere', run: () => Promise.resolve('') }), undefined);
  });

  it("works where processes can't be listed", async () => {
    const path = await write();
    const file = await open(path);
    assert.deepEqual(await state(path, { system: { proc: join(folder.path, 'none'), run: () => Promise.resolve('') } }), ['free']);
    await file.close();
  });
});
