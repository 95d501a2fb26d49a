/** The parts that an import left out or changed: kinds with the lines that they concern, bounded for files of any content. */
import { uiLine } from '../text/uiText';
import { formatMessage, type MessageArgs } from '../entry/problem';

/** Kinds of omissions. `detail` is the name of a type that format 3 has no place for. */
type OmissionCode =
  | 'line-type'
  | 'content-type'
  | 'bad-line'
  | 'long-line'
  | 'deep-line'
  | 'same-id'
  | 'missing-parent'
  | 'arguments'
  | 'image'
  | 'instructions'
  | 'unreadable-summary'
  | 'subagent';

/** One kind of omission. */
export interface Omission {
  readonly code: OmissionCode;
  /** The number of lines that it concerns. */
  readonly count: number;
  /** The first of these lines, from 1. */
  readonly lines: readonly number[];
  readonly template: string;
  readonly args: MessageArgs;
  /** The template with its arguments, in English. */
  readonly message: string;
}

const TEMPLATES: Readonly<Record<OmissionCode, string>> = {
  'line-type': 'Left out because pi’s format has nothing like it: “{detail}” (lines {lines})',
  'content-type': 'Left out of messages because pi’s format has nothing like it: “{detail}” (lines {lines})',
  'bad-line': 'Left out because it isn’t valid JSON (lines {lines})',
  'long-line': 'Left out because it’s too long to read (lines {lines})',
  'deep-line': 'Left out the content because it’s nested too deeply (lines {lines})',
  'same-id': 'Left out because an earlier line has the same ID (lines {lines})',
  'missing-parent': 'Attached to the entry before because the parent isn’t in the file (lines {lines})',
  arguments: 'Kept as text because the arguments of the tool call aren’t an object (lines {lines})',
  image: 'Left out images that aren’t in the file (lines {lines})',
  instructions: 'Left out the system prompt because the program that continues adds its own (lines {lines})',
  'unreadable-summary': 'Left out a compaction because its summary can’t be read, so the context has all messages (lines {lines})',
  subagent: 'Kept the messages of subagents as branches of their own (lines {lines})',
};

/** Further kinds count as the last one, so that a file can't make the list long. */
const MAX_KINDS = 100;
const MAX_LINES = 20;
/** UTF-16 units. */
const MAX_DETAIL = 60;

/** Collects omissions by kind, in the order in which they were first found. */
export class OmissionList {
  private readonly kinds = new Map<string, { code: OmissionCode; detail: string; count: number; lines: number[] }>();

  /** @param line the line in the file, from 1 */
  add(code: OmissionCode, line: number, detail = ''): void {
    const shown = uiLine(detail, MAX_DETAIL);
    const key = `${code} ${shown}`;
    let kind = this.kinds.get(key);
    if (!kind) {
      const isFull = this.kinds.size >= MAX_KINDS;
      const place = isFull ? `${code} …` : key;
      kind = this.kinds.get(place) ?? { code, detail: isFull ? '…' : shown, count: 0, lines: [] };
      this.kinds.set(place, kind);
    }
    if (kind.lines.at(-1) === line) return;
    kind.count++;
    if (kind.lines.length < MAX_LINES) kind.lines.push(line);
  }

  list(): Omission[] {
    return Array.from(this.kinds.values(), ({ code, detail, count, lines }) => {
      const args = { detail, lines: `${lines.join(', ')}${count > lines.length ? ' …' : ''}` };
      const template = TEMPLATES[code];
      return { code, count, lines, template, args, message: formatMessage(template, args) };
    });
  }
}
