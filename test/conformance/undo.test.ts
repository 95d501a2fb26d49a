/**
 * The real pi is idle on a session while we write and undo, and then it appends. Everything it appends must be in the
 * context, and nothing that was in the context before may be missing.
 */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSessionContext } from '../../src/core/files/read/buildSessionContext';
import { readSession } from '../../src/core/files/read/sessionFile';
import type { Writes } from '../../src/core/files/history/writes';
import type { Change } from '../../src/core/format/write/change';
import { entryId, session } from '../fixtures/build';
import { openWindow } from '../fixtures/doomed';
import { testFolder } from '../fixtures/folder';
import { age } from '../fixtures/writes';
import { loadPiManager, type PiManager, type PiManagers } from './piManager';

const CHANGES: readonly Change[] = [
  { kind: 'label', entryId: entryId(1), label: 'x' },
  { kind: 'label', entryId: entryId(1), label: '' },
  { kind: 'rename', name: 'n' },
  { kind: 'branch', entryId: entryId(2) },
  { kind: 'branch', entryId: entryId(3), summary: 'what was left' },
  { kind: 'branch', entryId: entryId(1) },
];
/** When pi opens the session: before our change, or between the change and the undo. */
const OPENS = ['before', 'between'] as const;
/** When pi appends, besides at the end. */
const APPENDS = ['nowhere else', 'after the change'] as const;

describe('conformance: pi continues after our undo', function () {
  this.timeout(60_000);
  const folder = testFolder();
  let pi: PiManagers;
  let path: string;
  let writes: Writes;
  before(async () => {
    pi = await loadPiManager();
  });
  beforeEach(async () => {
    await mkdir(join(folder.path, 'project'));
    path = join(folder.path, 'project', 'a.jsonl');
    const text = session().user('one').assistant('first').user('two').assistant('second').label(entryId(1), 'old').text();
    await writeFile(path, text);
    await age(path);
    writes = await openWindow(join(folder.path, 'storage'), folder.path);
  });

  let count = 0;
  const append = (manager: PiManager): void => {
    for (const role of ['user', 'assistant']) {
      count++;
      const from =
        role === 'user'
          ? {}
          : {
              provider: 'p',
              model: 'm',
              api: 'a',
              stopReason: 'stop',
              usage: {
                input: 1,
                output: 1,
                cacheRead: 0,
                cacheWrite: 0,
                totalTokens: 2,
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
              },
            };
      manager.appendMessage({ role, content: [{ type: 'text', text: `new ${String(count)}` }], timestamp: Date.now(), ...from });
    }
  };
  const texts = (messages: readonly unknown[]) => messages.map((message) => JSON.stringify((message as { content?: unknown }).content));

  for (const opens of OPENS) {
    for (const appends of APPENDS) {
      it(`pi opened it ${opens} the change, and appends at the end and ${appends}`, async () => {
        const original = await readFile(path, 'utf8');
        for (const change of CHANGES) {
          await writeFile(path, original);
          await writes.writer.own(path);
          let manager = opens === 'before' ? pi.open(path) : undefined;
          await writes.writer.submit(path, change);
          manager ??= pi.open(path);
          const { messages: opened } = manager.buildSessionContext();
          if (appends === 'after the change') append(manager);
          await age(path);
          await writes.undo();
          append(manager);
          const { messages } = manager.buildSessionContext();
          assert.equal(messages.length, opened.length + (appends === 'after the change' ? 4 : 2));
          const read = await readSession(path);
          assert.deepEqual(read.problems, []);
          assert.deepEqual(texts((await buildSessionContext(read)).messages), texts(messages), `${change.kind} of ours, in our eyes`);
          assert.deepEqual(texts(pi.open(path).buildSessionContext().messages), texts(messages), `${change.kind} of ours, in pi's eyes`);
          if (change.kind !== 'branch') assert.deepEqual([read.labels.get(entryId(1)), read.name], ['old', undefined]);
        }
      });
    }
  }

  const WHOLE: Readonly<
    Record<string, { readonly text: string; readonly before: () => Promise<unknown>; readonly after: () => Promise<unknown> }>
  > = {
    'a migration': {
      text: session({ version: 1 }).user('one').assistant('first').text(),
      before: () => writes.writer.migrate(path),
      after: () => Promise.resolve(),
    },
    'a fork of it': {
      text: session().user('one').assistant('first').text(),
      before: () => Promise.resolve(),
      after: () => writes.writer.forkSession(path),
    },
    'a deletion': {
      text: session().user('one').assistant('first').text(),
      before: () => Promise.resolve(),
      after: () => writes.trash.delete(path),
    },
  };
  for (const [what, { text, before: make, after }] of Object.entries(WHOLE)) {
    it(`pi continues in a session that it had opened, after ${what} and its undo`, async () => {
      await writeFile(path, text);
      await age(path);
      await make();
      const manager = pi.open(path);
      await after();
      await writes.undo();
      append(manager);
      const { messages } = manager.buildSessionContext();
      assert.equal(messages.length, 4);
      const read = await readSession(path);
      assert.deepEqual(read.problems, []);
      assert.deepEqual(texts((await buildSessionContext(read)).messages), texts(messages), 'in our eyes');
      assert.deepEqual(texts(pi.open(path).buildSessionContext().messages), texts(messages), 'in the eyes of pi');
    });
  }
});
