import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Levels } from '../../../src/tree/rows/levels';
import { FirstScreen, type FirstScreenDeps, type ScreenSettings } from '../../../src/tree/screen/firstScreen';
import { groupsOf } from './renderRows';
import { file } from './storedFiles';

describe('The first rows of a window', () => {
  let stored: Map<string, string>;
  let writes: number;
  let errors: unknown[];
  let deps: { -readonly [K in keyof FirstScreenDeps]: FirstScreenDeps[K] };
  let paths: string[];

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    stored = new Map();
    writes = 0;
    errors = [];
    paths = ['/root/1'];
    deps = {
      folder: {
        read: (name) => Promise.resolve(stored.get(name)),
        write: (name, text) => {
          writes++;
          return Promise.resolve(void stored.set(name, text));
        },
        clear: () => {
          stored.clear();
          return Promise.resolve();
        },
      },
      rootsFound: () => Promise.resolve(),
      roots: () => '/root',
      isInRoots: (path) => path.startsWith('/root/'),
      mayStore: () => Promise.resolve(true),
      onError: (error) => errors.push(error),
    };
  });
  afterEach(() => mock.timers.reset());

  const window = (settings: Partial<ScreenSettings> = {}): FirstScreen =>
    new FirstScreen(deps, () => ({ folders: ['/w'], others: [], ...settings }));
  const levels = new Levels({
    groups: () => groupsOf({ files: new Map(paths.map((path) => [path, file(path, '/w', 1)])) }),
    session: () => assert.fail(),
    filter: () => 'default',
    pendingChanges: () => [],
  });
  const change = (screen: FirstScreen): void => screen.rowsChanged(levels, () => true);
  async function passed(milliseconds: number): Promise<void> {
    mock.timers.tick(milliseconds);
    await nextTurn();
  }
  const idsOf = async (screen: FirstScreen): Promise<string[] | undefined> => (await screen.load())?.get('project /w')?.map(({ id }) => id);

  it('are there for the next one', async () => {
    change(window());
    await passed(2000);
    assert.deepEqual(await idsOf(window()), ['session /root/1']);
  });

  it('are stored when they have changed, and not often', async () => {
    const screen = window();
    for (let times = 0; times < 5; times++) change(screen);
    await passed(1999);
    assert.equal(writes, 0);
    await passed(1);
    assert.equal(writes, 1);
    change(screen);
    await passed(30_000);
    assert.equal(writes, 1, 'the same rows');
    paths.push('/root/2');
    change(screen);
    await passed(29_999);
    assert.equal(writes, 1);
    await passed(1);
    assert.equal(writes, 2);
    change(screen);
    screen.dispose();
    paths.push('/root/3');
    await passed(30_000);
    assert.equal(writes, 2, 'the window is closed');
  });

  it('are none of another workspace, other settings, or other session folders', async () => {
    change(window());
    await passed(2000);
    assert.equal(await window({ folders: ['/x'] }).load(), undefined);
    assert.equal(await window({ others: ['day'] }).load(), undefined);
    deps.roots = () => '/other';
    assert.equal(await window().load(), undefined);
  });

  it('are none after they were removed, nor while nothing may be stored', async () => {
    const screen = window();
    change(screen);
    await passed(2000);
    await screen.clear();
    assert.equal(await window().load(), undefined);
    deps.mayStore = () => Promise.resolve(false);
    change(screen);
    await passed(30_000);
    assert.equal(await window().load(), undefined);
    deps.mayStore = () => Promise.resolve(true);
    change(screen);
    await passed(30_000);
    assert.ok(await window().load(), 'the same rows as before');
  });

  it('are none once there are no sessions', async () => {
    const screen = window();
    change(screen);
    await passed(2000);
    paths.length = 0;
    change(screen);
    await passed(30_000);
    assert.equal(await window().load(), undefined);
  });

  it('are none if they can’t be read; if they can’t be stored, it’s not tried again', async () => {
    const error = new Error('The disk is gone.');
    deps.folder = { ...deps.folder, read: () => Promise.reject(error), write: () => Promise.reject(error) };
    assert.equal(await window().load(), undefined);
    const screen = window();
    change(screen);
    await passed(2000);
    change(screen);
    await passed(30_000);
    assert.deepEqual(errors, [error, error]);
  });
});
