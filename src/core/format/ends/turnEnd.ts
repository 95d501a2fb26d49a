/** Tells how the last turn of a branch ended, from its heads and the bodies of a few entries. FORMAT section 5. */
import { NO_PARENT, type HeadSource } from '../columns/headSource';
import { isObject, type JsonObject } from '../values/jsonValues';
import { textOf } from '../entry/message';
import { headsOf } from '../linking/headsById';
import { lastMessagePlace, unfinishedOf, type Unfinished } from '../session/lastAnswer';
import type { Session } from '../session/session';
import { endsWithQuestion } from './endsWithQuestion';
import { countOpenTodos, isTodoEntry, isTodoTool } from './todoList';
import { callsOf, isAskingTool, isEndingTool, isLeftOpen } from './toolsOfEnds';

/** Returns an entry as it's written in the file; `undefined` if it can't be read. */
export type ReadEntry = (head: {
  readonly id: string;
  readonly offset: number;
  readonly length: number;
}) => Promise<JsonObject | undefined>;

/** Larger lines aren't read. */
const MAX_LINE = 4 * 1024 * 1024;
/** Entries above the tip in which a list of todos is looked for, lists that are read, and results above the last message up to their calls. */
const [MAX_STEPS, MAX_LISTS, MAX_RESULTS] = [1000, 4, 200];

/**
 * Returns how the last turn of a branch ended; `undefined` after an answer that leaves nothing open, or if that isn't known.
 *
 * @param tipId the branch's last entry; by default the leaf
 */
export async function turnEnd(
  session: Pick<Session, 'byId' | 'leafId'>,
  read: ReadEntry,
  tipId: string | null = session.leafId,
): Promise<Unfinished | undefined> {
  const heads = headsOf(session);
  const bodyAt = async (place: number): Promise<JsonObject> => {
    const length = heads.lengthAt(place);
    const entry = length > MAX_LINE ? undefined : await read({ id: heads.idAt(place), offset: heads.offsetAt(place), length });
    return entry ?? {};
  };
  const place = lastMessagePlace(session, tipId);
  const broken = unfinishedOf(session, tipId);
  if (place === undefined || broken === 'error' || broken === 'interrupted') return broken;
  const { role, toolName, isError } = heads.traitsAt(place);
  if (broken === 'unanswered' && !(role === 'toolResult' && isEndingTool(toolName) && isError !== true))
    return role !== 'user' && (await isAsking(heads, place, bodyAt)) ? 'question' : broken;
  if (role === 'assistant' && endsWithQuestion(lastText(messageOf(await bodyAt(place))))) return 'question';
  return (await hasOpenTodos(heads, heads.placeOf(tipId ?? '') ?? place, bodyAt)) ? 'todos' : undefined;
}

type BodyAt = (place: number) => Promise<JsonObject>;

const messageOf = ({ message }: JsonObject): JsonObject => (isObject(message) ? message : {});

/** The text after the last call; the blocks of a text that is in several belong together. */
const lastText = ({ content }: JsonObject): string => textOf(content, '\n\n');

/** True if the last results and calls are of a question that the person hasn't answered. */
async function isAsking(heads: HeadSource, last: number, bodyAt: BodyAt): Promise<boolean> {
  const { toolName } = heads.traitsAt(last);
  if (isAskingTool(toolName) && isLeftOpen(messageOf(await bodyAt(last))['details'])) return true;
  const answered = new Set<string>();
  let place = last;
  for (let step = 0; place !== NO_PARENT && heads.traitsAt(place).role === 'toolResult' && step < MAX_RESULTS; step++) {
    answered.add(heads.peek(place).toolCallId ?? '');
    place = heads.parentAt(place);
  }
  if (place === NO_PARENT || heads.traitsAt(place).role !== 'assistant') return false;
  for (const { id, name } of callsOf(messageOf(await bodyAt(place))['content'])) if (isAskingTool(name) && !answered.has(id)) return true;
  return false;
}

/** True if the list of todos that was recorded last has open ones. */
async function hasOpenTodos(heads: HeadSource, tip: number, bodyAt: BodyAt): Promise<boolean> {
  let lists = 0;
  for (let place = tip, step = 0; place !== NO_PARENT && step < MAX_STEPS && lists < MAX_LISTS; place = heads.parentAt(place), step++) {
    const { type, toolName, customType, isError } = heads.traitsAt(place);
    if (type === 'reset_boundary') return false;
    const isResult = type === 'message' && isTodoTool(toolName) && isError !== true;
    if (!isResult && !(type === 'custom' && isTodoEntry(customType))) continue;
    lists++;
    const open = isResult ? await todosOfResult(heads, place, bodyAt) : countOpenTodos((await bodyAt(place))['data']);
    if (open !== undefined) return open > 0;
  }
  return false;
}

/** The open todos of a result's details; if these have no list, of the arguments of its call. */
async function todosOfResult(heads: HeadSource, place: number, bodyAt: BodyAt): Promise<number | undefined> {
  const { details, toolCallId } = messageOf(await bodyAt(place));
  const recorded = countOpenTodos(details);
  if (recorded !== undefined) return recorded;
  let above = heads.parentAt(place);
  for (let step = 0; above !== NO_PARENT && heads.traitsAt(above).role === 'toolResult' && step < MAX_RESULTS; step++)
    above = heads.parentAt(above);
  if (above === NO_PARENT) return undefined;
  for (const { id, args } of callsOf(messageOf(await bodyAt(above))['content'])) if (id === toolCallId) return countOpenTodos(args);
  return undefined;
}
