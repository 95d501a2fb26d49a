/** Properties of a session's file that don't follow from its entries. Writing and continued reading need them. */
import { readerStateOf } from '../linking/readerState';
import type { Session } from './session';

/** A position between two lines of a file. */
interface LinePosition {
  /** Position in bytes. */
  readonly offset: number;
  /** The number of lines before it. */
  readonly line: number;
}

/** Returns the position after the last line that ends with a line break. */
export function endOfLines(session: Session): LinePosition {
  const { offset, line } = readerStateOf(session).lines;
  return { offset, line };
}

/** Returns the number of the next line to be appended, from 1. */
export function nextLine(session: Session): number {
  return readerStateOf(session).lines.line + 1;
}

/** Returns false if the file's last line is an entry without a line break. */
export function endsWithNewline(session: Session): boolean {
  return readerStateOf(session).lines.beforeLastLine === undefined;
}

/** Returns the title slot at the beginning of oh-my-pi's file; `undefined` if there is none. */
export function titleSlot(session: Session): { readonly title: string; readonly isExact: boolean } | undefined {
  const { slotTitle, slotIsExact = false } = readerStateOf(session).lines;
  return slotTitle === undefined ? undefined : { title: slotTitle, isExact: slotIsExact };
}

/** True if an entry or a `leaf` line of the file has this id. */
export function isIdTaken(session: Session, id: string): boolean {
  return session.byId.has(id) || readerStateOf(session).links.leafTargets.has(id);
}

/** True if the session was read with these facts, which aren't in its lines; `undefined` for a file, which has none. */
export function hasFacts(session: Session, facts: object | undefined): boolean {
  return readerStateOf(session).lines.facts === (facts && JSON.stringify(facts));
}

/** The position where reading continues when a file grows, and the text that verifies that it only grew. */
export interface ResumePoint extends LinePosition {
  /** The session of the lines before the position. */
  readonly session: Session;
  /** The file's first characters. */
  readonly beginning: string;
  /** The last characters before the line break in front of the position. */
  readonly ending: string;
}

export function resumePoint(session: Session): ResumePoint {
  const base = readerStateOf(session).lines.beforeLastLine ?? session;
  const { offset, line, beginning, ending } = readerStateOf(base).lines;
  return { session: base, offset, line, beginning, ending };
}
