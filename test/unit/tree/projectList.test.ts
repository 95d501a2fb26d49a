import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { UntrustedPaths, type ListedSession } from '../../../src/core/index';
import { ProjectList } from '../../../src/tree/projects/projectList';
import { until } from '../../fixtures/until';
import { file } from './storedFiles';
import { inputFrom, projectsOf } from './renderRows';

describe('ProjectList', () => {
  const MANY = 5000;
  let files: Map<string, ListedSession>;
  let settings: { program: 'all'; hideEmpty: boolean };
  let news: number;
  let list: ProjectList;
  let look: (path: string) => Promise<{ isFile(): boolean }>;
  beforeEach(() => {
    files = new Map();
    for (let number = 0; number < MANY; number++) put(`/r/${String(number)}`, `/w/${String(number % 7)}`, number);
    settings = { program: 'all', hideEmpty: true };
    news = 0;
    look = () => Promise.resolve({ isFile: () => false });
    list = new ProjectList({
      named: new UntrustedPaths({ disk: { realpath: (path) => Promise.resolve(path), stat: (path) => look(path) } }),
      files: () => files,
      settings: () => inputFrom({ files, ...settings }),
      onFoldersResolved: () => news++,
    });
    // Makes every step long on any machine.
    let now = 0;
    mock.method(performance, 'now', () => (now += 6));
  });
  afterEach(() => mock.restoreAll());

  function put(path: string, cwd: string, hours: number, messageCount = 2): void {
    files.set(path, file(path, cwd, hours, { messageCount }));
  }
  const projects = () => list.current().filter((group) => group.kind === 'project');
  const anew = () => projectsOf({ files, ...settings });

  it('stays the same until it is updated, and yields while it updates', async () => {
    assert.deepEqual(list.current(), []);
    let turns = 0;
    let isOver = false;
    const others = (): void => {
      turns++;
      if (!isOver) setImmediate(others);
    };
    setImmediate(others);
    await list.updated();
    isOver = true;
    assert.ok(turns > 10, String(turns));
    assert.deepEqual(list.current(), anew());
  });

  it('includes changes reported during an update in the next one, also with several callers', async () => {
    const first = list.updated();
    await Promise.resolve();
    put('/r/1', '/w/1', 9_000);
    put('/r/new', '/w/new', 9_001);
    list.invalidate(['/r/1', '/r/new']);
    const both = [list.updated(), list.updated()];
    await both[1];
    assert.deepEqual(list.current(), anew());
    const before = list.current();
    await Promise.all([first, ...both]);
    assert.equal(list.current(), before, 'it is computed once');
  });

  it('updates only the session that grew, and keeps all other objects', async () => {
    await list.updated();
    const before = list.current();
    files.set('/r/8', file('/r/8', '/w/1', 8, { modified: Number.MAX_SAFE_INTEGER, messageCount: 3 }));
    list.invalidate(['/r/8']);
    await list.updated();
    assert.deepEqual(list.current(), anew());
    const others = (projects: typeof before) => projects.filter((group) => group.kind === 'project' && group.cwd !== '/w/1');
    assert.ok(others(before).every((project) => list.current().includes(project)));
    await list.updated();
    const after = list.current();
    await list.updated();
    assert.equal(list.current(), after);
  });

  it('reports projects whose folder is gone, and not those that can’t be inspected', async () => {
    look = (path) => Promise.reject(Object.assign(new Error('no'), { code: path === '/w/3' ? 'ENOENT' : 'EACCES' }));
    let isResolved = false;
    const resolving = new ProjectList({
      named: new UntrustedPaths({ disk: { realpath: (path) => Promise.resolve(path), stat: (path) => look(path) } }),
      files: () => files,
      settings: () => inputFrom({ files, ...settings }),
      onFoldersResolved: () => (isResolved = true),
    });
    list = resolving;
    await list.updated();
    await until(() => isResolved);
    await list.updated();
    assert.deepEqual(
      projects().flatMap(({ cwd, isMissing }) => (isMissing ? [cwd] : [])),
      ['/w/3'],
    );
  });

  it('marks a project whose folder is gone without grouping its sessions again', async () => {
    look = (path) => Promise.reject(Object.assign(new Error('no'), { code: path === '/w/3' ? 'ENOENT' : 'EACCES' }));
    await list.updated();
    const before = projects();
    await until(() => news > 0);
    await list.updated();
    const after = projects();
    assert.deepEqual(
      before.map(({ cwd }, index) => [cwd, after[index]?.items === before[index]?.items, after[index] === before[index]]),
      before.map(({ cwd }) => [cwd, true, cwd !== '/w/3']),
    );
  });

  it('changes with the settings and the workspace, and reports the latter', async () => {
    put('/r/8', '/w/empty', 9_000, 0);
    await list.updated();
    assert.ok(!projects().some(({ cwd }) => cwd === '/w/empty'));
    settings.hideEmpty = false;
    list.invalidate();
    await list.updated();
    assert.equal(projects()[0]!.cwd, '/w/empty');
    await list.setWorkspaceFolders(['/w/3']);
    assert.equal(news, 1);
    await list.updated();
    assert.deepEqual(
      projects()
        .slice(0, 2)
        .map(({ cwd, inWorkspace }) => [cwd, inWorkspace]),
      [
        ['/w/3', true],
        ['/w/empty', false],
      ],
    );
  });
});
