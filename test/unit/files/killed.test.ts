import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSessionName } from '../../../src/core/files/locate/listFiles';
import { readSession } from '../../../src/core/files/read/sessionFile';
import type { Writes } from '../../../src/core/files/history/writes';
import { titleSlotLine } from '../../../src/core/format/write/sessionNames';
import type { Session } from '../../../src/core/format/session/session';
import { entryId, session } from '../../fixtures/build';
import { endsBefore, openWindow, type DoomedWrite, type When } from '../../fixtures/doomed';
import { testFolder } from '../../fixtures/folder';
import { age } from '../../fixtures/writes';

const talk = session().user('one').assistant('first').text();
const titled = titleSlotLine({ title: 'old', source: 'auto', updatedAt: '2026-01-01T00:00:00.000Z' }) + talk;
const old = session({ version: 1 }).user('one').assistant('first').text();

/** Content of the session's folder: the session, its former version, and leftovers of a killed process. */
interface Found {
  readonly text: string | undefined;
  readonly session: Session | undefined;
  /** Other sessions in the folder. */
  readonly others: readonly string[];
  readonly writes: Writes;
}

type State = 'as it was' | 'whole';

interface Kind {
  readonly write: DoomedWrite;
  readonly text: string;
  /** Earlier work, by a process that wasn't killed. */
  readonly before?: (writes: Writes, path: string) => Promise<unknown>;
  /** Expected result of reading it. */
  readonly state: (found: Found) => State | undefined;
}

const KINDS: Readonly<Record<string, Kind>> = {
  'a label': {
    write: 'label',
    text: talk,
    state: ({ text, session: read }) =>
      text === talk ? 'as it was' : read?.labels.get(entryId(1)) === 'x' && text?.startsWith(talk) ? 'whole' : undefined,
  },
  'a branch': {
    write: 'branch',
    text: talk,
    state: ({ text, session: read }) =>
      text === talk
        ? 'as it was'
        : read?.entries.at(-1)?.type === 'branch_summary' && read.leafId === read.entries.at(-1)?.id && text?.startsWith(talk)
          ? 'whole'
          : undefined,
  },
  'a name': {
    write: 'rename',
    text: talk,
    state: ({ text, session: read }) =>
      text === talk ? 'as it was' : read?.name === 'new' && text?.startsWith(talk) ? 'whole' : undefined,
  },
  // The line with the name is written first. Until the slot is rewritten, its old name applies.
  'a name in a title slot': {
    write: 'rename',
    text: titled,
    state: ({ session: read }) =>
      read?.name === 'old' ? 'as it was' : read?.name === 'new' && read.entries.at(-1)?.type === 'title_change' ? 'whole' : undefined,
  },
  'a fork': {
    write: 'fork',
    text: talk,
    state: ({ text, others }) =>
      text !== talk
        ? undefined
        : others.length === 0
          ? 'as it was'
          : others.length === 1 && bodyOf(others[0]!) === bodyOf(talk)
            ? 'whole'
            : undefined,
  },
  'a migration': {
    write: 'migrate',
    text: old,
    state: ({ text, session: read }) =>
      text === old ? 'as it was' : read?.version === 3 && read.entries.length === 2 ? 'whole' : undefined,
  },
  'a deletion': {
    write: 'delete',
    text: talk,
    state: ({ text }) => (text === talk ? 'as it was' : text === undefined ? 'whole' : undefined),
  },
  'a restoring': {
    write: 'restore',
    text: talk,
    before: (writes, path) => writes.trash.delete(path),
    state: ({ text }) => (text === undefined ? 'as it was' : text === talk ? 'whole' : undefined),
  },
  'the undo of a label': {
    write: 'undo',
    text: talk,
    before: (writes, path) => writes.writer.submit(path, { kind: 'label', entryId: entryId(1), label: 'x' }),
    state: ({ text, session: read }) =>
      !text?.startsWith(talk)
        ? undefined
        : read?.labels.get(entryId(1)) === 'x'
          ? 'as it was'
          : read?.entries.length === 4
            ? 'whole'
            : undefined,
  },
  'the undo of a migration': {
    write: 'undo',
    text: old,
    before: (writes, path) => writes.writer.migrate(path),
    state: ({ text, session: read }) =>
      text === old ? 'whole' : read?.version === 3 && read.entries.length === 2 ? 'as it was' : undefined,
  },
  'the undo of a deletion': {
    write: 'undo',
    text: talk,
    before: (writes, path) => writes.trash.delete(path),
    state: ({ text }) => (text === undefined ? 'as it was' : text === talk ? 'whole' : undefined),
  },
};

/** Returns the text without the header, which differs in each file. */
const bodyOf = (text: string): string => text.slice(text.indexOf('\n'));

describe('A process killed before and after each of its changes to the disk', function () {
  this.timeout(60_000);
  const folder = testFolder();

  for (const [name, kind] of Object.entries(KINDS)) {
    it(`${name}: the session is unchanged or whole, reading shows which, and the next start cleans up`, async () => {
      const seen: Record<State, number> = { 'as it was': 0, whole: 0 };
      /** Resolves to true if the process ended before it reached this change. */
      const killedAt = async (n: number, when: When): Promise<boolean> => {
        const at = `${name}, killed ${when} change ${String(n)}`;
        const root = join(folder.path, `${kind.write}-${when}-${String(n)}`);
        const [storage, project] = [join(root, '.storage'), join(root, 'project')];
        const path = join(project, 'a.jsonl');
        await mkdir(project, { recursive: true });
        await writeFile(path, kind.text);
        await age(path);
        await kind.before?.(await openWindow(storage, root), path);
        const ended = await endsBefore(n, kind.write, storage, root, path, when);

        const writes = await openWindow(storage, root);
        const text = await readFile(path, 'utf8').catch(() => undefined);
        const read = text === undefined ? undefined : await readSession(path);
        const state = kind.state({ text, session: read, writes, others: await othersIn(project) });
        assert.ok(state, `${at}: ${text ?? 'no sessions'}`);
        assert.deepEqual(read?.problems ?? [], [], at);
        seen[state]++;

        // A lock that was just created counts even without an owner.
        for (const lock of (await readdir(project)).filter((one) => one.endsWith('.lock'))) await age(join(project, lock));
        await writes.recover();
        await assertCleared(project, at);
        if (kind.write === 'undo') {
          // A second undo completes the first one, and isn't refused as too late.
          if (text !== undefined) await age(path);
          if (await writes.nextUndo()) await writes.undo();
          const after = await readFile(path, 'utf8');
          assert.equal(kind.state({ text: after, session: await readSession(path), writes, others: [] }), 'whole', at);
          assert.equal(await writes.nextUndo(), undefined, at);
        }
        // An interrupted deletion was completed or didn't happen: the session is either here or in the trash.
        const inTrash = (await writes.trash.list()).length;
        const isHere = await readFile(path, 'utf8').then(
          () => 1,
          () => 0,
        );
        assert.equal(inTrash + isHere, 1, at);
        if (isHere === 0) await writes.trash.restore((await writes.trash.list())[0]!.trashId);
        assert.deepEqual((await readSession(path)).problems, [], at);
        // The session can be used again.
        await age(path);
        await writes.writer.forkSession(path);
        assert.deepEqual(
          (await readdir(project)).filter((one) => one.endsWith('.tmp')),
          [],
          at,
        );
        return ended;
      };

      let last = Infinity;
      await sideBySide(async (n) => {
        if (n > last) return false;
        if (await killedAt(n, 'before')) last = Math.min(last, n - 1);
        return true;
      });
      // The disk after any other change is the disk before the next one.
      assert.equal(await killedAt(last, 'after'), false);
      assert.ok(seen['as it was'] > 0 && seen.whole > 0, JSON.stringify(seen));
    });
  }

  const othersIn = async (project: string): Promise<string[]> => {
    const names = (await readdir(project)).filter((name) => isSessionName(name) && name !== 'a.jsonl');
    return Promise.all(names.map((name) => readFile(join(project, name), 'utf8')));
  };

  /**
   * Asserts that only sessions, the backup of a migrated one, and the temporary file of a killed fork are left. The
   * next new file removes the last.
   */
  const assertCleared = async (project: string, at: string): Promise<void> => {
    const others = (await readdir(project)).filter((name) => !isSessionName(name) && !/^\..*\.tmp$/.test(name));
    const isMigrated =
      (await readFile(join(project, 'a.jsonl'), 'utf8').catch(() => talk)).includes('"version":3') && at.includes('migration');
    assert.deepEqual(others, isMigrated ? ['a.jsonl.v1.bak'] : [], at);
  };
});

/** Tries numbers from 1 on, several at a time, until one is too large. */
async function sideBySide(work: (n: number) => Promise<boolean>): Promise<void> {
  let next = 1;
  const go = async (): Promise<void> => {
    while (await work(next++)) assert.ok(next < 100);
  };
  await Promise.all([go(), go(), go()]);
}
