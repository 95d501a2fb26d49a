/** Types of the changes of files that sessions record, the same for all dialects. */

/** A text that was replaced by another. */
export interface Replacement {
  readonly before: string;
  readonly after: string;
  /** True if all occurrences were replaced. */
  readonly all: boolean;
}

/** A line of a hunk: `' '` is in both texts, `'-'` only in the old one, `'+'` only in the new one. */
export interface HunkLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** Consecutive lines of a difference. */
export interface Hunk {
  /** The place of the first line in the old text, from 0; absent if it isn't recorded. */
  readonly start?: number;
  readonly lines: readonly HunkLine[];
}

/** Lines that a call cut somewhere and put into the file. */
export interface PastedLines {
  /** The files that they were cut from, as the tool was given them; maybe the file itself. */
  readonly from: readonly string[];
  /** The lines that the call wrote itself. All other added lines were pasted. */
  readonly typed: readonly string[];
}

/** A change of one file by one call. */
export interface FileEdit {
  /** The path as the tool was given it. */
  readonly file: string;
  /** The whole text before, if the result has it. */
  readonly before?: string;
  /** The whole text after. */
  readonly text?: string;
  /** Without `text`: the difference, as the result or the arguments have it. May be empty. */
  readonly hunks: readonly Hunk[];
  /** Without `text`: the replacements in the arguments. May be empty. */
  readonly replacements: readonly Replacement[];
  /** The path that the file was moved to by the call, as the tool was given it. */
  readonly movedTo?: string;
  readonly isDeletion?: boolean;
  /** Set if the call put lines there that it had cut. They keep their writer. */
  readonly pasted?: PastedLines;
  /** True if the result says that the call succeeded; false if there is no result. */
  readonly isCertain: boolean;
}

/** A text that a call showed: all of a file, or consecutive lines of it. */
export interface FileReading {
  readonly file: string;
  readonly text: string;
  readonly isWhole: boolean;
}
