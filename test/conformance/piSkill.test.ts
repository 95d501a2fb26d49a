/** pi 1.6.0 with the skill that *Let Agents Look Up Sessions…* writes: it's announced to the model, which runs the command in it. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { agentFiles } from '../../src/agents/agentFiles';
import { writeEntry } from '../../src/agents/install/install';
import { targetOf } from '../../src/agents/install/targets';
import { writeLauncher } from '../../src/agents/launcher';
import { makePrivateFolder, writePrivateFile } from '../../src/core/index';
import { session } from '../fixtures/build';
import { testFolder } from '../fixtures/folder';
import { CLI } from '../fixtures/runCli';
import { callsTool } from './modelStub';
import { runNewestPi } from './newestRun';

describe('pi that may look up sessions', function () {
  this.timeout(120_000);
  const folder = testFolder();

  it('finds what an earlier session said by the command of the skill', async function () {
    if (process.platform === 'win32') this.skip();
    const environment = { home: folder.path, env: {} };
    const files = agentFiles(environment, 'vscode');
    await makePrivateFolder(files.folder);
    await writePrivateFile(files.settings, JSON.stringify({ version: 1, enabled: true, excludedProjects: [], log: files.log }));
    await writeLauncher(files, { execPath: process.execPath, cli: CLI });
    const skill = targetOf('pi', environment, files);
    await writeEntry(skill, files, dirname(resolve('.')));
    const earlier = session({ cwd: folder.path }).user('Why do the Gezeiten drift?').assistant('The moon’s table was a day off.');
    const sessions = join('.pi', 'agent', 'sessions', '--earlier--');
    await mkdir(join(folder.path, sessions), { recursive: true });
    await folder.write(join(sessions, '2026-01-01T00-00-00-000Z_x.jsonl'), earlier.text());

    const seen: string[] = [];
    let system = '';
    await runNewestPi(folder.path, ['What did we find about tides?'], (message, first) => {
      seen.push(message);
      system = first;
      if (seen.length === 1) return callsTool('read', { path: skill.file });
      // The text of a result is JSON in JSON.
      const [, command = 'false'] = /`([^`]*) search 'words'`/.exec(message) ?? [];
      if (seen.length === 2) return callsTool('bash', { command: `${command} search 'Gezeiten drift'` }, 'call_2');
      return { delta: { content: 'A day off.' }, reason: 'stop' };
    });
    assert.ok(system.includes(skill.file) && system.includes('Search recorded coding sessions'), system);
    assert.equal(seen.length, 3);
    assert.match(seen[2] ?? '', /Why do the Gezeiten drift\?/);
  });
});
