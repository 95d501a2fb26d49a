import assert from 'node:assert/strict';
import { finishSteps } from '../../../src/core/index';
import { childComparator } from '../../../src/tree/projects/arrangement';
import { familyCounts, recentSubagents, subagentState } from '../../../src/tree/projects/familyCounts';
import { updateGroups } from '../../../src/tree/projects/updateProjects';
import type { ReadableItem } from '../../../src/tree/projects/projects';
import { groupsOf, inputFrom } from './renderRows';
import { file } from './storedFiles';

const call = { callId: 'c', entryId: 'a', resultId: 'r', from: 0 };

describe('A family of subagents', () => {
  const child = (name: string, hours: number, given: Parameters<typeof file>[3] = {}): ReturnType<typeof file> =>
    file(`/r/p/${name}`, '/w', hours, { owner: '/r/p', created: Number(name.slice(1)), ...given });
  const files = (...list: readonly ReturnType<typeof file>[]): ReadonlyMap<string, ReturnType<typeof file>> =>
    new Map([file('/r/p', '/w', 1), ...list].map((one) => [one.path, one]));
  const childrenOf = (item: ReadableItem): string[] => item.children.map(({ path }) => path.slice('/r/p/'.length));
  const parentOf = (groups: ReturnType<typeof groupsOf>): ReadableItem =>
    groups[0]?.items.find(({ path }) => path === '/r/p') as ReadableItem;

  it('keeps the order in which it started while its members are active, after the forks', () => {
    const fork = file('/r/fork', '/w', 1, { parentSession: '/r/p' });
    const all = files(child('c3', 2), child('c1', 9), fork, child('c2', 5));
    const groups = groupsOf({ files: all });
    assert.deepEqual(
      childrenOf(parentOf(groups)),
      ['', 'c1', 'c2', 'c3'].map((name) => name || fork.path.slice('/r/p/'.length)),
    );
    const grown = new Map([...all, ['/r/p/c3', child('c3', 99)]]);
    const after = finishSteps(updateGroups(groups, new Set(['/r/p/c3']), inputFrom({ files: grown })));
    assert.ok(after);
    assert.deepEqual(childrenOf(parentOf([...after])).slice(1), ['c1', 'c2', 'c3']);
    assert.deepEqual(after, groupsOf({ files: grown }));
  });

  it('is sorted by what the person chose, if that isn’t a time', () => {
    const all = files(child('c1', 2), child('c2', 9));
    const costs = new Map([
      ['/r/p/c1', 1],
      ['/r/p/c2', 3],
    ]);
    const groups = groupsOf({ files: all, sort: 'cost', cost: (path) => costs.get(path) });
    assert.deepEqual(childrenOf(parentOf(groups)), ['c2', 'c1']);
    const [a, b] = parentOf(groups).children;
    assert.ok(a && b && childComparator('cost')(a, b) < 0 && childComparator('created')(a, b) > 0);
  });

  it('can be hidden, and then its parent has no trace of it', () => {
    const all = files(child('c1', 2), child('c2', 9));
    assert.deepEqual(childrenOf(parentOf(groupsOf({ files: all, hideSubagents: true }))), []);
  });

  it('is counted by the states of its members, at any depth, but not by those of forks', () => {
    const all = files(
      child('c1', 2, { unfinished: 'error' }),
      child('c2', 3, { unfinished: 'interrupted' }),
      child('c3', 3),
      child('c4', 3, { marks: { state: 'working' } }),
      file('/r/p/c1/d1', '/w', 4, { owner: '/r/p/c1', unfinished: 'error' }),
      file('/r/fork', '/w', 1, { parentSession: '/r/p' }),
      file('/r/fork/e', '/w', 1, { owner: '/r/fork', unfinished: 'error' }),
    );
    const signs = { isLive: (path: string) => path === '/r/p/c3', needsInput: (path: string) => path === '/r/p/c2' };
    const parent = parentOf(groupsOf({ files: all }));
    assert.deepEqual(familyCounts(parent, signs), { total: 5, running: 2, waiting: 1, failed: 2 });
    const states = parent.children.flatMap((item) => (item.kind === 'session' && item.isSubagent ? [subagentState(item, signs)] : []));
    assert.deepEqual(states, ['failed', 'waiting', 'running', 'running']);
    const noSigns = { isLive: () => false, needsInput: () => false };
    assert.equal(familyCounts(parentOf(groupsOf({ files: files() })), noSigns), undefined);
  });

  it('has members that may run, whose signs are looked for while the parent is collapsed', () => {
    const hour = 60 * 60 * 1000;
    const many = Array.from({ length: 60 }, (_, index) => child(`m${String(index)}`, 10 + index / 100));
    const all = files(
      child('old', 2),
      ...many,
      file('/r/p/c1/deep', '/w', 10.9, { owner: '/r/p/m1' }),
      file('/r/fork', '/w', 10.9, { parentSession: '/r/p' }),
    );
    const recent = recentSubagents(parentOf(groupsOf({ files: all })), 10.95 * hour);
    assert.deepEqual([recent.length, recent[0], recent[1]], [50, '/r/p/c1/deep', '/r/p/m59']);
    assert.deepEqual(recentSubagents(parentOf(groupsOf({ files: all })), 12 * hour), []);
  });

  it('counts calls without a result as running while the parent runs', () => {
    const calls = [call, { ...call, until: 5 }, { ...call, callId: 'd' }];
    const all = new Map([...files(child('c1', 2), child('c2', 3), child('c3', 3)), ['/r/p', file('/r/p', '/w', 1, { calls })]]);
    const parent = parentOf(groupsOf({ files: all }));
    const running = (live: boolean): number | undefined =>
      familyCounts(parent, { isLive: (path) => live && path === '/r/p', needsInput: () => false })?.running;
    assert.deepEqual([running(true), running(false)], [2, 0]);
  });

  it('is built again when a call of the parent tells something new of other sessions', () => {
    const all = files(file('/r/other', '/w', 2, { parentSession: '/r/p', created: 7 }));
    const groups = groupsOf({ files: all });
    const calling = new Map([...all, ['/r/p', file('/r/p', '/w', 1, { calls: [{ ...call, until: 9 }] })]]);
    assert.equal(finishSteps(updateGroups(groups, new Set(['/r/p']), inputFrom({ files: calling }))), undefined);
    const [item] = parentOf(groupsOf({ files: calling })).children;
    assert.ok(item?.kind === 'session' && item.isSubagent);
  });
});
