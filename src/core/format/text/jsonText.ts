/** JSON of values from files, which can be nested more deeply than `JSON.stringify` can write. */
import { isArray, isObject, keysOf, type JsonObject } from '../values/jsonValues';
import type { Steps } from '../session/steps';
import { boundaryBefore } from './characters';

/** Returns a value as JSON; an ellipsis if it's nested too deeply to serialize, by thousands of levels. */
export function jsonText(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    return '…';
  }
}

/** Levels of nesting that are written; `JSON.stringify` has a limit of about this size, too. */
const MAX_LEVELS = 4_000;
/** Levels of nesting that are indented. The spaces before deeper values would have many times their length. */
const INDENTED_LEVELS = 20;
/** UTF-16 units that are written in about a millisecond. */
const UNITS_OF_STEP = 64 * 1024;
/** A value takes as long as these units. */
const VALUE = 16;

/** Does the same as {@link jsonText}, in steps. The value comes from a file, so it has no functions and no cycles. */
export function* jsonSteps(value: unknown, indent = 0): Steps<string> {
  try {
    return yield* writeJson(value, indent);
  } catch (error) {
    if (error instanceof RangeError) return '…';
    throw error;
  }
}

/**
 * Does the same as `JSON.stringify`, in steps. Values below many levels stay on one line.
 *
 * @throws {RangeError} if the value is nested too deeply, by thousands of levels
 */
export function* writeJson(value: unknown, indent = 0): Steps<string> {
  const writer = new JsonWriter(indent);
  yield* writer.write(value);
  return writer.text();
}

/** An object or a list that hasn't ended yet. */
interface Container {
  readonly value: JsonObject | readonly unknown[];
  /** Empty for a list. */
  readonly keys: readonly string[];
  /** The number of the next member. */
  next: number;
  isEmpty: boolean;
}

class JsonWriter {
  private readonly pieces: string[] = [];
  private parts: string[] = [];
  private length = 0;
  private readonly open: Container[] = [];

  constructor(private readonly indent: number) {}

  *write(whole: unknown): Steps<void> {
    yield* this.begin(whole);
    for (let top = this.open.at(-1); top; top = this.open.at(-1)) {
      if (this.length >= UNITS_OF_STEP) {
        this.flush();
        yield;
      }
      const { value, keys, next } = top;
      if (next === (isArray(value) ? value : keys).length) {
        this.end(top);
        continue;
      }
      top.next++;
      const key = keys[next] ?? '';
      const member = isArray(value) ? value[next] : value[key];
      if (member === undefined) continue;
      const name = isArray(value) ? '' : `${JSON.stringify(key)}:${this.indent === 0 ? '' : ' '}`;
      this.put(`${top.isEmpty ? '' : ','}${this.lineBreak()}${name}`);
      top.isEmpty = false;
      yield* this.begin(member);
    }
  }

  text(): string {
    this.flush();
    return this.pieces.join('');
  }

  /** Writes a value, of an object or a list only the beginning. */
  private *begin(value: unknown): Steps<void> {
    if (typeof value === 'string' && value.length > UNITS_OF_STEP) yield* this.longString(value);
    else if (isArray(value)) this.enter('[', value, []);
    else if (isObject(value)) this.enter('{', value, keysOf(value));
    else this.put(JSON.stringify(value ?? null));
  }

  private enter(bracket: string, value: JsonObject | readonly unknown[], keys: readonly string[]): void {
    if (this.open.length === MAX_LEVELS) throw new RangeError('nested too deeply');
    this.put(bracket);
    this.open.push({ value, keys, next: 0, isEmpty: true });
  }

  private end({ value, isEmpty }: Container): void {
    const lineBreak = isEmpty ? '' : this.lineBreak(1);
    this.open.pop();
    this.put(`${lineBreak}${isArray(value) ? ']' : '}'}`);
  }

  private *longString(value: string): Steps<void> {
    this.put('"');
    for (let from = 0; from < value.length;) {
      const to = boundaryBefore(value, Math.min(value.length, from + UNITS_OF_STEP));
      this.put(JSON.stringify(value.slice(from, to)).slice(1, -1));
      from = to;
      this.flush();
      yield;
    }
    this.put('"');
  }

  /** Returns the line break before a member of the innermost container. @param outer levels further out */
  private lineBreak(outer = 0): string {
    const { indent, open } = this;
    return indent === 0 || open.length > INDENTED_LEVELS ? '' : `\n${' '.repeat(indent * (open.length - outer))}`;
  }

  private put(part: string): void {
    this.parts.push(part);
    this.length += part.length + VALUE;
  }

  private flush(): void {
    this.pieces.push(this.parts.join(''));
    this.parts = [];
    this.length = 0;
  }
}
