import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, renameSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { appendFile, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrateFile } from '../../../src/core/files/migration/migrateFile';
import type { Agent } from '../../../src/core/files/presence/agents';
import { inspectProcesses } from '../../../src/core/files/presence/inspectProcesses';
import { presence, type PresenceOptions } from '../../../src/core/files/presence/presence';
import { lockPaths } from '../../../src/core/files/presence/programLocks';
import { assertUnchanged } from '../../../src/core/files/read/versions/compareVersions';
import { fileVersion, type FileVersion, followSession, readBodies, readSession } from '../../../src/core/files/read/sessionFile';
import { appendText } from '../../../src/core/files/write/appendText';
import { createWriter } from '../../../src/core/files/write/sessionWriter';
import { withProgramLock } from '../../../src/core/files/write/writeGuard';
import { SessionError, type SessionErrorCode } from '../../../src/core/format/entry/problem';
import type { Session } from '../../../src/core/format/session/session';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { problems } from '../../fixtures/read';
import { beforeCall, disturbedDisk } from '../../fixtures/testDisk';
import { age, grow, refuses, snapshot } from '../../fixtures/writes';

// Rules of incremental reading (FORMAT section 3) that are easily broken when a file grows.

const [e1, e2, e3] = [1, 2, 3].map(entryId) as [string, string, string];

describe('Reading: places of objects', () => {
  const folder = testFolder();

  it('finds objects on one line, whatever is between them', async () => {
    const [header, one, two, three] = session().user('ä').user('b').user('c').lines() as [string, string, string, string];
    const found = await readSession(await folder.write('a.jsonl', `${header}\n ä${one} ,ö ${two}${three}\n`));
    assert.deepEqual(
      await readBodies(found, [e3, e2, e1]),
      [three, two, one].map((line) => JSON.parse(line) as unknown),
    );
  });
});

describe('Reading: damaged lines', () => {
  const folder = testFolder();

  it('gives the bodies of a damaged entry and of a whole one glued behind it', async () => {
    const [header, one, two, three] = session().user('a').user('ä').user('c').lines() as [string, string, string, string];
    const torn = Buffer.from(two).subarray(0, Buffer.from(two).indexOf('ä') + 1);
    const found = await readSession(
      await folder.write('a.jsonl', Buffer.concat([Buffer.from(`${header}\n${one}\n`), torn, Buffer.from(`${three}\n`)])),
    );
    const [damaged, whole] = await readBodies(found, [e2, e3]);
    assert.deepEqual([damaged?.type, damaged?.id, damaged?.parentId, whole], ['damaged', e2, e1, JSON.parse(three)]);
  });
});

describe('Reading incrementally', () => {
  const folder = testFolder();

  /** Result of incremental reading after `more` was appended to the builder's text. */
  async function grown(built: SessionBuilder, more: (built: SessionBuilder) => SessionBuilder): Promise<Session> {
    const start = built.text();
    const path = await folder.write('a.jsonl', start);
    const before = await readSession(path);
    await appendFile(path, more(built).text().slice(start.length));
    return followSession(before);
  }

  it('attaches children of a leaf line to its target', async () => {
    const found = await grown(session().user('a').user('b').leaf(e1, { id: 'mark' }), (built) =>
      built.user('c', { id: 'new', parentId: 'mark' }),
    );
    assert.deepEqual([found.byId.get('new')?.parentId, found.children.get(e1), found.problems], [e1, [e2, 'new'], []]);
  });

  it('attaches children to a parent that appears later', async () => {
    const found = await grown(session().user('child', { parentId: 'later' }), (built) =>
      built.user('parent', { id: 'later', parentId: null }),
    );
    assert.deepEqual([found.roots, found.children.get('later'), found.problems], [['later'], [e1], []]);
  });

  it('attaches children to a parent that appears several readings later', async () => {
    const built = session().user('child', { parentId: 'later' });
    const path = await folder.write('late.jsonl', built.text());
    let found = await readSession(path);
    for (const more of ['between', 'later']) {
      const start = built.text().length;
      await appendFile(path, built.user(more, { id: more, parentId: null }).text().slice(start));
      found = await followSession(found);
    }
    assert.deepEqual([found.roots, found.children.get('later'), found.problems], [['between', 'later'], [e1], []]);
  });

  it('keeps the leaf if no entry was appended', async () => {
    const path = await folder.write('same.jsonl', session().user('a').text());
    const before = await readSession(path);
    await appendFile(path, 'no entry\n');
    const found = await followSession(before);
    assert.deepEqual([found.leafId, found.roots, problems(found)], [e1, [e1], ['bad-line@3']]);
  });

  it('has one node for a duplicate id', async () => {
    const found = await grown(session().user('a'), (built) => built.user('b', { id: e1, parentId: null }));
    assert.deepEqual([found.entries.map(({ text }) => text), problems(found)], [['user: b'], ['duplicate-id@3']]);
  });

  it('makes roots of entries with themselves or a missing entry as parent', async () => {
    const found = await grown(session().user('a'), (built) =>
      built.user('self', { id: e2, parentId: e2 }).user('lost', { parentId: 'none' }),
    );
    assert.deepEqual(
      [found.roots, problems(found)],
      [
        [e1, e2, e3],
        ['cycle@3', 'unknown-parent@4'],
      ],
    );
    const lost = await grown(session().user('a'), (built) => built.user('lost', { parentId: 'none' }));
    assert.deepEqual([lost.roots, problems(lost)], [[e1, e2], ['unknown-parent@3']]);
  });

  it("keeps labels, and reads a torn line once it's whole", async () => {
    const found = await grown(session().user('a').label(e1, 'x'), (built) => built.user('b'));
    assert.equal(found.labels.get(e1), 'x');
    const text = session().user('a').user('b').text();
    const path = await folder.write('torn.jsonl', text.slice(0, -20));
    const torn = await readSession(path);
    await appendFile(path, text.slice(-20));
    assert.deepEqual([problems(torn), problems(await followSession(torn))], [['torn-line@3'], []]);
  });
});

// Rules of the guard (FORMAT section 6, point 1) that are easily lost: each test covers a mutation that no other test
// noticed.

describe('Rules of presence', () => {
  const folder = testFolder();
  const TEXT = session({ cwd: '/work/demo' }).user('a').text();

  /** Returns the presence for an old file, or for one that just grew, while one program runs. */
  async function presenceOf(agent: Omit<Agent, 'pid'>, options: { grew?: boolean; about?: object; crumbs?: readonly string[] } = {}) {
    const path = await folder.write('a.jsonl', TEXT);
    await (options.grew ? grow : age)(path);
    const given: PresenceOptions = {
      processes: () => Promise.resolve({ open: new Map(), agents: [{ pid: 7, ...agent }] }),
      crumbs: options.crumbs ?? [],
      ...(options.about ? { about: () => Promise.resolve(options.about!) } : {}),
    };
    const found = (await presence([path], given)).get(path)!;
    return [found.state, ...(found.state === 'free' ? [] : found.signs.map(({ how }) => how))];
  }

  it('is unsure about a program at work in the project, and certain with growth', async () => {
    const agentInFolder = { dialect: 'pi', cwd: '/work/demo' } as const;
    assert.deepEqual(await presenceOf(agentInFolder), ['unsure', 'process']);
    assert.deepEqual(await presenceOf(agentInFolder, { grew: true }), ['live', 'process', 'growth']);
  });

  it('is unsure about growth alone, except in sessions of oh-my-pi, which would be lost', async () => {
    const elsewhere = { dialect: 'pi', cwd: '/work/other' } as const;
    assert.deepEqual(await presenceOf(elsewhere, { grew: true }), ['unsure', 'growth']);
    assert.deepEqual(await presenceOf(elsewhere, { grew: true, about: { cwd: '/work/demo', dialect: 'omp' } }), ['live', 'growth']);
  });

  it('ignores a program elsewhere, or of another family', async () => {
    assert.deepEqual(await presenceOf({ dialect: 'pi', cwd: '/work/other' }), ['free']);
    assert.deepEqual(await presenceOf({ dialect: 'pi' }), ['free']);
    assert.deepEqual(await presenceOf({ dialect: 'gsd', cwd: '/work/demo' }, { about: { cwd: '/work/demo', dialect: 'pi' } }), ['free']);
  });

  it('is certain about a breadcrumb with its process', async () => {
    await mkdir(join(folder.path, 'terminal-sessions'));
    await folder.write('terminal-sessions/pts-3', `/work/demo\n${join(folder.path, 'a.jsonl')}\n`);
    const crumbs = [join(folder.path, 'terminal-sessions')];
    assert.deepEqual(await presenceOf({ dialect: 'omp', terminal: 'pts-3' }, { crumbs }), ['live', 'breadcrumb']);
    assert.deepEqual(await presenceOf({ dialect: 'omp', terminal: 'pts-4', cwd: '/work/x' }, { crumbs }), ['free']);
  });

  it('finds a lock in a folder with too many names to list', async () => {
    const many = join(folder.path, 'many');
    await mkdir(many);
    const path = await age(await folder.write('many/a.jsonl', TEXT));
    // Synchronous calls take an eighth of the processor time.
    for (let n = 0; n < 6000; n++) writeFileSync(join(many, String(n)), '');
    const at = async (): Promise<string> =>
      (await presence([path], { processes: () => Promise.resolve({ open: new Map(), agents: [] }), crumbs: [] })).get(path)!.state;
    assert.equal(await at(), 'free');
    await writeFile(join(many, '.a.jsonl.lock'), `${String(process.ppid)}:1\n`);
    assert.equal(await at(), 'live');
  });

  it('ignores a process that has a file open only briefly', async () => {
    const path = await folder.write('a.jsonl', TEXT);
    const fds = join(folder.path, 'proc', '7', 'fd');
    await mkdir(fds, { recursive: true });
    const system = { proc: join(folder.path, 'proc'), run: () => Promise.resolve('') };
    await symlink(path, join(fds, '3'));
    assert.deepEqual([...(await inspectProcesses([path], system)).open], [[path, { pid: 7 }]]);
    const looking = inspectProcesses([path], system);
    unlinkSync(join(fds, '3'));
    assert.deepEqual([...(await looking).open], []);
  });
});

// Rules of writing (FORMAT section 6) for another program's write at the same moment, between the checks before and
// after ours. A disk that runs code before one of its calls simulates that program.

const TEXT = session().user('a').assistant('b').text();
const OURS = `${JSON.stringify({ type: 'custom', id: 'ours', parentId: entryId(2) })}\n`;
const THEIRS = `${JSON.stringify({ type: 'custom', id: 'theirs', parentId: entryId(2) })}\n`;

const fails = (work: Promise<unknown>, code: SessionErrorCode): Promise<void> =>
  assert.rejects(work, (error) => error instanceof SessionError && error.code === code);

interface Looked {
  readonly path: string;
  readonly session: Session;
  readonly version: FileVersion;
}

describe('Writing: between the checks', () => {
  const folder = testFolder();

  async function looked(text = TEXT): Promise<Looked> {
    const path = await folder.write('a.jsonl', text);
    return { path, session: await readSession(path), version: fileVersion(await stat(path, { bigint: true })) };
  }

  /** Appends our line, and runs `work` directly before the n-th call with a name. */
  const append = ({ session: of, version }: Looked, work: () => void, call = 'write', n = 1) =>
    appendText(of, version, OURS, undefined, disturbedDisk(beforeCall(call, n), () => Promise.resolve().then(work)).disk);

  it("keeps another program's line, and reports it", async () => {
    const at = await looked();
    assert.equal((await append(at, () => undefined)).concurrent, false);
    const again = await looked();
    const { concurrent } = await append(again, () => appendFileSync(again.path, THEIRS));
    assert.deepEqual([concurrent, await readFile(again.path, 'utf8')], [true, TEXT + THEIRS + OURS]);
  });

  it("reports a line glued to another program's torn one as damage, and repairs nothing", async () => {
    const at = await looked();
    await fails(
      append(at, () => appendFileSync(at.path, '{"half')),
      'damaged',
    );
    assert.equal(await readFile(at.path, 'utf8'), `${TEXT}{"half${OURS}`);
  });

  it('reports a replaced file as damage', async () => {
    const at = await looked();
    // Has the same length as our text, so that only the content differs.
    const other = TEXT + OURS.replace('ours', 'else');
    const path = await folder.write('other', other);
    await fails(
      append(at, () => renameSync(path, at.path)),
      'damaged',
    );
    assert.equal(await readFile(at.path, 'utf8'), other);
  });

  it('reports a shortened file as damage', async () => {
    const at = await looked();
    await assert.rejects(
      append(at, () => truncateSync(at.path, 10), 'sync'),
      /shortened/,
    );
    assert.equal(await readFile(at.path, 'utf8'), TEXT.slice(0, 10));
  });
});

describe('Writing: the check before', () => {
  const folder = testFolder();

  it('refuses a file that changed since it was read', async () => {
    const path = await folder.write('a.jsonl', TEXT);
    const of = await readSession(path);
    const version = fileVersion(await stat(path, { bigint: true }));
    for (const other of [{ size: version.size + 1 }, { mtimeMs: version.mtimeMs + 1 }, { ino: 'other' }]) {
      assert.throws(
        () => assertUnchanged(of, version, { ...version, ...other }),
        (error) => error instanceof SessionError && error.code === 'changed',
      );
    }
    assertUnchanged(of, version, { ...version });
    await refuses(folder.path, 'changed', () => appendText(of, { ...version, mtimeMs: 1 }, OURS));
  });

  it("refuses a file that wasn't read completely", async () => {
    const path = await folder.write('a.jsonl', TEXT);
    const of = await readSession(path);
    await refuses(folder.path, 'torn', async () =>
      appendText({ ...of, size: of.size - 1 }, fileVersion(await stat(path, { bigint: true })), OURS),
    );
  });

  it('runs one change at a time under all names of a file', async () => {
    const path = await age(await folder.write('a.jsonl', TEXT));
    const other = join(folder.path, 'link.jsonl');
    await symlink(path, other);
    const writer = createWriter();
    await Promise.all(Array.from({ length: 8 }, (_, n) => writer.submit(n % 2 ? path : other, { kind: 'rename', name: String(n) })));
    const found = await readSession(path);
    assert.deepEqual([found.entries.length, found.name], [10, '7']);
  });
});

describe('Writing: locks', () => {
  const folder = testFolder();

  it('keeps a lock that another process created meanwhile', async () => {
    const path = await folder.write('a.jsonl', TEXT);
    const [lock] = lockPaths(path).files;
    await withProgramLock(path, 'omp', () => writeFile(lock, 'theirs'));
    assert.equal(await readFile(lock, 'utf8'), 'theirs');
  });
});

describe('Writing: migrations', () => {
  const folder = testFolder();
  const old = session({ version: 2 }).user('a').assistant('b').text();

  it('keeps bytes written meanwhile, and leaves no backup', async () => {
    const path = await folder.write('a.jsonl', old);
    const of = await readSession(path);
    const version = fileVersion(await stat(path, { bigint: true }));
    const meanwhile = {
      ...of,
      get entries() {
        appendFileSync(path, THEIRS);
        return of.entries;
      },
    };
    await fails(migrateFile(meanwhile, version), 'changed');
    assert.equal(await readFile(path, 'utf8'), old + THEIRS);
    assert.deepEqual(Object.keys(await snapshot(folder.path)), ['a.jsonl']);
  });

  it('detects entries that are no longer at their places', async () => {
    const path = await folder.write('a.jsonl', old);
    const of = await readSession(path);
    copyFileSync(await folder.write('other', old.replace('\n', ' \n')), path);
    await refuses(folder.path, 'changed', async () => migrateFile(of, fileVersion(await stat(path, { bigint: true }))));
  });
});
