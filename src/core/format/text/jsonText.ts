/** JSON of values from files, which can be nested more deeply than `JSON.stringify` can write. */
import { isArray } from '../entry/jsonValues';
import type { Steps } from '../session/steps';

/** Returns a value as JSON; an ellipsis if it's nested too deeply to serialize, by thousands of levels. */
export function jsonText(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    return '…';
  }
}

/** Values whose JSON is written in about a millisecond. */
const VALUES_OF_STEP = 2_000;
/** Levels that are written in steps. Deeper values are written at once. */
const MAX_LEVELS = 50;

/** Does the same as {@link jsonText}, in steps. The value comes from a file, so it has no functions and no cycles. */
export function* jsonSteps(value: unknown, indent = 0): Steps<string> {
  const texts: string[] = [];
  let parts: string[] = [];
  try {
    yield* write(value, '\n', MAX_LEVELS);
  } catch (error) {
    if (error instanceof RangeError) return '…';
    throw error;
  }
  return [...texts, ...parts].join('');

  function* write(part: unknown, lineBreak: string, levels: number): Steps<void> {
    const members = levels === 0 ? [] : membersOf(part);
    if (members.length === 0) {
      parts.push(JSON.stringify(part, undefined, indent).replaceAll('\n', lineBreak));
      return;
    }
    const isList = isArray(part);
    const inner = indent === 0 ? '' : `${lineBreak}${' '.repeat(indent)}`;
    let before = `${isList ? '[' : '{'}${inner}`;
    for (const [key, member] of members) {
      parts.push(isList ? before : `${before}${JSON.stringify(key)}:${indent === 0 ? '' : ' '}`);
      before = `,${inner}`;
      yield* write(member, inner, levels - 1);
      if (parts.length < 2 * VALUES_OF_STEP) continue;
      texts.push(parts.join(''));
      parts = [];
      yield;
    }
    parts.push(`${indent === 0 ? '' : lineBreak}${isList ? ']' : '}'}`);
  }
}

const membersOf = (value: unknown): [key: string, value: unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value).filter(([, member]) => member !== undefined) : [];
