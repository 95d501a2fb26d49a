/** Runs the extension's commands in a fake editor, as from a row, from the palette or with plain arguments. */
import { join } from 'node:path';
import { createWriter, readSession, relativeTimeFormatter, UntrustedPaths, type SessionError } from '../../../src/core/index';
import type * as registerModule from './registerAll';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import { Turns } from '../../../src/commands/handler/turns';
import { ResumedTerminals } from '../../../src/commands/terminal/resumedTerminals';
import { fakeEditor, type FakeEditor } from '../../fixtures/fakeEditor';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';

const MODULE = join(__dirname, 'registerAll.js');

export interface RunningCommands {
  readonly editor: FakeEditor;
  /** The registered commands of each table. */
  readonly ids: readonly (readonly string[])[];
  readonly run: (id: string, ...args: unknown[]) => Promise<unknown>;
}

/** Registers all commands with the services of `servicesFor`. */
export function runCommands(deps: Partial<CommandDeps> = {}, editor = fakeEditor()): RunningCommands {
  const { registerAll } = loadWithVscode(MODULE, editor.api) as typeof registerModule;
  const ids = registerAll(servicesFor(deps));
  return {
    ids,
    editor,
    run: (id, ...args) => {
      const command = editor.commands.get(id);
      if (!command) throw new Error(`There is no command ${id}`);
      return command(...args);
    },
  };
}

/** Returns services. Those that `deps` doesn't give read and write real files, know no session and select nothing. */
export function servicesFor(deps: Partial<CommandDeps>): CommandDeps {
  const services: Partial<CommandDeps> = {
    session: (path) => readSession(path),
    writer: createWriter(),
    writes: () => Promise.reject(new Error('Nothing is recorded.')),
    sessions: () => [],
    listedSessions: () => (deps.sessions ?? (() => []))(),
    summary: (path) => deps.sessions?.().find((session) => session.path === path),
    runningSessions: () => [],
    marks: {
      isPinned: () => false,
      of: () => ({}),
      allTags: () => [],
      tagName: (text) => text,
      change: fail,
      lastChange: () => undefined,
      undo: fail,
    },
    subagentParents: () => Promise.resolve(new Map()),
    roots: () => [],
    selection: () => [],
    rememberPlace: () => () => Promise.resolve(),
    contextHasFocus: () => false,
    activeRef: () => undefined,
    refOfDocument: () => undefined,
    refreshAfterWrite: () => Promise.resolve(),
    onInterruptedRestore: new FakeEmitter<never>().event,
    onStorageProblem: new FakeEmitter<SessionError>().event,
    onSettingProblem: new FakeEmitter<SessionError>().event,
    pendingChanges: { forSession: () => [], add: fail, drop: () => Promise.resolve(false), onSettled: new FakeEmitter<never>().event },
    ago: (time) => relativeTimeFormatter('en')(time, time),
    terminals: new ResumedTerminals(),
    untrustedPaths: new UntrustedPaths(),
    turns: new Turns(),
    lastExport: { get: () => undefined, set: () => Promise.resolve() },
    log: { show: fail, dispose: fail, info: () => undefined, warn: fail, warnOnce: fail, error: fail },
    ...deps,
  };
  return services as CommandDeps;
}

function fail(...given: readonly unknown[]): never {
  throw given.find((one) => one instanceof Error) ?? new Error(`A service was called unexpectedly: ${String(given[0])}`);
}
