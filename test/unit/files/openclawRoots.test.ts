import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findRoots } from '../../../src/core/files/locate/findRoots';
import { listFiles } from '../../../src/core/files/locate/listFiles';
import { parseLooseJson } from '../../../src/core/files/locate/looseJson';
import { SessionError } from '../../../src/core/format/entry/problem';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { addSession, createDatabase, createRegistry } from '../../fixtures/openclawDatabase';

describe('Roots of OpenClaw', () => {
  const folder = testFolder();

  /** Writes a file, and its folders. */
  function write(name: string, text = ''): string {
    const path = join(folder.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Returns the paths of OpenClaw's roots, relative to the home, and the problems. */
  async function find(env: Record<string, string> = {}): Promise<{ roots: string[]; problems: [string, unknown][] }> {
    const home = folder.path;
    const problems: [string, unknown][] = [];
    const found = await findRoots({ env, home }, (path, error) => problems.push([relative(home, path), error]));
    const roots = found.filter(({ dialect }) => dialect === 'openclaw');
    assert.ok(roots.every(({ flat }) => flat));
    return { roots: roots.map(({ path }) => relative(home, path)), problems };
  }

  /** Returns the roots that settings with this text lead to. */
  async function withSettings(text: string): Promise<string[]> {
    write('.openclaw/openclaw.json', text);
    const { roots, problems } = await find();
    assert.deepEqual(problems, []);
    return roots;
  }

  it('include the databases of several agents beside each other, but not those in memory or of memories', async () => {
    const agent = '.openclaw/agents/main/agent/openclaw-agent';
    for (const suffix of ['', '.研究', '.research.2']) write(`${agent}${suffix}.sqlite`);
    for (const suffix of ['.sqlite-wal', '-old.sqlite', '.json']) write(`${agent}${suffix}`);
    write('.openclaw/agents/main/agent/incognito-openclaw-agent.sqlite');
    write('.openclaw/state/memory/shared-0123456789abcdef.sqlite');
    const { roots } = await find();
    assert.deepEqual(roots, ['.openclaw/agents/main/sessions', `${agent}.research.2.sqlite`, `${agent}.sqlite`, `${agent}.研究.sqlite`]);
  });

  it('are in the state folders of the environment, of all profiles, and of the earlier name', async () => {
    for (const state of ['elsewhere', '.openclaw', '.openclaw-работа', '.clawdbot', '.openclawed'])
      mkdirSync(join(folder.path, state, 'agents', 'main'), { recursive: true });
    const { roots, problems } = await find({ OPENCLAW_STATE_DIR: join(folder.path, 'elsewhere') });
    const states = ['elsewhere', '.openclaw', '.openclaw-работа', '.clawdbot'];
    assert.deepEqual(
      roots,
      states.map((state) => `${state}/agents/main/sessions`),
    );
    assert.deepEqual(problems, []);
  });

  it('follow the store that the settings name', async () => {
    for (const name of ['openclaw-agent', 'openclaw-agent.b', 'team', 'team.b', 'shared', 'shared.b', 'incognito-openclaw-agent'])
      write(`données/${name}.sqlite`);
    const store = (path: string): string => `// mine\n{session: {store: '~/données/${path}', /* 日本語 */}, port: +0x1F,}`;
    assert.deepEqual(await withSettings(store('sessions.json')), [
      'données',
      'données/openclaw-agent.b.sqlite',
      'données/openclaw-agent.sqlite',
    ]);
    assert.deepEqual(await withSettings(store('team.json')), ['données', 'données/team.b.sqlite', 'données/team.sqlite']);
    assert.deepEqual(await withSettings(store('shared.sqlite')), ['données/shared.sqlite']);
    assert.deepEqual(await withSettings(store('incognito-openclaw-agent.sqlite')), []);
    assert.deepEqual(await withSettings(store('none.sqlite')), []);
    assert.deepEqual(await withSettings('{"session": {"store": 7}}'), []);
  });

  it('follow a store that the settings name for each agent', async () => {
    for (const agent of ['a', '$&']) mkdirSync(join(folder.path, '.openclaw/agents', agent), { recursive: true });
    const roots = await withSettings('{"session": {"store": "~/of/{agentId}/sessions.json"}}');
    assert.deepEqual(roots.filter((root) => root.startsWith('of')).sort(), ['of/$&', 'of/a']);
  });

  it('include a shared database, whose sessions are those of several agents', async () => {
    const path = write('shared.sqlite');
    const database = createDatabase(path);
    for (const agent of ['main', 'other'])
      addSession(database, { id: agent, key: `agent:${agent}:x`, lines: session().user('hi').lines() });
    database.close();
    write('.openclaw/openclaw.json', "{session: {store: '~/shared.sqlite'}}");
    const { files } = await listFiles(await findRoots({ env: {}, home: folder.path }), assert.ifError);
    assert.deepEqual(files.map((file) => relative(path, file.path)).sort(), ['main.jsonl', 'other.jsonl']);
  });

  /** Creates the registry in the usual state folder. */
  function register(databases: readonly string[]): string {
    const path = write('.openclaw/state/openclaw.sqlite');
    createRegistry(path, databases);
    return path;
  }

  it('include the databases that OpenClaw’s registry names, and the other agents’ databases beside them', async () => {
    for (const name of ['a/openclaw-agent.b', 'a/openclaw-agent', 'a/other', 'b/team', 'b/team.研究.2', 'b/incognito-openclaw-agent'])
      write(`données/${name}.sqlite`);
    const named = ['a/openclaw-agent.b', 'b/team', 'b/none', 'gone/team', 'b/incognito-openclaw-agent'];
    register(named.map((name) => join(folder.path, `données/${name}.sqlite`)));
    const { roots, problems } = await find();
    assert.deepEqual(problems, []);
    assert.deepEqual(roots.sort(), [
      'données/a/openclaw-agent.b.sqlite',
      'données/a/openclaw-agent.sqlite',
      'données/b/team.sqlite',
      'données/b/team.研究.2.sqlite',
    ]);
  });

  it('are only regular files of this computer if the registry names them', async () => {
    const good = write('good.sqlite');
    mkdirSync(join(folder.path, 'folder.sqlite'));
    symlinkSync(good, join(folder.path, 'link.sqlite'));
    execFileSync('mkfifo', [join(folder.path, 'fifo.sqlite')]);
    const here = ['folder.sqlite', 'link.sqlite', 'fifo.sqlite', 'a\u0007.sqlite', '../x/./y.sqlite'].map(
      (name) => `${folder.path}/${name}`,
    );
    write('a\u0007.sqlite');
    const registry = register([...here, '/dev/zero', 'relative.sqlite', '//server/share/a.sqlite', '/net/server/a.sqlite', good]);
    const { roots, problems } = await find();
    assert.deepEqual(roots, ['good.sqlite']);
    assert.deepEqual(
      problems.map(([path, error]) => [join(folder.path, path), (error as SessionError).code]),
      [[registry, 'invalid']],
    );
  });

  it('are the two hundred databases that were used last if the registry names a hundred thousand', async () => {
    const names = Array.from({ length: 100_000 }, (_, at) => join(folder.path, `${at}.sqlite`));
    for (const at of [0, 99_799, 99_800, 99_999]) write(`${at}.sqlite`);
    register(names);
    const { roots, problems } = await find();
    assert.deepEqual(roots.sort(), ['99800.sqlite', '99999.sqlite']);
    assert.match(String(problems[0]?.[1]), /more than 200 databases/);
  });

  it('are found despite a registry that is no database, a FIFO or a link, which are problems', async () => {
    write('.openclaw/agents/main/agent/openclaw-agent.sqlite');
    const real = write('registry.sqlite');
    createRegistry(real, [write('secret.sqlite')]);
    for (const state of ['a', 'b', 'c']) mkdirSync(join(folder.path, `.openclaw-${state}/state`), { recursive: true });
    write('.openclaw-a/state/openclaw.sqlite', 'x'.repeat(5000));
    execFileSync('mkfifo', [join(folder.path, '.openclaw-b/state/openclaw.sqlite')]);
    symlinkSync(real, join(folder.path, '.openclaw-c/state/openclaw.sqlite'));
    const { roots, problems } = await find();
    assert.deepEqual(roots, ['.openclaw/agents/main/sessions', '.openclaw/agents/main/agent/openclaw-agent.sqlite']);
    assert.deepEqual(
      problems.map(([path, error]) => [path, (error as SessionError).code]),
      ['a', 'b', 'c'].map((state) => [`.openclaw-${state}/state/openclaw.sqlite`, 'not-a-session']),
    );
  });

  it('are found despite settings that are malformed, too large, a FIFO or in a circle of links, which are problems', async () => {
    mkdirSync(join(folder.path, '.openclaw/agents/main'), { recursive: true });
    for (const [state, text] of Object.entries({ a: '{session:', b: `"${'\\"'.repeat(100_000)}`, c: `{x: "${'a'.repeat(300_000)}"}` }))
      write(`.openclaw-${state}/openclaw.json`, text);
    for (const state of ['d', 'e']) mkdirSync(join(folder.path, `.openclaw-${state}`));
    execFileSync('mkfifo', [join(folder.path, '.openclaw-d/openclaw.json')]);
    symlinkSync('openclaw.json', join(folder.path, '.openclaw-e/openclaw.json'));
    const { roots, problems } = await find();
    assert.deepEqual(roots, ['.openclaw/agents/main/sessions']);
    assert.deepEqual(
      problems.map(([path, error]) => [path, error instanceof SessionError ? error.code : (error as NodeJS.ErrnoException).code]),
      ['a', 'b', 'c', 'd'].map((state) => [`.openclaw-${state}/openclaw.json`, 'invalid']).concat([['.openclaw-e/openclaw.json', 'ELOOP']]),
    );
  });

  it('aren’t on another computer', async () => {
    const paths = ['//server/share/sessions.json', '\\\\\\\\server\\\\x.sqlite', '/net/server/sessions.json'];
    for (const path of paths) {
      write('.openclaw/openclaw.json', `{"session": {"store": "${path}"}}`);
      const { roots, problems } = await find();
      assert.deepEqual(roots, []);
      assert.deepEqual(
        problems.map(([, error]) => (error as SessionError).code),
        ['permission'],
      );
    }
  });
});

describe('Loose JSON', () => {
  it('has comments, trailing commas, keys without quotes, and single quotes', () => {
    assert.deepEqual(parseLooseJson(`{a: 'it\\'s "x" // no', $b_1: [1, .5, +2, -1e3, null,], /* c: 1, */ "d": {"e": true,},} // end`), {
      a: 'it\'s "x" // no',
      $b_1: [1, 0, 0, -1000, null],
      d: { e: true },
    });
    assert.equal(parseLooseJson("'\\x41\\u05d0\\\nж\\0\\q'"), 'A\u05d0ж\0q');
  });

  it('is refused if it’s malformed', () => {
    for (const text of ['', '{', "'", '"\\', '{a: b}', '{,}', '[1 2]', '{a}', '/*', '/', '{"a" "b"}', '[,,]'])
      assert.throws(() => parseLooseJson(text), SyntaxError, text);
  });
});
