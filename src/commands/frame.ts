/**
 * The three ways a command is called: from a row and from the palette it asks and speaks, with plain arguments
 * it does neither. A handler says what it does in each; the frame tells them apart and takes care of errors.
 */
import * as vscode from 'vscode';
import { isRow, type Row, type SessionRef } from '../contract';
import { isObject, SessionError, type Session } from '../core/index';
import { chooseEntry, chooseSession } from './ask';
import type { CommandDeps } from './deps';
import { plainOf, type Plain } from './plain';
import type { Voice } from './speak';

export interface Handler<Answer> {
  /** Stands over what it asks. */
  readonly title: string;
  /** No prompt, no message, no clipboard: an answer, or an error with a code. */
  readonly plain: (args: Plain) => Promise<Answer>;
  /** Makes one object of plain arguments that are not one. */
  readonly args?: (first: unknown, second: unknown) => Plain;
  /** Asks what it needs and shows its own messages. */
  readonly asked: (call: Call) => Promise<void>;
}

/** What menus of the editor itself hand over: a file's or a document's address, a terminal. */
export type Thing = vscode.Uri | vscode.Terminal;

function isThing(value: unknown): value is Thing {
  return value instanceof vscode.Uri || (isObject(value) && typeof value['sendText'] === 'function' && 'creationOptions' in value);
}

/** A row that has a file behind it. */
export type FileRow = Extract<Row, { readonly path: string }>;

/** A row that stands for more rows of a list of sessions has an empty path. */
export const hasFile = (row: Row): row is FileRow => row.row !== 'project' && row.path !== '';

/** A call by a person: finds out on what, and remembers it for what is offered when something fails. */
export class Call {
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
    readonly thing: Thing | undefined,
  ) {}

  /** The row, else the selected one, else the active view, else the session that the person picks. */
  async file(): Promise<SessionRef> {
    return (await this.files())[0];
  }

  /** As `file`, with the whole multiple selection; never empty. */
  async files(): Promise<readonly [SessionRef, ...SessionRef[]]> {
    const rows = this.at().filter(hasFile).map(refOfRow);
    const active = this.rows.length === 0 ? this.deps.activeView() : undefined;
    const [first, ...rest] = rows.length > 0 || !active ? rows : [active];
    this.ref = first ?? { path: await chooseSession(this.deps, this.title) };
    return [this.ref, ...rest];
  }

  /** As `file`; where no entry is named, the person picks one of the active branch. */
  async entry(): Promise<{ ref: Required<SessionRef>; session: Session }> {
    const { path, entryId } = await this.file();
    const session = await this.deps.session(path);
    const ref = { path, entryId: entryId ?? (await chooseEntry(session, this.title)) };
    this.ref = ref;
    return { ref, session };
  }

  /** The rows of the call, from the palette the selected ones. */
  at(): readonly Row[] {
    return this.rows.length > 0 ? this.rows : this.deps.selection();
  }
}

function refOfRow(row: FileRow): SessionRef {
  return 'entryId' in row ? { path: row.path, entryId: row.entryId } : { path: row.path };
}

/** The function to register for a command. */
export function framed(deps: CommandDeps, voice: Voice, handler: Handler<unknown>): (first?: unknown, second?: unknown) => Promise<unknown> {
  return async (first, second) => {
    const thing = isThing(first) ? first : undefined;
    if (first !== undefined && first !== null && !thing && !isRow(first)) return plainly(deps, handler, first, second);
    const call = new Call(deps, handler.title, rowsOf(first, second), isObject(second) && second['preserveFocus'] === true, thing);
    try {
      await handler.asked(call);
    } catch (error) {
      voice.failed(error, call.ref);
    }
    return call.answer;
  };
}

async function plainly(deps: CommandDeps, handler: Handler<unknown>, first: unknown, second: unknown): Promise<unknown> {
  try {
    return await handler.plain(handler.args ? handler.args(first, second) : plainOf(first));
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
export function simple(run: () => unknown): Handler<undefined> {
  const once = async (): Promise<undefined> => {
    await run();
    return undefined;
  };
  return { title: '', plain: once, asked: once };
}
