/** Tests pi's own SessionManager and ours on one file: in two processes that write, and with pi idle while ours writes. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSession } from '../../src/core/files/read/sessionFile';
import { createWriter } from '../../src/core/files/write/sessionWriter';
import { SessionError } from '../../src/core/format/entry/problem';
import { pathTo } from '../../src/core/format/session/treeTraversal';
import { entryId, session } from '../fixtures/build';
import { startChild, type Child } from '../fixtures/children';
import { testFolder } from '../fixtures/folder';
import { age, grow } from '../fixtures/writes';
import { loadPiManager, type PiManagers } from './piManager';

const MESSAGES = 2000;
const LABELS = 200;

describe('two writers: the real pi and ours over one file', function () {
  this.timeout(120_000);
  const folder = testFolder();
  let managers: PiManagers;
  let pi: Child;
  before(async () => {
    managers = await loadPiManager();
  });
  afterEach(() => pi.end());

  const start = async () => {
    const path = await age(await folder.write('a.jsonl', session({ cwd: folder.path }).user('a').assistant('b').text()));
    pi = await startChild('piChild', path);
    return path;
  };
  const writtenIds = async () => JSON.parse(await pi.heard()) as string[];
  /** Asserts that every line is one whole entry, and that all these entries exist. */
  const allThere = async (path: string, ids: readonly string[]) => {
    const read = await readSession(path);
    assert.deepEqual(read.problems, []);
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    assert.equal(lines.length, read.entries.length + 1, 'no line is glued to another');
    assert.deepEqual(
      ids.filter((id) => !read.byId.has(id)),
      [],
    );
    return read;
  };

  it('without force the guard keeps ours out while pi writes, and says why', async () => {
    const path = await start();
    pi.say('1');
    const first = await writtenIds();
    await grow(path);
    pi.say(String(MESSAGES - 1));
    const outcomes = new Set<string>();
    const ended = writtenIds();
    for (let n = 0; n < 20; n++) {
      const error: unknown = await createWriter()
        .submit(path, { kind: 'label', entryId: entryId(1), label: `l${n}` })
        .then(
          () => 'written',
          (thrown: unknown) => thrown,
        );
      outcomes.add(error instanceof SessionError ? error.code : String(error));
    }
    const ids = [...first, ...(await ended)];
    for (const outcome of outcomes) assert.ok(['unsure', 'changed', 'live'].includes(outcome), outcome);
    const read = await allThere(path, ids);
    assert.deepEqual([read.entries.length, read.labels.size], [2 + MESSAGES, 0]);
  });

  it('with force no line of either is lost or glued', async () => {
    const path = await start();
    const writer = createWriter();
    pi.say(String(MESSAGES));
    const ended = writtenIds();
    const ours: string[] = [];
    let refused = 0;
    for (let n = 0; n < LABELS;) {
      // A line between the check and the write leads to a refusal without any write; the caller tries again.
      const done = await writer
        .submit(path, { kind: 'label', entryId: entryId(1), label: `l${n}` }, { force: true })
        .catch((error: unknown) => {
          assert.ok(error instanceof SessionError && ['changed', 'torn', 'live'].includes(error.code), String(error));
          refused++;
          return undefined;
        });
      if (!done) continue;
      ours.push(done.entryId);
      n++;
    }
    const theirs = await ended;
    const read = await allThere(path, [...theirs, ...ours]);
    // A label whose line came after a new leaf is written once more; the last line of each label is the reported one.
    const labels = (await readFile(path, 'utf8'))
      .split('\n')
      .filter((line) => line.includes('"type":"label"'))
      .map((line) => JSON.parse(line) as { id: string; label: string });
    assert.deepEqual([...new Map(labels.map(({ id, label }) => [label, id])).values()], ours);
    assert.deepEqual(
      [theirs.length, read.entries.length, read.labels.get(entryId(1))],
      [MESSAGES, 2 + MESSAGES + labels.length, `l${LABELS - 1}`],
    );
    console.log(`      (${refused} of our writes were refused and tried again)`);
    // pi's own chain is complete: its last message leads back to all the others.
    const chain = new Set(pathTo(read, theirs.at(-1)!).map((head) => head.id));
    assert.deepEqual(
      theirs.filter((id) => !chain.has(id)),
      [],
    );
  });

  it('with pi idle and then going on after each kind of our write, no message falls out of its context', async () => {
    const path = await start();
    const writer = createWriter();
    const ids: string[] = [];
    const goOn = async () => {
      pi.say('2');
      ids.push(...(await writtenIds()));
    };
    await goOn();
    const { leafId } = await readSession(path);
    const writes: (() => Promise<unknown>)[] = [
      () => writer.submit(path, { kind: 'label', entryId: entryId(1), label: 'x' }, { force: true }),
      () => writer.submit(path, { kind: 'label', entryId: entryId(1), label: '' }, { force: true }),
      () => writer.submit(path, { kind: 'rename', name: 'named' }, { force: true }),
      () => writer.submit(path, { kind: 'rename', name: '' }, { force: true }),
      () => writer.submit(path, { kind: 'branch', entryId: entryId(2) }, { force: true }),
      () => writer.submit(path, { kind: 'branch', entryId: entryId(2), summary: 'left it' }, { force: true }),
      // The inverse of a branch moves the leaf back.
      () => writer.submit(path, { kind: 'branch', entryId: leafId! }, { force: true }),
      () => writer.forkSession(path),
    ];
    for (const write of writes) {
      await write();
      await goOn();
      await allThere(path, ids);
      const opened = managers.open(path);
      const contents = opened.buildSessionContext().messages.map((message) => JSON.stringify((message as { content: unknown }).content));
      assert.equal(contents.length, 2 + ids.length, 'the context has all messages');
      assert.equal(opened.getBranch().filter((entry) => ids.includes(entry.id)).length, ids.length);
    }
    assert.equal((await readdir(folder.path)).filter((name) => name.endsWith('.jsonl')).length, 2);
    assert.ok((await readFile(join(folder.path, 'a.jsonl'), 'utf8')).endsWith('\n'));
  });
});
