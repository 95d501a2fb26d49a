/** Runs the handlers of commands by their ids. */
import { isFocusedMessage, isFocusedRow, type CommandId, type RowKey } from '../../contract';
import type { CommandDeps } from './commandDeps';
import { commandCallback, type Answer, type CommandHandler } from './commandHandler';
import type { Notifier } from './notifications';

/** A handler with the documented answer for each command of the contract. */
export type ContractHandlers = { readonly [Id in CommandId]: CommandHandler<Answer<Id>> };

/** The key of each command. Menus show a key only next to a command that it's bound to, so one key is bound to several commands. */
const ROW_KEYS: Readonly<Record<string, RowKey>> = {
  'sessionTree.rename': 'rename',
  'sessionTree.label': 'rename',
  'sessionTree.delete': 'delete',
  'sessionTree.dropWaiting': 'delete',
  'sessionTree.copyText': 'copy',
  'sessionTree.showContextToSide': 'openToSide',
  'sessionTree.tag': 'tag',
  'sessionTree.note': 'note',
};

/** Lets a command that a key runs act on the focused rows, whichever of the key's commands fits these, or on the focused message. */
function keyOrCall(
  deps: CommandDeps,
  id: string,
  call: (...args: unknown[]) => Promise<unknown>,
): (...args: unknown[]) => Promise<unknown> {
  const key = ROW_KEYS[id];
  if (key === undefined) return call;
  return async (...args) => {
    if (isFocusedRow(args[0])) return deps.runKey(key);
    if (!isFocusedMessage(args[0])) return call(...args);
    deps.runMessageKey(key);
    return undefined;
  };
}

export interface CommandTable {
  /** Runs a command with the arguments that the editor passed. Rejects if there's no such command. */
  readonly run: (id: string, args: readonly unknown[]) => Promise<unknown>;
  readonly ids: readonly string[];
  readonly dispose: () => void;
}

/** @param dispose releases the resources of the handlers */
export function tableOf(
  deps: CommandDeps,
  notifier: Notifier,
  handlers: Readonly<Record<string, CommandHandler<unknown>>>,
  dispose: () => void = () => undefined,
): CommandTable {
  const calls = new Map(
    Object.entries(handlers).map(([id, handler]) => [id, keyOrCall(deps, id, commandCallback(deps, notifier, handler))]),
  );
  return {
    run: async (id, args) => {
      const call = calls.get(id);
      if (!call) throw new Error(`There is no command ${id}`);
      return call(...args);
    },
    ids: [...calls.keys()],
    dispose,
  };
}
