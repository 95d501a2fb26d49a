/** The messages of a branch up to an entry. When they have to be cut, those nearest to that entry stay. */
import {
  asString,
  beginning,
  defined,
  entryPlainText,
  isArray,
  isObject,
  pathTo,
  readBodies,
  type Entry,
  type EntryHead,
  type Session,
} from '../../core/index';
import type { Memory } from '../memory';
import { namesOf, type Located } from '../refs';
import { isoTime, type MessageAnswer } from './values';
import { Refusal } from '../requestError';

export interface BranchRequest {
  /** The first entry, which must be above the last one. */
  readonly fromId?: string;
  /** Bytes of texts. */
  readonly maxBytes?: number;
  /** Secrets are replaced unless this is false. */
  readonly redact?: boolean;
  /** Prepares texts for their reader before their bytes are counted. */
  readonly clean?: (text: string) => string;
}

export interface BranchMessages {
  readonly entryId: string | null;
  readonly messages: readonly MessageAnswer[];
  /** The number of messages before the first one that were cut, and the last of them. */
  readonly cut: number;
  readonly cutRef?: string;
}

/** Bytes of an entry that is read; of a longer one only its row is given. */
const MAX_ENTRY = 16 * 1024 * 1024;
/** Entries in memory at a time. */
const CHUNK = 50;
/** Bytes of other entries that are searched for secrets which the messages repeat. */
const MAX_LEARNED = 512 * 1024;
/** The share of the bytes that a message must have left to be given in part. */
const PART = 0.2;

/** The part of all bytes that a tool's result may have, and the bytes that each may have. */
const [RESULTS, MIN_RESULT] = [8, 400];

const DEFAULT_BYTES = 1024 * 1024;

/** @throws {Refusal} if `fromId` isn't above; {SessionError} as `readBodies` */
export async function readBranch(
  memory: Memory,
  { session, entryId, refs }: Located,
  { fromId, maxBytes = DEFAULT_BYTES, redact = true, clean = (text) => text }: BranchRequest = {},
): Promise<BranchMessages> {
  const end = entryId ?? session.leafId;
  const path = pathTo(session, end);
  const from = fromId === undefined ? 0 : path.findIndex(({ id }) => id === fromId);
  if (from < 0) throw new Refusal(`The entry ${fromId ?? ''} isn’t above the one that is read up to.`);
  const heads = path.slice(from).filter((head, index, all) => isMessage(head) || index === all.length - 1);
  const secrets = redact ? await memory.secrets() : undefined;
  await secrets?.learn(session, MAX_LEARNED, memory.signal);
  const names = namesOf(session);
  const active = new Set(pathTo(session, session.leafId).map(({ id }) => id));
  const messages: MessageAnswer[] = [];
  // The beginnings of many results say more than the last one alone.
  const isLong = heads.reduce((sum, { length }) => sum + length, 0) > maxBytes;
  const resultBytes = isLong ? Math.max(MIN_RESULT, maxBytes / RESULTS) : maxBytes;
  let left = maxBytes;
  let to = heads.length;
  for (let isFull = false; to > 0 && !isFull;) {
    const slice = heads.slice(Math.max(0, to - CHUNK), to);
    const read = await bodiesOf(session, slice, memory.signal);
    const entries = secrets ? await secrets.entries(read, memory.signal) : read;
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    for (const head of slice.toReversed()) {
      const isOwn = messages.length === 0;
      const read = cleaned(messageOf(head, byId.get(head.id), refs.of(names, head.id), active.has(head.id)), clean);
      const whole = !isOwn && head.role === 'toolResult' ? cutTo(read, resultBytes) : read;
      const fits = bytesOf(whole) <= left;
      if (!fits && !isOwn && left < maxBytes * PART) {
        isFull = true;
        break;
      }
      const fitting = fits ? whole : cutTo(whole, left);
      messages.push(fitting);
      left -= bytesOf(fitting);
      to--;
      if (!fits) {
        isFull = true;
        break;
      }
    }
  }
  const last = to > 0 ? heads[to - 1] : undefined;
  return { entryId: end, messages: messages.reverse(), cut: to, ...(last ? { cutRef: refs.of(names, last.id) } : {}) };
}

const isMessage = ({ type, role, isHidden }: EntryHead): boolean =>
  (type === 'message' && role !== 'system') ||
  ((type === 'custom_message' || type === 'compaction' || type === 'branch_summary') && isHidden !== true);

async function bodiesOf(session: Session, heads: readonly EntryHead[], signal: AbortSignal | undefined): Promise<Entry[]> {
  return readBodies(
    session,
    heads.filter(({ length }) => length <= MAX_ENTRY).map(({ id }) => id),
    signal,
  );
}

/** Returns a message in a number of bytes: its text with its calls, up to there. */
function cutTo(message: MessageAnswer, bytes: number): MessageAnswer {
  if (bytesOf(message) <= bytes) return message;
  const { calls: _, ...others } = message;
  const all = callsAndText(message);
  const text = beginningOfBytes(all, Math.max(0, bytes - OVERHEAD));
  return { ...others, text, cutBytes: (message.cutBytes ?? 0) + Buffer.byteLength(all) - Buffer.byteLength(text) };
}

function cleaned(message: MessageAnswer, clean: (text: string) => string): MessageAnswer {
  return { ...message, text: clean(message.text) };
}

/** Bytes of what stands around a message's text. */
const OVERHEAD = 140;

export const bytesOf = (message: MessageAnswer): number => Buffer.byteLength(callsAndText(message)) + OVERHEAD;

/** The text of a message with its calls, as people and models read it. */
export function callsAndText({ text, calls = [] }: MessageAnswer): string {
  return [text, ...calls.map(({ name, arguments: given }) => `${name} ${JSON.stringify(given)}`)].filter((part) => part !== '').join('\n');
}

/** Cuts a text to a number of bytes of UTF-8. */
export function beginningOfBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const cut = Buffer.from(text.slice(0, bytes))
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return beginning(cut, cut.length);
}

function messageOf(head: EntryHead, entry: Entry | undefined, ref: string, isActive: boolean): MessageAnswer {
  const { id, type, role = type, time, toolName, isError } = head;
  return {
    ref,
    id,
    type,
    role,
    ...defined({ time: isoTime(time) }),
    state: isActive ? 'active' : 'left',
    text: entry ? textOf(entry) : head.text,
    ...defined({ calls: entry && callsOf(entry), tool: toolName }),
    ...(isError === true ? { isError } : {}),
  };
}

/** The text of an entry; of a command that the person ran, with its output. */
function textOf(entry: Entry): string {
  const text = entryPlainText(entry);
  const message = entry.type === 'message' ? entry.message : undefined;
  const output = message && isObject(message) ? asString(message['output']) : undefined;
  return output === undefined || output === '' ? text : `${text}\n${output}`;
}

function callsOf(entry: Entry): MessageAnswer['calls'] {
  const content: unknown = entry.type === 'message' && entry.message.role === 'assistant' ? entry.message.content : undefined;
  if (!isArray(content)) return undefined;
  const calls = content.flatMap((block) =>
    isObject(block) && block['type'] === 'toolCall' ? [{ name: asString(block['name']) ?? '', arguments: block['arguments'] }] : [],
  );
  return calls.length > 0 ? calls : undefined;
}
