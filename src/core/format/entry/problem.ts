/**
 * Problems of files, and errors of refused requests: a code for programs and a sentence for people. The sentence is a
 * template with arguments, so that the editor can translate it.
 */
import { isObject } from '../values/jsonValues';

import { uiLineKeepingEnds, uiLine } from '../text/uiText';
import { defined } from '../values/defined';

/** Values for the placeholders of a template. */
export type MessageArgs = Readonly<Record<string, string | number>>;

export const isMessageArgs = (value: unknown): value is MessageArgs =>
  isObject(value) && Object.values(value).every((arg) => typeof arg === 'string' || typeof arg === 'number');

/** Translates a template into the display language. */
export type TranslateMessage = (template: string, args: MessageArgs) => string;

/** Kinds of irregularities. FORMAT section 3. */
export type ProblemCode =
  | 'bad-line'
  | 'no-header'
  | 'damaged-line'
  | 'glued-line'
  | 'torn-line'
  | 'long-line'
  | 'before-header'
  | 'duplicate-header'
  | 'duplicate-id'
  | 'unknown-parent'
  | 'cycle'
  | 'no-id'
  | 'future-version'
  | 'unsupported-event'
  | 'damaged-event';

/** An irregularity in a file that could be read all the same. FORMAT section 3. */
export interface Problem {
  readonly code: ProblemCode;
  /** The line in the file, from 1. */
  readonly line?: number;
  /** For a problem that stands for several lines: the last of them. */
  readonly lastLine?: number;
  readonly entryId?: string;
  readonly template: string;
  readonly args: MessageArgs;
  /** The template with its arguments, in English. */
  readonly message: string;
}

/** Reasons for a refusal. FORMAT section 6. */
export type SessionErrorCode =
  | 'not-found'
  | 'not-a-session'
  | 'unknown-entry'
  | 'entry-required'
  | 'version'
  | 'read-only'
  | 'torn'
  | 'changed'
  | 'live'
  | 'unsure'
  | 'no-space'
  | 'permission'
  | 'already-current'
  | 'damaged'
  | 'invalid';

/**
 * A request that can't be fulfilled, in one sentence that includes a way forward. Unless the code is `damaged`, every
 * byte is unchanged. The message is safe to display: VS Code shows it itself when a command rejects.
 */
export class SessionError extends Error {
  override readonly name = 'SessionError';
  constructor(
    readonly code: SessionErrorCode,
    readonly template: string,
    readonly args: MessageArgs = {},
    options?: ErrorOptions,
  ) {
    super(uiLine(formatMessage(template, uiArgs(args))), options);
  }
}

const TEMPLATES: Readonly<Record<ProblemCode, string>> = {
  'bad-line': 'Line {line} isn’t valid JSON and was skipped.',
  'no-header': 'The file has no session header. Its folder, time and ID are from its name, its entries and the sessions beside it.',
  'damaged-line': 'Line {line} isn’t valid JSON. Its entry keeps its place in the tree, without its content.',
  'glued-line': 'Line {line} holds several objects without a line break between them. All were read.',
  'torn-line': 'The last line ({line}) isn’t complete. It’s read again when the file grows.',
  'long-line': 'Line {line} is too long to read ({bytes} bytes) and was skipped.',
  'before-header': 'Line {line} comes before the session header and was skipped.',
  'duplicate-header': 'Line {line} is a second session header. The first one is used.',
  'duplicate-id': 'Line {line} repeats the ID {id}. The last line with it is used.',
  'unknown-parent': 'Line {line} names a parent that isn’t in the file ({parent}). It’s shown as a root.',
  cycle: 'Line {line} is its own ancestor. It’s shown as a root.',
  'no-id': 'Line {line} has no ID. One was assigned from its position.',
  'future-version': 'This file has format {version}, which is newer than this extension supports. It can be read, but not changed.',
  'unsupported-event': 'Line {line} is compressed in the database, and this version of Node.js can’t unpack it. Its content is missing.',
  'damaged-event': 'Line {line} is damaged in the database. Its content is missing.',
};

export function problem(code: ProblemCode, args: MessageArgs & { line?: number }, entryId?: string): Problem {
  const template = TEMPLATES[code];
  return {
    code,
    ...defined({ line: args.line, entryId }),
    template,
    args,
    message: formatMessage(template, args),
  };
}

/** UTF-16 units of an argument that is shown, so that the sentence around it can be read. */
const MAX_ARGUMENT_LENGTH = 300;

/** Prepares arguments for display in a sentence: each becomes a single line, and long ones lose their middle. */
export function uiArgs(args: MessageArgs): MessageArgs {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === 'number' ? value : uiLineKeepingEnds(value, MAX_ARGUMENT_LENGTH)]),
  );
}

/** Replaces the `{name}` placeholders of a template by its arguments. Placeholders without an argument stay. */
export function formatMessage(template: string, args: MessageArgs): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(args, name) ? String(args[name]) : whole));
}
