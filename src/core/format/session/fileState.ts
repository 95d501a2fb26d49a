/** Facts about the file of a session that its entries don't give, for writing to it and for reading on. */
import { readerStateOf } from '../linking/readerState';
import type { Session } from './session';

/** A position between two lines of a file. */
export interface LinePosition {
  /** In bytes. */
  readonly offset: number;
  /** The number of lines before it. */
  readonly line: number;
}

/** The position behind the last line that ends with a line break. */
export function endOfLines(session: Session): LinePosition {
  const { offset, line } = readerStateOf(session).lines;
  return { offset, line };
}

/** The number of the next line that is appended, from 1. */
export function nextLine(session: Session): number {
  return readerStateOf(session).lines.line + 1;
}

/** False if the file's last line is an entry without a line break. */
export function endsWithNewline(session: Session): boolean {
  return readerStateOf(session).lines.beforeLastLine === undefined;
}

/** The title slot at the beginning of a file of oh-my-pi; `undefined` if there is none. */
export function titleSlot(session: Session): { readonly title: string; readonly isExact: boolean } | undefined {
  const { slotTitle, slotIsExact = false } = readerStateOf(session).lines;
  return slotTitle === undefined ? undefined : { title: slotTitle, isExact: slotIsExact };
}

/** True if an entry or a `leaf` line of the file has this id. */
export function isIdTaken(session: Session, id: string): boolean {
  return session.byId.has(id) || readerStateOf(session).links.leafTargets.has(id);
}

/** Where reading a file that grew continues, and how to verify that it only grew. */
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
