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
import { addSession, createDatabase } from '../../fixtures/openclawDatabase';

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
