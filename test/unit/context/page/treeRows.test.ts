import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { EntryHead, Session } from '../../../../src/core/index';
import { session, type SessionBuilder } from '../../../fixtures/build';
import { read } from '../../../fixtures/read';

/** Modules of the page have the types of a browser, which aren't there in tests. */
const requirePage = createRequire(__filename);

interface Row {
  readonly head: EntryHead;
  readonly depth: number;
  readonly parent: number | undefined;
  readonly isBranch: boolean;
}
const { treeRows } = requirePage('../../../../src/context/page/entryTree/treeRows.js') as {
  readonly treeRows: (session: Session, keep: (head: EntryHead) => boolean) => Row[];
};
const { hashOf, parseHash } = requirePage('../../../../src/context/page/embedded/entryAddress.js') as {
  readonly hashOf: (address: { entryId: string; isEnd: boolean }) => string;
  readonly parseHash: (hash: string) => { entryId: string; isEnd: boolean } | undefined;
};

/** Two branches after `ask`, the newer one of which is the session's. */
const branched = (): SessionBuilder =>
  session()
    .user('Which?', { id: 'ask' })
    .assistant('Left.', { id: 'left' })
    .user('More', { id: 'more' })
    .branchFrom('ask')
    .assistant('Right.', { id: 'right' });
const rowsOf = (builder: SessionBuilder, keep: (head: EntryHead) => boolean): unknown[] =>
  treeRows(read(builder), keep).map(({ head, depth, parent, isBranch }) => [head.id, depth, parent, isBranch]);

describe('The tree of an exported page', () => {
  it('has the active path as one flat list, and at a fork the branches that were left before it, indented', () => {
    assert.deepEqual(
      rowsOf(branched(), () => true),
      [
        ['ask', 0, undefined, false],
        ['left', 1, 0, true],
        ['more', 1, 1, false],
        ['right', 0, 0, false],
      ],
    );
  });

  it('puts an entry below its nearest ancestor that has a row', () => {
    assert.deepEqual(
      rowsOf(branched(), ({ role }) => role === 'user'),
      [
        ['ask', 0, undefined, false],
        ['more', 0, 0, false],
      ],
    );
    assert.deepEqual(
      rowsOf(branched(), ({ id }) => id !== 'ask'),
      [
        ['left', 1, undefined, true],
        ['more', 1, 0, false],
        ['right', 0, undefined, false],
      ],
    );
  });

  it('takes sessions of any depth', () => {
    const deep = session();
    for (let nth = 0; nth < 20_000; nth++) deep.user('x');
    assert.equal(rowsOf(deep, () => true).length, 20_000);
  });
});

describe('The address of an exported page', () => {
  it('names an entry with any id, and whether the conversation ends there', () => {
    for (const entryId of ['e1', 'at=e1', 'a b/ü#%', '</script>'])
      for (const isEnd of [true, false]) assert.deepEqual(parseHash(hashOf({ entryId, isEnd })), { entryId, isEnd });
  });

  it('names none if it is empty or damaged', () => {
    for (const hash of ['', '#', '#at=', '#%E0%A4%A']) assert.equal(parseHash(hash), undefined);
  });
});
