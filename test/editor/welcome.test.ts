import { existsSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { another } from './externalProcess';
import { driver } from './driver';
import { run } from './editorSuite';
import { open, rows } from './treeRows';
import { eventually } from './waiting';

describe('the view without sessions', function () {
  const folders = ['.pi', '.omp', '.jensen', '.gsd', '.openclaw'].map((name) => join(homedir(), name)).filter((path) => existsSync(path));
  const aside = (path: string): string => `${path}.aside`;
  const root = join(homedir(), '.pi', 'agent', 'sessions');
  const cwd = join(tmpdir(), 'somewhere');

  before(async () => {
    await vscode.commands.executeCommand('sessionTree.sessions.focus');
    for (const folder of folders) await another.rename(folder, aside(folder));
  });
  after(async () => {
    rmSync(join(homedir(), '.pi'), { recursive: true, force: true });
    for (const folder of folders) renameSync(aside(folder), folder);
    await run('refresh');
  });

  const says = (text: RegExp): Promise<true> => eventually(String(text), async () => text.test(await driver.text('.part.sidebar')));
  const isListed = async (title: string): Promise<boolean> => (await rows()).some(({ name }) => name === title);

  it('explains that there is no session folder, and how to add one', async () => {
    await says(/No session folders of pi[\s\S]*Open Session File…[\s\S]*Import Session…[\s\S]*Open Settings/);
    await eventually('no rows', async () => (await rows()).length === 0);
  });

  it('says whether a program is installed, and where folders and programs were looked for', async () => {
    await says(/None of the programs is on the PATH[\s\S]*Set Its Path[\s\S]*Show Folders and Programs/);
    const settings = vscode.workspace.getConfiguration('sessionTree');
    await settings.update('programs', { omp: [process.execPath] }, vscode.ConfigurationTarget.Global);
    try {
      await says(/oh-my-pi is installed\.[\s\S]*New Session…/);
      await driver.click('.part.sidebar .welcome-view-content a >> text=Show Folders and Programs');
      await driver.waitFor('.quick-input-list .monaco-list-row >> text=~/.pi/agent/sessions');
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      await settings.update('programs', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('opens the setting for folders where this window has it', async () => {
    await driver.click('.part.sidebar .welcome-view-content a >> text=Open Settings');
    try {
      await driver.waitFor('.settings-editor .setting-item-label >> text=Roots');
      await driver.waitFor('.settings-editor >> text=Edit in settings.json');
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('reports that a folder cannot be read, with the reason in the log', async () => {
    await another.write(root, 'no folder');
    await says(/Can’t read a session folder\.[\s\S]*Show Log/);
    await another.remove(root);
    await says(/No session folders of pi/);
  });

  it('explains that there are no sessions yet, in a folder that appeared', async () => {
    await another.write(join(root, 'readme.txt'), '');
    await says(/There are no sessions yet/);
  });

  it('notices a folder that appears, and shows its sessions', async () => {
    await another.remove(join(homedir(), '.pi'));
    await says(/No session folders of pi/);
    await another.write(join(root, '--somewhere--', 'first.jsonl'), session({ cwd }).user('Is anybody there?').text());
    await eventually('its project', () => isListed('somewhere'));
    await open('somewhere');
    await eventually('its session', () => isListed('Is anybody there?'));
  });

  it('notices a session in a new project folder, and removes what is deleted', async () => {
    await another.write(
      join(root, '--elsewhere--', 'second.jsonl'),
      session({ cwd: `${cwd}-else`, id: 'second' })
        .user('Here as well.')
        .text(),
    );
    await eventually('its project', () => isListed('somewhere-else'));
    await open('somewhere-else');
    await eventually('its session', () => isListed('Here as well.'));
    await another.remove(join(root, '--elsewhere--'));
    await eventually('it went', async () => !(await isListed('somewhere-else')));
  });

  it('explains that all are hidden, and how to show them', async () => {
    await another.remove(join(root, '--somewhere--'));
    await another.write(join(root, '--somewhere--', 'silent.jsonl'), session({ cwd, id: 'silent' }).text());
    await says(/All sessions are hidden[\s\S]*Clear Filters[\s\S]*Show All Programs[\s\S]*Show Sessions Without Messages/);
    await driver.click('.part.sidebar .welcome-view-content a >> text=Show Sessions Without Messages');
    try {
      await eventually('its project', () => isListed('somewhere'));
    } finally {
      await vscode.workspace.getConfiguration('sessionTree').update('hideEmpty', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
