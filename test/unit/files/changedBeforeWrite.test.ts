import assert from 'node:assert/strict';
import { appendFile, chmod, copyFile, readFile, rename, truncate, unlink, utimes, writeFile } from 'node:fs/promises';
import { realDisk, type Disk } from '../../../src/core/files/io/disk';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { createWriter } from '../../../src/core/files/write/sessionWriter';
import type { Change } from '../../../src/core/format/write/change';
import { titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { SessionError, type SessionErrorCode } from '../../../src/core/format/entry/problem';
import { entryId, session } from '../../fixtures/build';
import { beforeCall, diskAround, disturbedDisk } from '../../fixtures/testDisk';
import { testFolder } from '../../fixtures/folder';
import { age, linesOf } from '../../fixtures/writes';

const talk = () => session().user('one').assistant('first');
const old = () => session({ version: 1 }).user('one', { id: undefined, parentId: undefined as never });

const THEIRS = '{"type":"custom","id":"theirs","parentId":null}\n';

describe('A file that changes between the check and the write', () => {
  const folder = testFolder();

  const disturbed = (name: string, happens: () => Promise<unknown>, n = 1): Disk => disturbedDisk(beforeCall(name, n), happens).disk;

  const EVENTS: readonly (readonly [string, SessionErrorCode, (path: string) => Promise<unknown>])[] = [
    ['deleted', 'not-found', (path) => unlink(path)],
    [
      'replaced by the same bytes',
      'changed',
      async (path) => {
        await copyFile(path, `${path}.new`);
        await rename(`${path}.new`, path);
      },
    ],
    [
      'replaced by a longer one',
      'changed',
      async (path) => {
        await writeFile(`${path}.new`, (await readFile(path, 'utf8')) + THEIRS);
        await rename(`${path}.new`, path);
      },
    ],
    ['truncated', 'changed', (path) => truncate(path, 100)],
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
      const error: unknown = await createWriter({ disk })
        .submit(path, { kind: 'label', entryId: entryId(1), label: 'x' }, { force: true })
        .catch((thrown: unknown) => thrown);
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
      const error: unknown = await createWriter({ disk })
        .migrate(path, { force: true })
        .catch((thrown: unknown) => thrown);
      assert.ok(error instanceof SessionError && error.code === code, String(error));
      assert.equal(await readFile(path, 'utf8').catch(() => undefined), after);
    });
  }

  it('grown by a line: refuses a migration; plans a forced label again, with the new line as its parent', async () => {
    const v1 = await age(await folder.write('b.jsonl', old().text()));
    const migration = createWriter({ disk: disturbed('stat', () => appendFile(v1, THEIRS), 3) }).migrate(v1, { force: true });
    await assert.rejects(migration, { code: 'changed' });
    assert.equal(await readFile(v1, 'utf8'), old().text() + THEIRS);
    for (const [call, force, outcome] of [
      ['open', true, 'done'],
      ['stat', true, 'done'],
      ['open', false, 'unsure'],
    ] as const) {
      const path = await age(await folder.write('a.jsonl', talk().text()));
      const disk = disturbed(call, () => appendFile(path, THEIRS), call === 'stat' ? 2 : 1);
      const done = await createWriter({ disk })
        .submit(path, { kind: 'label', entryId: entryId(1), label: 'x' }, { force })
        .then(
          () => 'done',
          (error: unknown) => (error as SessionError).code,
        );
      assert.equal(done, outcome);
      const lines = await linesOf(path);
      assert.deepEqual(
        lines.slice(3).map(({ id, parentId, label }) => label ?? [id, parentId]),
        [['theirs', null], ...(force ? ['x'] : [])],
      );
      if (force) assert.equal(lines.at(-1)?.['parentId'], 'theirs');
    }
  });

  it('grown during the check for signs: checks once more', async () => {
    const path = await age(await folder.write('a.jsonl', talk().text()));
    let looks = 0;
    const signs = {
      processes: () => Promise.resolve({ open: new Map(), agents: [{ pid: 7, dialect: 'pi' as const, cwd: '/elsewhere' }] }),
      // The last of the checks. The check for growth came before it, and found none.
      about: async () => {
        if (++looks === 1) await appendFile(path, THEIRS);
        return { cwd: '/work/demo' };
      },
    };
    await assert.rejects(createWriter({ signs }).submit(path, { kind: 'label', entryId: entryId(1), label: 'x' }), { code: 'unsure' });
    assert.equal(await readFile(path, 'utf8'), talk().text() + THEIRS);
    assert.ok(looks > 1);
  });

  it('grown by half a line: refuses a label and a migration', async () => {
    for (const [text, work] of [
      [talk().text(), 'label'],
      [old().text(), 'migrate'],
    ] as const) {
      const path = await age(await folder.write('a.jsonl', text));
      const writer = createWriter({ disk: disturbed('stat', () => appendFile(path, '{"type":"cus'), work === 'label' ? 2 : 3) });
      const done =
        work === 'label'
          ? writer.submit(path, { kind: 'label', entryId: entryId(1), label: 'x' }, { force: true })
          : writer.migrate(path, { force: true });
      await assert.rejects(done, { code: work === 'label' ? 'torn' : 'changed' });
      assert.equal(await readFile(path, 'utf8'), `${text}{"type":"cus`);
    }
  });

  it('gives up beside a program that writes before each attempt', async () => {
    const path = await age(await folder.write('a.jsonl', talk().text()));
    let count = 0;
    const open: Disk['open'] = async (...args) => {
      await appendFile(path, THEIRS.replace('theirs', `theirs${String(++count)}`));
      return realDisk.open(...args);
    };
    await assert.rejects(
      createWriter({ disk: { ...realDisk, open } }).submit(path, { kind: 'label', entryId: entryId(1), label: 'x' }, { force: true }),
      { code: 'changed' },
    );
    assert.deepEqual([count, (await readSession(path)).labels.size], [10, 0]);
  });

  describe('a line of another program directly before ours, which would move the leaf back', () => {
    /** Writes lines of another program, each directly before our n-th write. */
    const beside = async (change: Change, theirs: Readonly<Record<number, string>>, titled = '') => {
      const path = await age(await folder.write('a.jsonl', titled + talk().text()));
      let writes = 0;
      const { disk } = diskAround(async ({ name, run }) => {
        const line = name === 'write' ? theirs[++writes] : undefined;
        if (line !== undefined) await appendFile(path, line);
        return run();
      });
      const done = createWriter({ disk }).submit(path, change);
      return { path, done };
    };
    const label: Change = { kind: 'label', entryId: entryId(1), label: 'x' };
    const line = (id: string, parentId: string): string =>
      `${JSON.stringify({ type: 'custom', id, parentId, timestamp: '2026-01-01T00:00:00.000Z' })}\n`;

    it('repeats the line of a label or a rename at the newest entry', async () => {
      for (const [change, type] of [
        [label, 'label'],
        [{ kind: 'rename', name: 'x' }, 'session_info'],
      ] as const) {
        const { path, done } = await beside(change, { 1: line('theirs', entryId(2)) });
        const { concurrent, entryId: id, session: after } = await done;
        const lines = await linesOf(path);
        assert.deepEqual(
          lines.slice(3).map((each) => [each['type'], each['parentId']]),
          [
            ['custom', entryId(2)],
            [type, entryId(2)],
            [type, 'theirs'],
          ],
        );
        assert.deepEqual([concurrent, id, after.leafId], [true, lines.at(-1)?.['id'], lines.at(-1)?.['id']]);
        assert.deepEqual([after.labels.get(entryId(1)), after.name], type === 'label' ? ['x', undefined] : [undefined, 'x']);
      }
    });

    it('repeats it with a title slot, too', async () => {
      const { path, done } = await beside(
        { kind: 'rename', name: 'x' },
        { 1: line('theirs', entryId(2)) },
        titleSlotLine({ title: 'old', updatedAt: '2026-01-01T00:00:00.000Z' }),
      );
      assert.equal((await done).session.name, 'x');
      assert.deepEqual(
        (await linesOf(path)).slice(4).map((each) => [each['type'], each['parentId']]),
        [
          ['custom', entryId(2)],
          ['title_change', entryId(2)],
          ['title_change', 'theirs'],
        ],
      );
    });

    it("repeats it again if it's overtaken again", async () => {
      const { path, done } = await beside(label, { 1: line('t1', entryId(2)), 2: line('t2', 't1') });
      const { session: after } = await done;
      const lines = await linesOf(path);
      assert.deepEqual(
        lines.slice(3).map((each) => [each['type'], each['parentId']]),
        [
          ['custom', entryId(2)],
          ['label', entryId(2)],
          ['custom', 't1'],
          ['label', 't1'],
          ['label', 't2'],
        ],
      );
      assert.equal(after.leafId, lines.at(-1)?.['id']);
    });

    it("repeats it if another window's label or name hangs on ours by then, and not if a program continued there", async () => {
      const ours = async (path: string): Promise<string> => String((await linesOf(path)).find(({ type }) => type === 'label')?.['id']);
      const after = (type: string, parentId: string): string =>
        `${JSON.stringify({ type, id: 'after', parentId, timestamp: '2026-01-01T00:00:00.000Z', name: 'other', customType: 'x' })}\n`;
      for (const [type, moment, repeats] of [
        ['session_info', 'sync', true],
        ['custom', 'sync', false],
        ['session_info', 'close', true],
        ['custom', 'close', false],
      ] as const) {
        const path = await age(await folder.write('a.jsonl', talk().text()));
        let [overtaken, followed] = [false, false];
        const open: Disk['open'] = async (...args) => {
          const file = await realDisk.open(...args);
          const write = file.write.bind(file) as (...given: unknown[]) => Promise<unknown>;
          const sync = file.sync.bind(file);
          const close = file.close.bind(file);
          const follow = async (): Promise<void> => {
            if (followed) return;
            followed = true;
            await appendFile(path, after(type, await ours(path)));
          };
          return Object.assign(file, {
            write: async (...given: unknown[]) => {
              if (!overtaken) await appendFile(path, line('theirs', entryId(2)));
              overtaken = true;
              return write(...given);
            },
            sync: async () => {
              await sync();
              if (moment === 'sync') await follow();
            },
            // The last call of an append.
            close: async () => {
              await close();
              if (moment === 'close') await follow();
            },
          });
        };
        const { session: left } = await createWriter({ disk: { ...realDisk, open } }).submit(path, label);
        const lines = await linesOf(path);
        assert.deepEqual(
          lines.slice(3).map((each) => [each['type'], each['parentId']]),
          [['custom', entryId(2)], ['label', entryId(2)], [type, String(lines[4]?.['id'])], ...(repeats ? [['label', 'theirs']] : [])],
        );
        assert.equal(left.leafId, lines.at(-1)?.['id']);
        assert.equal(left.labels.get(entryId(1)), 'x');
      }
    });

    it('reports a failure if that never ends', async () => {
      const { path, done } = await beside(
        label,
        Object.fromEntries(
          Array.from({ length: 30 }, (_, n) => [n + 1, line(`t${String(n)}`, n === 0 ? entryId(2) : `t${String(n - 1)}`)]),
        ),
      );
      await assert.rejects(done, (error: SessionError) => error.code === 'damaged' && error.message.includes('resumes on an older branch'));
      assert.deepEqual((await readSession(path)).problems, []);
    });

    it('leaves a branch where it was requested, and does nothing if the other line moves nothing', async () => {
      const branch = await beside({ kind: 'branch', entryId: entryId(2) }, { 1: line('theirs', entryId(2)) });
      await branch.done;
      assert.equal((await linesOf(branch.path)).length, 5);
      const leaf = await beside(label, { 1: `${JSON.stringify({ type: 'leaf', id: 'theirs', targetId: entryId(2) })}\n` });
      await leaf.done;
      assert.equal((await linesOf(leaf.path)).length, 5);
    });
  });

  it('reports that another program wrote at the same moment, when both lines are whole', async () => {
    const path = await age(await folder.write('a.jsonl', talk().text()));
    const disk = disturbed('write', () => appendFile(path, THEIRS));
    const done = await createWriter({ disk }).submit(path, { kind: 'label', entryId: entryId(1), label: 'x' });
    assert.equal(done.concurrent, true);
    const read = await readSession(path);
    assert.deepEqual([read.problems, read.labels.get(entryId(1)), read.byId.has('theirs')], [[], 'x', true]);
  });

  it('reports the place of the damage when another program glued its bytes before ours, and repairs nothing', async () => {
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
    const error: unknown = await createWriter({ disk: { ...realDisk, open: handles } })
      .submit(path, { kind: 'label', entryId: entryId(1), label: 'x' })
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof SessionError && error.code === 'damaged', String(error));
    assert.match(error.message, new RegExp(`from byte ${Buffer.byteLength(talk().text())} \\(line 4\\)`));
    assert.ok((await readFile(path, 'utf8')).startsWith(`${talk().text()}{"torn{"type":"label"`));
  });

  it("refuses to start when the disk doesn't have enough space", async () => {
    const full: Disk = {
      ...realDisk,
      statfs: (async (path: string) => Object.assign(await realDisk.statfs(path), { bavail: 0 })) as Disk['statfs'],
    };
    const path = await age(await folder.write('a.jsonl', talk().text()));
    const v1 = await age(await folder.write('b.jsonl', old().text()));
    for (const work of [
      () => createWriter({ disk: full }).submit(path, { kind: 'rename', name: 'x' }),
      () => createWriter({ disk: full }).migrate(v1),
    ]) {
      const error: unknown = await work().catch((thrown: unknown) => thrown);
      assert.ok(error instanceof SessionError && error.code === 'no-space', String(error));
      assert.match(error.message, /nothing was saved/);
    }
    assert.deepEqual([await readFile(path, 'utf8'), await readFile(v1, 'utf8')], [talk().text(), old().text()]);
  });
});
