// Rules of the guard (FORMAT section 6, point 1) that are easily lost: each test covers a mutation that no other test
// noticed.
import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { presence, type PresenceOptions } from '../../../src/core/files/presence/presence';
import type { Agent } from '../../../src/core/files/presence/agents';
import { inspectProcesses } from '../../../src/core/files/presence/inspectProcesses';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { age, grow } from '../../fixtures/writes';

describe('Rules of presence', () => {
  const folder = testFolder();
  const TEXT = session({ cwd: '/work/demo' }).user('a').text();

  /** Returns the presence for an old file, or for one that just grew, while one program runs. */
  async function presenceOf(agent: Omit<Agent, 'pid'>, options: { grew?: boolean; about?: object; crumbs?: readonly string[] } = {}) {
    const path = await folder.write('a.jsonl', TEXT);
    await (options.grew ? grow : age)(path);
    const given: PresenceOptions = {
      processes: () => Promise.resolve({ open: new Map(), agents: [{ pid: 7, ...agent }] }),
      crumbs: options.crumbs ?? [],
      ...(options.about ? { about: () => Promise.resolve(options.about!) } : {}),
    };
    const found = (await presence([path], given)).get(path)!;
    return [found.state, ...(found.state === 'free' ? [] : found.signs.map(({ how }) => how))];
  }

  it('is unsure about a program at work in the project, and certain with growth', async () => {
    const agentInFolder = { dialect: 'pi', cwd: '/work/demo' } as const;
    assert.deepEqual(await presenceOf(agentInFolder), ['unsure', 'process']);
    assert.deepEqual(await presenceOf(agentInFolder, { grew: true }), ['live', 'process', 'growth']);
  });

  it('is unsure about growth alone, except in sessions of oh-my-pi, which would be lost', async () => {
    const elsewhere = { dialect: 'pi', cwd: '/work/other' } as const;
    assert.deepEqual(await presenceOf(elsewhere, { grew: true }), ['unsure', 'growth']);
    assert.deepEqual(await presenceOf(elsewhere, { grew: true, about: { cwd: '/work/demo', dialect: 'omp' } }), ['live', 'growth']);
  });

  it('ignores a program elsewhere, or of another family', async () => {
    assert.deepEqual(await presenceOf({ dialect: 'pi', cwd: '/work/other' }), ['free']);
    assert.deepEqual(await presenceOf({ dialect: 'pi' }), ['free']);
    assert.deepEqual(await presenceOf({ dialect: 'gsd', cwd: '/work/demo' }, { about: { cwd: '/work/demo', dialect: 'pi' } }), ['free']);
  });

  it('is certain about a breadcrumb with its process', async () => {
    await mkdir(join(folder.path, 'terminal-sessions'));
    await folder.write('terminal-sessions/pts-3', `/work/demo\n${join(folder.path, 'a.jsonl')}\n`);
    const crumbs = [join(folder.path, 'terminal-sessions')];
    assert.deepEqual(await presenceOf({ dialect: 'omp', terminal: 'pts-3' }, { crumbs }), ['live', 'breadcrumb']);
    assert.deepEqual(await presenceOf({ dialect: 'omp', terminal: 'pts-4', cwd: '/work/x' }, { crumbs }), ['free']);
  });

  it('finds a lock in a folder with too many names to list', async () => {
    const many = join(folder.path, 'many');
    await mkdir(many);
    const path = await age(await folder.write('many/a.jsonl', TEXT));
    // Synchronous calls take an eighth of the processor time.
    for (let n = 0; n < 6000; n++) writeFileSync(join(many, String(n)), '');
    const at = async (): Promise<string> =>
      (await presence([path], { processes: () => Promise.resolve({ open: new Map(), agents: [] }), crumbs: [] })).get(path)!.state;
    assert.equal(await at(), 'free');
    await writeFile(join(many, '.a.jsonl.lock'), `${String(process.ppid)}:1\n`);
    assert.equal(await at(), 'live');
  });

  it('ignores a process that has a file open only briefly', async () => {
    const path = await folder.write('a.jsonl', TEXT);
    const fds = join(folder.path, 'proc', '7', 'fd');
    await mkdir(fds, { recursive: true });
    const system = { proc: join(folder.path, 'proc'), run: () => Promise.resolve('') };
    await symlink(path, join(fds, '3'));
    assert.deepEqual([...(await inspectProcesses([path], system)).open], [[path, { pid: 7 }]]);
    const looking = inspectProcesses([path], system);
    unlinkSync(join(fds, '3'));
    assert.deepEqual([...(await looking).open], []);
  });
});
