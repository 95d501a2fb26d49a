import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { createWriter, readSession, UntrustedPaths, type Root, type Session, type SessionSummary } from '../../../src/core/index';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import type { CommandInvocation } from '../../../src/commands/handler/commandHandler';
import type { ActionableError } from '../../../src/commands/handler/notifications';
import { ResumedTerminals } from '../../../src/commands/terminal/resumedTerminals';
import type * as terminalModule from '../../../src/commands/terminal/terminalCommands';
import { session } from '../../fixtures/build';
import { withEnvironment } from '../../fixtures/environment';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode, translate } from '../../fixtures/loadWithVscode';

const MODULE = join(__dirname, '../../../src/commands/terminal/terminalCommands.js');

describe('Resume', () => {
  const folder = testFolder();
  let isTrusted: boolean;
  let workspaceFolder: object | undefined;
  /** Names of the editor's functions that were called, except settings and translations. */
  let calls: string[];
  let terminals: object[];
  /** Titles of the known sessions by path. */
  let titles: Readonly<Record<string, string>>;
  let roots: Root[];
  let commands: ReturnType<typeof terminalModule.terminalCommands>;
  let projectOf: (path: string) => Promise<string>;
  /** Paths whose state was read from the disk. */
  let statted: string[];

  beforeEach(async () => {
    isTrusted = true;
    workspaceFolder = undefined;
    calls = [];
    terminals = [];
    statted = [];
    titles = {};
    roots = [];
    const program = await folder.write('pi', '#!/bin/sh\n');
    await chmod(program, 0o755);
    const api = {
      l10n: { t: translate },
      Uri: { file: (path: string) => ({ scheme: 'file', fsPath: path }) },
      commands: { executeCommand: (id: string) => Promise.resolve(void calls.push(id)) },
      workspace: {
        get isTrusted() {
          return isTrusted;
        },
        getConfiguration: () => ({ get: () => ({ pi: [program] }) }),
        getWorkspaceFolder: () => workspaceFolder,
      },
      window: {
        createTerminal: (options: object) => {
          terminals.push(options);
          return { show: () => undefined, creationOptions: options };
        },
      },
    };
    const { resolveProject, terminalCommands } = loadWithVscode(MODULE, api) as typeof terminalModule;
    const record = (path: string): Promise<never> => {
      statted.push(path);
      return Promise.reject(new Error('gone'));
    };
    const untrustedPaths = new UntrustedPaths({ mounts: () => Promise.resolve([]), disk: { realpath: record, stat: record } });
    const deps: Partial<CommandDeps> = {
      session: (path): Promise<Session> => readSession(path),
      untrustedPaths,
      terminals: new ResumedTerminals(),
      writer: createWriter({ roots: () => roots }),
      roots: () => roots,
      sessions: () => [],
      summary: (path) => (path in titles ? ({ path, title: titles[path] } as SessionSummary) : undefined),
    };
    commands = terminalCommands(deps as CommandDeps);
    projectOf = (path) =>
      resolveProject(deps as CommandDeps, { targetRows: () => [{ row: 'session', path }] } as unknown as CommandInvocation);
  });

  const sessionIn = (cwd: string): Promise<string> => folder.write('s.jsonl', session({ cwd }).user('Hello').text());
  const resume = (path: string): Promise<{ command: string[] }> => commands['sessionTree.resume'].runWithArguments({ path });
  const refusal = async (running: Promise<unknown>): Promise<ActionableError> => {
    const error: unknown = await running.then(
      () => assert.fail('it was not refused'),
      (reason: unknown) => reason,
    );
    return error as ActionableError;
  };

  it('opens a terminal in the session’s folder', async () => {
    const path = await sessionIn(folder.path);
    const { command } = await resume(path);
    assert.deepEqual(command.slice(1), ['--session', path]);
    const [{ cwd, shellPath, shellArgs }] = terminals as [{ cwd: string; shellPath: string; shellArgs: string[] }];
    assert.equal(cwd, folder.path);
    // On Windows, the program runs without a shell.
    assert.deepEqual(process.platform === 'win32' ? [shellPath, ...shellArgs] : shellArgs.slice(3), command);
  });

  it('opens a session in the folder of a fork with the fork, whatever the setting says of pi', async () => {
    const path = await sessionIn(folder.path);
    await withEnvironment({ KPI_CODING_AGENT_DIR: folder.path, PATH: '' }, async () => {
      const error = await refusal(resume(path));
      assert.deepEqual([error.code, error.args['name']], ['not-found', 'kpi']);
    });
    assert.deepEqual(terminals, []);
  });

  it('is refused in a read-only session folder, where the program would write', async () => {
    const path = await sessionIn(folder.path);
    roots = [{ path: folder.path, dialect: 'pi', flat: true, readOnly: true }];
    assert.equal((await refusal(resume(path))).code, 'read-only');
    assert.deepEqual(terminals, []);
    assert.equal((await refusal(commands['sessionTree.copyResumeCommand'].runWithArguments({ path }))).code, 'read-only');
  });

  it('opens a terminal in the folder that another machine’s folder is here', async () => {
    const path = await sessionIn('/nowhere/code');
    roots = [{ path: folder.path, dialect: 'pi', flat: true, machine: 'laptop', map: { '/nowhere/code': folder.path } }];
    assert.equal(await projectOf(path), folder.path);
    await resume(path);
    assert.deepEqual(
      (terminals as { cwd: string }[]).map(({ cwd }) => cwd),
      [folder.path],
    );
  });

  it('names the terminal by the session’s title, which can be no icon and no line break', async () => {
    const path = await sessionIn(folder.path);
    const nameFor = async (title: string): Promise<unknown> => {
      titles = { [path]: title };
      await resume(path);
      return (terminals.at(-1) as { name?: string }).name;
    };
    assert.equal(await nameFor('Fix the flaky test'), 'Fix the flaky test');
    assert.equal(await nameFor('a\n$(trash) \u202e'), 'a $\u2060(trash) ⟦RLO⟧');
    assert.equal(((await nameFor('long '.repeat(1000))) as string).length, 60);
    assert.equal(await nameFor('(no messages)'), undefined);
  });

  it('names no terminal of a new session, so that the program sets its title', async () => {
    await commands['sessionTree.newSession'].runWithArguments({ cwd: folder.path, program: 'pi' });
    assert.deepEqual(Object.keys(terminals[0]!), ['cwd', 'shellPath', 'shellArgs']);
  });

  it('is refused in a workspace that is not trusted, with a way to trust it', async () => {
    isTrusted = false;
    const path = await sessionIn(folder.path);
    const error = await refusal(resume(path));
    assert.equal(error.code, 'permission');
    assert.match(error.message, /only be started in a trusted workspace/);
    assert.equal(error.actions.length, 1);
    await error.actions[0]!.run();
    assert.deepEqual(calls, ['workbench.trust.manage']);
    const started = await refusal(commands['sessionTree.newSession'].runWithArguments({ cwd: folder.path, program: 'pi' }));
    assert.equal(started.code, 'permission');
    assert.deepEqual(terminals, []);
  });

  it('is refused for a folder on a share, which is not contacted', async () => {
    for (const cwd of ['//server/share/project', '//127.0.0.1/c$', '/net/server/project']) {
      const error = await refusal(resume(await sessionIn(cwd)));
      assert.equal(error.code, 'invalid', cwd);
      assert.match(error.message, /may be on another computer/);
    }
    assert.deepEqual([terminals, statted, calls], [[], [], []]);
  });

  it('looks for a folder on a share that is open in the window', async () => {
    workspaceFolder = {};
    const error = await refusal(resume(await sessionIn('//session-tree-no-such-server/share')));
    assert.equal(error.code, 'not-found');
    assert.match(error.message, /folder no longer exists \(.*\)\. Relink/);
  });

  it('is refused for a relative folder, and for one that is gone, which leads to Relink and to a fork', async () => {
    for (const cwd of ['project', join(folder.path, 'gone')]) {
      const error = await refusal(resume(await sessionIn(cwd)));
      assert.equal(error.code, 'not-found', cwd);
      assert.deepEqual(
        error.actions.map(({ title }) => title),
        ['Relink Project…', 'Fork into Another Project…'],
      );
    }
    assert.deepEqual(terminals, []);
  });
});
