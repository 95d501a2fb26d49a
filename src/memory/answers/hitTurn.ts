/** The turn around a hit: the prompt that it answers, and the answer with which it ended. */
import {
  defined,
  pathTo,
  readBodies,
  unwrapUserText,
  asString,
  isObject,
  textOf,
  type Entry,
  type EntryHead,
  type Session,
} from '../../core/index';
import type { Memory } from '../memory';

export interface HitTurn {
  /** The prompt's text; absent if the hit is the prompt. */
  readonly asked?: string;
  /** The text of the last answer of the turn; absent if that is the hit. */
  readonly answered?: string;
}

/** Entries of a turn that are looked at, and the bytes of one that is read. */
const [MAX_STEPS, MAX_ENTRY] = [2000, 1024 * 1024];

/** Returns the turn of an entry without its secrets. */
export async function hitTurn(memory: Memory, session: Session, entryId: string): Promise<HitTurn> {
  const prompt = promptAbove(session, entryId);
  const answer = answerBelow(session, entryId);
  const wanted = [prompt, answer].filter((head) => head !== undefined && head.id !== entryId && head.length <= MAX_ENTRY);
  const read = await readBodies(
    session,
    wanted.flatMap((head) => head?.id ?? []),
    memory.signal,
  );
  const texts = new Map((await (await memory.secrets()).entries(read, memory.signal)).map((entry) => [entry.id, textOfEntry(entry)]));
  const [asked, answered] = [prompt, answer].map((head) => (head ? texts.get(head.id) : undefined));
  return defined({ asked: asked ? unwrapUserText(asked).text : undefined, answered: answered || undefined });
}

function textOfEntry(entry: Entry): string {
  const message: unknown = entry.type === 'message' ? entry.message : undefined;
  return isObject(message) ? textOf(message['content'], '\n') || (asString(message['errorMessage']) ?? '') : '';
}

function promptAbove(session: Session, id: string): EntryHead | undefined {
  let head = session.byId.get(id);
  for (let steps = 0; head && head.role !== 'user' && steps < MAX_STEPS; steps++)
    head = head.parentId === null ? undefined : session.byId.get(head.parentId);
  return head?.role === 'user' ? head : undefined;
}

/** The last answer with text below an entry, before the next prompt. At a fork the active branch is followed, else the newest. */
function answerBelow(session: Session, id: string): EntryHead | undefined {
  let active: ReadonlySet<string> | undefined;
  let found: EntryHead | undefined;
  let at = session.byId.get(id);
  for (let steps = 0; at && steps < MAX_STEPS && (steps === 0 || at.role !== 'user'); steps++) {
    if (at.role === 'assistant' && (at.hasText === true || at.stopReason === 'error')) found = at;
    const children: readonly string[] = session.children.get(at.id) ?? [];
    if (children.length > 1) active ??= new Set(pathTo(session, session.leafId).map((head) => head.id));
    const next = (children.length > 1 ? children.find((child) => active?.has(child)) : undefined) ?? children.at(-1);
    at = next === undefined ? undefined : session.byId.get(next);
  }
  return found;
}
