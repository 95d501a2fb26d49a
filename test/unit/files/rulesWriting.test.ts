// Rules of writing (FORMAT section 6) for another program's write at the same moment, between the checks before and
// after ours. A disk that runs code before one of its calls simulates that program.
import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, renameSync, truncateSync } from 'node:fs';
import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appendText } from '../../../src/core/files/write/appendText';
import { withProgramLock } from '../../../src/core/files/write/writeGuard';
import { migrateFile } from '../../../src/core/files/migration/migrateFile';
import { lockPaths } from '../../../src/core/files/presence/programLocks';
import { fileVersion, readSession, type FileVersion } from '../../../src/core/files/read/sessionFile';
import { createWriter } from '../../../src/core/files/write/sessionWriter';
import { assertUnchanged } from '../../../src/core/files/read/compareVersions';
import { SessionError, type SessionErrorCode } from '../../../src/core/format/entry/problem';
import type { Session } from '../../../src/core/format/session/session';
import { entryId, session } from '../../fixtures/build';
import { beforeCall, disturbedDisk } from '../../fixtures/testDisk';
import { testFolder } from '../../fixtures/folder';
import { age, refuses, snapshot } from '../../fixtures/writes';

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
