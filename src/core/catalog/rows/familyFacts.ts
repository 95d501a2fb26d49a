/** Reads the facts of a session that connect it with its subagents' sessions. They need the bodies of a few entries. */
import { NO_PARENT, type HeadSource } from '../../format/columns/headSource';
import { asString, isArray, isObject, type JsonObject } from '../../format/values/jsonValues';
import { isSubagentTool, namedSessions, type SubagentCall } from '../../format/families/subagentCalls';
import { headsOf } from '../../format/linking/headsById';
import type { Session } from '../../format/session/session';
import { defined } from '../../format/values/defined';

export interface FamilyFacts {
  /** The name of the agent that wrote the session, as the session itself has it. */
  readonly agent?: string;
  /** The calls that start subagents, in file order. */
  readonly calls?: readonly SubagentCall[];
  /** The ids of the entries without a parent, if the session has such calls or names a parent. */
  readonly rootIds?: readonly string[];
}

/** Limits of what is kept of a session: calls, and ids of entries without a parent. */
const [MAX_CALLS, MAX_ROOTS] = [500, 8];
/** Lines of more bytes aren't read for their details. */
const MAX_LINE = 4 * 1024 * 1024;
/** Entries from a result up to its call, and from the end up to calls without a result. */
const MAX_STEPS = 200;

/** Returns an entry as it's written in the file; `undefined` if the file has changed. */
type ReadLine = (head: { readonly id: string; readonly offset: number; readonly length: number }) => Promise<JsonObject | undefined>;

/**
 * Reads the facts.
 *
 * @param before the facts of the same session before it grew. What they have isn't read again.
 */
export async function readFamilyFacts(session: Session, read: ReadLine, before: FamilyFacts = {}): Promise<FamilyFacts> {
  const heads = headsOf(session);
  const bodyAt = async (place: number): Promise<JsonObject | undefined> =>
    heads.lengthAt(place) > MAX_LINE
      ? undefined
      : read({ id: heads.idAt(place), offset: heads.offsetAt(place), length: heads.lengthAt(place) });
  const known = new Map(before.calls?.map((call) => [call.resultId, call]));
  const calls: SubagentCall[] = [];
  let agent = before.agent;
  for (let place = 0; place < heads.length; place++) {
    const { type, toolName, customType, agent: named } = heads.traitsAt(place);
    if (toolName !== undefined && type === 'message' && isSubagentTool(toolName) && calls.length < MAX_CALLS)
      calls.push(known.get(heads.idAt(place)) ?? (await callOfResult(heads, place, bodyAt)));
    agent ??= named;
    if (agent === undefined && customType === INVOCATION) agent = invokedAgent(await bodyAt(place));
  }
  for (const call of await openCalls(heads, bodyAt)) calls.push(call);
  const needsRoots = calls.length > 0 || session.header.parentSession !== undefined;
  return defined({
    agent,
    calls: calls.length === 0 ? undefined : calls,
    rootIds: needsRoots ? rootIds(heads) : undefined,
  });
}

/** The custom entry in which pi-base names the agent. */
const INVOCATION = 'pi-base-subagent-invocation';
const MAX_NAME = 80;

function invokedAgent(line: JsonObject | undefined): string | undefined {
  const data = line?.['data'];
  return isObject(data) ? asString(data['name'])?.trim().slice(0, MAX_NAME) || undefined : undefined;
}

type BodyAt = (place: number) => Promise<JsonObject | undefined>;

async function callOfResult(heads: HeadSource, place: number, bodyAt: BodyAt): Promise<SubagentCall> {
  const message = (await bodyAt(place))?.['message'];
  const body = isObject(message) ? message : {};
  let above = heads.parentAt(place);
  for (let step = 0; above !== NO_PARENT && heads.traitsAt(above).role !== 'assistant' && step < MAX_STEPS; step++)
    above = heads.parentAt(above);
  const call = above === NO_PARENT ? place : above;
  const sessions = namedSessions(body['details']);
  return {
    callId: asString(body['toolCallId']) ?? '',
    entryId: heads.idAt(call),
    resultId: heads.idAt(place),
    from: heads.timeAt(call),
    until: heads.timeAt(place),
    ...(sessions.length > 0 ? { sessions } : {}),
  };
}

/** The calls of the last answer that have no result yet. */
async function openCalls(heads: HeadSource, bodyAt: BodyAt): Promise<SubagentCall[]> {
  const answered = new Set<string>();
  for (let place = heads.length - 1; place >= Math.max(0, heads.length - MAX_STEPS); place--) {
    const { role, stopReason } = heads.traitsAt(place);
    if (role === 'toolResult') answered.add(heads.peek(place).toolCallId ?? '');
    if (role === 'user') return [];
    if (role !== 'assistant') continue;
    if (stopReason !== 'toolUse') return [];
    const message = (await bodyAt(place))?.['message'];
    const content = isObject(message) ? message['content'] : undefined;
    return (isArray(content) ? content : []).flatMap((block): SubagentCall[] => {
      if (!isObject(block) || block['type'] !== 'toolCall' || !isSubagentTool(asString(block['name']))) return [];
      const callId = asString(block['id']) ?? '';
      return answered.has(callId) ? [] : [{ callId, entryId: heads.idAt(place), from: heads.timeAt(place) }];
    });
  }
  return [];
}

function rootIds(heads: HeadSource): string[] {
  const ids: string[] = [];
  for (let place = 0; place < heads.length && ids.length < MAX_ROOTS; place++)
    if (heads.parentAt(place) === NO_PARENT) ids.push(heads.idAt(place));
  return ids;
}
