import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  BRANCH_MARK,
  branchPoint,
  createWriter,
  isPrompt,
  migrate,
  pathTo,
  readSession,
  buildSessionContext,
  SessionError,
  type Change,
  type Session,
} from '../../../src/core/index';
import { titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { titleSlot } from '../../../src/core/format/session/fileState';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { generateSession } from '../../fixtures/generate';
import { age, countingStamp, noPrograms } from '../../fixtures/writes';

const seed = fc.integer({ min: 1, max: 100_000 });
const ofVersion = (versions: readonly number[]) =>
  seed.map((each) => generateSession(each)).filter(({ version }) => versions.includes(version));
const word = fc.oneof(
  fc.constantFrom('', ' ', 'a name', 'two\nlines', '__proto__', 'ünï 🚀', '"quoted"\\'),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ').trim();

type Wish = (of: Session) => Change;
const wish: fc.Arbitrary<Wish> = fc
  .tuple(fc.constantFrom('label', 'branch', 'summary', 'rename'), fc.nat(), word)
  .map(([kind, at, text]) => (of) => {
    const entryId = of.entries[at % of.entries.length]!.id;
    if (kind === 'label') return { kind: 'label', entryId, label: text };
    if (kind === 'rename') return { kind: 'rename', name: text };
    return { kind: 'branch', entryId, ...(kind === 'summary' ? { summary: text } : {}) };
  });

/** The entries that a change must leave unchanged. */
const facts = (of: Session, count: number): unknown => of.entries.slice(0, count);

function assertShown(change: Change, before: Session, after: Session): void {
  const line = after.entries.at(-1)!;
  assert.equal(after.leafId, line.id);
  if (change.kind === 'append') return;
  if (change.kind === 'rename') {
    assert.equal(after.name, oneLine(change.name) || undefined);
    assert.equal(line.parentId, before.leafId);
    assert.deepEqual(after.labels, before.labels);
    return;
  }
  const target = before.byId.get(change.entryId)!;
  assert.equal(after.name, before.name);
  if (change.kind === 'label') {
    assert.equal(after.labels.get(target.id), oneLine(change.label) || undefined);
    assert.equal(line.parentId, before.leafId);
    assert.deepEqual(
      [...after.labels].filter(([id]) => id !== target.id),
      [...before.labels].filter(([id]) => id !== target.id),
    );
    return;
  }
  assert.deepEqual(after.labels, before.labels);
  assert.equal(line.parentId, branchPoint(before, target));
  assert.equal(pathTo(after, after.leafId).at(-2)?.id ?? null, isPrompt(target) ? target.parentId : target.id);
  if ((change.summary ?? '').trim() === '') assert.deepEqual([line.type, line.customType], ['custom', BRANCH_MARK]);
  else assert.equal(line.type, 'branch_summary');
}

describe('Changes of any session', function () {
  this.timeout(120_000);
  const folder = testFolder();

  it('leave every earlier byte unchanged, and are visible when the file is read again', async () => {
    await fc.assert(
      fc.asyncProperty(ofVersion([3]), fc.array(wish, { minLength: 1, maxLength: 4 }), async ({ builder }, wishes) => {
        const path = await age(await folder.write('a.jsonl', builder.text()));
        const writer = createWriter({ ...countingStamp(), signs: noPrograms });
        for (const make of wishes) {
          const [bytes, before] = [await readFile(path), await readSession(path)];
          const change = make(before);
          const done = await writer.submit(path, change);
          const now = await readFile(path);
          assert.ok(now.subarray(0, bytes.length).equals(bytes));
          assert.equal(now.subarray(bytes.length).filter((byte) => byte === 10).length, 1);
          const after = await readSession(path);
          assert.equal(done.entryId, after.entries.at(-1)!.id);
          assert.deepEqual([...done.session.byId], [...after.byId]);
          assert.deepEqual([done.session.leafId, done.session.labels, done.session.name], [after.leafId, after.labels, after.name]);
          assert.deepEqual(facts(after, before.entries.length), facts(before, before.entries.length));
          assertShown(change, before, after);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('rename a session of oh-my-pi in its slot, and leave everything after it unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(word, fc.string({ unit: 'grapheme', maxLength: 300 }), async (first, second) => {
        const path = await age(
          await folder.write(
            'o.jsonl',
            titleSlotLine({ title: 'old', updatedAt: '2026-01-01T00:00:00.000Z' }) + session().user('a').text(),
          ),
        );
        const bytes = await readFile(path);
        const writer = createWriter({ ...countingStamp(), signs: noPrograms });
        for (const name of [first, second]) {
          await writer.submit(path, { kind: 'rename', name });
          const after = await readSession(path);
          const wanted = oneLine(name);
          assert.ok(wanted === '' ? after.name === undefined : wanted.startsWith(after.name!) || after.name === wanted);
          assert.ok((await readFile(path)).subarray(256, bytes.length).equals(bytes.subarray(256)));
          assert.equal(titleSlot(after)?.isExact, true);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('Migrating any session of version 1 or 2', function () {
  this.timeout(120_000);
  const folder = testFolder();

  it('writes the entries that reading shows, each once', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(ofVersion([1, 2]), async ({ builder, version }) => {
        const path = await age(await folder.write(`m${++round}.jsonl`, builder.text()));
        const before = await readSession(path);
        const context = await buildSessionContext(before);
        const { backupPath } = await migrate(path);
        assert.equal(backupPath, join(folder.path, `m${round}.jsonl.v${version}.bak`));
        assert.equal(await readFile(backupPath, 'utf8'), builder.text());
        const migrated = await readFile(path);
        const after = await readSession(path);
        assert.deepEqual([after.version, after.hasGivenIds, after.leafId, after.name], [3, false, before.leafId, before.name]);
        const tree = (of: Session): unknown =>
          of.entries.map(({ id, parentId, type, role, text, time }) => ({ id, parentId, type, role, text, time }));
        assert.deepEqual(tree(after), tree(before));
        assert.deepEqual([...after.children], [...before.children]);
        assert.deepEqual(after.labels, before.labels);
        assert.deepEqual(await buildSessionContext(after), context);
        await assert.rejects(migrate(path, { force: true }), (error) => error instanceof SessionError && error.code === 'already-current');
        assert.ok((await readFile(path)).equals(migrated));
      }),
      { numRuns: 40 },
    );
  });
});
