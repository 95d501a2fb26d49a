/**
 * The three ways to call a command. From a row and from the palette it may prompt and show messages; with plain
 * arguments it does neither and returns an answer. A handler implements both; `commandCallback` distinguishes the calls and reports errors.
 */
import * as vscode from 'vscode';
import { isRow, type CommandContract, type CommandId, type Row, type EntryRef, type SessionRef } from '../../contract';
import { isArray, isObject, SessionError, type Session } from '../../core/index';
import { assertRowExists } from '../../ui/safe/treeView';
import { chooseEntry, chooseSession } from './prompts';
import type { CommandDeps } from './commandDeps';
import { toArguments, type CommandArguments } from './commandArguments';
import type { Notifier } from './notifications';

/** The answer of a command, as the contract has it. */
export type Answer<Id extends CommandId> = CommandContract[Id]['answer'];

export interface CommandHandler<Result> {
  /** The title of its prompts. */
  readonly title: string;
  /** Runs without prompts, messages and clipboard. Resolves to the answer. @throws {SessionError} */
  readonly runWithArguments: (args: CommandArguments) => Promise<Result>;
  /** Combines plain arguments into one object, for a command that takes something else. */
  readonly normalizeArguments?: (first: unknown, second: unknown) => CommandArguments;
  /** Prompts for missing input and shows its own messages. */
  readonly runInteractive: (call: CommandInvocation) => Promise<void>;
}

/** A line of a document, as the menu of line numbers names it. */
interface LineTarget {
  /** From 1. */
  readonly lineNumber: number;
  readonly uri: vscode.Uri;
}

/** The argument of the editor's own menus: the URI of a file or document, a line, or a terminal. */
export type MenuTarget = vscode.Uri | LineTarget | vscode.Terminal;

export const isLineTarget = (value: unknown): value is LineTarget =>
  isObject(value) && typeof value['lineNumber'] === 'number' && value['uri'] instanceof vscode.Uri;

/** Returns the target of a menu. For a menu in the Source Control view that's the repository's folder. */
function menuTargetOf(value: unknown): MenuTarget | undefined {
  if (value instanceof vscode.Uri || isLineTarget(value) || isTerminal(value)) return value;
  return isObject(value) && 'inputBox' in value && value['rootUri'] instanceof vscode.Uri ? value['rootUri'] : undefined;
}

function isTerminal(value: unknown): value is vscode.Terminal {
  return isObject(value) && typeof value['sendText'] === 'function' && 'creationOptions' in value;
}

/** A row of a session file. */
type FileRow = Extract<Row, { readonly path: string }>;

/** Returns whether a row has a file. The row that shows more sessions of a list has an empty path. */
export const hasFile = (row: Row): row is FileRow => 'path' in row && row.path !== '';

/** An interactive call. Resolves the target of the command, and keeps it for the actions that are offered when the command fails. */
export class CommandInvocation {
  /** The target of the command, once it is known. */
  ref: SessionRef | undefined;
  /** The answer of a command without arguments, whose calls from code look like calls from the palette. */
  answer: unknown = undefined;
  /** The row of the Sessions view that the command acts on. It may be gone when the command ends. */
  private readonly viewRow: Row | undefined;

  constructor(
    private readonly deps: CommandDeps,
    readonly title: string,
    /** The rows that the command was called on; empty from the palette. */
    readonly rows: readonly Row[],
    /** True if an opened editor shouldn't take the focus. */
    readonly preserveFocus: boolean,
    /** The target of one of the editor's own menus. */
    readonly menuTarget: MenuTarget | undefined,
    /** The arguments of the call, as the editor passed them. */
    readonly args: readonly unknown[],
  ) {
    const acted = rows.length > 0 || menuTarget ? rows : deps.selection();
    // Messages of the context view are passed as rows without an id.
    this.viewRow = acted.find((row) => 'id' in row);
  }

  /**
   * True for a row of the Sessions view, which had the keyboard, and from the palette for the selected one, unless a context
   * view has the keyboard. What the command shows there needs the focus, too: keys apply to the row with the focus, not to the
   * selected one.
   */
  get isOnViewRow(): boolean {
    return this.viewRow !== undefined && (this.rows.length > 0 || !this.deps.contextHasFocus());
  }

  /**
   * Remembers the place of the row that the command acts on, and may remove. If the row is gone, the returned function moves
   * the focus to the row that is now at this place.
   */
  rememberPlace(): () => Promise<void> {
    const goToPlace = this.deps.rememberPlace(this.viewRow);
    return async () => {
      if (this.isOnViewRow) await goToPlace();
    };
  }

  /** Returns the files that one of the editor's own menus was opened on: the whole selection, the clicked one first. */
  menuUris(): readonly vscode.Uri[] {
    const clicked = this.menuTarget;
    if (!(clicked instanceof vscode.Uri)) return [];
    const [, selected] = this.args;
    const all = isArray(selected) ? selected.filter((one): one is vscode.Uri => one instanceof vscode.Uri) : [];
    return [clicked, ...all.filter((uri) => uri.toString() !== clicked.toString())];
  }

  /** Returns the row's session or entry. Without a row, returns the selected one or the active view's, or else lets the person pick a session. */
  async resolveRef(): Promise<SessionRef> {
    return (await this.resolveRefs())[0];
  }

  /** Like {@link resolveRef}, with all selected rows; never empty. */
  async resolveRefs(): Promise<readonly [SessionRef, ...SessionRef[]]> {
    const rows = this.targetRows().filter(hasFile).map(refOfRow);
    const active = this.rows.length === 0 ? this.deps.activeRef() : undefined;
    const [first, ...rest] = rows.length > 0 || !active ? rows : [active];
    this.ref = first ?? { path: await chooseSession(this.deps, this.title) };
    return [this.ref, ...rest];
  }

  /** Like {@link resolveRef}; if there is no entry, lets the person pick one of the active branch. */
  async resolveEntry(): Promise<{ ref: EntryRef; session: Session }> {
    const { path, entryId } = await this.resolveRef();
    const session = await this.deps.session(path);
    const ref = { path, entryId: entryId ?? (await chooseEntry(session, this.title)) };
    this.ref = ref;
    return { ref, session };
  }

  /**
   * Returns the rows of the call; from the palette the selected rows.
   *
   * @throws {SessionError} `invalid` if the row of the call is gone: no other row takes its place
   */
  targetRows(): readonly Row[] {
    assertRowExists(this.args);
    return this.rows.length > 0 ? this.rows : this.deps.selection();
  }
}

function refOfRow(row: FileRow): SessionRef {
  return 'entryId' in row ? { path: row.path, entryId: row.entryId } : { path: row.path };
}

/** Returns the function to register for a command. */
export function commandCallback(
  deps: CommandDeps,
  notifier: Notifier,
  handler: CommandHandler<unknown>,
): (...args: unknown[]) => Promise<unknown> {
  return async (...args) => {
    const [first, second] = args;
    const menuTarget = menuTargetOf(first);
    if (first !== undefined && first !== null && !menuTarget && !isRow(first)) return runWithArguments(deps, handler, first, second);
    const call = new CommandInvocation(
      deps,
      handler.title,
      rowsOf(first, second),
      isObject(second) && second['preserveFocus'] === true,
      menuTarget,
      args,
    );
    try {
      await handler.runInteractive(call);
    } catch (error) {
      notifier.error(error, call.ref);
    }
    return call.answer;
  };
}

async function runWithArguments(deps: CommandDeps, handler: CommandHandler<unknown>, first: unknown, second: unknown): Promise<unknown> {
  try {
    return await handler.runWithArguments(handler.normalizeArguments ? handler.normalizeArguments(first, second) : toArguments(first));
  } catch (error) {
    if (!(error instanceof SessionError || error instanceof vscode.CancellationError)) deps.log.error(error);
    throw error;
  }
}

function rowsOf(first: unknown, second: unknown): readonly Row[] {
  if (!isRow(first)) return [];
  const selected = isArray(second) ? second.filter(isRow) : [];
  // The clicked row comes first, independently of its place in the selection.
  return selected.length > 0 ? [first, ...selected.filter((row) => row !== first)] : [first];
}

/** Makes a handler without arguments, prompts, messages and answer. */
export function simpleHandler(run: () => unknown): CommandHandler<undefined> {
  const handle = async (): Promise<undefined> => {
    await run();
    return undefined;
  };
  return { title: '', runWithArguments: handle, runInteractive: handle };
}
