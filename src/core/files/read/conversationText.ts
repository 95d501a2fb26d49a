/** A conversation as text that a language model reads to sum it up, message by message, so that a small model can read its end only. */
import type { EntryHead } from '../../format/entry/entryHead';
import type { Entry } from '../../format/entry/entry';
import { entryMessages } from '../../format/context/contextMessages';
import { toLlmText } from '../../format/context/llmMessages';
import { beginning, ending } from '../../format/text/characters';
import type { Session } from '../../format/session/session';
import { readBodies } from './sessionFile';

/** Bytes of UTF-8 that count as a token. */
const TOKEN_BYTES = 4;
/** UTF-16 units of a message: its beginning and its end. Results of tools repeat what files have, and are cut further. */
const [MAX_MESSAGE, MAX_RESULT] = [6000, 1500];
/** Bytes of an entry that is read, of all texts together, and the entries in memory at a time. */
const [MAX_ENTRY, MAX_TEXT, CHUNK] = [4 * 1024 * 1024, 600_000, 50];

/** A message as text, under its role. */
export interface ConversationMessage {
  readonly text: string;
  /** An estimate. */
  readonly tokens: number;
}

export interface Conversation {
  /** The last messages, in order. */
  readonly messages: readonly ConversationMessage[];
  /** The number of messages before these. */
  readonly omitted: number;
}

/**
 * Returns the messages of entries as text; the earlier ones are omitted if they are too many.
 *
 * @param heads in order
 * @param redact returns entries without their secrets
 * @throws {SessionError} as `readBodies`; the signal's reason if aborted
 */
export async function conversationText(
  session: Session,
  heads: readonly EntryHead[],
  { redact, signal }: { readonly redact: (entries: readonly Entry[]) => Promise<readonly Entry[]>; readonly signal?: AbortSignal },
): Promise<Conversation> {
  const spoken = heads.filter(({ type, length }) => SPOKEN.has(type) && length <= MAX_ENTRY);
  const newest: ConversationMessage[] = [];
  let bytes = 0;
  let at = spoken.length;
  while (at > 0 && bytes < MAX_TEXT) {
    const ids = spoken.slice(Math.max(0, at - CHUNK), at).map(({ id }) => id);
    const entries = await redact(await readBodies(session, ids, signal));
    for (const entry of [...entries].reverse()) {
      const text = textOf(entry);
      const length = Buffer.byteLength(text);
      if (bytes + length > MAX_TEXT) return { messages: newest.reverse(), omitted: at };
      at--;
      bytes += length;
      if (text !== '') newest.push({ text, tokens: Math.ceil(length / TOKEN_BYTES) });
    }
  }
  return { messages: newest.reverse(), omitted: at };
}

/** Returns the end of a conversation that has at most so many tokens. */
export function lastMessages({ messages, omitted }: Conversation, maxTokens: number): Conversation & { readonly tokens: number } {
  let tokens = 0;
  let first = messages.length;
  for (; first > 0; first--) {
    const more = messages[first - 1]?.tokens ?? 0;
    if (tokens + more > maxTokens) break;
    tokens += more;
  }
  return { messages: messages.slice(first), omitted: omitted + first, tokens };
}

const SPOKEN = new Set(['message', 'custom_message', 'branch_summary', 'compaction']);

function textOf(entry: Entry): string {
  const messages = entryMessages(entry);
  const isResult = messages.some(({ role }) => role === 'toolResult' || role === 'bashExecution' || role === 'pythonExecution');
  return shortened(toLlmText(messages).trim(), isResult ? MAX_RESULT : MAX_MESSAGE);
}

/** Returns the beginning and the end of a longer text. */
function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = max / 2;
  return `${beginning(text, half)}\n[… ${String(text.length - max)} characters left out …]\n${ending(text, half)}`;
}
