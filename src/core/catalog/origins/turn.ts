/** The turn that a message belongs to: a person's prompt and all that followed, up to the next prompt. */
import { readBodies } from '../../files/read/sessionFile';
import { defined } from '../../format/values/defined';
import type { Dialect } from '../../format/entry/dialect';
import { textOf } from '../../format/entry/message';
import type { Entry } from '../../format/entry/entry';
import type { ModelRef } from '../../format/entry/usage';
import { billedModel } from '../../format/entry/usage';
import type { EntryHead } from '../../format/entry/entryHead';
import { userRowText } from '../../format/entry/rowText';
import type { Session } from '../../format/session/session';
import { firstWords, sessionTitle } from '../../format/session/sessionTitle';
import { isOnPath } from '../../format/session/treeTraversal';
import { totalsOf, type UsageTotals } from '../../format/session/costs/usageTotals';
import { requireEntry } from '../../format/session/requireEntry';
import { excerpt } from '../../format/text/excerpt';
import { plainLine } from '../../format/text/plainLine';
import { withoutMarkdown } from '../../format/text/plainText';
import { unwrapUserText } from '../../format/text/wrappers/userText';
import { timeOf } from './entryTime';

/** The turn of a message: its prompt, session, time and usage. */
export interface Turn {
  /** The session, and the message that the turn was asked for. */
  readonly path: string;
  readonly entryId: string;
  /** The person's message; absent if the session begins without one. */
  readonly promptId?: string;
  /** The prompt as one line of prose, without what programs wrap around it; absent if it has no text. */
  readonly prompt?: string;
  /** The title of the session, or `NO_MESSAGES`. */
  readonly title: string;
  readonly dialect: Dialect;
  /** The model that wrote the message, if it's recorded. */
  readonly model?: ModelRef;
  /** The time of the message, in milliseconds since 1970; 0 if it has none. */
  readonly time: number;
  /** True if the message is on the active branch. */
  readonly isActive: boolean;
  /** The nearest label between the forks around the message. */
  readonly label?: string;
  /** Tokens and dollars of the turn, as far as they're recorded. */
  readonly usage: UsageTotals;
}

/** UTF-16 units of a prompt's excerpt. */
const MAX_EXCERPT = 1500;
/** Bytes of the largest prompt that is read for its excerpt. */
const MAX_PROMPT_BYTES = 2_000_000;

/**
 * Returns the turn of a message, from a session's heads alone.
 *
 * @throws {SessionError} `unknown-entry`
 */
export function turnOf(session: Session, entryId: string): Turn {
  const head = requireEntry(session, entryId);
  const before = upToPrompt(session, head);
  const first = before.at(-1);
  const prompt = first?.role === 'user' ? first : undefined;
  const text = prompt && plainLine(userRowText(prompt.text), MAX_EXCERPT);
  const answer = before.find(({ role }) => role === 'assistant');
  const model = answer && billedModel(answer);
  const label = labelAround(session, head);
  return {
    path: session.path,
    entryId,
    ...defined({ promptId: prompt?.id, prompt: text || undefined }),
    title: sessionTitle(session.name, session.name === undefined ? firstWords(session.entries) : {}),
    dialect: session.dialect,
    ...defined({ model }),
    time: timeOf(head),
    isActive: isOnPath(session, session.leafId, entryId),
    ...defined({ label }),
    usage: totalsOf([...before, ...upToNextPrompt(session, head)]),
  };
}

/**
 * Returns the beginning of a turn's prompt with its line breaks, without what programs wrap around it and without the marks
 * of Markdown; `undefined` if it has no text, and one line of very large prompts.
 *
 * @throws the errors of reading the session
 */
export async function promptExcerpt(session: Session, { promptId, prompt }: Turn): Promise<string | undefined> {
  const head = promptId === undefined ? undefined : session.byId.get(promptId);
  if (!head || head.length > MAX_PROMPT_BYTES) return prompt;
  const [entry] = await readBodies(session, [head.id]);
  const text = entry && unwrapUserText(messageText(entry)).text.trim();
  return text ? withoutMarkdown(excerpt(text, MAX_EXCERPT)) : prompt;
}

const messageText = (entry: Entry): string =>
  entry.type === 'message' && 'content' in entry.message ? textOf(entry.message.content, '\n') : '';

/** The entry and its ancestors, up to the prompt, else to the root. */
function upToPrompt(session: Session, head: EntryHead): EntryHead[] {
  const found: EntryHead[] = [];
  for (let at: EntryHead | undefined = head; at; at = at.parentId === null ? undefined : session.byId.get(at.parentId)) {
    found.push(at);
    if (at.role === 'user') break;
  }
  return found;
}

/** The entries below an entry, up to the next prompt. At a fork the active branch is followed, else the newest. */
function upToNextPrompt(session: Session, head: EntryHead): EntryHead[] {
  const found: EntryHead[] = [];
  for (let at = nextOf(session, head.id); at && at.role !== 'user'; at = nextOf(session, at.id)) found.push(at);
  return found;
}

function nextOf(session: Session, id: string): EntryHead | undefined {
  const children = session.children.get(id) ?? [];
  const active = children.length > 1 ? children.find((child) => isOnPath(session, session.leafId, child)) : undefined;
  const next = active ?? children.at(-1);
  return next === undefined ? undefined : session.byId.get(next);
}

/** The label of the entry, else of the nearest one above or below it without a fork in between. */
function labelAround(session: Session, { id, parentId }: EntryHead): string | undefined {
  const isAlone = (parent: string): boolean => (session.children.get(parent)?.length ?? 0) === 1;
  let found = session.labels.get(id);
  for (let up = parentId; found === undefined && up !== null && isAlone(up); up = session.byId.get(up)?.parentId ?? null)
    found = session.labels.get(up);
  for (let down: string | undefined = id; found === undefined && down !== undefined && isAlone(down);) {
    down = session.children.get(down)?.[0];
    if (down !== undefined) found = session.labels.get(down);
  }
  return found;
}
