import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { run } from './editorSuite';
import { open, rows, showClosed } from './treeRows';
import { eventually } from './waiting';

describe('sessions of several machines', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'machines-'));
  });
  after(async () => {
    await setRoots(undefined);
    await rm(folder, { recursive: true, force: true });
  });

  const setRoots = async (roots: unknown): Promise<void> => {
    await vscode.workspace.getConfiguration('sessionTree').update('roots', roots, vscode.ConfigurationTarget.Global);
    await run('refresh');
  };
  const put = async (machine: string, text: string): Promise<string> => {
    await mkdir(join(folder, machine, 'p'), { recursive: true });
    const path = join(folder, machine, 'p', 'a.jsonl');
    await writeFile(path, text);
    return path;
  };

  it('are in one project, each once, with their machine, and can’t be changed if the setting says so', async () => {
    const lines = session({ id: 'several-machines', cwd: 'C:\\code\\lighthouse' }).user('Paint the lighthouse').assistant('Done.');
    await put('desktop', lines.text());
    const path = await put('laptop', lines.user('Once more').text());
    const before = await readFile(path, 'utf8');
    const map = { 'C:\\code': join(folder, 'code') };
    await showClosed();
    await setRoots([
      { path: join(folder, 'desktop'), machine: 'desktop', map },
      { path: join(folder, 'laptop'), machine: 'laptop', map, readOnly: true },
    ]);
    await eventually('the project', async () => (await rows()).some(({ name }) => name === 'lighthouse'));
    await open('lighthouse');
    await eventually('one session', async () =>
      (await rows()).some(({ name, spoken }) => name === 'Paint the lighthouse' && /on laptop/.test(spoken) && /read-only/.test(spoken)),
    );
    assert.equal((await rows()).filter(({ name }) => name === 'Paint the lighthouse').length, 1);
    await open('Paint the lighthouse');
    await eventually('its copy', async () => (await rows()).some(({ spoken }) => /, copy, .*on desktop/.test(spoken)));
    await assert.rejects(Promise.resolve(run('rename', { path, name: 'x' })), /read-only/);
    await assert.rejects(Promise.resolve(run('delete', { path })), /read-only/);
    assert.equal(await readFile(path, 'utf8'), before);
  });
});
