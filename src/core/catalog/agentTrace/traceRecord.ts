/**
 * Makes records of the Agent Trace specification, version 0.1.0: https://github.com/cursor/agent-trace (README, section 6).
 * A record says which lines of which files came from which conversations, at one revision.
 */
import { createHash } from 'node:crypto';
import { defined } from '../../format/values/defined';
import type { Dialect } from '../../format/entry/dialect';
import { elementAt } from '../../format/values/lookups';
import { linesOf } from '../../format/lineOrigins/lineTexts';
import type { LineOrigin } from '../origins/lineOrigins';

export const TRACE_VERSION = '0.1.0';

interface TraceContributor {
  /** `mixed` for an agent's lines that have been moved or reindented since. */
  readonly type: 'ai' | 'mixed';
  /** `provider/model`. */
  readonly model_id?: string;
}

interface TraceRange {
  readonly start_line: number;
  readonly end_line: number;
  /** `sha256:` and the hash in hex of the lines in UTF-8, with U+000A between them. */
  readonly content_hash: string;
  readonly contributor?: TraceContributor;
}

interface TraceConversation {
  /** The session; absent if it has no id or can't be read any more. */
  readonly url?: string;
  readonly contributor: TraceContributor;
  readonly ranges: readonly TraceRange[];
  /** The prompts that led to the lines. */
  readonly related?: readonly { readonly type: 'prompt'; readonly url: string }[];
}

/** The conversations that wrote lines of a file, as Agent Trace records them. */
export interface TraceFile {
  /** Relative to the repository, else to the folder. */
  readonly path: string;
  readonly conversations: readonly TraceConversation[];
}

/** A record of the Agent Trace specification. */
export interface TraceRecord {
  readonly version: string;
  /** A UUID. */
  readonly id: string;
  /** When the record was made: a date and time of RFC 3339. */
  readonly timestamp: string;
  /** The revision that the line numbers refer to; absent if no revision has the text. */
  readonly vcs?: { readonly type: 'git'; readonly revision: string };
  /** The program that made the record. */
  readonly tool: { readonly name: string; readonly version: string };
  readonly files: readonly TraceFile[];
}

/** A session and a message in it. Paths aren't part of records: they name the person, and lead nowhere on other computers. */
export interface TracedEntry {
  readonly program: Dialect;
  readonly sessionId: string;
  readonly entryId?: string;
}

export interface TraceNames {
  /** Returns the model that wrote a range as `provider/model`; `undefined` if it isn't known. */
  readonly modelOf: (origin: LineOrigin) => string | undefined;
  /** Returns an address of a session or a message; `undefined` if the session has no id. */
  readonly urlOf: (path: string, entryId?: string) => string | undefined;
}

/** The specification's limit. */
const MAX_MODEL_LENGTH = 250;
/** Prompts that a conversation names. */
const MAX_PROMPTS = 50;

/** Groups the ranges of a file by session and model. @param origins in order; @param text the file's */
export function traceFile(path: string, text: string, origins: readonly LineOrigin[], { modelOf, urlOf }: TraceNames): TraceFile {
  const lines = linesOf(text);
  const groups = new Map<string, LineOrigin[]>();
  for (const origin of origins) {
    const key = JSON.stringify([origin.path, modelOf(origin)]);
    groups.set(key, [...(groups.get(key) ?? []), origin]);
  }
  const conversations = [...groups.values()].map((group): TraceConversation => {
    const first = elementAt(group, 0);
    const model = modelOf(first);
    const named = model === undefined || model.length > MAX_MODEL_LENGTH ? {} : { model_id: model };
    const prompts = [...new Set(group.flatMap(({ promptId }) => promptId ?? []))].slice(0, MAX_PROMPTS);
    const url = urlOf(first.path);
    const related = prompts
      .map((entryId) => urlOf(first.path, entryId))
      .filter((one) => one !== undefined)
      .map((one) => ({ type: 'prompt' as const, url: one }));
    return {
      ...defined({ url }),
      contributor: { type: 'ai', ...named },
      ranges: group.map(({ from, to, certainty }) => ({
        start_line: from,
        end_line: to,
        content_hash: hashOf(lines.slice(from - 1, to)),
        ...(certainty === 'exact' ? {} : { contributor: { type: 'mixed', ...named } }),
      })),
      ...(related.length > 0 ? { related } : {}),
    };
  });
  return { path, conversations };
}

const hashOf = (lines: readonly string[]): string => `sha256:${createHash('sha256').update(lines.join('\n')).digest('hex')}`;
