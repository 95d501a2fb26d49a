import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { agentFiles, type AgentFiles } from '../../../src/agents/agentFiles';
import { planEntry, takeBackEntry, writeEntry } from '../../../src/agents/install/install';
import { installCommand, uninstallCommand } from '../../../src/agents/install/pathCommand';
import { targetOf, TARGETS, type Target, type TargetId } from '../../../src/agents/install/targets';
import { writeLauncher } from '../../../src/agents/launcher';
import type { RootEnvironment } from '../../../src/core/index';
import { testFolder } from '../../fixtures/folder';

const EXTENSIONS = dirname(resolve('.'));

describe('Letting other programs look up sessions', () => {
  const folder = testFolder();
  let environment: RootEnvironment;
  let files: AgentFiles;
  beforeEach(() => {
    environment = { home: folder.path, env: {} };
    files = agentFiles(environment, 'vscode');
  });

  const targetAt = (id: TargetId): Target => targetOf(id, environment, files);
  const put = (file: string, text: string): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const read = (file: string): string => readFileSync(file, 'utf8');
  const write = (id: TargetId): Promise<void> => writeEntry(targetAt(id), files, EXTENSIONS);

  it('writes each program’s settings, which are as before when that is taken back', async () => {
    for (const id of TARGETS) {
      const target = targetAt(id);
      assert.equal((await planEntry(target, files)).state, 'absent');
      await write(id);
      assert.equal((await planEntry(target, files)).state, 'ours', id);
      const text = read(target.file);
      assert.ok(text.includes(files.launcher) && text.includes(files.settings), id);
      // A second time changes nothing.
      await write(id);
      assert.equal(read(target.file), text);
      assert.equal(await takeBackEntry(target, files), true);
      assert.equal(existsSync(target.file), false, id);
      assert.equal(await takeBackEntry(target, files), false);
    }
    assert.equal(existsSync(dirname(targetAt('pi').file)), false);
  });

  it('writes where the environment has oh-my-pi read its settings', () => {
    for (const [env, folderOf] of [
      [{}, ['.omp', 'agent']],
      [{ PI_CONFIG_DIR: '.mine' }, ['.mine', 'agent']],
      [{ PI_CODING_AGENT_DIR: join(folder.path, 'mine') }, ['mine']],
      [{ OMP_PROFILE: 'work' }, ['.omp', 'profiles', 'work', 'agent']],
      [{ PI_PROFILE: 'work', PI_CODING_AGENT_DIR: '/elsewhere' }, ['.omp', 'profiles', 'work', 'agent']],
      [{ OMP_PROFILE: '', PI_PROFILE: 'work' }, ['.omp', 'agent']],
      [{ OMP_PROFILE: 'default' }, ['.omp', 'agent']],
      [{ XDG_DATA_HOME: folder.path }, ['.omp', 'agent']],
    ] satisfies [RootEnvironment['env'], string[]][])
      assert.equal(targetOf('omp', { home: folder.path, env }, files).file, join(folder.path, ...folderOf, 'mcp.json'));
  });

  const JSONS = [
    '{}',
    '{"a": 1}\n',
    '{\n\t"mcpServers": {\n\t\t"other": { "command": "x" }\n\t}\n}',
    '// 评论\n{\r\n    "mcpServers": {}, // 📎 keep\r\n    "last": [1, 2,],\r\n}\r\n',
    '{"mcpServers":{"a":{},"b":{}},"projects":{"/x":{"history":["\\u001b[2J ]}"]}}}',
  ];
  it('keeps everything else in JSON byte for byte', async () => {
    const { file, content } = targetAt('claude');
    for (const before of JSONS) {
      put(file, before);
      await write('claude');
      const after = read(file);
      assert.equal(content.form === 'json' && (await planEntry(targetAt('claude'), files)).state, 'ours', before);
      for (const part of ['"other": { "command": "x" }', '// 📎 keep', '[1, 2,]', '"history":["\\u001b[2J ]}"]'])
        assert.equal(after.includes(part), before.includes(part), part);
      assert.equal(await takeBackEntry(targetAt('claude'), files), true);
      assert.equal(read(file), before);
    }
  });

  it('takes only its own entry out when the file was changed meanwhile', async () => {
    const target = targetAt('cursor');
    put(target.file, '{ "mcpServers": { "a": { "command": "a" } } }');
    await write('cursor');
    const changed = JSON.parse(read(target.file)) as { mcpServers: Record<string, unknown> };
    put(target.file, JSON.stringify({ x: 1, mcpServers: { z: {}, ...changed.mcpServers } }));
    await takeBackEntry(target, files);
    assert.deepEqual(JSON.parse(read(target.file)), { x: 1, mcpServers: { z: {}, a: { command: 'a' } } });
  });

  it('leaves an entry of the same name, a form that it can’t change, and what isn’t its format', async () => {
    const leave = async (id: TargetId, text: string | Buffer, expected: RegExp): Promise<void> => {
      const { file } = targetAt(id);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      await assert.rejects(write(id), expected, String(text));
      assert.ok(readFileSync(file).equals(Buffer.from(text)));
      await takeBackEntry(targetAt(id), files).catch(() => undefined);
      assert.ok(readFileSync(file).equals(Buffer.from(text)));
    };
    const theirs = /another entry/;
    await leave('cursor', '{"mcpServers":{"session-tree":{"command":"mine"}}}', theirs);
    await leave('cursor', '{"mcpServers":[]}', /another form/);
    await leave('openclaw', '{ mcp: { servers: {} } }', /isn’t JSON/);
    for (const text of ['[', '"text"', '{"a":', '{} {}']) await leave('claude', text, /isn’t JSON/);
    await leave('claude', Buffer.from([0x7b, 0xff, 0x7d]), /UTF-8/);
    for (const text of ['[mcp_servers.session-tree]\n', '[ mcp_servers . "session-tree" ]', "[mcp_servers.'session-tree'.env]\nA = 1\n"])
      await leave('codex', text, theirs);
    for (const text of ['mcp_servers = {}\n', 'a = 1\nmcp_servers.other.command = "x"\n']) await leave('codex', text, /another form/);
    await leave('pi', 'a skill of the person', theirs);
  });

  it('adds a table at the end of TOML, and removes exactly it', async () => {
    const { file } = targetAt('codex');
    for (const before of ['', 'model = "o"', '# é\r\n[mcp_servers.other]\r\ncommand = "x"\r\n', '[[a]]\nb = """\n"""\n']) {
      put(file, before);
      await write('codex');
      assert.ok(read(file).startsWith(before));
      assert.match(read(file), /\n?\[mcp_servers\.session-tree\]\r?\ncommand = "/);
      put(file, `${read(file)}[later]\n`);
      await takeBackEntry(targetAt('codex'), files);
      assert.equal(read(file), `${before}[later]\n`);
    }
  });

  it('follows a link to the file, keeps its mode, and refuses what isn’t a file', async () => {
    const { file } = targetAt('claude');
    const real = join(folder.path, 'dotfiles', 'claude.json');
    put(real, '{}');
    symlinkSync(real, file);
    await write('claude');
    assert.ok(lstatSync(file).isSymbolicLink() && read(real).includes('session-tree'));
    assert.equal(statSync(real).mode & 0o777, 0o644);
    rmSync(file);
    mkdirSync(file);
    await assert.rejects(write('claude'), /regular file/);
  });

  it('installs the command where the person’s PATH has it, and never over another file', async () => {
    const own = join(folder.path, 'bin');
    mkdirSync(own);
    const inPath = { ...environment, env: { PATH: `/usr/bin:relative::${own}` } };
    assert.deepEqual(await installCommand(files, inPath, EXTENSIONS), { path: join(own, 'session-tree'), isInPath: true });
    assert.equal(readlinkSync(join(own, 'session-tree')), files.launcher);
    // Another folder later: the first link goes.
    const usual = join(folder.path, '.local', 'bin', 'session-tree');
    assert.deepEqual(await installCommand(files, environment, EXTENSIONS), { path: usual, isInPath: false });
    assert.equal(existsSync(join(own, 'session-tree')), false);
    assert.equal(await uninstallCommand(files), usual);
    assert.equal(await uninstallCommand(files), undefined);
    writeFileSync(usual, 'theirs');
    await assert.rejects(installCommand(files, environment, EXTENSIONS), { code: 'invalid' });
    assert.equal(read(usual), 'theirs');
  });

  it('starts the command line by a script, with any names of folders', async () => {
    const odd = join(folder.path, 'it\'s $HOME `a` "b" 名');
    mkdirSync(odd);
    const cli = join(odd, 'cli.js');
    writeFileSync(cli, 'console.log(JSON.stringify([process.env.ELECTRON_RUN_AS_NODE, ...process.argv.slice(2)]))');
    await writeLauncher(files, { execPath: process.execPath, cli });
    const run = (): ReturnType<typeof spawnSync> => spawnSync(files.launcher, ['a b', '--x'], { encoding: 'utf8' });
    assert.deepEqual(JSON.parse(String(run().stdout)), ['1', 'a b', '--x']);
    // An update of a remote server removes the editor's own Node.
    await writeLauncher(files, { execPath: join(odd, 'gone'), cli });
    assert.deepEqual(JSON.parse(String(run().stdout)), ['1', 'a b', '--x']);
    rmSync(cli);
    assert.deepEqual([run().status, /is gone or was updated/.test(String(run().stderr))], [1, true]);
  });

  it('takes everything back after uninstalling, but nothing of another editor', async () => {
    const before = '{"mcpServers": {"a": {}}}';
    put(targetAt('claude').file, before);
    for (const id of TARGETS) await write(id);
    await installCommand(files, environment, EXTENSIONS);
    const others = agentFiles(environment, 'cursor');
    await writeEntry({ ...targetOf('codex', environment, others), file: join(folder.path, 'other.toml') }, others, '/elsewhere');
    const { status, stderr } = spawnSync(process.execPath, [resolve('dist/uninstall.js')], {
      encoding: 'utf8',
      env: { HOME: folder.path, PATH: '' },
    });
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(read(targetAt('claude').file), before);
    for (const id of TARGETS) if (id !== 'claude') assert.equal(existsSync(targetAt(id).file), false, id);
    assert.equal(existsSync(join(folder.path, '.local', 'bin', 'session-tree')), false);
    assert.equal(existsSync(files.folder), false);
    assert.ok(read(join(folder.path, 'other.toml')).includes('session-tree') && existsSync(others.record));
  });
});
