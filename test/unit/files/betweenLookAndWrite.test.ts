import assert from 'node:assert/strict';
import { appendFile, chmod, copyFile, readFile, rename, truncate, unlink, utimes } from 'node:fs/promises';
import { realDisk, type Disk } from '../../../src/core/files/disk';
import { readSession } from '../../../src/core/files/sessionFile';
import { createWriter } from '../../../src/core/files/submit';
import { SessionError, type SessionErrorCode } from '../../../src/core/format/problem';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { age } from '../../fixtures/writes';

const talk = () => session().user('one').assistant('first');
const old = () => session({ version: 1 }).user('one', { id: undefined, parentId: undefined as never });

describe('between look and write: whatever happens to the file, nothing of ours is in it', () => {
  const folder = testFolder();

  /** A disk before whose first call of a name something happens to the file. */
  const disturbed = (name: 'open' | 'stat' | 'rename', happens: () => Promise<unknown>): Disk => {
    let done = false;
    const call = async (...args: unknown[]): Promise<unknown> => {
      if (!done) {
        done = true;
        await happens();
      }
      return (realDisk[name] as (...given: unknown[]) => Promise<unknown>)(...args);
    };
    return { ...realDisk, [name]: call };
  };

  const EVENTS: readonly (readonly [string, SessionErrorCode, (path: string) => Promise<unknown>])[] = [
    ['deleted', 'not-found', (path) => unlink(path)],
    ['replaced by the same bytes', 'changed', async (path) => { await copyFile(path, `${path}.new`); await rename(`${path}.new`, path); }],
    ['truncated', 'changed', (path) => truncate(path, 100)],
    ['grown by a line', 'changed', (path) => appendFile(path, '{"type":"custom","id":"theirs","parentId":null}\n')],
    ['grown by half a line', 'changed', (path) => appendFile(path, '{"type":"cus')],
    ['written to in its middle', 'changed', (path) => utimes(path, 5, 5)],
    ['made read-only', 'permission', (path) => chmod(path, 0o444)],
  ];

  for (const [what, code, happens] of EVENTS) {
    it(`${what}: a label`, async () => {
      const path = await age(await folder.write('a.jsonl', talk().text()));
      let after: string | undefined;
      const disk = disturbed('open', async () => {
        await happens(path);
        after = await readFile(path, 'utf8').catch(() => undefined);
      });
      const error: unknown = await createWriter({ disk }).submit(path, { kind: 'label', entryId: entryId(1), label: 'x' }, { force: true }).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof SessionError && error.code === code, String(error));
      assert.equal(await readFile(path, 'utf8').catch(() => undefined), after);
    });

    it(`${what}: a migration`, async () => {
      const path = await age(await folder.write('a.jsonl', old().text()));
      let after: string | undefined;
      const disk = disturbed('stat', async () => {
        await happens(path);
        after = await readFile(path, 'utf8').catch(() => undefined);
      });
      const error: unknown = await createWriter({ disk }).migrate(path, { force: true }).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof SessionError && error.code === code, String(error));
      assert.equal(await readFile(path, 'utf8').catch(() => undefined), after);
    });
  }

  it('says that another program wrote in the same moment, when both lines are whole', async () => {
    const path = await age(await folder.write('a.jsonl', talk().text()));
    const theirs = '{"type":"custom","id":"theirs","parentId":null}\n';
    const disk = disturbed('stat', () => appendFile(path, theirs));
    const done = await createWriter({ disk }).submit(path, { kind: 'label', entryId: entryId(1), label: 'x' });
    assert.equal(done.concurrent, true);
    const read = await readSession(path);
    assert.deepEqual([read.problems, read.labels.get(entryId(1)), read.byId.has('theirs')], [[], 'x', true]);
  });

  it('says where the damage is when another program glued its bytes before ours, and repairs nothing', async () => {
    const path = await age(await folder.write('a.jsonl', talk().text()));
    const handles: Disk['open'] = async (...args) => {
      const file = await realDisk.open(...args);
      const write = file.write.bind(file) as (...given: unknown[]) => Promise<unknown>;
      return Object.assign(file, {
        write: async (...given: unknown[]) => {
          await appendFile(path, '{"torn');
          return write(...given);
        },
      });
    };
    const error: unknown = await createWriter({ disk: { ...realDisk, open: handles } }).submit(path, { kind: 'label', entryId: entryId(1), label: 'x' }).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof SessionError && error.code === 'damaged', String(error));
    assert.match(error.message, new RegExp(`from byte ${Buffer.byteLength(talk().text())} \\(line 4\\)`));
    assert.ok((await readFile(path, 'utf8')).startsWith(`${talk().text()}{"torn{"type":"label"`));
  });

  it('does not begin what the disk has no space for', async () => {
    const full: Disk = { ...realDisk, statfs: (async (path: string) => Object.assign(await realDisk.statfs(path), { bavail: 0 })) as Disk['statfs'] };
    const path = await age(await folder.write('a.jsonl', talk().text()));
    const v1 = await age(await folder.write('b.jsonl', old().text()));
    for (const work of [() => createWriter({ disk: full }).submit(path, { kind: 'rename', name: 'x' }), () => createWriter({ disk: full }).migrate(v1)]) {
      const error: unknown = await work().catch((thrown: unknown) => thrown);
      assert.ok(error instanceof SessionError && error.code === 'no-space', String(error));
      assert.match(error.message, /nothing was written/);
    }
    assert.deepEqual([await readFile(path, 'utf8'), await readFile(v1, 'utf8')], [talk().text(), old().text()]);
  });
});
