/** The prompt that takes a person's comments on code to the session that wrote it. */
import { codeBlock, inlineCode } from '../text/markdownText';

/** A comment with the lines that it's about. */
export interface QuotedComment {
  /** The file's path as the session knows it. */
  readonly file: string;
  /** The first and the last line, from 1. */
  readonly from: number;
  readonly to: number;
  /** The lines themselves, without the last line break. */
  readonly lines: string;
  readonly text: string;
}

/**
 * Returns Markdown with each comment after the place and the lines that it's about. No line can end the code block that quotes it,
 * and the comments are whole.
 *
 * @param comments in the order of files and lines
 */
export function commentPrompt(comments: readonly QuotedComment[]): string {
  const title = comments.length === 1 ? 'Review comment:' : `${comments.length} review comments:`;
  return [title, ...comments.map(commentText)].join('\n\n');
}

function commentText({ file, from, to, lines, text }: QuotedComment): string {
  const place = from === to ? `line ${from}` : `lines ${from} to ${to}`;
  return `${inlineCode(file)}, ${place}:\n\n${codeBlock(lines)}\n\n${text.replace(/\r\n?/g, '\n').trim()}`;
}
