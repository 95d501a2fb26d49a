import assert from 'node:assert/strict';
import { findTarget } from '../../../src/context/snapshot/navigationTargets';
import type { TargetKind, ReadingPosition } from '../../../src/context/shared/protocol';
import { readFileContext } from '../../../src/context/host/sessionFiles';
import { type ContextSnapshot } from '../../../src/context/snapshot/contextSnapshot';
import { readSession } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('Navigation targets', () => {
  const folder = testFolder();
  const failed = { message: { isError: true } };
  const builder = session()
    .user('a', { id: 'u1' })
    .tool('bash', {}, 'no', { id: 'x1', ...failed })
    .user('b', { id: 'u2' })
    .tool('bash', {}, 'yes')
    .compaction('s', 'u2', { id: 'c1' })
    .user('c', { id: 'u3' })
    .message({ role: 'assistant', content: [] }, { id: 'answer' })
    .message({ role: 'toolResult', toolCallId: 'p', content: [], isError: true }, { id: 'x2' })
    .message({ role: 'toolResult', toolCallId: 'q', content: [], isError: true }, { id: 'x3' })
    .assistant('d', { id: 'last' })
    .label('u3', 'here', { id: 'l' });
  const read = async (view: 'model' | 'transcript'): Promise<ContextSnapshot> =>
    readFileContext(await readSession(await folder.write('s.jsonl', builder.text())), undefined, view);

  /** Returns the entries of all targets from a position on, in the order of stepping. */
  const walk = (snapshot: ContextSnapshot, kind: TargetKind, by: 1 | -1, from: ReadingPosition): string => {
    const found: string[] = [];
    for (
      let target = findTarget(snapshot, kind, by, from);
      target && found.length < 20;
      target = findTarget(snapshot, kind, by, { position: target.index, entryId: target.entryId })
    )
      found.push(target.entryId);
    return found.join(' ');
  };
  const BEFORE: ReadingPosition = { position: -0.5 };
  const AFTER: ReadingPosition = { position: Number.MAX_SAFE_INTEGER };

  it('are found one after the other, forwards and backwards, in both views', async () => {
    const all = await read('transcript');
    const kinds: readonly TargetKind[] = ['user', 'error', 'label', 'cut'];
    assert.deepEqual(
      kinds.map((kind) => walk(all, kind, 1, BEFORE)),
      ['u1 u2 u3', 'x1 x2 x3', 'u3', 'c1'],
    );
    assert.deepEqual(
      kinds.map((kind) => walk(all, kind, -1, AFTER)),
      ['u3 u2 u1', 'x3 x2 x1', 'u3', 'c1'],
    );
    const model = await read('model');
    assert.deepEqual(
      kinds.map((kind) => walk(model, kind, 1, BEFORE)),
      ['u2 u3', 'x2 x3', 'u3', 'c1'],
    );
  });

  it('come with the index of their article', async () => {
    const model = await read('model');
    for (const id of ['x2', 'x3'])
      assert.equal(
        model.slots[model.groups[findTarget(model, 'error', -1, { position: 99, ...(id === 'x2' ? { entryId: 'x3' } : {}) })!.index]!.from]!
          .entryId,
        'answer',
      );
  });

  it('are found from an article, between articles, and from an entry that is gone', async () => {
    const all = await read('transcript');
    const at = all.groups.findIndex(({ key }) => key === 'u2');
    const both = (from: ReadingPosition): (string | undefined)[] =>
      ([-1, 1] as const).map((by) => findTarget(all, 'user', by, from)?.entryId);
    assert.deepEqual(both({ position: at }), ['u1', 'u3']);
    assert.deepEqual(both({ position: at - 0.5 }), ['u1', 'u2']);
    assert.deepEqual(both({ position: at + 0.5 }), ['u2', 'u3']);
    assert.deepEqual(both({ position: at, entryId: 'gone' }), ['u1', 'u3']);
    assert.deepEqual(both({ position: 0, entryId: 'last' }), ['u3', undefined]);
  });

  it('include a compaction with several messages once, and none in an empty session', async () => {
    const path = await folder.write(
      't.jsonl',
      session()
        .user('a')
        .compaction('s', 'none', {
          id: 'c',
          systemMessage: { role: 'system', content: 'sys' },
          retainedTail: [{ role: 'user', content: 'tail' }],
        })
        .user('b', { id: 'b' })
        .text(),
    );
    assert.equal(walk(await readFileContext(await readSession(path)), 'cut', 1, BEFORE), 'c');
    const empty = await readFileContext(await readSession(await folder.write('e.jsonl', session().text())));
    assert.equal(findTarget(empty, 'user', 1, BEFORE), undefined);
    assert.equal(findTarget(empty, 'user', -1, AFTER), undefined);
  });
});
