import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { TERMINAL_PROFILE } from '../../../src/contract';
import type * as profileModule from '../../../src/commands/terminal/terminalProfile';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode, translate } from '../../fixtures/loadWithVscode';

const MODULE = join(__dirname, '../../../src/commands/terminal/terminalProfile.js');

interface Provider {
  readonly provideTerminalProfile: () => Promise<{ readonly options: object }>;
}

describe('The terminal profile', () => {
  const folder = testFolder();
  let isTrusted: boolean;
  let program: string;
  let command: unknown;
  let workspaceFolders: { uri: { scheme: string; fsPath: string } }[];
  let activeFolder: number | undefined;

  beforeEach(async () => {
    isTrusted = true;
    workspaceFolders = [];
    activeFolder = undefined;
    program = await folder.write('pi', '#!/bin/sh\n');
    await chmod(program, 0o755);
    command = [program, '--verbose'];
  });

  const profile = (): Promise<{ readonly options: object }> => {
    const providers = new Map<string, Provider>();
    const api = {
      l10n: { t: translate },
      TerminalProfile: class {
        constructor(readonly options: object) {}
      },
      workspace: {
        isTrusted,
        workspaceFolders,
        getConfiguration: () => ({ get: () => ({ pi: command }) }),
        getWorkspaceFolder: () => (activeFolder === undefined ? undefined : workspaceFolders[activeFolder]),
      },
      window: {
        activeTextEditor: { document: { uri: {} } },
        registerTerminalProfileProvider: (id: string, provider: Provider) => providers.set(id, provider),
      },
    };
    (loadWithVscode(MODULE, api) as typeof profileModule).terminalProfile();
    return providers.get(TERMINAL_PROFILE)!.provideTerminalProfile();
  };
  const workspaceFolder = (path: string, scheme = 'file'): (typeof workspaceFolders)[number] => ({ uri: { scheme, fsPath: path } });

  it('starts the program of the settings, without a name, in the home folder if none is open', async () => {
    assert.deepEqual((await profile()).options, { cwd: homedir(), shellPath: program, shellArgs: ['--verbose'] });
  });

  it('starts a program whose path is set without a list', async () => {
    command = program;
    assert.deepEqual((await profile()).options, { cwd: homedir(), shellPath: program, shellArgs: [] });
  });

  it('starts in the active editor’s folder, otherwise in the first one on the disk', async () => {
    workspaceFolders = [workspaceFolder('/nowhere', 'vscode-vfs'), workspaceFolder(folder.path), workspaceFolder(homedir())];
    assert.equal(((await profile()).options as { cwd: string }).cwd, folder.path);
    activeFolder = 2;
    assert.equal(((await profile()).options as { cwd: string }).cwd, homedir());
    activeFolder = 0;
    assert.equal(((await profile()).options as { cwd: string }).cwd, folder.path);
  });

  it('is refused with a sentence: in a workspace that is not trusted, and without the program', async () => {
    command = [join(folder.path, '[x](command:y)')];
    await assert.rejects(profile(), (error: Error) => /Couldn’t find “.*”\./.test(error.message) && !error.message.includes(']('));
    isTrusted = false;
    await assert.rejects(profile(), /can only be started in a trusted workspace/);
  });
});
