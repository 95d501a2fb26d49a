/** Extracts the data that the catalog keeps of a file's lines, by way of the session's entries. */
import { NO_PARENT, type HeadSource } from '../../format/columns/headSource';
import { headsOf } from '../../format/linking/headsById';
import type { Session } from '../../format/session/session';
import { FullReadRequired } from '../../format/parse/readErrors';
import { pathPlaces } from '../../format/session/treeTraversal';
import { encodeAnswers } from '../encoding/answerTable';
import type { TableLine } from '../encoding/lineTable';
import { encodeTouches, type EntryTouch } from '../encoding/touchTable';
import type { CollectedLine } from './collectedLines';
import type { ExtractedLines } from './buildLineIndex';
import { answersOf } from './sessionFacts';

/**
 * @param collected in file order
 * @param start the offset in bytes from which the file was read
 * @param table the lines before `start`; the lines from `start` on are added to it
 * @param toAbsolute resolves a path that a tool was given
 * @param childrenOf the files of subagents' sessions that the tool result at an offset names
 */
export function extractLines(
  session: Session,
  collected: Iterable<CollectedLine>,
  start: number,
  table: TableLine[],
  toAbsolute: (path: string) => string,
  childrenOf: ReadonlyMap<number, readonly string[]>,
): ExtractedLines {
  const heads = headsOf(session);
  const isActive = activePlaces(heads, session.leafId);
  const positions: number[] = [];
  const touches: EntryTouch[] = [];
  for (const line of table) {
    const active = isActive[heads.placeOf(line.entryId) ?? NO_PARENT] === 1;
    // The answers of a branch that was left, or is gone on with, have other causes.
    if (active !== line.active) throw new FullReadRequired();
  }
  const promptOf = promptFinder(heads);
  const paths = new Map<string, string>();
  const pathOf = (file: string): string => {
    let path = paths.get(file);
    if (path === undefined) paths.set(file, (path = toAbsolute(file)));
    return path;
  };
  const first = firstPlaceAt(heads, start);
  let place = first;
  // Both lists are in file order. A repeated entry isn't among the session's.
  for (const { offset, role, from, to, touches: touched, tools } of collected) {
    while (place < heads.length && heads.offsetAt(place) < offset) place++;
    if (place === heads.length || heads.offsetAt(place) !== offset) continue;
    const line = heads.lineAt(place);
    for (const { file, kind } of touched)
      touches.push({ file: pathOf(file), entryId: heads.idAt(place), kind, line, promptId: promptOf(place) });
    if (from < to) {
      // Two entries on one line share its text. A match that spans both is discarded when the line itself is searched.
      if (positions.at(-3) === line) positions[positions.length - 1] = to;
      else positions.push(line, from, to);
    }
    const target = labeledPlace(heads, place) ?? place;
    table.push({
      line,
      offset,
      length: heads.lengthAt(place),
      entryId: heads.idAt(target),
      role,
      time: Math.round(heads.messageTimeAt(place) ?? heads.timeAt(place)),
      active: isActive[target] === 1,
      hasText: from < to,
      tools,
    });
  }
  return {
    positions,
    lines: table,
    touches: encodeTouches(touches),
    answers: encodeAnswers(answersOf(session, first, childrenOf, isActive)),
  };
}

/** The place of the entry that a label names; a hit on the label leads there. */
function labeledPlace(heads: HeadSource, place: number): number | undefined {
  const { type, targetId } = heads.traitsAt(place);
  return type === 'label' && typeof targetId === 'string' ? heads.placeOf(targetId) : undefined;
}

/** The place of the first entry at or after an offset; entries are in file order. */
function firstPlaceAt(heads: HeadSource, offset: number): number {
  let place = offset === 0 ? 0 : heads.length;
  while (place > 0 && heads.offsetAt(place - 1) >= offset) place--;
  return place;
}

/** By place: 1 for the entries on the active branch. */
function activePlaces(heads: HeadSource, leafId: string | null): Uint8Array {
  const places = new Uint8Array(heads.length);
  for (const place of pathPlaces(heads, leafId)) places[place] = 1;
  return places;
}

/** Longer ids of prompts aren't stored with touches. */
const MAX_PROMPT_ID_BYTES = 64;

/** Stands for an entry whose prompt isn't known yet, and for one without a prompt. Prompts are stored as their place plus two. */
const UNKNOWN = 0;
const NO_PROMPT = 1;
const FIRST = 2;

/**
 * Returns a function that gives the id of the nearest user message among an entry's ancestors, itself included. Takes a
 * few steps for each entry, over all calls together.
 */
function promptFinder(heads: HeadSource): (place: number) => string | undefined {
  const known = new Int32Array(heads.length);
  return (from) => {
    let prompt = UNKNOWN;
    let end = from;
    for (; prompt === UNKNOWN; end = heads.parentAt(end)) {
      if (end === NO_PARENT) prompt = NO_PROMPT;
      else if (known[end] !== UNKNOWN) prompt = known[end]!;
      else if (heads.traitsAt(end).role === 'user') prompt = end + FIRST;
    }
    for (let place = from; place !== NO_PARENT && known[place] === UNKNOWN; place = heads.parentAt(place)) {
      known[place] = prompt;
      if (place + FIRST === prompt) break;
    }
    if (prompt === NO_PROMPT) return undefined;
    const id = heads.idAt(prompt - FIRST);
    return Buffer.byteLength(id) > MAX_PROMPT_ID_BYTES ? undefined : id;
  };
}
