import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { delimiter, join, relative } from 'node:path';
import { runGit } from '../../../src/core/files/git/runGit';
import { findOpeners } from '../../../src/core/files/presence/openFiles';
import { thisSystem } from '../../../src/core/files/presence/system';
import { findProgram } from '../../../src/core/files/programs/findProgram';
import { runProgram } from '../../../src/core/files/programs/runProgram';
import { isProcessRunning } from '../../../src/core/files/storage/processIdentity';
import { testFolder } from '../../fixtures/folder';
import { until } from '../../fixtures/until';

describe('Programs', () => {
  const folder = testFolder();
  const limits = { timeout: 10_000, maxBytes: 1000 };
  let path: string | undefined;
  beforeEach(async function () {
    // Scripts as programs.
    if (process.platform === 'win32') this.skip();
    path = process.env['PATH'];
    await mkdir(join(folder.path, 'r', '.git'), { recursive: true });
    for (const name of ['git', 'lsof', 'ps', 'own']) await script(`r/${name}`, `touch "${join(folder.path, 'ran')}"; echo planted`);
  });
  afterEach(() => {
    if (path !== undefined) process.env['PATH'] = path;
  });
  const script = async (name: string, text: string): Promise<void> => chmod(await folder.write(name, `#!/bin/sh\n${text}\n`), 0o755);

  it('are never those of the repository or the working directory, whatever PATH has', async () => {
    const here = process.cwd();
    const planted = join(folder.path, 'r');
    try {
      process.chdir(planted);
      for (const odd of ['.', '', relative(here, planted), './']) {
        process.env['PATH'] = `${odd}${delimiter}${path ?? ''}`;
        await runGit(planted, ['status']);
        for (const name of ['lsof', 'ps']) assert.doesNotMatch(await thisSystem.run(name, ['-v']), /planted/);
        await findOpeners([join(planted, 'git')], { ...thisSystem, proc: '/nowhere' });
        assert.equal(await runProgram('own', [], { ...limits, cwd: planted }), undefined);
      }
    } finally {
      process.chdir(here);
    }
    assert.equal(await findProgram('ran', { platform: 'linux', env: { PATH: folder.path }, home: '/' }), undefined);
    assert.equal(existsSync(join(folder.path, 'ran')), false);
  });

  it('on Windows have an ending of PATHEXT and are in an absolute folder, not in the current one', async () => {
    await folder.write('r/git.EXE', '');
    await mkdir(join(folder.path, 'bin'));
    const here = process.cwd();
    const find = (env: Record<string, string>) => findProgram('git', { platform: 'win32', env, home: folder.path });
    try {
      process.chdir(join(folder.path, 'r'));
      for (const odd of ['', '.', 'r', './bin'])
        assert.equal(await find({ Path: `${odd};${join(folder.path, 'bin')}`, PATHEXT: '.EXE' }), undefined);
      await folder.write('bin/git.EXE', '');
      assert.equal(await find({ Path: `.;;${join(folder.path, 'bin')}`, PATHEXT: '.COM;.EXE' }), join(folder.path, 'bin', 'git.EXE'));
    } finally {
      process.chdir(here);
    }
  });

  it('of the system are found where PATH lacks their folders', async () => {
    process.env['PATH'] = join(folder.path, 'r');
    await chmod(join(folder.path, 'r', 'ps'), 0o644);
    assert.notEqual(await thisSystem.run('ps', ['-axo', 'pid=']), '');
  });

  it('are ended when they write too much, take too long, or are no longer needed', async () => {
    process.env['PATH'] = `${folder.path}${delimiter}${path ?? ''}`;
    await script('much', 'while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done');
    await script('long', `trap "" TERM; echo $$ >> "${join(folder.path, 'pids')}"; while :; do sleep 1; done`);
    const much = await runProgram('much', [], limits);
    assert.deepEqual([much?.isComplete, (much?.output.length ?? 0) <= 1000], [false, true]);
    const begun = join(folder.path, 'pids');
    const pids = () => (existsSync(begun) ? readFileSync(begun, 'utf8').trim().split('\n').map(Number) : []);
    assert.equal((await runProgram('long', [], { ...limits, signal: AbortSignal.abort() }))?.isComplete, false);
    assert.deepEqual(pids(), [], 'not even started');
    const stop = new AbortController();
    const stopped = runProgram('long', [], { ...limits, signal: stop.signal });
    await until(() => pids().length === 1);
    stop.abort();
    const late = await runProgram('long', [], { ...limits, timeout: 500 });
    assert.deepEqual([(await stopped)?.isComplete, late?.isComplete], [false, false]);
    await until(() => pids().every((pid) => !isProcessRunning(pid)));
    assert.equal(await runProgram('none', [], limits), undefined);
    assert.deepEqual(await runProgram('cat', [], { ...limits, input: 'in', maxMemory: 2 ** 30 }), {
      output: Buffer.from('in'),
      isComplete: true,
    });
  });
});
