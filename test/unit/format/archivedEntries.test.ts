import assert from 'node:assert/strict';
import { branchMap, type BranchMapOptions } from '../../../src/core/format/branches/branchMap';
import { newestBranches } from '../../../src/core/format/branches/newestBranches';
import { contextPlan } from '../../../src/core/format/context/contextPlan';
import { Scanner } from '../../../src/core/format/scanner/scanner';
import { isVisible, isVisibleAt, type Filter } from '../../../src/core/format/session/entryFilter';
import { finishSteps } from '../../../src/core/format/session/steps';
import type { Session } from '../../../src/core/format/session/session';
import { headsOf } from '../../../src/core/format/linking/headsById';
import { followSession, readSession } from '../../../src/core/index';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { read } from '../../fixtures/read';
import { CAPACITY, readBytes } from '../properties/readBytes';

const archive = (builder: SessionBuilder, targetId: unknown, archived: unknown = true): SessionBuilder =>
  builder.entry('archive', { targetId, archived });

/** Returns the texts of the entries with a row, which both ways of asking agree on. */
function rows(found: Session, filter: Filter = 'default'): string[] {
  const heads = headsOf(found);
  const shown = found.entries.filter((head) => isVisible(found, head, filter));
  assert.deepEqual(
    shown.map(({ id }) => id),
    [...found.entries.keys()].filter((place) => isVisibleAt(found, heads, place, filter)).map((place) => heads.idAt(place)),
  );
  return shown.map(({ text }) => text);
}

/** A question with two abandoned answers of two entries each, and a third one. */
const threeBranches = (): SessionBuilder =>
  session()
    .user('Вопрос')
    .user('links')
    .user('links, weiter')
    .branchFrom(entryId(1))
    .user('中間')
    .user('中間の続き')
    .branchFrom(entryId(1))
    .user('يمين');

describe('Archived entries', () => {
  const folder = testFolder();

  it('have rows only under the filter for all, with everything below them', () => {
    const found = read(archive(threeBranches(), entryId(2)));
    assert.deepEqual(rows(found), ['user: Вопрос', 'user: 中間', 'user: 中間の続き', 'user: يمين']);
    assert.deepEqual(rows(found, 'no-tools'), rows(found));
    assert.deepEqual(rows(found, 'user-only'), rows(found));
    assert.deepEqual(rows(found, 'all'), [
      'user: Вопрос',
      'user: links',
      'user: links, weiter',
      'user: 中間',
      'user: 中間の続き',
      'user: يمين',
      '[archived: e0000002]',
    ]);
    assert.deepEqual(rows(read(archive(threeBranches().label(entryId(2), 'x'), entryId(2))), 'labeled-only'), []);
  });

  it('come back with the last line about them', () => {
    const again = archive(archive(threeBranches(), entryId(2)), entryId(2), false);
    assert.deepEqual(rows(read(again)), rows(read(threeBranches())));
    assert.equal(rows(read(again), 'all').at(-1), '[unarchived: e0000002]');
    assert.equal(rows(read(archive(again, entryId(2)))).includes('user: links'), false);
  });

  it('stay as they were after a line that doesn’t say which entry, or whether', () => {
    const before = archive(threeBranches(), entryId(2));
    for (const [target, value] of [
      [7, true],
      [undefined, true],
      [entryId(4), 'yes'],
      [entryId(2), null],
      ['nowhere', true],
    ])
      assert.deepEqual(rows(read(archive(threeBranches(), target, value))), rows(read(threeBranches())), String(target));
    assert.deepEqual([...read(archive(before, entryId(2), null)).archived], [entryId(2)]);
  });

  it('keep the path to the leaf, and what the model gets', () => {
    const found = read(archive(threeBranches(), entryId(1)));
    assert.deepEqual(rows(found), ['user: Вопрос', 'user: يمين']);
    const plain = read(threeBranches());
    const messages = ({ steps }: { readonly steps: readonly { readonly id: string }[] }): string[] => steps.map(({ id }) => id);
    assert.deepEqual(messages(contextPlan(found)), messages(contextPlan(plain)));
    assert.deepEqual(messages(contextPlan(found, entryId(3))), messages(contextPlan(plain, entryId(3))));
  });

  it('can be a root, and entries of a circle', () => {
    const root = session().user('erste').user('mehr').branchFrom(null).user('zweite');
    assert.deepEqual(rows(read(archive(root, entryId(1)))), ['user: zweite']);
    const circle = session()
      .user('a', { parentId: entryId(2) })
      .user('b', { parentId: entryId(1) })
      .branchFrom(null)
      .user('c');
    assert.deepEqual(rows(read(archive(circle, entryId(2)))), ['user: a', 'user: c']);
    assert.deepEqual(rows(read(archive(circle, entryId(1)))), ['user: c']);
  });

  it('hide children that precede their parents in the file', () => {
    const found = read(
      archive(
        session()
          .user('below', { parentId: entryId(2) })
          .user('above', { parentId: null })
          .branchFrom(null)
          .user('c'),
        entryId(2),
      ),
    );
    assert.deepEqual(rows(found), ['user: c']);
  });

  it('aren’t among the newest branches', () => {
    const tips = (found: Session): string[] => finishSteps(newestBranches(found, 9, found.leafId)).map(({ tip }) => tip.text);
    assert.deepEqual(tips(read(threeBranches())), ['user: 中間の続き', 'user: links, weiter']);
    assert.deepEqual(tips(read(archive(threeBranches(), entryId(4)))), ['user: links, weiter']);
  });

  it('are folded in the graph of branches under their own row, which unfolds them', () => {
    const picture = (found: Session, options?: BranchMapOptions): string[] =>
      branchMap(found, options).rows.map((row) =>
        row.kind === 'entry' ? row.head.text : `${String(row.branchCount)} ${row.kind}: ${row.startIds.join(' ')}`,
      );
    const [first, second, end] = ['user: links, weiter', 'user: 中間の続き', 'user: now'];
    const built = (): SessionBuilder => archive(threeBranches(), entryId(2)).user('now');
    const found = read(built());
    const folded = `1 archived: ${entryId(2)}`;
    assert.deepEqual(picture(found), ['user: Вопрос', folded, second, end]);
    assert.equal(branchMap(found).branchCount, 2);
    assert.deepEqual(picture(found, { limit: 0 }), ['user: Вопрос', `1 more: ${entryId(4)}`, folded, end]);
    assert.deepEqual(picture(found, { expandedIds: new Set([entryId(2)]) }), ['user: Вопрос', first, second, end]);
    assert.deepEqual(picture(found, { currentId: entryId(3) }), ['user: Вопрос', first, second, end], 'it is shown at the side');
    assert.deepEqual(picture(read(archive(built(), entryId(2), false).user('now'))), ['user: Вопрос', first, second, end]);
    // Only a part of the branch is archived.
    const partly = read(archive(threeBranches(), entryId(3)).user('now'));
    assert.deepEqual(picture(partly), ['user: Вопрос', first, second, end]);
    assert.deepEqual(picture(partly, { limit: 0 }), ['user: Вопрос', `2 more: ${entryId(4)} ${entryId(2)}`, end]);
    const within = archive(threeBranches().branchFrom(entryId(2)).user('aside').branchFrom(entryId(6)), entryId(2)).user('now');
    assert.deepEqual(picture(read(within)), ['user: Вопрос', `2 archived: ${entryId(2)}`, second, end]);
    const root = session().user('erste').branchFrom(null).user('zweite');
    assert.deepEqual(picture(read(archive(root, entryId(1)).user('now'))), [`1 archived: ${entryId(1)}`, 'user: zweite', end]);
  });

  it('follow the lines that are appended, and stay in the earlier session', async () => {
    const built = archive(threeBranches(), entryId(2));
    const path = await folder.write('a.jsonl', built.text());
    const sessions = [await readSession(path)];
    for (const more of [() => built.user('ещё'), () => archive(built, entryId(4)), () => archive(built, entryId(2), false)]) {
      more();
      await folder.write('a.jsonl', built.text());
      sessions.push(await followSession(sessions.at(-1)!));
    }
    assert.deepEqual(
      sessions.map(({ archived }) => [...archived]),
      [[entryId(2)], [entryId(2)], [entryId(2), entryId(4)], [entryId(4)]],
    );
    assert.deepEqual(rows(sessions[3]!), ['user: Вопрос', 'user: links', 'user: links, weiter', 'user: يمين', 'user: ещё']);
  });

  it('are the same for lines that are parsed and scanned', async () => {
    const text = archive(archive(archive(threeBranches(), entryId(2)), entryId(4)), entryId(2), false).text();
    const scanner = new Scanner(CAPACITY, 0);
    const scanned = await readBytes(Buffer.from(text), scanner);
    assert.ok(scanned.messages > 0);
    assert.deepEqual([...scanned.read!.archived], [entryId(4)]);
    assert.deepEqual(rows(scanned.read!), rows(read(text)));
    assert.deepEqual(rows(read(text)), ['user: Вопрос', 'user: links', 'user: links, weiter', 'user: يمين']);
    assert.equal(read(text).dialect, 'omp');
  });

  it('are found in one pass, however many there are and however deep', () => {
    const count = 100_000;
    const ids = Array.from({ length: count }, (_, index) => entryId(index + 1));
    for (const [targets, expected] of [
      [ids, 1],
      [[entryId(1)], 1],
      [[entryId(count)], count],
    ] as const) {
      const deep = session();
      for (let n = 0; n < count; n++) deep.user('x');
      deep.branchFrom(null).user('end');
      for (const id of targets) archive(deep, id);
      const found = read(deep);
      assert.equal(found.archived.size, targets.length);
      const heads = headsOf(found);
      let asked = 0;
      const counted = Object.create(heads, {
        parentAt: { value: (place: number) => (asked++, heads.parentAt(place)) },
      }) as typeof heads;
      const shown = (filter: Filter): number =>
        [...Array(count + 1).keys()].filter((place) => isVisibleAt(found, counted, place, filter)).length;
      assert.deepEqual(['default' as const, 'all' as const].map(shown), [expected, count + 1]);
      assert.ok(asked < 2 * heads.length, String(asked));
    }
  });
});
