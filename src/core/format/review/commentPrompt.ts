/** The prompt that takes a person's comments on code to the session that wrote it. */
import { codeBlock, inlineCode } from '../text/markdown/markdownText';

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

const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

/**
 * Returns Markdown with each comment after the place and the lines that it's about. No line can end the code block that quotes it.
 * The comments are whole, and a code block that one leaves open ends with it.
 *
 * @param comments in the order of files and lines
 */
export function commentPrompt(comments: readonly QuotedComment[]): string {
  const title = comments.length === 1 ? 'Review comment:' : `${comments.length} review comments:`;
  return [title, ...comments.map(commentText)].join('\n\n');
}

function commentText({ file, from, to, lines, text }: QuotedComment): string {
  const place = from === to ? `line ${from}` : `lines ${from} to ${to}`;
  const remark = text.replace(/\r\n?/g, '\n').trim();
  return `${inlineCode(file)}, ${place}:\n\n${codeBlock(lines)}\n\n${remark}${closingFence(remark)}`;
}

/** Returns a line that closes the code block at the end of a text; empty if none is open. */
function closingFence(text: string): string {
  let open = '';
  let closing = '';
  for (const line of text.split('\n')) {
    const [, indent = '', marks = '', rest = ''] = FENCE.exec(line) ?? [];
    if (open === '') {
      open = marks;
      // A block in the item of a list ends at the same indentation.
      closing = `\n${indent}${marks}`;
    } else if (marks.startsWith(open) && rest.trim() === '') open = '';
  }
  return open && closing;
}
