/** The forms of an export, in one table. */
import { SessionError } from '../../format/entry/problem';
import type { FormatFacts, FormatStyle } from './exportFormat';
import { HTML_FORMAT } from './htmlFormat';
import { MARKDOWN_FORMAT } from './markdownFormat';

const JSONL_FORMAT: FormatFacts = {
  label: 'JSONL',
  describe: (translate) => translate('to continue: its program opens it', {}),
  extension: 'jsonl',
  hasFileImages: false,
  parts: async function* (source) {
    for await (const line of source.lines()) {
      yield line;
      // A text of both would be joined, which takes too long for a long line.
      yield '\n';
    }
  },
};

const FORMATS = { html: HTML_FORMAT, markdown: MARKDOWN_FORMAT, jsonl: JSONL_FORMAT };

/** The name of a form. */
export type ExportFormat = keyof typeof FORMATS;
/** The properties of each form. */
export const FORMAT_FACTS: Readonly<Record<ExportFormat, FormatFacts>> = FORMATS;
/** The names of the forms. */
export const EXPORT_FORMATS = Object.keys(FORMATS) as readonly ExportFormat[];

/** The form of an export, and the language of the texts that it adds. */
export interface ExportStyle extends FormatStyle {
  readonly format: ExportFormat;
}

/** @throws {SessionError} `invalid` for a format that isn't one of these, as the arguments of a command may have it. */
export function assertFormat(format: string, formats: readonly string[]): void {
  if (!formats.includes(format))
    throw new SessionError('invalid', '“{name}” must be one of: {values}', { name: 'format', values: formats.join(', ') });
}
