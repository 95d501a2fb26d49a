/**
 * Separates what a person said from what programs wrap around it before they send it to a model. FORMAT section 2, user
 * messages. Every rule looks at the beginning of a text only, or at an element at its end, so the time is linear. No group
 * is repeated without a limit: V8 would overflow its stack on long texts.
 */
import { copyString } from './excerpt';

export interface UserText {
  /** The person's text; otherwise the name of the job or the skill; otherwise that of a wrapper. */
  readonly text: string;
  /** False if the message has nothing but wrappers. The name of a job or a skill says something. */
  readonly saysSomething: boolean;
  /** The part of the message without its wrappers, in UTF-16 units. It may be empty. */
  readonly from: number;
  readonly to: number;
}

interface WrapperRule {
  /** Matches the beginning of a wrapper. The group `name` has its name. */
  readonly start: RegExp;
  /** Matches the end; without it, the wrapper ends where `start` does. A wrapper without its end isn't one. */
  readonly end?: RegExp;
  /** A job's name stands for the whole message, because its text was written once and long before. */
  readonly isJob?: true;
  /** The person called the wrapper by its name. */
  readonly isCall?: true;
}

const DATE = String.raw`\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?(?: [A-Z][\w+:/-]{0,40})?`;
const UUID = String.raw`[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`;
const FENCE_END = /\n```[ \t]*(?=\n|$)/g;

/** The wrappers that programs put before a person's text, in any order. The rules with the most telling names come last. */
const RULES: readonly WrapperRule[] = [
  // OpenClaw: the time.
  { start: new RegExp(String.raw`\[(?<name>[A-Z][a-z]{2} ${DATE})\](?=\s|$)`, 'y') },
  // OpenClaw: the sender, the place, and earlier messages.
  {
    start:
      /(?<name>Conversation info|Sender|Thread starter|Replied message|Forwarded message context|Chat history since last reply) \(untrusted(?: metadata|, for context)\):\n```json(?=\n)/y,
    end: FENCE_END,
  },
  { start: /<(?<name>system-reminder)>/y, end: /<\/system-reminder>/g },
  // pi: a file that the command line named.
  { start: /<file name="(?:[^"\n]*[/\\])?(?<name>[^"\n/\\]{1,300})"[^>\n]{0,1000}>/y, end: /<\/file>/g },
  // OpenClaw: what happened since the last message.
  {
    start: new RegExp(String.raw`System(?: \(untrusted\))?: \[(?:[A-Z][a-z]{2} )?${DATE}\] ?(?<name>[^\n]*)`, 'y'),
    end: /\n(?!System(?: \(untrusted\))?: )|$/g,
  },
  // OpenClaw: the first prompt of a session that a command began.
  {
    start:
      /(?<name>A new session was started via \/new or \/reset)(?:…|\.(?=$| (?:Begin|Execute|Follow|Greet|If|Read|Run|Say|Start|Then|Use)\b))/y,
    end: /\n\n|$/g,
  },
  // pi.
  { start: /<skill name="(?<name>[^"\n]{1,200})" location="[^"\n]{0,4096}">/y, end: /<\/skill>/g, isCall: true },
  // OpenClaw: the prompt of a scheduled job.
  { start: new RegExp(String.raw`\[cron:${UUID} (?<name>(?:[^[\]\n]|\[[^[\]\n]{0,300}\]){1,300})\]`, 'y'), isJob: true },
];

/** Elements that may also follow the person's text. */
const TRAILING = ['file', 'system-reminder'] as const;

const SPACE = /\s*/y;

/** Removes the wrappers from a user message. A text that only looks similar to one stays as it is. */
export function unwrapUserText(message: string): UserText {
  let from = skipSpace(message, 0);
  let to = message.length;
  let naming: Wrapper | undefined;
  for (let wrapper = wrapperAt(message, from); wrapper; wrapper = wrapperAt(message, from)) {
    from = skipSpace(message, wrapper.end);
    if (!naming || wrapper.rule >= naming.rule) naming = wrapper;
    if (RULES[wrapper.rule]!.isJob) break;
  }
  for (let start = trailingElement(message, from, to); start !== undefined; start = trailingElement(message, from, to)) to = start;
  if (!naming && to === message.length) return { text: message, saysSomething: true, from: 0, to };
  const { isJob, isCall } = naming ? RULES[naming.rule]! : {};
  if (naming && (isJob || from >= to)) return { text: naming.name.trim(), saysSomething: isJob === true || isCall === true, from, to };
  return { text: message.slice(from, to), saysSomething: true, from, to };
}

/** Returns the beginning of what a user message says, as a separate string of at most `length` UTF-16 units. */
export function userExcerpt(message: string, length: number): Pick<UserText, 'text' | 'saysSomething'> {
  const { text, saysSomething } = unwrapUserText(message);
  // A short text would keep the message that it was sliced from in memory.
  return { text: text.length < message.length || text.length > length ? copyString(text.slice(0, length)) : text, saysSomething };
}

interface Wrapper {
  /** Its place in `RULES`. */
  readonly rule: number;
  readonly name: string;
  readonly end: number;
}

function wrapperAt(text: string, from: number): Wrapper | undefined {
  for (const [rule, { start, end }] of RULES.entries()) {
    start.lastIndex = from;
    const match = start.exec(text);
    if (!match) continue;
    const endsAt = end ? endOf(text, end, start.lastIndex) : start.lastIndex;
    if (endsAt !== undefined) return { rule, name: match.groups!['name']!, end: endsAt };
  }
  return undefined;
}

function endOf(text: string, end: RegExp, from: number): number | undefined {
  end.lastIndex = from;
  return end.test(text) ? end.lastIndex : undefined;
}

/** Returns the start of an element that begins a line and ends the text, with the space before it. */
function trailingElement(text: string, from: number, to: number): number | undefined {
  const end = spaceBefore(text, from, to);
  for (const tag of TRAILING) {
    if (!text.endsWith(`</${tag}>`, end)) continue;
    const start = text.lastIndexOf(`\n<${tag}`, end);
    if (start >= from && wrapperAt(text, start + 1)?.end === end) return spaceBefore(text, from, start);
  }
  return undefined;
}

function skipSpace(text: string, from: number): number {
  SPACE.lastIndex = from;
  SPACE.test(text);
  return SPACE.lastIndex;
}

/** Returns the start of the space that ends at `to`. */
function spaceBefore(text: string, from: number, to: number): number {
  let start = to;
  while (start > from && /\s/.test(text[start - 1]!)) start--;
  return start;
}
