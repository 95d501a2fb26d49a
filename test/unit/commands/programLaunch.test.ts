import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { keptOpenOnError, shellOptionsFor, quoteCommand } from '../../../src/commands/terminal/programLaunch';
import { findProgram, type HostEnvironment } from '../../../src/core/files/programs/findProgram';
import { testFolder } from '../../fixtures/folder';

/** Splits a command line like fish, where a backslash in single quotes escapes a quote or a backslash. */
function fishWords(line: string): string[] {
  return [...line.matchAll(/(?:'(?:\\[\s\S]|[^'\\])*'|\\[\s\S]|[^\s'\\])+/g)].map(([word]) =>
    word.replace(
      /'((?:\\[\s\S]|[^'\\])*)'|\\([\s\S])/g,
      (_, inside: string | undefined, escaped: string | undefined) => escaped ?? inside!.replace(/\\(['\\])/g, '$1'),
    ),
  );
}

describe('Program launch', () => {
  const folder = testFolder();
  const host = (given: Partial<HostEnvironment> = {}): HostEnvironment => ({
    platform: 'linux',
    env: { PATH: folder.path },
    home: folder.path,
    ...given,
  });
  const program = async (name: string, mode = 0o755, text = '#!/bin/sh\n'): Promise<string> => {
    const path = await folder.write(name, text);
    await chmod(path, mode);
    return path;
  };

  it('finds a program by name, in the order of PATH', async () => {
    const first = await program('pi');
    assert.equal(await findProgram('pi', host({ env: { PATH: `relative:/nowhere:${folder.path}` } })), first);
    assert.equal(await findProgram('omp', host()), undefined);
  });

  it('finds executable files only', async () => {
    await program('notes', 0o644);
    await mkdir(join(folder.path, 'pi'));
    assert.equal(await findProgram('notes', host()), undefined);
    assert.equal(await findProgram('pi', host()), undefined);
  });

  it('finds a program by its path: absolute or below the home folder, never relative', async () => {
    const path = await program('pi');
    assert.equal(await findProgram(path, host({ env: {} })), path);
    assert.equal(await findProgram('~/pi', host({ env: {} })), path);
    assert.equal(await findProgram('./pi', host()), undefined);
  });

  it('adds the endings of PATHEXT on Windows, and runs scripts in its shell', async () => {
    const path = await program('pi.CMD', 0o644);
    const windows = host({ platform: 'win32', env: { PATH: folder.path, PATHEXT: '.EXE;.CMD', ComSpec: 'C:\\Windows\\cmd.exe' } });
    assert.equal(await findProgram('pi', windows), path);
    assert.deepEqual(shellOptionsFor('C:\\npm\\pi.cmd', ['--session', 'C:\\My files\\a&b.jsonl'], windows), {
      shellPath: 'C:\\Windows\\cmd.exe',
      shellArgs: '/d /s /c ""C:\\npm\\pi.cmd" "--session" "C:\\My files\\a&b.jsonl""',
    });
    const shellOf = (env: HostEnvironment['env']) => shellOptionsFor('C:\\npm\\pi.cmd', [], { ...windows, env }).shellPath;
    assert.equal(shellOf({ ComSpec: 'cmd.exe', SystemRoot: 'D:\\Windows' }), 'D:\\Windows\\System32\\cmd.exe', 'never by its name');
    assert.equal(shellOf({}), 'C:\\Windows\\System32\\cmd.exe');
    assert.throws(() => shellOptionsFor('C:\\npm\\pi.cmd', ['C:\\%PATH%.jsonl'], windows), { code: 'invalid' });
    assert.deepEqual(shellOptionsFor('C:\\pi.exe', ['%PATH%'], windows), { shellPath: 'C:\\pi.exe', shellArgs: ['%PATH%'] });
  });

  it('handles quoted folders and names with a dot on Windows, and skips files that Windows can not run', async () => {
    const path = await program('pi.CMD', 0o644);
    const versioned = await program('pi.2.EXE', 0o644);
    await program('pi', 0o644);
    const windows = host({ platform: 'win32', env: { Path: `relative;"/nowhere";"${folder.path}"`, PATHEXT: '.EXE;;.CMD;' } });
    assert.equal(await findProgram('pi', windows), path);
    assert.equal(await findProgram('pi.CMD', windows), path);
    assert.equal(await findProgram('pi.2', windows), versioned);
    assert.equal(await findProgram(join(folder.path, 'pi'), windows), path);
    await program('omp', 0o644);
    assert.equal(await findProgram('omp', windows), undefined);
  });

  it('keeps a terminal open whose program failed, and interprets no argument', async function () {
    if (process.platform === 'win32') this.skip();
    const path = await program('a pi $(x)', 0o755, '#!/bin/sh\nprintf "%s," "$@"\nexit "$1"\n');
    const run = (code: string): string => {
      const args = [code, '$(touch x)', '"; exit 9', "'"];
      const { shellPath, shellArgs } = keptOpenOnError({ shellPath: path, shellArgs: args }, 'It failed: $(y) %s', host());
      assert.ok(typeof shellArgs !== 'string');
      const { stdout, status } = spawnSync(shellPath, shellArgs, { encoding: 'utf8', input: '\n', cwd: folder.path });
      assert.equal(status, 0);
      return stdout;
    };
    const printed = (code: string): string => `${code},$(touch x),"; exit 9,',`;
    assert.equal(run('0'), printed('0'));
    assert.equal(run('1'), `${printed('1')}\nIt failed: $(y) %s\n`);
    assert.equal(run('127'), `${printed('127')}\nIt failed: $(y) %s\n`);
    assert.equal(run('130'), printed('130'));
    const direct = { shellPath: 'C:\\pi.exe', shellArgs: ['a'] };
    assert.deepEqual(keptOpenOnError(direct, 'It failed.', host({ platform: 'win32' })), direct);
  });

  it('runs programs directly on other systems', () => {
    assert.deepEqual(shellOptionsFor('/bin/pi', ['--session', '/a b'], host()), { shellPath: '/bin/pi', shellArgs: ['--session', '/a b'] });
  });

  it('quotes a command so that a shell passes on every argument unchanged', () => {
    const odd = ['printf', '%s|', '/plain/path_1.jsonl', "it's", '$HOME `id` "x"', '~', 'a\\b', '\\', "\\' ; id ; '", '*', '“x”', ''];
    const { stdout } = spawnSync('/bin/sh', ['-c', quoteCommand(odd, 'linux')], { encoding: 'utf8' });
    assert.deepEqual(stdout.split('|').slice(0, -1), odd.slice(2));
    assert.equal(quoteCommand(['pi', '--session', '/a/b.jsonl'], 'linux'), 'pi --session /a/b.jsonl');
    assert.deepEqual(fishWords(quoteCommand(odd, 'linux')), odd);
    assert.equal(quoteCommand(['pi', 'C:\\My files\\b.jsonl'], 'win32'), 'pi "C:\\My files\\b.jsonl"');
  });

  it('refuses to quote what a terminal or a shell would interpret', () => {
    for (const odd of ['\u0003\nid\n', 'a\nb', '\u001b[201~', '\0', '\u009b']) {
      for (const platform of ['linux', 'darwin', 'win32'] as const)
        assert.throws(() => quoteCommand(['pi', `/s/${odd}`], platform), { code: 'invalid' }, JSON.stringify(odd));
    }
    for (const odd of ['$(calc)', '`n', '" & calc & "', '%COMSPEC%', '” ; calc ; “'])
      assert.throws(() => quoteCommand(['pi', odd], 'win32'), { code: 'invalid' }, odd);
  });
});
