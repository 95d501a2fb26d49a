import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { branchDigest, pathTo, readSession, type BranchDigest, type Session } from '../../../src/core/index';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('The digest of a branch', () => {
  const folder = testFolder();

  async function open(builder: SessionBuilder): Promise<Session> {
    const path = join(folder.path, 'a.jsonl');
    writeFileSync(path, builder.text());
    return readSession(path);
  }

  const short = ({ tipId, forkId, state, replacedBy, prompts, outcome }: BranchDigest): unknown => [
    tipId,
    forkId,
    state,
    replacedBy,
    prompts.map(({ text }) => text),
    outcome,
  ];

  it('has what was asked, touched, run, answered and paid on the branch itself, and where the person went instead', async () => {
    const read = await open(
      session()
        .user('Fix the build') // 1
        .assistant('Two ways.') // 2
        .user('Try the cache') // 3
        .tool('edit', { path: 'src/a.ts' }) // 4, 5
        .tool('read', { path: 'src/a.ts' }) // 6, 7
        .tool('bash', { command: 'npm test' }, 'no', { message: { isError: true } }) // 8, 9
        .bash('ls', 'a', { message: { exitCode: 2 } }) // 10
        .assistant('It still **fails**.') // 11
        .branchFrom(entryId(2))
        .branchSummary('Tried the cache in vain.', { fromId: entryId(11) }) // 12
        .user('Drop the cache') // 13
        .assistant('Done.'), // 14
    );
    const left = await branchDigest(read, entryId(4));
    assert.deepEqual(short(left), [
      entryId(11),
      entryId(2),
      'left',
      { id: entryId(14), prompt: 'Drop the cache' },
      ['Try the cache'],
      'It still fails.',
    ]);
    assert.deepEqual(left.files, [{ file: 'src/a.ts', kind: 'write' }]);
    assert.deepEqual(left.commands, [
      { command: 'npm test', failed: true },
      { command: 'ls', failed: true },
    ]);
    assert.equal(left.failures, 2);
    assert.equal(left.summary, 'Tried the cache in vain.');
    assert.equal(left.usage.cost.toFixed(3), (4 * 0.037).toFixed(3));
    assert.deepEqual([left.from, left.until], [read.byId.get(entryId(3))!.time, read.byId.get(entryId(11))!.time]);
    assert.deepEqual(short(await branchDigest(read)), [entryId(14), entryId(2), 'active', undefined, ['Drop the cache'], 'Done.']);
  });

  it('ends with an error, or with the report of a rewind', async () => {
    const failed = await open(
      session()
        .user('Go')
        .assistant('', { message: { stopReason: 'error', errorMessage: 'Overloaded' } }),
    );
    assert.deepEqual(short(await branchDigest(failed)), [entryId(2), undefined, 'active', undefined, ['Go'], 'Overloaded']);
    const rewound = await open(
      session()
        .user('Go') // 1
        .tool('checkpoint', { goal: 'Try' }) // 2, 3
        .assistant('Looking around.') // 4
        .branchFrom(entryId(3))
        .entry('custom_message', { customType: 'rewind-report', content: 'Report:\nNothing there.', display: true }) // 5
        .assistant('Then another way.'), // 6
    );
    const { outcome, state } = await branchDigest(rewound, entryId(4));
    assert.deepEqual([outcome, state], ['Nothing there.', 'left']);
  });

  it('isn’t divided by labels and other notes', async () => {
    const read = await open(
      session()
        .user('Go')
        .assistant('Done.')
        .user('More')
        .branchFrom(entryId(2))
        .label(entryId(1), 'x')
        .branchFrom(entryId(3))
        .assistant('OK.'),
    );
    const { forkId, prompts } = await branchDigest(read);
    assert.deepEqual([forkId, prompts.length], [undefined, 2]);
  });

  it('reads the last entries of a long branch, and none that is too large', async () => {
    const builder = session()
      .user('First')
      .user('x'.repeat(5 * 1024 * 1024));
    for (let n = 0; n < 2100; n++) builder.user(`Größe ${String(n)}`);
    const read = await open(builder);
    const { prompts, outcome } = await branchDigest(read);
    assert.equal(prompts.at(-1)?.text, 'Größe 2099');
    assert.ok(prompts.length <= 2000 && !prompts.some(({ text }) => text === 'First'));
    assert.equal(outcome, '');
    const large = await open(
      session()
        .user('First')
        .user('x'.repeat(5 * 1024 * 1024))
        .assistant('Done.'),
    );
    assert.deepEqual(short(await branchDigest(large)), [entryId(3), undefined, 'active', undefined, ['First'], 'Done.']);
  });

  it('has a summary that names the fork, and says where the session went on without a prompt', async () => {
    const read = await open(
      session()
        .user('Go') // 1
        .assistant('First.') // 2
        .branchFrom(entryId(1))
        .branchSummary('The first answer was wrong.', { fromId: entryId(1) }) // 3
        .assistant('Second.'), // 4
    );
    const { summary, replacedBy } = await branchDigest(read, entryId(2));
    assert.deepEqual([summary, replacedBy], ['The first answer was wrong.', { id: entryId(4), prompt: '' }]);
    const twice = await open(
      session()
        .user('Go') // 1
        .assistant('First.') // 2
        .branchFrom(entryId(1))
        .assistant('Second.') // 3
        .branchFrom(entryId(1))
        .branchSummary('One of them was wrong.', { fromId: entryId(1) }) // 4
        .assistant('Third.'), // 5
    );
    assert.equal((await branchDigest(twice, entryId(2))).summary, undefined, 'it may be of the other branch');
    const empty = await open(
      session()
        .user('Go')
        .assistant('First.')
        .branchFrom(entryId(1))
        .branchSummary('', { fromId: entryId(2) })
        .assistant('Second.'),
    );
    assert.equal((await branchDigest(empty, entryId(2))).summary, undefined);
  });

  it('has no times and no report where none are recorded', async () => {
    const read = await open(
      session()
        .user('Go', { timestamp: 'soon' }) // 1
        .assistant('First.', { timestamp: 'soon' }) // 2
        .branchFrom(entryId(1))
        .entry('custom_message', { customType: 'rewind-report', content: '', display: true, timestamp: 'soon' }) // 3
        .assistant('Second.', { timestamp: 'soon' }), // 4
    );
    const { outcome, from, until } = await branchDigest(read, entryId(2));
    assert.equal(outcome, '');
    assert.ok(from >= 0 && until >= from);
    const large = await open(
      session()
        .user('Go')
        .assistant('First.')
        .branchFrom(entryId(1))
        .entry('custom_message', { customType: 'rewind-report', content: 'x'.repeat(5 * 1024 * 1024), display: true })
        .assistant('Second.'),
    );
    assert.equal((await branchDigest(large, entryId(2))).outcome, 'First.', 'a report that is too large isn’t read');
  });

  it('rejects an unknown entry, an empty session and an aborted signal', async () => {
    const read = await open(session().user('Go'));
    await assert.rejects(branchDigest(read, 'nowhere'), { code: 'unknown-entry' });
    await assert.rejects(branchDigest(await open(session())), { code: 'entry-required' });
    await assert.rejects(branchDigest(read, undefined, { signal: AbortSignal.abort(new Error('enough')) }), /enough/);
  });

  it('has each entry of any tree exactly once among its tips and the forks between them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 25 }), async (parents) => {
        const builder = session().user('0');
        for (const [index, parent] of parents.entries()) {
          builder.branchFrom(entryId((parent % (index + 1)) + 1));
          if (index % 3 === 0) builder.user(String(index + 1));
          else builder.assistant(String(index + 1));
        }
        const read = await open(builder);
        for (const { id } of read.entries) {
          const digest = await branchDigest(read, id);
          const path = pathTo(read, digest.tipId).map((head) => head.id);
          assert.ok(path.includes(id) || id === read.leafId);
          const forks = path.slice(0, -1).filter((at) => (read.children.get(at)?.length ?? 0) > 1);
          assert.equal(digest.forkId, forks.at(-1));
          const own = pathTo(read, digest.tipId).slice(digest.forkId === undefined ? 0 : path.indexOf(digest.forkId) + 1);
          assert.deepEqual(
            digest.prompts.map((prompt) => prompt.id),
            own.filter(({ role }) => role === 'user').map((head) => head.id),
          );
          assert.equal(
            digest.state,
            digest.tipId === read.leafId || pathTo(read, read.leafId).some((head) => head.id === digest.tipId) ? 'active' : 'left',
          );
          assert.ok(digest.state === 'active' || digest.replacedBy === undefined || digest.replacedBy.id !== digest.tipId);
        }
      }),
      { numRuns: 15 },
    );
  });
});
