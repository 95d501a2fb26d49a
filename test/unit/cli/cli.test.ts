import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { session } from '../../fixtures/build';
import { branchedStore, MAIN, OTHER, TWICE, type BranchedStore } from '../../fixtures/branchedStore';
import { CLI, runCli, type CliOptions, type CliResult } from '../../fixtures/runCli';

// Characters that a terminal obeys, or that reorder text.
const EFFECTS = /(?![\n\t])(?:\p{Cc}|\u061c|[\u200e\u200f\u2028-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}])/u;

/** For root, who may read everything. */
const LOCKED = join(__dirname, '..', '..', 'fixtures', 'locked.js');

interface Json {
  readonly version: number;
  readonly [key: string]: unknown;
}

describe('The command line', function () {
  // Each run starts a process.
  this.timeout(120_000);
  let folder = '';
  let store: BranchedStore;
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'session-tree-cli-')));
    store = branchedStore(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const run = (args: readonly string[], options: CliOptions = {}): Promise<CliResult> =>
    runCli([...args, '--root', store.root, '--cache', store.cache], { env: { HOME: folder }, ...options });
  const json = async (args: readonly string[], code = 0): Promise<Json> => {
    const { stdout, stderr, ...result } = await run([...args, '--json']);
    assert.equal(result.code, code, stderr);
    assert.doesNotMatch(stdout, EFFECTS);
    const value = JSON.parse(stdout) as Json;
    assert.equal(value.version, 1);
    return value;
  };
  const refused = async (args: readonly string[], code: number, sentence: RegExp): Promise<void> => {
    const { stdout, stderr, ...result } = await run(args);
    assert.equal(result.code, code, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, sentence);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
    assert.doesNotMatch(stderr, EFFECTS);
    assert.doesNotMatch(stderr, /\bat .*\.js:\d/);
  };
  const main = `pi:${MAIN}`;

  it('is an executable script of Node', () => {
    assert.ok(readFileSync(CLI, 'utf8').startsWith('#!/usr/bin/env node\n'));
    if (process.platform !== 'win32') assert.equal(statSync(CLI).mode & 0o111, 0o111);
    const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: Record<string, string> };
    assert.deepEqual(bin, { 'session-tree': './dist/cli.js' });
  });

  it('lists sessions, with a path as reference where an id is there twice', async () => {
    const { sessions } = await json(['list']);
    const rows = sessions as { ref: string; path: string; title: string; messages: number }[];
    assert.equal(rows.length, 4);
    assert.equal(rows.find(({ path }) => path === store.path('main'))?.ref, main);
    const doubles = rows.filter(({ ref }) => ref.includes('twice'));
    assert.deepEqual(doubles.map(({ ref }) => ref).sort(), [store.path('twice'), store.path('twice-copy')].sort());
    const { stdout, code } = await run(['list', '--limit', '1', '--project', store.project]);
    assert.equal(code, 0);
    assert.match(stdout, /Please fix the flaky timeout/);
    assert.equal(stdout.trimEnd().split('\n').length, 1);
    assert.doesNotMatch(stdout, EFFECTS);
  });

  it('lists the sessions in a folder itself, and in the folders in it', async () => {
    const root = join(folder, 'copied');
    const files = [join(root, 'one.jsonl'), join(root, 'project', 'two.jsonl')];
    mkdirSync(join(root, 'project'), { recursive: true });
    files.forEach((file, at) =>
      writeFileSync(
        file,
        session({ id: `copied-${at}` })
          .user('Copied.')
          .text(),
      ),
    );
    const own = async (...args: string[]): Promise<Json> => {
      const { stdout, code, stderr } = await runCli([...args, '--root', root, '--cache', store.cache, '--json'], { env: { HOME: folder } });
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout) as Json;
    };
    const { sessions } = await own('list');
    assert.deepEqual((sessions as { path: string }[]).map(({ path }) => path).sort(), files);
    const { places } = await own('doctor');
    assert.deepEqual(places, [{ path: root, program: 'pi', exists: true, sessions: 2 }]);
  });

  it('limits the list by project, program and date', async () => {
    const count = async (...args: string[]): Promise<number> => {
      const { stdout } = await run(['list', '--json', ...args]);
      return (JSON.parse(stdout) as { sessions: unknown[] }).sessions.length;
    };
    assert.equal(await count('--project', 'proj'), 1);
    assert.equal(await count('--project', '/work'), 3);
    assert.equal(await count('--program', 'omp'), 0);
    assert.equal(await count('--since', '2026-01-03'), 0);
    assert.equal(await count('--until', '2026-01-02'), 4);
    await refused(['list', '--program', 'nothing'], 2, /no program “nothing”/);
    await refused(['list', '--since', 'someday'], 2, /someday/);
  });

  it('lists titles without secrets, also those that were searched before', async () => {
    const [root, cache, password] = [join(folder, 'secrets'), join(folder, 'secrets-cache'), 'Quiet7Harbor9x'];
    mkdirSync(join(root, 'p'), { recursive: true });
    const put = (name: string, title: string): void =>
      writeFileSync(join(root, 'p', `${name}.jsonl`), session({ id: name }).user(title).text());
    const titles = async (): Promise<readonly string[]> => {
      const { stdout, stderr } = await runCli(['list', '--json', '--root', root, '--cache', cache]);
      assert.equal(stderr, '');
      return (JSON.parse(stdout) as { sessions: { title: string }[] }).sessions.map(({ title }) => title).sort();
    };
    put('a', 'A plain title');
    put('b', `Say ${password} at the door`);
    for (let again = 0; again < 2; again++) assert.deepEqual(await titles(), ['A plain title', `Say ${password} at the door`]);
    // The later title tells what the earlier one has.
    put('c', `Use PASSWORD=${password} there`);
    for (let again = 0; again < 2; again++) {
      const found = await titles();
      assert.equal(found.length, 3);
      assert.ok(!found.join('\n').includes(password), found.join('\n'));
      assert.ok(found.includes('A plain title'));
    }
    put('d', 'A new title');
    assert.ok((await titles()).includes('A new title'));
    const [index = ''] = readdirSync(cache).filter((name) => name.startsWith('index-'));
    const stored = readFileSync(join(cache, index, 'list.json'), 'utf8');
    assert.ok(stored.includes('A new title') && !stored.includes(password));
  });

  it('answers with the last list until something has changed on the disk', async () => {
    const [root, cache] = [join(folder, 'known'), join(folder, 'known-cache')];
    const at = (name: string): string => join(root, 'p', `${name}.jsonl`);
    mkdirSync(join(root, 'p', 'a'), { recursive: true });
    writeFileSync(at('a'), session({ id: 'a' }).user('First').text());
    writeFileSync(at('other'), 'This is no session.\n');
    writeFileSync(at('b'), session({ id: 'b' }).user('Second').text());
    const list = async (...args: string[]): Promise<string> => {
      const { stdout, stderr } = await runCli(['list', '--root', root, '--cache', cache, ...args]);
      assert.equal(stderr, '');
      return stdout;
    };
    const stored = (): string => join(cache, readdirSync(cache).find((name) => name.startsWith('index-')) ?? '', 'list.json');
    const asks = async (...args: string[]): Promise<boolean> => {
      // Only the stored list has this title.
      writeFileSync(stored(), readFileSync(stored(), 'utf8').replace('"First"', '"Stored"'));
      const found = await list(...args);
      assert.match(found, /Stored|First/);
      return !found.includes('Stored');
    };
    const before = await list('--json', '--limit', '1');
    assert.equal((JSON.parse(before) as { total: number }).total, 3);
    assert.deepEqual(
      [await asks(), await asks('--limit', '5'), await asks('--project', '/work'), await asks('--json')],
      [false, false, false, false],
    );
    assert.equal(await asks('--no-redact'), true);
    for (const change of [
      () => writeFileSync(at('c'), session({ id: 'c' }).user('Third').text()),
      () =>
        appendFileSync(at('b'), '{"type":"session_info","id":"n","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","name":"Named"}\n'),
      () => writeFileSync(join(root, 'p', 'a', 'child.jsonl'), session({ id: 'child' }).user('Fourth').text()),
      () => rmSync(at('c')),
      () => mkdirSync(join(root, 'q')),
    ]) {
      change();
      assert.equal(await asks(), true);
      assert.equal(await asks(), false);
    }
    // The program of a session of a moment ago may have begun or ended since.
    writeFileSync(
      at('now'),
      session({ id: 'now' })
        .user('Now', { timestamp: new Date().toISOString(), message: { timestamp: Date.now() } })
        .text(),
    );
    assert.deepEqual([await asks('--json'), await asks('--json'), await asks()], [true, true, false]);
    const found = await list();
    assert.deepEqual([found.includes('Third'), found.includes('Named'), found.includes('Fourth')], [false, true, true]);
    writeFileSync(stored(), '{"version":');
    assert.ok((await list()).includes('First'));
    // A list of another version, whose rules for secrets may be others.
    writeFileSync(
      stored(),
      readFileSync(stored(), 'utf8')
        .replace(/"version":"[^"]*"/, '"version":"0"')
        .replace('"First"', '"Stored"'),
    );
    assert.ok((await list()).includes('First'));
  });

  it('looks again for files that couldn’t be read', async function () {
    if (process.platform === 'win32') this.skip();
    const [root, cache] = [join(folder, 'unread'), join(folder, 'unread-cache')];
    mkdirSync(join(root, 'p'), { recursive: true });
    const path = join(root, 'p', 'a.jsonl');
    writeFileSync(path, session({ id: 'a' }).user('Readable').text());
    const env = process.getuid?.() === 0 ? { NODE_OPTIONS: `--require ${LOCKED}` } : {};
    const list = async (): Promise<string> => (await runCli(['list', '--root', root, '--cache', cache], { env })).stdout;
    chmodSync(path, 0);
    assert.ok(!(await list()).includes('Readable'));
    chmodSync(path, 0o600);
    assert.ok((await list()).includes('Readable'));
    chmodSync(path, 0);
    assert.ok(!(await list()).includes('Readable'));
  });

  it('finds entries with the state of their branch, and what replaced it', async () => {
    const { hits } = await json(['search', 'backoff']);
    const [hit] = hits as { ref: string; state: string; replacedBy?: { ref: string; prompt: string } }[];
    assert.equal(hit?.ref, `${main}#e0000005`);
    assert.equal(hit.state, 'left');
    assert.deepEqual(hit.replacedBy, { ref: `${main}#e000000b`, prompt: 'Release the lock instead' });
    const { stdout } = await run(['search', 'releasing']);
    assert.match(stdout, new RegExp(`^active {2}${main}#e000000b`));
    assert.deepEqual(await json(['search', 'zebra'], 1), { version: 1, hits: [] });
    await refused(
      ['search', 'zebra in the gateway\u001b[97m'],
      1,
      /^session-tree: Nothing was found\. Words that sessions have: gateway \(1 session\)\. Words that no session has: zebra, 97m\. Search goes by words: .*session-tree doctor/,
    );
    // Words needn't be quoted.
    assert.deepEqual(await json(['search', 'release', 'the', 'lock']), await json(['search', 'release the lock']));
    assert.equal(((await json(['search', 'timeout', '--role', 'user']))['hits'] as unknown[]).length, 1);
    await refused(['search', 'timeout', '--role', 'king'], 2, /no role “king”/);
    await refused(['search', ''], 2, /nothing to search for/);
  });

  it('takes the references of its answers, whole and shortened', async () => {
    const { entries } = await json(['tree', main]);
    const refs = (entries as { ref: string; state: string; depth: number }[]).map(({ ref }) => ref);
    assert.equal(refs.length, 8);
    assert.ok(refs.includes(`${main}#e0000005`));
    for (const ref of [`${MAIN}#e0000005`, `${store.path('main')}#e0000005`, `${main}#e0000005`])
      assert.equal((await json(['show', ref]))['ref'], ref.includes('p/main') ? `${store.path('main')}#e0000005` : `${main}#e0000005`);
    await refused(['show', 'pi:01a1fa45'], 1, new RegExp(`${MAIN}.*${OTHER}|${OTHER}.*${MAIN}`));
    await refused(['show', `pi:${TWICE}`], 1, /twice\.jsonl.*twice-copy\.jsonl|twice-copy\.jsonl.*twice\.jsonl/);
    await refused(['show', `${main}#e000000`], 1, /e0000001, e0000002/);
    await refused(['show', `${main}#x`], 1, /no entry x\. Its tree has the ids/);
    await refused(['show', 'pi:nowhere'], 1, /under this reference: pi:nowhere\. A list and the hits of a search have references/);
    await refused(['show', 'pi:ffff'], 1, /pi:ffff/);
    await refused(['show', '/nowhere/gone.jsonl'], 1, /gone\.jsonl/);
    await refused(['show', 'king:01'], 1, /no program “king”/);
  });

  it('shows the tree with forks, labels and the leaf', async () => {
    const { entries } = await json(['tree', store.path('main'), '--filter', 'user-only']);
    const rows = (entries as { text: string; state: string; depth: number }[]).map(({ text, state, depth }) => [depth, state, text]);
    assert.deepEqual(rows, [
      [0, 'active', 'Please fix the flaky timeout of the gateway'],
      [1, 'left', 'Try a retry with backoff'],
      [1, 'active', 'Release the lock instead'],
    ]);
    assert.match((await run(['tree', main])).stdout, /\[dead end\]/);
    await refused(['tree', main, '--filter', 'none'], 2, /no filter “none”/);
  });

  it('shows a branch, and keeps what is nearest to the entry', async () => {
    const { messages } = await json(['show', `${main}#e0000006`]);
    const texts = (messages as { role: string; text: string; state: string }[]).map(({ role, state }) => `${role} ${state}`);
    assert.deepEqual(texts, ['user active', 'assistant active', 'toolResult active', 'assistant active', 'user left', 'assistant left']);
    const cut = await json(['show', `${main}#e0000006`, '--max-bytes', '200']);
    assert.deepEqual(
      (cut['messages'] as { id: string }[]).map(({ id }) => id),
      ['e0000006'],
    );
    assert.deepEqual(cut['cut'], { messages: 5, ref: `${main}#e0000005` });
    assert.match(
      (await run(['show', `${main}#e0000006`, '--from', 'e0000005'])).stdout,
      /^user .*\nTry a retry with backoff\n\nassistant /,
    );
    await refused(['show', `${main}#e0000006`, '--from', 'e0000008'], 1, /e0000008/);
    await refused(['show', `${main}#e0000006`, '--max-bytes', '0'], 2, /max-bytes/);
  });

  it('sums up a branch', async () => {
    const { branches } = await json(['digest', `${main}#e0000005`]);
    const [branch, ...others] = branches as { ref: string; state: string; outcome: string; replacedBy: { ref: string } }[];
    assert.deepEqual(others, []);
    assert.equal(branch?.ref, `${main}#e0000007`);
    assert.equal(branch.state, 'left');
    assert.equal(branch.replacedBy.ref, `${main}#e000000b`);
    assert.match(branch.outcome, /hides the timeout/);
    assert.match((await run(['digest', main])).stdout, /^active .*\n[^]*npm test/);
  });

  it('says why a line is there', async () => {
    const { origin } = await json(['why', `${join(store.project, 'note.txt')}:2`]);
    assert.equal((origin as { ref: string }).ref, `${main}#e0000002`);
    const { stdout } = await run(['why', 'note.txt:1'], { cwd: store.project });
    assert.match(stdout, /Please fix the flaky timeout/);
    const file = join(folder, 'a:b.txt');
    writeFileSync(file, 'nobody\n');
    assert.equal((await json(['why', `${file}:1`], 1))['origin'], null);
    await refused(['why', `${file}:77`], 1, /only 2 lines/);
    await refused(['why', file], 2, /<file>:<line>/);
    await refused(['why', `${file}x:1`], 1, /doesn’t exist/);
  });

  it('lists files at an entry, writes one, and restores them with undo', async () => {
    const note = join(store.project, 'note.txt');
    const { files } = await json(['files', `${main}#e0000003`]);
    assert.deepEqual(
      (files as { file: string; certainty: string }[]).map(({ file, certainty }) => [file, certainty]),
      [[note, 'exact']],
    );
    assert.equal((await run(['at', `${main}#e0000003`, 'note.txt'])).stdout, 'first\nsecond\n');
    const text = await json(['at', `${main}#e0000003`, note]);
    assert.deepEqual([text['text'], text['certainty']], ['first\nsecond\n', 'exact']);
    assert.equal((await json(['at', `${main}#e0000003`, 'unknown.txt'], 1))['text'], null);

    rmSync(note);
    await refused(['restore', `${main}#e0000003`], 2, /--yes/);
    const planned = await json(['restore', `${main}#e0000003`, '--dry-run', '--include', 'likely']);
    assert.deepEqual(
      (planned['files'] as { action: string }[]).map(({ action }) => action),
      ['create'],
    );
    assert.throws(() => statSync(note));
    const done = await json(['restore', `${main}#e0000003`, '--yes', '--include', 'likely']);
    assert.equal(readFileSync(note, 'utf8'), 'first\nsecond\n');
    await json(['restore', '--undo', String(done['restoreId'])]);
    assert.throws(() => statSync(note));
    writeFileSync(note, 'first\nsecond\n');
    await refused(['restore', '--undo', 'nothing'], 1, /./);
    await refused(['restore'], 2, /reference/);
    await refused(['restore', main, '--include', 'all'], 2, /exact or likely/);
  });

  it('exports to standard output and to new files, but not over files or into session folders', async () => {
    const { stdout, code } = await run(['export', main]);
    assert.equal(code, 0);
    assert.match(stdout, /^# Please fix the flaky timeout/);
    const html = join(folder, 'a.html');
    const written = await json(['export', `${main}#e0000005`, '--output', html]);
    assert.deepEqual([written['path'], written['format']], [html, 'html']);
    assert.ok(Array.isArray(written['redacted']));
    assert.match(readFileSync(html, 'utf8'), /^<!doctype html>/i);
    await refused(['export', main, '--output', html], 1, /already exists/);
    await refused(['export', main, '--output', join(store.root, 'p', 'x.md')], 1, /folders of sessions/);
    await refused(['export', main, '--format', 'pdf'], 2, /no format “pdf”/);
    assert.match((await run(['export', main, '--format', 'jsonl'])).stdout, /^\{"type":"session"/);
  });

  it('adds up usage, and names all folders in doctor', async () => {
    const { usage } = await json(['usage', '--by', 'model']);
    assert.deepEqual(
      (usage as { key: string }[]).map(({ key }) => key),
      ['anthropic/claude-x'],
    );
    assert.match((await run(['usage', '--by', 'session'])).stdout, new RegExp(main));
    await refused(['usage', '--by', 'moon'], 2, /moon/);
    const missing = join(folder, 'missing');
    writeFileSync(join(store.root, 'p', 'broken.jsonl'), 'no session\n');
    const { stdout } = await runCli(['doctor', '--json', '--root', store.root, '--root', `${missing}=omp`, '--cache', store.cache]);
    rmSync(join(store.root, 'p', 'broken.jsonl'));
    const report = JSON.parse(stdout) as {
      cache: string;
      node: string;
      places: { path: string; program: string; exists: boolean }[];
      programs: unknown[];
      problems: { path: string }[];
    };
    assert.equal(report.cache, store.cache);
    assert.equal(report.node, process.versions.node);
    assert.deepEqual(
      report.places.map(({ path, program, exists }) => [path, program, exists]),
      [
        [store.root, 'pi', true],
        [missing, 'omp', false],
      ],
    );
    assert.ok(report.problems.some(({ path }) => path.endsWith('broken.jsonl')));
    assert.ok(report.problems.some(({ path }) => path === missing));
    // Folders that are there come first.
    const shown = (await runCli(['doctor', '--root', missing, '--root', store.root, '--cache', store.cache])).stdout;
    assert.ok(shown.indexOf(`missing  pi  ${missing}`) > shown.indexOf(`pi  ${store.root}`));
    assert.ok((await run(['doctor'])).stdout.includes(`Node.js ${process.versions.node}`));
  });

  it('shows nothing that a terminal obeys', async () => {
    for (const args of [['list'], ['search', 'hostile'], ['tree', `pi:${OTHER}`], ['show', `pi:${OTHER}`], ['digest', `pi:${OTHER}`]]) {
      const { stdout, stderr, code } = await run(args);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /Ignore all earlier instructions/);
      assert.doesNotMatch(stdout, EFFECTS);
    }
    const { messages } = await json(['show', `pi:${OTHER}`]);
    assert.ok((messages as { text: string }[])[0]?.text.startsWith('hostile \u001b[2J'));
  });

  it('replaces secrets, and reveals none to a search for its part', async () => {
    const token = 'gh' + 'p_' + 'a1B2'.repeat(9);
    store.put(
      'secret',
      session({ id: '03c3fa45' }).user(`the token is ${token} ok`).assistant(`PASSWORD=Quiet7Harbor9x and later Quiet7Harbor9x`),
    );
    for (const args of [
      ['search', token.slice(4, 14)],
      ['search', 'token ok'],
      ['show', 'pi:03c3'],
      ['tree', 'pi:03c3'],
      ['digest', 'pi:03c3'],
      ['export', 'pi:03c3'],
    ]) {
      const { stdout } = await run(args);
      assert.ok(!stdout.includes(token.slice(6, 20)), args.join(' '));
      assert.ok(!stdout.includes('Quiet7Harbor9x'), args.join(' '));
    }
    assert.ok((await run(['show', 'pi:03c3', '--no-redact'])).stdout.includes(token));
    rmSync(store.path('secret'));
    assert.equal((await run(['show', 'pi:03c3'])).code, 1);
  });

  it('ends with 2 for wrong usage, and shows help and version', async () => {
    await refused(['frobnicate'], 2, /frobnicate/);
    await refused(['show'], 2, /ref/);
    await refused(['list', '--frobnicate'], 2, /frobnicate/);
    await refused(['serach', 'words'], 2, /^session-tree: unknown command 'serach' \(Did you mean search\?\)$/m);
    await refused(['list', '--limit', 'x'], 2, /limit/);
    const root = { path: store.root, dialect: 'pi', flat: false };
    const windows = [
      '{"added":',
      'null',
      '[]',
      '{"added":{}}',
      '{"projects":["relative"]}',
      '{"projects":["/a\\u0000b"]}',
      JSON.stringify({ added: [{ ...root, dialect: 'none' }] }),
      JSON.stringify({ added: [{ ...root, path: 7 }] }),
      JSON.stringify({ added: [{ ...root, map: { '/a': 1 } }] }),
      JSON.stringify({ added: [{ ...root, machine: {} }] }),
      JSON.stringify({ projects: Array.from({ length: 7000 }, (_, at) => `/project-${at}`) }),
    ];
    for (const window of windows) await refused(['list', '--window', window], 2, /^session-tree: The value of “--window”/);
    for (const command of ['doctor', 'mcp']) await refused([command, '--window', '{'], 2, /“--window”/);
    const file = join(folder, 'no-cache');
    writeFileSync(file, '');
    const wrong = await runCli(['list', '--root', store.root, '--cache', file]);
    assert.deepEqual([wrong.code, wrong.stderr], [2, `session-tree: “--cache” names a file instead of a folder: ${file}\n`]);
    const { stdout } = await runCli(['list', '--json', '--cache', join(folder, 'window'), '--window', JSON.stringify({ added: [root] })], {
      env: { HOME: join(folder, 'nobody'), PI_CODING_AGENT_DIR: '' },
    });
    assert.equal((JSON.parse(stdout) as { sessions: unknown[] }).sessions.length, 4);
    const none = await runCli([]);
    assert.equal(none.code, 2);
    const help = (await runCli(['list', '--help'])).stdout;
    for (const args of [
      ['list', '-h'],
      ['help', 'list'],
    ])
      assert.equal((await runCli(args)).stdout, help);
    for (const name of [
      'list',
      'search',
      'tree',
      'show',
      'digest',
      'why',
      'files',
      'at',
      'restore',
      'export',
      'usage',
      'doctor',
      'mcp',
      'completion',
    ]) {
      const { stdout, code } = await runCli([name, '--help']);
      assert.equal(code, 0);
      assert.match(stdout, /Example:\n {2}/);
    }
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    assert.equal((await runCli(['--version'])).stdout, `${version}\n`);
    const { code, stderr } = await runCli(['search', '--root', store.root, '--cache', store.cache, '--', '--limit']);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^session-tree: Nothing was found\. Words that no session has: limit\. Search goes by words: .*session-tree doctor/,
    );
  });

  it('ends with 0 when its reader goes, and with 130 when it is interrupted', async () => {
    if (process.platform === 'win32') return;
    const args = ['list', '--json', '--root', store.root, '--cache', store.cache];
    const closed = await runCli(args, { onStart: (child) => child.stdout?.destroy() });
    assert.deepEqual([closed.code, closed.stderr], [0, '']);
    const script = `"${process.execPath}" "${CLI}" mcp --root "${store.root}" --cache "${store.cache}" < <(sleep 30) & pid=$!; sleep 3; kill -INT $pid; wait $pid; echo $?`;
    assert.equal(
      execFileSync('bash', ['-c', `set -m; ${script}`], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim(),
      '130',
    );
  });

  it('ends with 1 when the output can’t be written', () => {
    if (process.platform !== 'linux') return;
    const script = `"${process.execPath}" "${CLI}" list --root "${store.root}" --cache "${store.cache}" > /dev/full; echo $?`;
    assert.equal(execFileSync('bash', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim(), '1');
  });

  it('completes in bash, and has completions for zsh and fish', async () => {
    for (const [shell, sign] of [
      ['bash', /complete .*-F _session_tree session-tree/],
      ['zsh', /compdef _session_tree session-tree/],
      ['fish', /complete -c session-tree/],
    ] as const) {
      const { stdout, code } = await runCli(['completion', shell]);
      assert.equal(code, 0);
      assert.match(stdout, sign);
      assert.match(stdout, /digest/);
      // Only the extension uses this option.
      assert.doesNotMatch(stdout, /--window|-l window/);
    }
    await refused(['completion', 'tcsh'], 2, /tcsh/);
    if (process.platform === 'win32') return;
    const { stdout } = await runCli(['completion', 'bash']);
    const complete = (words: readonly string[]): string[] =>
      execFileSync(
        'bash',
        [
          '-c',
          `${stdout}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${String(words.length - 1)}; _session_tree; printf '%s\\n' "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8' },
      )
        .trim()
        .split('\n');
    assert.deepEqual(complete(['session-tree', 'se']), ['search']);
    assert.deepEqual(complete(['session-tree', 'show', '--max']), ['--max-bytes']);
    assert.deepEqual(complete(['session-tree', 'completion', 'z']), ['zsh']);
    assert.deepEqual(complete(['session-tree', '--root', 'list', 'dig']), ['digest']);
    assert.deepEqual(complete(['session-tree', 'tree', 'x', '--filter', 'l']), ['labeled-only']);
    assert.deepEqual(complete(['session-tree', 'usage', '--by', '=', 'fa']), ['family']);
    assert.deepEqual(complete(['session-tree', 'usage', '--by', '=']), 'day month project model session family program cause'.split(' '));
    assert.deepEqual(complete(['session-tree', 'list', '--since', '']), ['']);
    writeFileSync(join(folder, 'a name'), '');
    for (const before of [['--root'], ['list', '--project'], ['show']])
      assert.deepEqual(complete(['session-tree', ...before, join(folder, 'a n')]), [join(folder, 'a name')]);
  });
});
