import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { followSession, headsOf, readSession, type Filter, type Session } from '../../../src/core/index';
import { Levels } from '../../../src/tree/rows/levels';
import type { SessionRow, ViewRow } from '../../../src/tree/rows/viewRows';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { file } from './storedFiles';

describe('levels of a long session', () => {
  const folder = testFolder();
  const path = (): string => join(folder.path, 'a.jsonl');
  /** Many times the number of entries per step. */
  const ENTRIES = 6000;

  /** Entries 1 and 2, then the others, alternating with user messages. */
  function long(): SessionBuilder {
    const lines = session();
    for (let count = 1; count <= ENTRIES; count += 2) lines.user(`user ${count}`).assistant(`assistant ${count + 1}`);
    return lines;
  }

  async function opened(
    lines: SessionBuilder,
  ): Promise<{ now: { session: Session; filter: Filter }; levels: Levels; row: SessionRow; grow: () => Promise<void> }> {
    writeFileSync(path(), lines.text());
    const now = { session: await readSession(path()), filter: 'default' as Filter };
    const levels = new Levels({
      groups: () => [],
      session: () => Promise.resolve(now.session),
      filter: () => now.filter,
      pendingChanges: () => [],
    });
    const known = file(path(), '/w', 1);
    assert.ok(known.kind === 'session');
    const row: SessionRow = {
      id: `session ${path()}`,
      row: 'session',
      path: path(),
      item: {
        kind: 'session',
        path: path(),
        summary: known.summary,
        isPinned: false,
        isSubagent: false,
        size: 1,
        hasParentTitle: false,
        showsProgram: false,
        children: [],
        newest: 1,
      },
    };
    const grow = async (): Promise<void> => {
      appendFileSync(path(), lines.text().slice(now.session.size));
      now.session = await followSession(now.session);
    };
    return { now, levels, row, grow };
  }

  const texts = (rows: readonly ViewRow[]): string[] =>
    rows.map((row) => (row.row === 'entry' ? row.entry.head.text : row.row === 'more' ? `${row.hidden} more` : row.row));

  it('make rows of sessions only as far as they are shown, below a project and without groups', async () => {
    const { row } = await opened(long());
    let made = 0;
    const items = Array.from({ length: 5000 }, (_, index) => ({
      ...row.item,
      get path() {
        made++;
        return `/s/${index}.jsonl`;
      },
    }));
    const levels = new Levels({
      groups: () => [{ kind: 'all', newest: 1, hasOld: false, items }],
      session: () => Promise.reject(new Error('not read')),
      filter: () => 'default',
      pendingChanges: () => [],
    });
    for (const rows of [levels.topRows(), levels.sessionRows('project /w', items)])
      assert.deepEqual([rows.length, rows[0]?.id, rows.at(-1)?.row], [201, 'session /s/0.jsonl', 'more']);
    assert.ok(made < 1000, `${made} paths were read`);
  });

  it('use the filter that is set when the outline is complete', async () => {
    const { now, levels, row } = await opened(long());
    const answer = levels.children(row);
    await Promise.resolve();
    now.filter = 'user-only';
    const rows = await answer;
    assert.equal(rows.length, 201);
    assert.deepEqual(texts(rows).slice(-2), [`user: user ${ENTRIES - 3}`, `user: user ${ENTRIES - 1}`]);
  });

  it('make the heads of the shown entries only', async () => {
    const { now, levels, row } = await opened(long().branchFrom(entryId(1)).user('once more'));
    const heads = headsOf(now.session);
    const made = new Set<number>();
    const at = heads.at.bind(heads);
    heads.at = (place) => {
      made.add(place);
      return at(place);
    };
    const rows = await levels.children(row);
    assert.deepEqual([...made], [0, 1, ENTRIES]);
    assert.equal((await levels.children(rows[1])).length, 201);
    assert.equal(made.size, 203);
  });

  it('keep earlier rows and add appended entries', async () => {
    const lines = long();
    const { levels, row, grow } = await opened(lines);
    const before = await levels.children(row);
    lines.user('one more');
    await grow();
    const after = await levels.children(row);
    assert.deepEqual(texts(after).slice(-2), [`assistant: assistant ${ENTRIES}`, 'user: one more']);
    const entry = (rows: readonly ViewRow[], at: number): unknown => {
      const found = rows.at(at);
      return found?.row === 'entry' && found.entry;
    };
    assert.deepEqual(entry(after, -3), entry(before, -2));
    assert.notDeepEqual(entry(after, -2), entry(before, -1), 'the session does not go on there any more');
  });

  it('show a branch with nearly all entries', async () => {
    const { levels, row } = await opened(long().branchFrom(entryId(1)).user('once more'));
    const rows = await levels.children(row);
    assert.deepEqual(texts(rows), ['user: user 1', 'branch', 'user: once more']);
    assert.equal((await levels.children(rows[1])).length, 201);
  });

  it('keep the window around a revealed row', async () => {
    const lines = long();
    const { levels, row, grow } = await opened(lines);
    const outline = await levels.outline(path());
    const all = await levels.entryList(outline);
    assert.equal(levels.ensureShown(all, all.idOf(all.rows[1000]!), 'last'), true);
    const before = texts(await levels.children(row));
    lines.user('one more');
    await grow();
    const after = texts(await levels.children(row));
    assert.deepEqual([after[0], after.at(-1)], [before[0], `${ENTRIES + 1 - 1100} more`]);
    assert.deepEqual(after.slice(1, -1), before.slice(1, -1));
    assert.ok(after.includes('user: user 1001'));
  });
});
