import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { listFiles } from '../../../src/core/files/locate/listFiles';
import { findRoots } from '../../../src/core/files/locate/findRoots';
import { rootOf, type RootEnvironment } from '../../../src/core/files/locate/roots';
import { testFolder } from '../../fixtures/folder';

describe('Roots', () => {
  const folder = testFolder();

  /**
   * Returns the roots as `dialect folder`, relative to the home, with ` flat` for folders that contain the sessions directly; by
   * default without the folders of subagents.
   */
  async function roots(at: Partial<RootEnvironment> = {}, problems: string[] = [], ofSubagents?: true): Promise<string[]> {
    const home = folder.path;
    const all = await findRoots({ env: {}, home, ...at }, (path) => problems.push(relative(home, path)));
    const found = all.filter((root) => root.ofSubagents === ofSubagents);
    return found.map(({ dialect, path, flat }) => `${dialect} ${relative(home, path)}${flat ? ' flat' : ''}`);
  }
  const make = (...names: string[]): void => names.forEach((name) => void mkdirSync(join(folder.path, name), { recursive: true }));

  it("are the programs' default folders", async () => {
    make('.omp/profiles/work', '.openclaw/agents/main');
    assert.deepEqual(await roots(), [
      'pi .pi/agent/sessions',
      'pi .atomic/agent/sessions',
      'pi .kpi/agent/sessions',
      'pi .phi/agent/sessions',
      'pi .shibui/agent/sessions',
      'omp .omp/agent/sessions',
      'omp .omp/profiles/work/agent/sessions',
      'jensen .jensen/agent/sessions',
      'gsd .gsd/sessions',
      'openclaw .openclaw/agents/main/sessions flat',
    ]);
  });

  it('are the folders of subagents beside those of the sessions, too', async () => {
    const env = { GSD_HOME: join(folder.path, 'g'), PI_CODING_AGENT_DIR: join(folder.path, 'own') };
    const found = await roots({ env }, [], true);
    for (const root of ['pi .pi/agent/subagent-sessions flat', 'pi own/sessions-subagents flat', 'gsd g/subagent-sessions flat'])
      assert.ok(found.includes(root), `${root} in ${found.join(', ')}`);
  });

  it('follow the environment', async () => {
    make('xdg/omp/sessions', 'claw/agents/a');
    const env = {
      PI_CODING_AGENT_DIR: '~/agent',
      PI_CODING_AGENT_SESSION_DIR: join(folder.path, 'here'),
      PI_CONFIG_DIR: '.other',
      OMP_PROFILE: 'p',
      XDG_DATA_HOME: join(folder.path, 'xdg'),
      JENSEN_CODING_AGENT_DIR: join(folder.path, 'j'),
      GSD_HOME: join(folder.path, 'g'),
      OPENCLAW_STATE_DIR: join(folder.path, 'claw'),
    };
    const found = await roots({ env });
    for (const root of [
      'pi here flat',
      'pi agent/sessions',
      'pi .pi/agent/sessions',
      'omp .other/agent/sessions',
      'omp .other/profiles/p/agent/sessions',
      'omp xdg/omp/sessions',
      'jensen j/sessions',
      'gsd g/sessions',
      'openclaw claw/agents/a/sessions flat',
    ]) {
      assert.ok(found.includes(root), `${root} in ${found.join(', ')}`);
    }
  });

  it('of oh-my-pi include the profiles in the data folder, and the profile that the environment selects', async () => {
    make('xdg/omp/profiles/work');
    const XDG_DATA_HOME = join(folder.path, 'xdg');
    const omp = async (env: Record<string, string>): Promise<string[]> =>
      (await roots({ env: { XDG_DATA_HOME, ...env } })).filter((root) => root.startsWith('omp'));
    const inData = ['omp xdg/omp/sessions', 'omp xdg/omp/profiles/work/sessions'];
    assert.deepEqual(await omp({}), ['omp .omp/agent/sessions', ...inData]);
    const own = 'omp .omp/profiles/own/agent/sessions';
    assert.deepEqual(await omp({ PI_PROFILE: 'own' }), ['omp .omp/agent/sessions', own, ...inData]);
    assert.deepEqual(await omp({ PI_PROFILE: 'own', OMP_PROFILE: '' }), ['omp .omp/agent/sessions', ...inData]);
    assert.deepEqual(await omp({ OMP_PROFILE: '../../elsewhere' }), ['omp .omp/agent/sessions', ...inData]);
    assert.deepEqual(await omp({ XDG_DATA_HOME: join(folder.path, 'none') }), ['omp .omp/agent/sessions']);
  });

  it('of oh-my-pi include single sessions that it has opened elsewhere', async () => {
    make('.omp/agent/custom-session-files', 'state/omp/custom-session-files', 'work');
    const record = (name: string, text: string): void => writeFileSync(join(folder.path, name), text);
    record('.omp/agent/custom-session-files/a1', join(folder.path, 'work', 'mine.jsonl'));
    record('.omp/agent/custom-session-files/a2', `${join(folder.path, 'work', '..', 'work', 'yours.jsonl')}\n`);
    record('.omp/agent/custom-session-files/a3', 'relative.jsonl');
    record('.omp/agent/custom-session-files/a4', '//server/share/theirs.jsonl');
    record('.omp/agent/custom-session-files/a5', join(folder.path, 'work', 'notes.txt'));
    record('state/omp/custom-session-files/b1', join(folder.path, 'other', 'third.jsonl'));
    const found = await findRoots({ env: { XDG_STATE_HOME: join(folder.path, 'state') }, home: folder.path });
    assert.deepEqual(
      found.filter(({ names }) => names !== undefined),
      [
        { path: join(folder.path, 'work'), dialect: 'omp', flat: true, mayBeMissing: true, names: ['mine.jsonl', 'yours.jsonl'] },
        { path: join(folder.path, 'other'), dialect: 'omp', flat: true, mayBeMissing: true, names: ['third.jsonl'] },
      ],
    );
    for (const name of ['mine.jsonl', 'another.jsonl', 'mine/sub.jsonl']) {
      make(dirname(join('work', name)));
      record(join('work', name), '');
    }
    const { files } = await listFiles(found, assert.ifError);
    assert.deepEqual(files.map(({ path, owner }) => [relative(folder.path, path), owner !== undefined]).sort(), [
      [join('work', 'mine.jsonl'), false],
      [join('work', 'mine', 'sub.jsonl'), true],
    ]);
    // A folder under two names has the sessions that were registered under either.
    symlinkSync(join(folder.path, 'work'), join(folder.path, 'link'));
    record('.omp/agent/custom-session-files/a6', join(folder.path, 'link', 'another.jsonl'));
    const linked = await findRoots({ env: {}, home: folder.path });
    assert.deepEqual(
      linked.flatMap(({ names }) => (names ? [[...names].sort()] : [])),
      [['another.jsonl', 'mine.jsonl', 'yours.jsonl']],
    );
    const inRoot = (name: string): boolean => rootOf(join(folder.path, 'work', name), found) !== undefined;
    assert.deepEqual(['mine.jsonl', 'mine/sub.jsonl', 'another.jsonl', 'mine2/sub.jsonl'].map(inRoot), [true, true, false, false]);
  });

  it("follow pi's settings and those of projects, and report one that can't be read", async () => {
    make('.pi/agent', 'project/.pi');
    writeFileSync(join(folder.path, '.pi/agent/settings.json'), '{"sessionDir": "~/mine"}');
    writeFileSync(join(folder.path, 'project/.pi/settings.json'), '{"sessionDir": ');
    const problems: string[] = [];
    assert.ok((await roots({ projects: [join(folder.path, 'project')] }, problems)).includes('pi mine flat'));
    assert.deepEqual(problems, [join('project', '.pi', 'settings.json')]);
  });

  it("resolve a relative folder of pi's settings from each project", async () => {
    make('.pi/agent');
    writeFileSync(join(folder.path, '.pi/agent/settings.json'), '{"sessionDir": "./kept"}');
    const flat = async (projects: readonly string[]): Promise<string[]> =>
      (await roots({ projects: projects.map((name) => join(folder.path, name)) })).filter((root) => root.endsWith(' flat'));
    assert.deepEqual(await flat(['one', 'two']), ['pi one/kept flat', 'pi two/kept flat']);
    assert.deepEqual(await flat([]), []);
  });

  it("include the folder that a project's settings name as flat, but never on another computer", async () => {
    make('project/.pi');
    const named = async (sessionDir: unknown, problems: string[] = []): Promise<string[]> => {
      writeFileSync(join(folder.path, 'project/.pi/settings.json'), JSON.stringify({ sessionDir }));
      const found = await findRoots({ env: {}, home: folder.path, projects: [join(folder.path, 'project')] }, (_, error) =>
        problems.push(String(error)),
      );
      return found.filter(({ flat, ofSubagents }) => flat && !ofSubagents).map(({ path }) => path);
    };
    assert.deepEqual(await named('../../..'), [join(folder.path, '../..')]);
    assert.deepEqual(await named('~'), [folder.path]);
    assert.deepEqual(await named('/'), ['/']);
    for (const none of ['', 7, null, ['/'], {}]) assert.deepEqual(await named(none), []);
    for (const share of ['\\\\host\\share', '//host/share', '\\/host/share', '//?/UNC/host/share']) {
      const problems: string[] = [];
      assert.deepEqual(await named(share, problems), [], share);
      assert.match(problems.join(), /another computer.*sessionTree\.roots/, share);
    }
  });

  it("list a folder at both depths if it's named both ways", async () => {
    make('.pi/agent');
    writeFileSync(join(folder.path, '.pi/agent/settings.json'), '{"sessionDir": "~/.pi/agent/sessions"}');
    const found = await roots();
    assert.deepEqual(found.slice(0, 2), ['pi .pi/agent/sessions flat', 'pi .pi/agent/sessions']);
  });

  it('begin with those that the person added', async () => {
    const added = [{ path: join(folder.path, '.gsd/sessions'), dialect: 'pi', flat: false }] as const;
    const found = await roots({ added });
    assert.deepEqual([found[0], found.filter((root) => root.includes('.gsd'))], ['pi .gsd/sessions', ['pi .gsd/sessions']]);
  });

  it('contain each folder once, by its real path', async () => {
    make('.pi/agent/sessions', '.jensen/agent');
    symlinkSync(join(folder.path, '.pi/agent/sessions'), join(folder.path, '.jensen/agent/sessions'));
    assert.deepEqual(
      (await roots()).filter((root) => /\.pi|jensen/.test(root)),
      ['pi .pi/agent/sessions'],
    );
  });

  it('contain a file in the innermost of them', () => {
    const outer = { path: '/a', dialect: 'pi', flat: false } as const;
    const inner = { path: '/a/b', dialect: 'omp', flat: false } as const;
    assert.equal(rootOf('/a/b/c/x.jsonl', [outer, inner]), inner);
    assert.equal(rootOf('/a/bc/x.jsonl', [outer, inner]), outer);
    assert.equal(rootOf('/b/x.jsonl', [outer, inner]), undefined);
  });

  it('contain a file whatever form its path has', () => {
    const root = { path: '/a/b', dialect: 'pi', flat: true } as const;
    const isIn = (path: string): boolean => rootOf(path, [root]) !== undefined;
    for (const path of ['/a//b/x', '/a/b//x', '/a/./b/x', '/a/b/c/../x', '/a/x/../b/x', '/a/b/..x', '/a/b/.x', '/a/b/x.', '//a/b/x'])
      assert.ok(isIn(path), path);
    for (const path of ['/a/b/../x', '/a/b/c/../../x', '/a/b/..', '/a/b/.', '/a/b/', '/a/b', '/a/b//', '/a/bx/..', 'a/b/x'])
      assert.ok(!isIn(path), path);
    assert.ok(rootOf('/x', [{ path: '/', dialect: 'pi', flat: true }]));
  });
});
