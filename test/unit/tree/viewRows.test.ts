import assert from 'node:assert/strict';
import { staleRows } from '../../../src/tree/rows/staleRows';
import { Levels } from '../../../src/tree/rows/levels';
import type { Project } from '../../../src/tree/projects/projects';
import { pathToRow } from '../../../src/tree/rows/pathToRow';
import { RowRegistry, type ViewRow } from '../../../src/tree/rows/viewRows';
import type { SessionSummary, ListedSession } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { read } from '../../fixtures/read';
import { projectsOf } from './renderRows';

function projects(...files: readonly [path: string, cwd: string, time: number, parentSession?: string][]): Project[] {
  const root = { path: '/root', dialect: 'pi', flat: false, named: false } as const;
  const stored = files.map(([path, cwd, time, parentSession]): [string, ListedSession] => {
    const summary: SessionSummary = {
      path,
      dialect: 'pi',
      id: path,
      cwd,
      title: 'a',
      created: 1,
      modified: time,
      messageCount: 1,
      problems: 0,
      writable: true,
      isOld: false,
      ...(parentSession === undefined ? {} : { parentSession }),
    };
    return [path, { kind: 'session', path, root, complete: true, version: { size: 1, mtimeMs: 1, ino: '' }, row: { summary }, summary }];
  });
  return projectsOf({ files: new Map(stored) });
}

/** The registry as it is after an editor has requested every level. */
async function opened(first: Project[]): Promise<{
  rows: RowRegistry;
  levels: Levels;
  now: { projects: Project[] };
  stale: (differs?: readonly string[], grew?: readonly string[]) => string[];
}> {
  const now = { projects: first };
  const levels = new Levels({
    groups: () => now.projects,
    session: (path) => Promise.resolve(read(session().user('hi').assistant('yo'), { path })),
    filter: () => 'default',
    pendingChanges: () => [],
  });
  const rows = new RowRegistry();
  const waiting: (ViewRow | undefined)[] = [undefined];
  for (let i = 0; i < waiting.length; i++) waiting.push(...rows.setLevel(waiting[i], await levels.children(waiting[i])));
  const stale = (differs: readonly string[] = [], grew: readonly string[] = []): string[] =>
    staleRows({ rows, levels, differs: (row) => differs.includes(row.id), hasNewEntries: (path) => grew.includes(path) }).map(
      (row) => row?.id ?? 'everything',
    );
  return { rows, levels, now, stale };
}

describe('staleRows', () => {
  const start = (): Project[] => projects(['/a', '/one', 9], ['/b', '/one', 8], ['/fork', '/one', 1, '/b'], ['/c', '/two', 2]);

  it('returns nothing if nothing changed', async () => {
    const { now, stale } = await opened(start());
    now.projects = start();
    assert.deepEqual(stale(), []);
  });

  it('returns a row whose item changed', async () => {
    const { stale } = await opened(start());
    assert.deepEqual(stale(['session /b', 'session /fork']), ['session /b']);
    assert.deepEqual(stale(['session /fork']), ['session /fork']);
  });

  it('returns a session that grew if it is expanded', async () => {
    const { rows, levels, stale } = await opened(start());
    assert.deepEqual(stale([], ['/a', '/fork']).sort(), ['session /a', 'session /fork']);
    const [a] = rows.setLevel(rows.get('project /one'), await levels.children(rows.get('project /one')));
    assert.equal(a?.id, 'session /a');
  });

  it('returns a session that grew while its entries are loading', () => {
    const levels = new Levels({
      groups: start,
      session: () => assert.fail('a session was read'),
      filter: () => 'default',
      pendingChanges: () => [],
    });
    const rows = new RowRegistry();
    const [project] = rows.setLevel(undefined, levels.topRows());
    rows.setLevel(project, levels.sessionRows(project!.id, project!.row === 'project' ? project!.project.items : []));
    const stale = (): (string | undefined)[] =>
      staleRows({ rows, levels, differs: () => false, hasNewEntries: (path) => path === '/b' }).map((row) => row?.id);
    assert.deepEqual(stale(), []);
    rows.setExpanded(rows.get('session /b')!, true);
    assert.deepEqual(stale(), ['session /b']);
  });

  it('returns a project whose sessions moved, appeared or disappeared', async () => {
    const { now, stale } = await opened(start());
    now.projects = projects(['/a', '/one', 9], ['/b', '/one', 10], ['/fork', '/one', 1, '/b'], ['/c', '/two', 2]);
    assert.deepEqual(stale(), ['project /one']);
    now.projects = projects(['/a', '/one', 9], ['/c', '/two', 2]);
    assert.deepEqual(stale(), ['project /one']);
  });

  it('returns a session that got a fork', async () => {
    const { now, stale } = await opened(start());
    now.projects = projects(
      ['/a', '/one', 9],
      ['/b', '/one', 8],
      ['/fork', '/one', 1, '/b'],
      ['/fork2', '/one', 2, '/b'],
      ['/c', '/two', 2],
    );
    assert.deepEqual(stale(), ['session /b']);
  });

  it('returns the top level if projects moved, appeared or disappeared', async () => {
    const { now, stale } = await opened(start());
    now.projects = projects(['/a', '/one', 9], ['/b', '/one', 8], ['/fork', '/one', 1, '/b'], ['/c', '/two', 20]);
    assert.deepEqual(stale(), ['everything']);
  });

  it('computes nothing if nothing was expanded', () => {
    const shut = start().map((project) =>
      Object.defineProperty({ ...project }, 'items', { get: () => assert.fail('its sessions were read') }),
    );
    const levels = new Levels({
      groups: () => shut,
      session: () => assert.fail('a session was read'),
      filter: () => 'default',
      pendingChanges: () => [],
    });
    const rows = new RowRegistry();
    rows.setLevel(undefined, levels.topRows());
    assert.deepEqual(staleRows({ rows, levels, differs: () => false, hasNewEntries: () => true }), []);
  });
});

describe('RowRegistry', () => {
  it('keeps row objects and gives them new data', async () => {
    const { rows, levels, now } = await opened(projects(['/a', '/one', 1]));
    const before = rows.get('session /a');
    now.projects = projects(['/a', '/one', 5]);
    rows.setLevel(undefined, levels.topRows());
    const project = rows.get('project /one');
    rows.setLevel(project, await levels.children(project));
    const after = rows.get('session /a');
    assert.equal(after, before);
    assert.equal(after?.row === 'session' && after.item.summary.modified, 5);
    assert.equal(rows.parentOf(after!), project);
  });

  it('drops a row with all rows below it', async () => {
    const { rows, levels, now } = await opened(projects(['/a', '/one', 1], ['/b', '/two', 2]));
    assert.ok(rows.get(`entry /a ${entryId(1)}`));
    now.projects = projects(['/b', '/two', 2]);
    rows.setLevel(undefined, levels.topRows());
    assert.deepEqual(
      [...rows.all()].map((row) => row.id).filter((id) => /one|\/a/.test(id)),
      [],
    );
  });

  it('knows which rows are in sight', async () => {
    const { rows } = await opened(projects(['/a', '/one', 1]));
    const [project, a, entry] = ['project /one', 'session /a', `entry /a ${entryId(1)}`].map((id) => rows.get(id)!);
    rows.setExpanded(project!, true);
    assert.deepEqual(
      [project, a, entry].map((row) => rows.isInSight(row!)),
      [true, true, false],
    );
    rows.setExpanded(a!, true);
    assert.ok(rows.isInSight(entry!));
    rows.setExpanded(project!, false);
    assert.deepEqual(
      [project, a, entry].map((row) => rows.isInSight(row!)),
      [true, false, false],
    );
  });

  it('knows the rows around a row, the nearest first', async () => {
    const { rows } = await opened(projects(['/a', '/one', 9], ['/b', '/one', 8], ['/c', '/one', 7], ['/d', '/two', 1]));
    assert.deepEqual(rows.around(rows.get('session /b')!), ['session /c', 'session /a', 'project /one', 'project /two']);
    assert.deepEqual(rows.around(rows.get('session /c')!).slice(0, 2), ['session /b', 'session /a']);
    assert.deepEqual(rows.around(rows.get(`entry /d ${entryId(2)}`)!), [
      `entry /d ${entryId(1)}`,
      'session /d',
      'project /two',
      'project /one',
    ]);
  });

  it('moves a row to another parent', async () => {
    const { rows, levels, now } = await opened(projects(['/a', '/one', 1], ['/b', '/one', 2]));
    now.projects = projects(['/a', '/one', 1], ['/b', '/one', 2, '/a']);
    rows.setLevel(undefined, levels.topRows());
    const project = rows.get('project /one')!;
    const [a] = rows.setLevel(project, await levels.children(project));
    rows.setLevel(a, await levels.children(a));
    assert.equal(rows.parentOf(rows.get('session /b')!), a);
  });
});

describe('pathToRow', () => {
  it('goes through the project, the session and its branches', async () => {
    const [e1, e2, e3] = [1, 2, 3].map(entryId) as [string, string, string];
    const found = read(session().user('a').user('b').user('c').branchFrom(e2).user('d').branchFrom(e1).user('e'), { path: '/a' });
    const all = projects(['/a', '/one', 9], ['/b', '/one', 8, '/a']);
    const levels = new Levels({
      groups: () => all,
      session: () => Promise.resolve(found),
      filter: () => 'default',
      pendingChanges: () => [],
    });
    const ids = async (path: string, entry?: string): Promise<string[] | undefined> =>
      (await pathToRow(entry === undefined ? { path } : { path, entryId: entry }, all, levels))?.map((step) => step.id);
    assert.deepEqual(await ids('/b'), ['project /one', 'session /a', 'session /b']);
    assert.deepEqual(await ids('/a', e3), ['project /one', 'session /a', `branch /a ${e2}`, `branch /a ${e3}`, `entry /a ${e3}`]);
    assert.equal(await ids('/nowhere'), undefined);
  });
});
