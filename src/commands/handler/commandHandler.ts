/**
 * The three ways a command is called: from a row and from the palette it asks and speaks, with plain arguments
 * it does neither. A handler says what it does in each; the frame tells them apart and takes care of errors.
 */
import * as vscode from 'vscode';
import { isRow, type Row, type SessionRef } from '../../contract';
import { isObject, SessionError, type Session } from '../../core/index';
import { chooseEntry, chooseSession } from './prompts';
import type { CommandDeps } from './commandDeps';
import { toArguments, type CommandArguments } from './commandArguments';
import type { Notifier } from './notifications';

export interface CommandHandler<Answer> {
  /** Stands over what it asks. */
  readonly title: string;
  /** No prompt, no message, no clipboard: an answer, or an error with a code. */
  readonly runWithArguments: (args: CommandArguments) => Promise<Answer>;
  /** Makes one object of plain arguments that are not one. */
  readonly normalizeArguments?: (first: unknown, second: unknown) => CommandArguments;
  /** Asks what it needs and shows its own messages. */
  readonly runInteractive: (call: CommandInvocation) => Promise<void>;
}

/** What menus of the editor itself hand over: a file's or a document's address, a terminal. */
export type MenuTarget = vscode.Uri | vscode.Terminal;

function isMenuTarget(value: unknown): value is MenuTarget {
  return value instanceof vscode.Uri || (isObject(value) && typeof value['sendText'] === 'function' && 'creationOptions' in value);
}

/** A row that has a file behind it. */
export type FileRow = Extract<Row, { readonly path: string }>;

/** A row that stands for more rows of a list of sessions has an empty path. */
export const hasFile = (row: Row): row is FileRow => row.row !== 'project' && row.path !== '';

/** A call by a person: finds out on what, and remembers it for what is offered when something fails. */
export class CommandInvocation {
  /** What the command works on, once it is known. */
  ref: SessionRef | undefined;
  /** What a command answers that takes no arguments, so that a call from code looks like one from the palette. */
  answer: unknown = undefined;

  constructor(
    private readonly deps: CommandDeps,
    readonly title: string,
    /** The rows that the command was called on; none from the palette. */
    readonly rows: readonly Row[],
    /** Whether what it opens leaves the focus where it is. */
    readonly preserveFocus = false,
    /** What a menu of the editor itself was opened on. */
    readonly menuTarget: MenuTarget | undefined,
  ) {}

  /** The row, else the selected one, else the active view, else the session that the person picks. */
  async resolveRef(): Promise<SessionRef> {
    return (await this.resolveRefs())[0];
  }

  /** As `file`, with the whole multiple selection; never empty. */
  async resolveRefs(): Promise<readonly [SessionRef, ...SessionRef[]]> {
    const rows = this.targetRows().filter(hasFile).map(refOfRow);
    const active = this.rows.length === 0 ? this.deps.activeRef() : undefined;
    const [first, ...rest] = rows.length > 0 || !active ? rows : [active];
    this.ref = first ?? { path: await chooseSession(this.deps, this.title) };
    return [this.ref, ...rest];
  }

  /** As `file`; where no entry is named, the person picks one of the active branch. */
  async resolveEntry(): Promise<{ ref: Required<SessionRef>; session: Session }> {
    const { path, entryId } = await this.resolveRef();
    const session = await this.deps.session(path);
    const ref = { path, entryId: entryId ?? (await chooseEntry(session, this.title)) };
    this.ref = ref;
    return { ref, session };
  }

  /** The rows of the call, from the palette the selected ones. */
  targetRows(): readonly Row[] {
    return this.rows.length > 0 ? this.rows : this.deps.selection();
  }
}

function refOfRow(row: FileRow): SessionRef {
  return 'entryId' in row ? { path: row.path, entryId: row.entryId } : { path: row.path };
}

/** The function to register for a command. */
export function commandCallback(deps: CommandDeps, voice: Notifier, handler: CommandHandler<unknown>): (first?: unknown, second?: unknown) => Promise<unknown> {
  return async (first, second) => {
    const thing = isMenuTarget(first) ? first : undefined;
    if (first !== undefined && first !== null && !thing && !isRow(first)) return runPlain(deps, handler, first, second);
    const call = new CommandInvocation(deps, handler.title, rowsOf(first, second), isObject(second) && second['preserveFocus'] === true, thing);
    try {
      await handler.runInteractive(call);
    } catch (error) {
      voice.error(error, call.ref);
    }
    return call.answer;
  };
}

async function runPlain(deps: CommandDeps, handler: CommandHandler<unknown>, first: unknown, second: unknown): Promise<unknown> {
  try {
    return await handler.runWithArguments(handler.normalizeArguments ? handler.normalizeArguments(first, second) : toArguments(first));
  } catch (error) {
    if (!(error instanceof SessionError)) deps.log.error(error);
    throw error;
  }
}

function rowsOf(first: unknown, second: unknown): readonly Row[] {
  if (!isRow(first)) return [];
  const many = Array.isArray(second) ? (second as unknown[]).filter(isRow) : [];
  // What was clicked comes first, wherever it stands in the selection.
  return many.length > 0 ? [first, ...many.filter((row) => row !== first)] : [first];
}

/** A handler of what needs nothing and says nothing. */
export function simpleHandler(run: () => unknown): CommandHandler<undefined> {
  const once = async (): Promise<undefined> => {
    await run();
    return undefined;
  };
  return { title: '', runWithArguments: once, runInteractive: once };
}
