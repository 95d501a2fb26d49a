import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram, shellOptionsFor, quoteCommand, type HostEnvironment } from '../../../src/commands/terminal/programLaunch';
import { testFolder } from '../../fixtures/folder';

/** The words of a command line as fish splits it: within single quotes, a backslash before a quote or a backslash is an escape there. */
function fishWords(line: string): string[] {
  return [...line.matchAll(/(?:'(?:\\[\s\S]|[^'\\])*'|\\[\s\S]|[^\s'\\])+/g)].map(([word]) =>
    word.replace(/'((?:\\[\s\S]|[^'\\])*)'|\\([\s\S])/g, (_, inside: string | undefined, escaped: string | undefined) => escaped ?? inside!.replace(/\\(['\\])/g, '$1')),
  );
}

describe('programs', () => {
  const folder = testFolder();
  const machine = (given: Partial<HostEnvironment> = {}): HostEnvironment => ({ platform: 'linux', env: { PATH: folder.path }, home: folder.path, ...given });
  const program = async (name: string, mode = 0o755): Promise<string> => {
    const path = await folder.write(name, '#!/bin/sh\n');
    await chmod(path, mode);
    return path;
  };

  it('are found by their name, in the order of the path', async () => {
    const first = await program('pi');
    assert.equal(await findProgram('pi', machine({ env: { PATH: `relative:/nowhere:${folder.path}` } })), first);
    assert.equal(await findProgram('omp', machine()), undefined);
  });

  it('are files that can be run, no folders and no texts', async () => {
    await program('notes', 0o644);
    await mkdir(join(folder.path, 'pi'));
    assert.equal(await findProgram('notes', machine()), undefined);
    assert.equal(await findProgram('pi', machine()), undefined);
  });

  it('are taken by their path too, from the home folder or whole, never from wherever one is', async () => {
    const path = await program('pi');
    assert.equal(await findProgram(path, machine({ env: {} })), path);
    assert.equal(await findProgram('~/pi', machine({ env: {} })), path);
    assert.equal(await findProgram('./pi', machine()), undefined);
  });

  it('have endings on Windows, and scripts run in its shell', async () => {
    const path = await program('pi.CMD', 0o644);
    const windows = machine({ platform: 'win32', env: { PATH: folder.path, PATHEXT: '.EXE;.CMD', ComSpec: 'C:\\Windows\\cmd.exe' } });
    assert.equal(await findProgram('pi', windows), path);
    assert.deepEqual(shellOptionsFor('C:\\npm\\pi.cmd', ['--session', 'C:\\My files\\a&b.jsonl'], windows), {
      shellPath: 'C:\\Windows\\cmd.exe',
      shellArgs: '/d /s /c ""C:\\npm\\pi.cmd" "--session" "C:\\My files\\a&b.jsonl""',
    });
    assert.throws(() => shellOptionsFor('C:\\npm\\pi.cmd', ['C:\\%PATH%.jsonl'], windows), { code: 'invalid' });
    assert.deepEqual(shellOptionsFor('C:\\pi.exe', ['%PATH%'], windows), { shellPath: 'C:\\pi.exe', shellArgs: ['%PATH%'] });
  });

  it('are found in quoted folders on Windows, by names with a dot, and never by a file that Windows can not run', async () => {
    const path = await program('pi.CMD', 0o644);
    const versioned = await program('pi.2.EXE', 0o644);
    await program('pi', 0o644);
    const windows = machine({ platform: 'win32', env: { Path: `relative;"/nowhere";"${folder.path}"`, PATHEXT: '.EXE;;.CMD;' } });
    assert.equal(await findProgram('pi', windows), path);
    assert.equal(await findProgram('pi.CMD', windows), path);
    assert.equal(await findProgram('pi.2', windows), versioned);
    assert.equal(await findProgram(join(folder.path, 'pi'), windows), path);
    await program('omp', 0o644);
    assert.equal(await findProgram('omp', windows), undefined);
  });

  it('run by themselves elsewhere', () => {
    assert.deepEqual(shellOptionsFor('/bin/pi', ['--session', '/a b'], machine()), { shellPath: '/bin/pi', shellArgs: ['--session', '/a b'] });
  });

  it('can be pasted into a shell, whatever their arguments hold', () => {
    const odd = ['printf', '%s|', '/plain/path_1.jsonl', "it's", '$HOME `id` "x"', '~', 'a\\b', '\\', "\\' ; id ; '", '*', '“x”', ''];
    const { stdout } = spawnSync('/bin/sh', ['-c', quoteCommand(odd, 'linux')], { encoding: 'utf8' });
    assert.deepEqual(stdout.split('|').slice(0, -1), odd.slice(2));
    assert.equal(quoteCommand(['pi', '--session', '/a/b.jsonl'], 'linux'), 'pi --session /a/b.jsonl');
    assert.deepEqual(fishWords(quoteCommand(odd, 'linux')), odd);
    assert.equal(quoteCommand(['pi', 'C:\\My files\\b.jsonl'], 'win32'), 'pi "C:\\My files\\b.jsonl"');
  });

  it('can not be pasted where a terminal or a shell would take them for something else', () => {
    for (const odd of ['\u0003\nid\n', 'a\nb', '\u001b[201~', '\0', '\u009b']) {
      for (const platform of ['linux', 'darwin', 'win32'] as const) assert.throws(() => quoteCommand(['pi', `/s/${odd}`], platform), { code: 'invalid' }, JSON.stringify(odd));
    }
    for (const odd of ['$(calc)', '`n', '" & calc & "', '%COMSPEC%', '” ; calc ; “']) assert.throws(() => quoteCommand(['pi', odd], 'win32'), { code: 'invalid' }, odd);
  });
});
