/** The files that a summary names, as Markdown. */
import { summaryFiles } from '../../toolCalls/fileTouches';
import type { TranslateMessage } from '../../entry/problem';
import { inlineCode } from '../../text/markdown/markdownText';

/** Files of each kind that are listed. */
const MAX_LISTED = 100;

/**
 * Returns a line for the files that the summarized entries read, and a line for the files that they changed; empty if
 * the summary names none, or lists them in its text, as pi's own summaries do. FORMAT section 2.
 */
export function summaryFileList(summary: string, details: unknown, translate: TranslateMessage): string {
  const files = /<(?:read|modified)-files>/.test(summary) ? undefined : summaryFiles(details);
  if (!files) return '';
  const list = (paths: readonly string[]): string =>
    paths.slice(0, MAX_LISTED).map(inlineCode).join(', ') + (paths.length > MAX_LISTED ? ' …' : '');
  return [
    files.readFiles.length === 0 ? '' : translate('Files read: {files}', { files: list(files.readFiles) }),
    files.modifiedFiles.length === 0 ? '' : translate('Files changed: {files}', { files: list(files.modifiedFiles) }),
  ]
    .filter((line) => line !== '')
    .join('\n\n');
}
