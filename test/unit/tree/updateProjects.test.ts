import assert from 'node:assert/strict';
import fc from 'fast-check';
import { finishSteps, type SessionSummary, type ListedSession } from '../../../src/core/index';
import { SESSION_GROUPINGS, SESSION_SORTS } from '../../../src/contract';
import type { ProjectsInput, SessionGroup } from '../../../src/tree/projects/projects';
import { updateGroups } from '../../../src/tree/projects/updateProjects';
import { keyOf } from '../../../src/tree/projects/arrangement';
import { broken, file } from './storedFiles';
import { countPauses } from '../../fixtures/countPauses';
import { groupsOf, inputFrom } from './renderRows';

const inputOf = (files: readonly ListedSession[], given: Partial<ProjectsInput> = {}): ProjectsInput =>
  inputFrom({ files: new Map(files.map((each) => [each.path, each])), workspace: ['/w/1'], ...given });

const updated = (
  before: readonly SessionGroup[],
  given: readonly ListedSession[],
  changed: readonly string[],
): readonly SessionGroup[] | undefined => finishSteps(updateGroups(before, new Set(changed), inputOf(given)));

describe('updateGroups', () => {
  const sessions = [
    file('/r/a', '/w/1', 4),
    file('/r/b', '/w/2', 3),
    file('/r/c', '/w/2', 2),
    file('/r/fork', '/w/2', 1, { parentSession: '/r/c' }),
  ];
  const before = groupsOf(inputOf(sessions));
  const withOther = (path: string, other: Partial<SessionSummary>): ListedSession[] =>
    sessions.map((each) => (each.path === path && each.kind === 'session' ? { ...each, summary: { ...each.summary, ...other } } : each));

  it('replaces only the project and the family that changed', () => {
    const now = withOther('/r/fork', { modified: 9e9, messageCount: 7 });
    const after = updated(before, now, ['/r/fork'])!;
    assert.deepEqual(after, groupsOf(inputOf(now)));
    assert.deepEqual(after.map(keyOf), ['/w/1', '/w/2']);
    assert.equal(after[0], before[0]);
    assert.equal(after[1]!.newest, 9e9);
    assert.deepEqual(
      after[1]!.items.map(({ path }) => path),
      ['/r/c', '/r/b'],
    );
    assert.equal(after[1]!.items[1], before[1]!.items[0]);
  });

  it('can be interrupted after each file: in a large store a hundred of them take long', () => {
    const { pauses, result } = countPauses(updateGroups(before, new Set(['/r/a', '/r/b', '/r/fork']), inputOf(sessions)));
    assert.equal(pauses, 3);
    assert.deepEqual(result, before);
  });

  it('rebuilds if a session was pinned or archived, or isn’t any more', () => {
    for (const marks of [{ isPinned: true }, { isArchived: true }] as const) {
      const marked = withOther('/r/b', { marks });
      assert.equal(updated(before, marked, ['/r/b']), undefined);
      assert.equal(updated(groupsOf(inputOf(marked)), sessions, ['/r/b']), undefined);
      const grown = marked.map((each) =>
        each.path === '/r/b' ? { ...each, summary: { ...(each as { summary: SessionSummary }).summary, modified: 9e9 } } : each,
      ) as ListedSession[];
      assert.deepEqual(updated(groupsOf(inputOf(marked)), grown, ['/r/b']), groupsOf(inputOf(grown)));
    }
  });

  it('rebuilds if a session has an old version, or was migrated, for its project shows that', () => {
    const old = withOther('/r/fork', { isOld: true });
    assert.deepEqual(
      [sessions, old].map((files) => groupsOf(inputOf(files)).map(({ hasOld }) => hasOld)),
      [
        [false, false],
        [false, true],
      ],
    );
    assert.equal(updated(before, old, ['/r/fork']), undefined);
    assert.equal(updated(groupsOf(inputOf(old)), sessions, ['/r/fork']), undefined);
  });

  it('rebuilds if a session works in other folders', () => {
    const folders = withOther('/r/b', { additionalDirectories: ['/w/1/lib'] });
    assert.equal(updated(before, folders, ['/r/b']), undefined);
    assert.equal(updated(groupsOf(inputOf(folders)), sessions, ['/r/b']), undefined);
  });

  it('finds a subagent’s session below its owner', () => {
    const sub = file('/r/a/sub', '/elsewhere', 5, { owner: '/r/a' });
    const now = file('/r/a/sub', '/elsewhere', 5, { owner: '/r/a', modified: 9e9 });
    const [with1, with2] = [
      [...sessions, sub],
      [...sessions, now],
    ];
    assert.deepEqual(updated(groupsOf(inputOf(with1)), with2, ['/r/a/sub']), groupsOf(inputOf(with2)));
    const own = file('/r/a/sub', '/w/1', 5);
    assert.equal(updated(groupsOf(inputOf([...sessions, { ...own, owner: '/r/a' }])), [...sessions, own], ['/r/a/sub']), undefined);
  });

  it('leaves its input unchanged', () => {
    const copy = structuredClone(before);
    updated(before, withOther('/r/c', { modified: 9e9 }), ['/r/c']);
    assert.deepEqual(before, copy);
  });

  for (const [what, other] of Object.entries({
    folder: { cwd: '/w/1' },
    title: { title: 'other' },
    parent: { parentSession: '/r/b' },
    id: { id: 'other' },
    beginning: { created: 1 },
    messages: { messageCount: 0 },
  })) {
    it(`leaves a session with another ${what} to a rebuild`, () =>
      assert.equal(updated(before, withOther('/r/c', other), ['/r/c']), undefined));
  }

  it('leaves new, removed and unreadable files to a rebuild', () => {
    assert.equal(updated(before, [...sessions, file('/r/d', '/w/1', 5)], ['/r/d']), undefined);
    assert.equal(updated(before, sessions.slice(1), ['/r/a']), undefined);
    assert.equal(updated(before, [broken('/r/a', 4), ...sessions.slice(1)], ['/r/a']), undefined);
  });

  it('leaves very many changes to a rebuild', () => {
    const many = Array.from({ length: 101 }, (_, index) => file(`/r/${index}`, '/w/1', index));
    const paths = many.map(({ path }) => path);
    const all = groupsOf(inputOf(many));
    assert.equal(updated(all, many, paths), undefined);
    assert.deepEqual(updated(all, many, paths.slice(1)), all);
  });

  it('equals a rebuild after any change, even if a change is reported late', () => {
    let kept = 0;
    const change = fc.record({
      at: fc.nat(),
      what: fc.constantFrom('grew', 'grew', 'grew', 'grew', 'renamed', 'moved', 'gone', 'empty', 'broken', 'back', 'other parent'),
      hours: fc.integer({ min: -1, max: 30 }),
      isLate: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(oneFile(), { maxLength: 12 }),
        fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 12 }),
        fc.boolean(),
        fc.constantFrom('all', 'all', 'pi'),
        fc.record({
          group: fc.constantFrom('project', ...SESSION_GROUPINGS),
          sort: fc.constantFrom('modified', ...SESSION_SORTS),
          workspaceOnly: fc.constantFrom(false, false, true),
        }),
        (given, steps, hideEmpty, program, arrangement) => {
          const all = given.map((each, index) => each(index));
          const files = new Map(all.map((each) => [each.path, each]));
          const input = (): ProjectsInput => ({
            ...inputOf([...files.values()]),
            ...arrangement,
            hideEmpty,
            program,
            cost: (path) => path.length % 3,
            now: 30 * 3_600_000,
          });
          let projects: readonly SessionGroup[] = groupsOf(input());
          let late = new Set<string>();
          for (const step of [...steps, []]) {
            const reported = late;
            late = new Set();
            for (const { at, what, hours, isLate } of all.length > 0 ? step : []) {
              const first = all[at % all.length]!;
              (isLate ? late : reported).add(first.path);
              const now = changedBy(what, files.get(first.path), first, hours);
              if (now) files.set(first.path, now);
              else files.delete(first.path);
            }
            const after = finishSteps(updateGroups(projects, reported, input()));
            const anew = groupsOf(input());
            if (after && reported.size > 0) kept++;
            if (late.size === 0 && after) assert.deepEqual(after, anew);
            projects = after ?? anew;
          }
        },
      ),
      { numRuns: 1000 },
    );
    assert.ok(kept > 300, `${kept}`);
  });
});

/** A member of a family that names its parent by path, id or file name. Some are subagents of the one before, possibly nested. Ids and file names may repeat. */
function oneFile(): fc.Arbitrary<(index: number) => ListedSession> {
  const given = {
    cwd: fc.constantFrom('', '/w/1', '/w/2', '/w/3'),
    hours: fc.integer({ min: 0, max: 30 }),
    parent: fc.option(fc.nat({ max: 11 }), { nil: undefined }),
    by: fc.constantFrom('/r/', 'id ', '/elsewhere/'),
    id: fc.nat({ max: 11 }),
    other: fc.constantFrom({}, { isBroken: true }, { isPartial: true }, { flat: true }, { dialect: 'omp' as const }),
  };
  return fc.record(given).map(({ cwd, hours, parent, by, id, other }) => (index: number) => {
    const owner = index % 4 > 1 ? { owner: `/r/${index - 1}` } : {};
    if ('isBroken' in other) return broken(`/r/${index}`, hours, owner);
    return file(index % 5 === 4 ? `/r/copy/${index - 1}` : `/r/${index}`, cwd, hours, {
      id: `id ${id}`,
      ...owner,
      ...other,
      ...(parent === undefined ? {} : { parentSession: `${by}${parent}` }),
    });
  });
}

function changedBy(what: string, now: ListedSession | undefined, first: ListedSession, hours: number): ListedSession | undefined {
  if (what === 'back') return first;
  if (what === 'gone' || !now) return undefined;
  if (what === 'broken') return broken(now.path, hours, now.owner === undefined ? {} : { owner: now.owner });
  if (now.kind !== 'session') return now;
  const other: Partial<SessionSummary> =
    {
      grew: { modified: hours * 3_600_000 },
      renamed: { name: `name ${hours}` },
      moved: { cwd: '/w/2' },
      empty: { messageCount: 0 },
      'other parent': { parentSession: `/r/${hours}` },
    }[what] ?? {};
  return { ...now, summary: { ...now.summary, ...other } };
}
