import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { Root } from '../../../src/core/index';
import type * as installedModule from '../../../src/commands/terminal/installedPrograms';
import { testFolder } from '../../fixtures/folder';
import { fakeEditor, type FakeQuickPick, type ThemeIcon } from '../../fixtures/fakeEditor';
import { loadWithVscode, translate } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';
import { runCommands } from './runCommands';

describe('Session Folders and Programs', () => {
  const folder = testFolder();
  const { PATH } = process.env;
  afterEach(() => {
    process.env['PATH'] = PATH;
  });

  async function installed(...names: readonly string[]): Promise<void> {
    for (const name of names) await chmod(await folder.write(name, '#!/bin/sh\n'), 0o755);
    process.env['PATH'] = folder.path;
  }
  const roots = (): readonly Root[] => [
    { path: folder.path, dialect: 'pi', flat: false },
    { path: join(folder.path, 'gone'), dialect: 'omp', flat: false, mayBeMissing: true },
  ];

  it('names the folders and the programs, and what was found, with plain arguments', async () => {
    await installed('omp');
    const { run } = runCommands({ roots, rootsReady: () => Promise.resolve() });
    assert.deepEqual(await run('sessionTree.showLocations', {}), {
      folders: [
        { path: folder.path, dialect: 'pi', state: 'found' },
        { path: join(folder.path, 'gone'), dialect: 'omp', state: 'missing' },
      ],
      programs: [
        { dialect: 'pi', name: 'pi', path: null },
        { dialect: 'omp', name: 'omp', path: join(folder.path, 'omp') },
        { dialect: 'jensen', name: 'jensen', path: null },
        { dialect: 'gsd', name: 'gsd', path: null },
        { dialect: 'openclaw', name: 'openclaw', path: null },
      ],
    });
  });

  it('lists them for a person, and leads to the setting of what was selected, where the window has it', async () => {
    await installed('omp');
    for (const remoteName of [undefined, 'ssh-remote']) {
      const editor = fakeEditor();
      Object.assign(editor.api.env, { remoteName });
      // Places that don't exist come last.
      const { run } = runCommands({ roots: () => roots().toReversed(), rootsReady: () => Promise.resolve() }, editor);
      const ended = run('sessionTree.showLocations');
      await until(() => editor.picks.length > 0);
      const pick = editor.picks[0] as unknown as FakeQuickPick<{ label: string; description?: string; iconPath?: ThemeIcon }>;
      const rows = pick.items.map(({ label, description }) => (description === undefined ? label : `${label}: ${description}`));
      assert.deepEqual(rows, [
        'Session folders',
        `${folder.path}: pi · found`,
        `${join(folder.path, 'gone')}: oh-my-pi · doesn’t exist`,
        'Programs',
        'pi: “pi” isn’t on the PATH',
        `oh-my-pi: ${join(folder.path, 'omp')}`,
        'jensen-code: “jensen” isn’t on the PATH',
        'gsd: “gsd” isn’t on the PATH',
        'OpenClaw: “openclaw” isn’t on the PATH',
      ]);
      const icons = pick.items.flatMap(({ iconPath }) => (iconPath ? [iconPath.id] : []));
      assert.deepEqual(icons.slice(0, 4), ['folder', 'circle-slash', 'circle-slash', 'check']);
      assert.match(pick.placeholder, remoteName === undefined ? /on this computer/ : /on the remote machine \(ssh-remote\)/);
      pick.accept(pick.items[4]!);
      await ended;
      assert.deepEqual(editor.executed, [
        remoteName === undefined
          ? ['workbench.action.openSettings', '@id:sessionTree.programs']
          : ['workbench.action.openRemoteSettings', { query: '@id:sessionTree.programs', jsonEditor: false }],
      ]);
    }
  });

  it('report the installed programs to the empty view', async () => {
    const keys: unknown[][] = [];
    const api = {
      l10n: { t: translate },
      workspace: { getConfiguration: () => ({ get: () => ({ pi: ['/no/such/pi'] }) }) },
      commands: { executeCommand: (...args: unknown[]) => Promise.resolve(keys.push(args)) },
    };
    const module = join(__dirname, '../../../src/commands/terminal/installedPrograms.js');
    const { updateInstalledKey } = loadWithVscode(module, api) as typeof installedModule;
    await installed();
    await updateInstalledKey();
    await installed('pi', 'omp', 'gsd');
    await updateInstalledKey();
    assert.deepEqual(keys, [
      ['setContext', 'sessionTree.installed', 'none'],
      // The setting replaces the name on the PATH.
      ['setContext', 'sessionTree.installed', 'omp gsd'],
    ]);
  });
});
