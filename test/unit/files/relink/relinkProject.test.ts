import assert from 'node:assert/strict';
import { chmod, link, mkdir, readdir, readFile, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Agent } from '../../../../src/core/files/presence/agents';
import { createWriter, type WriterOptions } from '../../../../src/core/files/write/sessionWriter';
import { openWrites, type Writes } from '../../../../src/core/files/history/writes';
import { movingPath } from '../../../../src/core/files/relink/relocate';
import { relinkProject, type RelinkOptions, type RelinkResult } from '../../../../src/core/files/relink/relinkProject';
import { realDisk, type Disk } from '../../../../src/core/files/io/disk';
import { defined } from '../../../../src/core/format/values/defined';
import { projectFolderName } from '../../../../src/core/format/write/sessionNames';
import { session } from '../../../fixtures/build';
import { testFolder } from '../../../fixtures/folder';
import { age, grow } from '../../../fixtures/writes';

const FROM = '/old/place/demo';
const TO = '/new/place/demo';
const OLD = '--old-place-demo--';
const NEW = '--new-place-demo--';

describe('Relinking a project', () => {
  const folder = testFolder();
  const root = (): string => join(folder.path, 'sessions');
  const roots = () => [{ path: root(), dialect: 'pi' as const }];
  const at = (name: string, project = NEW): string => join(root(), project, name);

  /** Writes a session of an hour ago, by default in the folder of its project. */
  const put = async (name: string, header: object = {}, project = OLD): Promise<string> => {
    const path = at(name, project);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(
      path,
      session({ cwd: FROM, id: `id-${name}`, ...header })
        .user(`hello from ${name}`)
        .assistant('yes')
        .text(),
    );
    return age(path);
  };
  const headerOf = async (path: string): Promise<Record<string, unknown>> =>
    JSON.parse((await readFile(path, 'utf8')).split('\n')[0] ?? '') as Record<string, unknown>;
  const parentOf = async (path: string): Promise<unknown> => (await headerOf(path))['parentSession'];
  const bodyOf = async (path: string): Promise<string> => (await readFile(path, 'utf8')).split('\n').slice(1).join('\n');
  const relink = (more: Partial<RelinkOptions> = {}): Promise<RelinkResult> =>
    relinkProject({ from: FROM, to: TO, roots: roots(), ...more });
  const codes = ({ left }: RelinkResult): string[][] => left.map(({ path, reason }) => [basename(path), reason.code]);
  /** All files with their contents. */
  const files = async (): Promise<Record<string, string>> => {
    const names = (await readdir(root(), { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
    return Object.fromEntries(
      await Promise.all(
        names.map(async (one): Promise<[string, string]> => {
          const path = join(one.parentPath, one.name);
          return [path.slice(root().length), await readFile(path, 'latin1')];
        }),
      ),
    );
  };
  const open = (signs?: WriterOptions['signs']): Promise<Writes> =>
    openWrites({
      folder: join(folder.path, 'storage'),
      writer: createWriter({ locksDir: join(folder.path, 'storage', 'windows'), ...defined({ signs }) }),
      roots: () => [{ path: root(), dialect: 'pi', flat: false }],
      onProblem: (error) => {
        throw error;
      },
    });

  it('moves headers and files, and leaves everything behind the header byte for byte, with its time', async () => {
    const path = await put('a.jsonl');
    await writeFile(path, `\n\uFEFF {"type":"other"}\n${await readFile(path, 'utf8')}no JSON\r\n{"torn`);
    await age(path);
    const before = await readFile(path, 'utf8');
    const { mtimeMs } = await stat(path);
    const { moved, left } = await relink();
    assert.deepEqual([moved, left], [[{ path, newPath: at('a.jsonl') }], []]);
    assert.equal(await readFile(at('a.jsonl'), 'utf8'), before.replace(JSON.stringify(FROM), JSON.stringify(TO)));
    assert.ok(Math.abs((await stat(at('a.jsonl'))).mtimeMs - mtimeMs) < 1);
    assert.deepEqual(await readdir(root()), [NEW]);
  });

  it('says before exactly what it does, and then writes nothing', async () => {
    await put('a.jsonl');
    await put('b.jsonl', { parentSession: at('a.jsonl', OLD) });
    await put('v.jsonl', { version: 9 });
    await put('other.jsonl', { cwd: `${FROM}-other`, parentSession: at('a.jsonl', OLD) }, '--other--');
    const before = await files();
    const planned = await relink({ dryRun: true });
    assert.deepEqual(await files(), before);
    const done = await relink();
    assert.deepEqual([planned.moved, codes(planned)], [done.moved, codes(done)]);
    assert.deepEqual(codes(done), [['v.jsonl', 'version']]);
    assert.equal(done.moved.length, 2);
  });

  it('leaves sessions of another machine whose folder is mapped, with the reason', async () => {
    await put('a.jsonl');
    const mapped = roots().map((one) => ({ ...one, map: { '/old/place': '/here' } }));
    const { moved, left } = await relink({ from: '/here/demo', roots: mapped });
    assert.deepEqual([moved, left.map(({ path, reason }) => [basename(path), reason.code])], [[], [['a.jsonl', 'invalid']]]);
    assert.match(left[0]?.reason.message ?? '', /Change “map”/);
  });

  it('takes only sessions of the folder, and of subfolders that are gone here and there now', async () => {
    const from = join(folder.path, 'gone');
    const to = join(folder.path, 'here');
    await mkdir(join(to, 'sub'), { recursive: true });
    await put('a.jsonl', { cwd: `${from}/` });
    await put('b.jsonl', { cwd: join(from, 'sub') });
    await put('c.jsonl', { cwd: join(from, 'not-there') });
    await put('d.jsonl', { cwd: `${from}-not` });
    await put('e.jsonl', { cwd: `${from}/x/../../other` });
    const { moved, left } = await relink({ from, to });
    assert.deepEqual(
      moved.map(({ path }) => basename(path)),
      ['a.jsonl', 'b.jsonl'],
    );
    assert.deepEqual(left, []);
    const project = (cwd: string): string => projectFolderName(cwd, 'pi', { home: '', temp: '' });
    assert.equal((await headerOf(at('b.jsonl', project(join(to, 'sub')))))['cwd'], join(to, 'sub'));
  });

  it('keeps forks leading to their parents, in all projects, and under the real paths of linked folders', async () => {
    const a = await put('a.jsonl');
    const linked = join(folder.path, 'linked');
    await symlink(root(), linked);
    const here = await put('0-before-its-parent.jsonl', { parentSession: a });
    const there = await put('there.jsonl', { cwd: '/other', parentSession: a }, '--other--');
    const real = await put('real.jsonl', { cwd: '/other', parentSession: a, payloadSha256: 'x' }, '--other--');
    const body = await bodyOf(there);
    await relinkProject({ from: FROM, to: TO, roots: [{ path: linked, dialect: 'pi' }] });
    assert.equal(await parentOf(at(basename(here))), at('a.jsonl'));
    assert.equal(await parentOf(there), at('a.jsonl'));
    assert.equal(await bodyOf(there), body);
    assert.deepEqual(Object.keys(await headerOf(real)).includes('payloadSha256'), false);
  });

  it('keeps the parent of a fork that is made while it runs', async () => {
    const a = await put('a.jsonl');
    const disk: Disk = {
      ...realDisk,
      unlink: async (path) => {
        if (path === movingPath(a)) await put('late.jsonl', { cwd: '/other', parentSession: a }, '--other--');
        await realDisk.unlink(path);
      },
    };
    const { left } = await relink({ disk });
    assert.deepEqual([left, await parentOf(at('late.jsonl', '--other--'))], [[], at('a.jsonl')]);
  });

  it('keeps a parent whose fork can’t get its new path, and names it', async () => {
    const a = await put('a.jsonl');
    const busy = await put('busy.jsonl', { cwd: '/other', parentSession: a }, '--other--');
    await grow(busy);
    const before = await files();
    const result = await relink();
    assert.deepEqual(codes(result), [['a.jsonl', 'unsure']]);
    assert.match(result.left[0]?.reason.message ?? '', /busy\.jsonl/);
    assert.deepEqual([result.moved, await files()], [[], before]);
  });

  it('leaves what is in use, read-only, newer, of OpenClaw, a link, taken or unreadable, with the reason', async () => {
    await grow(await put('in-use.jsonl'));
    await chmod(await put('read-only.jsonl'), 0o444);
    await put('newer.jsonl', { version: 4 });
    await put('openclaw.jsonl', { __openclaw: {} });
    await put('taken.jsonl');
    await put('taken.jsonl', { cwd: '/other' }, NEW);
    await writeFile(join(folder.path, 'elsewhere'), session({ cwd: FROM }).text());
    await symlink(join(folder.path, 'elsewhere'), at('link.jsonl', OLD));
    await writeFile(at('no-header.jsonl', OLD), 'nothing\n');
    const before = await files();
    assert.deepEqual(codes(await relink()), [
      ['in-use.jsonl', 'unsure'],
      ['link.jsonl', 'invalid'],
      ['newer.jsonl', 'version'],
      ['no-header.jsonl', 'not-a-session'],
      ['openclaw.jsonl', 'read-only'],
      ['read-only.jsonl', 'permission'],
      ['taken.jsonl', 'invalid'],
    ]);
    assert.deepEqual(await files(), before);
  });

  it('writes nothing outside of the session folders through a link', async () => {
    const outside = join(folder.path, 'outside');
    await mkdir(outside);
    await put('a.jsonl');
    await symlink(outside, join(root(), NEW));
    assert.deepEqual(codes(await relink()), [['a.jsonl', 'invalid']]);
    assert.deepEqual(await readdir(outside), []);
  });

  it('takes paths in headers for names only', async () => {
    const a = await put('a.jsonl');
    const names = ['../a.jsonl', `${root()}/x/../${OLD}/a.jsonl`, '\0', '/'.repeat(100_000), a.slice(0, -1)];
    for (const [index, parentSession] of names.entries())
      await put(`n${String(index)}.jsonl`, { cwd: '/other', parentSession }, '--other--');
    const { moved } = await relink();
    assert.equal(moved.length, 1);
    const parents = await Promise.all(names.map((_, index) => parentOf(at(`n${String(index)}.jsonl`, '--other--'))));
    assert.deepEqual(
      parents,
      names.map((name, index) => (index === 1 ? at('a.jsonl') : name)),
    );
  });

  it('moves subagents, artifacts and backups along', async () => {
    await put('a.jsonl');
    await mkdir(at('a/deep', OLD), { recursive: true });
    await writeFile(at('a/image.png', OLD), 'bytes');
    await writeFile(at('a.jsonl.v1.bak', OLD), 'backup');
    const sub = await put('a/sub.jsonl', { parentSession: at('a.jsonl', OLD) });
    const fork = await put('fork.jsonl', { cwd: '/other', parentSession: sub }, '--other--');
    const { moved } = await relink();
    assert.deepEqual(
      moved,
      [
        { path: at('a.jsonl', OLD), newPath: at('a.jsonl') },
        { path: sub, newPath: at('a/sub.jsonl') },
      ].sort((x, y) => (x.path < y.path ? -1 : 1)),
    );
    assert.equal(await readFile(at('a/image.png'), 'utf8'), 'bytes');
    assert.equal(await readFile(at('a.jsonl.v1.bak'), 'utf8'), 'backup');
    assert.deepEqual(
      [(await headerOf(at('a/sub.jsonl')))['cwd'], await parentOf(at('a/sub.jsonl')), await parentOf(fork)],
      [TO, at('a.jsonl'), at('a/sub.jsonl')],
    );
    assert.deepEqual((await readdir(root())).sort(), [NEW, '--other--'].sort());
  });

  it('moves the sessions of an extension’s subagents, deep in the folder, and names their new places', async () => {
    await put('a.jsonl');
    const run = await put('a/run/run-0/session.jsonl', { parentSession: at('a.jsonl', OLD) });
    const nested = await put('a/run/run-0/session/run-1/session.jsonl', { parentSession: run });
    await writeFile(at('a/run/run-0/notes.txt', OLD), 'notes');
    const { moved, left } = await relink();
    const newRun = at('a/run/run-0/session.jsonl');
    const newNested = at('a/run/run-0/session/run-1/session.jsonl');
    assert.deepEqual(new Set(moved.map(({ path }) => path)), new Set([at('a.jsonl', OLD), run, nested]));
    assert.deepEqual([left, await readFile(at('a/run/run-0/notes.txt'), 'utf8')], [[], 'notes']);
    for (const [path, parent] of [
      [newRun, at('a.jsonl')],
      [newNested, newRun],
    ] as const)
      assert.deepEqual([(await headerOf(path))['cwd'], await parentOf(path)], [TO, parent]);
    assert.deepEqual(await readdir(root()), [NEW]);
  });

  it('leaves a session while a program is at work in the new folder, and undo while one is in the old folder', async () => {
    await put('a.jsonl');
    const openWith = (cwd?: string, after = 0): Promise<Writes> => {
      let looks = 0;
      const agents = (): Agent[] => (cwd !== undefined && looks++ >= after ? [{ pid: 1, dialect: 'pi', cwd }] : []);
      return open({ processes: () => Promise.resolve({ open: new Map(), agents: agents() }) });
    };
    // Found by the plan, and then right before the move.
    for (const after of [0, 1])
      assert.deepEqual(codes(await relink({ writer: (await openWith(TO, after)).writer })), [['a.jsonl', 'unsure']], String(after));
    assert.deepEqual((await relink({ writer: (await openWith()).writer })).left, []);
    await assert.rejects((await openWith(FROM)).undo(), { code: 'unsure' });
    await (await openWith()).undo();
    assert.deepEqual(await readdir(root()), [OLD]);
  });

  it('keeps a session whose subagent is at work', async () => {
    await put('a.jsonl');
    await grow(await put('a/sub.jsonl'));
    assert.deepEqual(codes(await relink()), [
      ['a.jsonl', 'unsure'],
      ['sub.jsonl', 'unsure'],
    ]);
  });

  it('rewrites headers in place in a flat folder, and where both folders have one name', async () => {
    const path = await put('a.jsonl', {}, '');
    const hard = join(folder.path, 'hard-link');
    await link(path, hard);
    assert.deepEqual((await relinkProject({ from: FROM, to: TO, roots: [{ path: root(), flat: true }] })).moved, [{ path, newPath: path }]);
    assert.equal((await headerOf(path))['cwd'], TO);
    const same = await put('b.jsonl', { cwd: '/x/a-b' }, '--x-a-b--');
    assert.deepEqual((await relink({ from: '/x/a-b', to: '/x/a/b' })).moved, [{ path: same, newPath: same }]);
    assert.equal((await headerOf(same))['cwd'], '/x/a/b');
  });

  it('keeps the former path and further folders in oh-my-pi’s header, as oh-my-pi does', async () => {
    const path = await put('a.jsonl', { title: 't', additionalDirectories: [FROM, '/other'] });
    await relink();
    const { additionalDirectories, previousSessionFiles } = await headerOf(at('a.jsonl'));
    assert.deepEqual([additionalDirectories, previousSessionFiles], [[TO, '/other'], [path]]);
  });

  it('refuses paths that aren’t absolute, and the same folder', async () => {
    for (const paths of [{ from: 'a' }, { to: '' }, { to: `${FROM}/` }]) await assert.rejects(relink(paths), { code: 'invalid' });
  });

  it('leaves the rest when it’s canceled', async () => {
    await put('a.jsonl');
    await put('b.jsonl', { parentSession: at('a.jsonl', OLD) });
    const abort = new AbortController();
    let reports = 0;
    // Planning makes the first two.
    const result = await relink({ signal: abort.signal, onProgress: () => ++reports === 3 && abort.abort() });
    assert.deepEqual(
      result.moved.map(({ newPath }) => newPath),
      [at('a.jsonl')],
    );
    assert.deepEqual(result.left.length, 1);
    assert.match(result.left[0]?.reason.message ?? '', /Canceled/);
    assert.equal(await parentOf(at('b.jsonl', OLD)), at('a.jsonl'));
  });

  it('brings everything back with one undo, and forks that were made since keep their parent', async () => {
    const a = await put('a.jsonl');
    await put('a/sub.jsonl');
    await put('b.jsonl', { parentSession: a });
    await put('there.jsonl', { cwd: '/other', parentSession: a }, '--other--');
    const before = await files();
    const writes = await open();
    await relink({ writer: writes.writer });
    assert.notDeepEqual(await files(), before);
    const later = await put('later.jsonl', { cwd: '/other', parentSession: at('a.jsonl') }, '--other--');
    const { did, path } = await writes.undo();
    assert.deepEqual([did, dirname(path)], ['file', dirname(a)]);
    assert.equal(await parentOf(later), a);
    const after = Object.fromEntries(Object.entries(await files()).filter(([name]) => name !== later.slice(root().length)));
    assert.deepEqual(after, before);
    await assert.rejects(writes.undo(), { code: 'invalid' });
    assert.deepEqual(await readdir(join(folder.path, 'storage', 'journal', 'relinking')), []);
  });

  it('takes back what it can', async () => {
    await put('a.jsonl');
    await put('b.jsonl');
    const writes = await open();
    await relink({ writer: writes.writer });
    await writeFile(at('a.jsonl'), session({ cwd: '/third' }).text());
    await age(at('a.jsonl'));
    await assert.rejects(writes.undo(), { code: 'changed' });
    assert.deepEqual([await readdir(join(root(), OLD)), await readdir(join(root(), NEW))], [['b.jsonl'], ['a.jsonl']]);
    await assert.rejects(writes.undo(), /nothing to undo/);
  });

  it('takes back the rest once a path is free again, and forks name their parents meanwhile', async () => {
    const a = await put('a.jsonl');
    const fork = await put('fork.jsonl', { cwd: '/other', parentSession: a }, '--other--');
    const along = await put('b.jsonl', { parentSession: a });
    const before = await files();
    const writes = await open();
    await relink({ writer: writes.writer });
    await writeFile((await mkdir(dirname(a), { recursive: true }), a), 'in the way');
    await assert.rejects(writes.undo(), { code: 'invalid' });
    assert.deepEqual([await parentOf(fork), await parentOf(along)], [at('a.jsonl'), at('a.jsonl')]);
    await unlink(a);
    await writes.undo();
    assert.deepEqual(await files(), before);
  });

  it('leaves a folder that was there before when it takes back a move', async () => {
    const a = await put('a.jsonl');
    await mkdir(join(root(), NEW));
    const unlink = (path: Parameters<Disk['unlink']>[0]): Promise<void> =>
      path === movingPath(a) ? Promise.reject(new Error('no')) : realDisk.unlink(path);
    assert.equal((await relink({ disk: { ...realDisk, unlink } })).left.length, 1);
    assert.deepEqual([(await readdir(root())).sort(), await readdir(join(root(), NEW))], [[NEW, OLD], []]);
  });

  it('counts a removal as done if the name is gone, although the file system reports an error', async () => {
    const a = await put('a.jsonl');
    const unlink = async (path: Parameters<Disk['unlink']>[0]): Promise<void> => {
      await realDisk.unlink(path);
      if (path === movingPath(a)) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
    };
    const body = await bodyOf(a);
    assert.deepEqual(codes(await relink({ disk: { ...realDisk, unlink } })), []);
    assert.deepEqual([await readdir(root()), await readdir(join(root(), NEW)), await bodyOf(at('a.jsonl'))], [[NEW], ['a.jsonl'], body]);
  });

  it('keeps bytes that come late although the disk is full', async () => {
    const path = await put('a.jsonl');
    const added = '{"type":"custom","id":"late","parentId":null}\n';
    let isFull = false;
    const disk: Disk = {
      ...realDisk,
      open: (...args) => (isFull ? Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' })) : realDisk.open(...args)),
      rename: async (from, to) => {
        if (from === path) {
          await writeFile(path, added, { flag: 'a' });
          isFull = true;
        }
        await realDisk.rename(from, to);
      },
    };
    assert.deepEqual(codes(await relink({ disk })), [['a.jsonl', 'changed']]);
    assert.ok((await readFile(path, 'utf8')).endsWith(added));
    assert.deepEqual([await readdir(root()), await readdir(dirname(path))], [[OLD], ['a.jsonl']]);
  });

  it('keeps bytes that another program writes in the middle of it', async () => {
    for (const [call, n] of [
      ['link', 1],
      ['unlink', 1],
      ['rename', 1],
    ] as const) {
      const path = await put('a.jsonl');
      const added = '{"type":"custom","id":"late","parentId":null}\n';
      let count = 0;
      const late = async (): Promise<void> => {
        const now = await readFile(path, 'utf8').catch(() => undefined);
        if (now !== undefined) await writeFile(path, added, { flag: 'a' });
      };
      const disk: Disk = {
        ...realDisk,
        [call]: async (...args: [string, string]) => {
          if (++count === n) await late();
          return (realDisk[call] as (...given: string[]) => Promise<void>)(...args);
        },
      };
      const { left } = await relink({ disk });
      assert.deepEqual(
        left.map(({ reason }) => reason.code),
        ['changed'],
        `${call} ${String(n)}`,
      );
      assert.ok((await readFile(path, 'utf8')).endsWith(added));
      assert.deepEqual(await readdir(root()), [OLD]);
    }
  });
});
