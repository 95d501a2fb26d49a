/**
 * Separates what a person said from what programs wrap around it before they send it to a model. FORMAT section 2, user
 * messages. Every rule reads only the beginning of a text, or its end, so the time is linear.
 */
import { beginning } from '../characters';
import { copyString } from '../excerpt';
import { TRAILING_QUOTES, TRAILING_SECTIONS } from './channelWrappers';
import { CUSTOM_HEARTBEAT, HEARTBEAT, TRAILING_ELEMENTS, TRAILING_NOTES, WRAPPER_BEGINNINGS, WRAPPER_RULES } from './userWrappers';
import type { WrapperRule } from './wrapperRule';
import { smallest } from '../../values/lists';

interface UserText {
  /** The person's text; otherwise the name of the job or the skill; otherwise that of a wrapper. */
  readonly text: string;
  /** False if the message has nothing but wrappers. The name of a job or a skill counts as text. */
  readonly hasText: boolean;
  /** The part of the message without its wrappers, in UTF-16 units. It may be empty. */
  readonly from: number;
  readonly to: number;
}

/** Removes the wrappers from a user message. A text that only looks similar to one stays as it is. FORMAT section 2, user messages. */
export function unwrapUserText(message: string): UserText {
  let from = skipSpace(message, 0);
  let naming: Wrapper | undefined;
  for (let wrapper = wrapperAt(message, from); wrapper; wrapper = wrapperAt(message, from)) {
    from = skipSpace(message, wrapper.end);
    if (!naming || wrapper.rank >= naming.rank) naming = wrapper;
    if (wrapper.rule.isJob) break;
  }
  let to = sectionsStart(message, from);
  for (let start = trailingPart(message, from, to); start !== undefined; start = trailingPart(message, from, to)) to = start;
  if (from < to && to < message.length && CUSTOM_HEARTBEAT.test(message.slice(Math.max(from, to - TAIL), to)))
    return { text: HEARTBEAT, hasText: false, from: to, to };
  if (!naming && to === message.length) return { text: message, hasText: true, from: 0, to };
  const { isJob, isCall } = naming?.rule ?? {};
  if (naming && (isJob || from >= to)) return { text: naming.name.trim(), hasText: isJob === true || isCall === true, from, to };
  return { text: message.slice(from, to), hasText: true, from, to };
}

/** Returns the beginning of what a user message says, as a separate string of at most `length` UTF-16 units. */
export function userExcerpt(message: string, length: number): Pick<UserText, 'text' | 'hasText'> {
  const { text, hasText } = unwrapUserText(message);
  // A short text would keep the message that it was sliced from in memory.
  return { text: text.length < message.length || text.length > length ? copyString(beginning(text, length)) : text, hasText };
}

interface Wrapper {
  readonly rule: WrapperRule;
  /** The rule's place in `WRAPPER_RULES`. */
  readonly rank: number;
  readonly name: string;
  readonly end: number;
}

function wrapperAt(text: string, from: number): Wrapper | undefined {
  if (!WRAPPER_BEGINNINGS.includes(text.charAt(from))) return undefined;
  for (const [rank, rule] of WRAPPER_RULES.entries()) {
    const { begins, start, as } = rule;
    if (!begins.some((beginning) => text.startsWith(beginning, from))) continue;
    start.lastIndex = from;
    const name = start.exec(text)?.groups?.['name'];
    if (name === undefined) continue;
    const endsAt = endOf(text, rule, start.lastIndex);
    if (endsAt !== undefined) return { rule, rank, name: as ?? name, end: endsAt };
  }
  return undefined;
}

/** Returns the end of a wrapper whose beginning ends at `from`. Wrappers in it that have no end are its own text. */
function endOf(text: string, { end, inner }: WrapperRule, from: number): number | undefined {
  if (!end) return from;
  let found: number | undefined;
  end.lastIndex = from;
  for (let open = 1; open > 0 && end.test(text); open--) {
    if (inner) open += text.slice(found ?? from, end.lastIndex).match(inner)?.length ?? 0;
    found = end.lastIndex;
  }
  return found;
}

/** Returns the start of what a program added at the end, with the space before it. */
function trailingPart(text: string, from: number, to: number): number | undefined {
  return trailingElement(text, from, to) ?? trailingQuote(text, from, to) ?? trailingNote(text, from, to);
}

/** Returns where what a person said ends: before the sections that a channel adds, with the space before them. */
function sectionsStart(text: string, from: number): number {
  // A section may begin right behind the wrappers.
  const starts = TRAILING_SECTIONS.map((header) => text.indexOf(header, Math.max(0, from - 1))).filter((start) => start >= 0);
  return starts.length === 0 ? text.length : spaceBefore(text, from, Math.max(from, smallest(starts)));
}

/** Returns the start of a quotation that ends the text, with the space before it. */
function trailingQuote(text: string, from: number, to: number): number | undefined {
  const end = spaceBefore(text, from, to);
  for (const [opening, closing] of TRAILING_QUOTES) {
    const start = text.endsWith(closing, end) ? text.lastIndexOf(opening, end) : -1;
    if (start >= from) return spaceBefore(text, from, start);
  }
  return undefined;
}

/** Returns the start of a note that ends the text, with the space before it. */
function trailingNote(text: string, from: number, to: number): number | undefined {
  const end = spaceBefore(text, from, to);
  const tail = text.slice(Math.max(from, end - TAIL), end);
  for (const { part, note } of TRAILING_NOTES) {
    const found = tail.includes(part) ? note.exec(tail) : null;
    if (found) return spaceBefore(text, from, end - tail.length + found.index);
  }
  return undefined;
}

/** UTF-16 units: notes at the end are looked for in that much of it. */
const TAIL = 1000;

/** An element that ends the text may have that many others in it. */
const MAX_DEPTH = 4;

/** Returns the start of an element that begins a line and ends the text, with the space before it. */
function trailingElement(text: string, from: number, to: number): number | undefined {
  const end = spaceBefore(text, from, to);
  for (const tag of TRAILING_ELEMENTS) {
    if (!text.endsWith(`</${tag}>`, end)) continue;
    let start = end;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      start = text.lastIndexOf(`\n<${tag}`, start - 1);
      if (start < from) break;
      if (wrapperAt(text, start + 1)?.end === end) return spaceBefore(text, from, start);
    }
  }
  return undefined;
}

function skipSpace(text: string, from: number): number {
  return text.length - text.slice(from).trimStart().length;
}

/** Returns the start of the space that ends at `to`. */
function spaceBefore(text: string, from: number, to: number): number {
  return from + text.slice(from, to).trimEnd().length;
}
