/**
 * The line of a message by its bytes: what heads look at, and nothing else. Only lines of exactly the shape that the
 * programs write are taken, if they are JSON to their end; of every other line nothing is said, and it is to be parsed
 * in full.
 */
import type { JsonObject } from '../format/entry';
import { valueEnd } from '../format/skipJson';
import { StringEnds } from '../format/stringEnds';
import { isText, Names } from './names';

const literal = (text: string): Buffer => Buffer.from(text, 'latin1');
const BEGINS = literal('{"type":"message","id":');
const PARENT = literal(',"parentId":');
const NULL = literal('null');
const TIMESTAMP = literal(',"timestamp":');
const MESSAGE = literal(',"message":{"role":');
const ENDS = literal('}}');
const [QUOTE, COMMA, DOT, ZERO, NINE, COLON] = [0x22, 0x2c, 0x2e, 0x30, 0x39, 0x3a];
/** Numbers of so many digits are exact, and so is what a power of ten makes of them. */
const EXACT_DIGITS = 15;
const POWERS = Array.from({ length: EXACT_DIGITS + 1 }, (_, power) => 10 ** power);

/** What heads and the catalog look at in messages, beside what is read by its name below. */
const LOOKED_AT = new Set(['errorMessage', 'customType', 'command', 'code', 'isError', 'files']);
const USAGE = ['{"input":', ',"output":', ',"cacheRead":', ',"cacheWrite":', ',"totalTokens":', ',"cost":{"input":', ',"output":', ',"cacheRead":', ',"cacheWrite":', ',"total":'].map(literal);

type Message = Record<string, unknown>;

/** Memory that bytes are read to, and what reads messages in it; without that every line is parsed. */
export interface ReadRoom {
  readonly bytes: Buffer;
  readonly messages: MessageLines | undefined;
}

/** Messages can be read by their bytes wherever there is WebAssembly. */
export function readRoom(capacity: number): ReadRoom {
  let ends: StringEnds;
  try {
    ends = new StringEnds(capacity);
  } catch {
    return { bytes: Buffer.allocUnsafe(capacity), messages: undefined };
  }
  const bytes = Buffer.from(ends.bytes.buffer, 0, capacity);
  return { bytes, messages: new MessageLines(bytes, ends) };
}

export class MessageLines {
  private readonly names = new Names();
  private at = 0;
  private end = 0;
  private failed = false;
  private lastId = '';

  /** `ends`: over the same bytes. */
  constructor(
    private readonly bytes: Buffer,
    private readonly ends: StringEnds,
  ) {}

  /** The line in `bytes[from..to)`, without its break, in the shape of a parsed one; without the content of a tool's result. */
  read(from: number, to: number): JsonObject | undefined {
    this.at = from;
    this.end = to;
    this.failed = false;
    if (!this.passes(BEGINS)) return undefined;
    const id = this.text();
    if (!this.passes(PARENT)) return undefined;
    const parentId = this.passes(NULL) ? null : this.text(this.lastId);
    if (!this.passes(TIMESTAMP)) return undefined;
    const timestamp = this.text();
    if (!this.passes(MESSAGE)) return undefined;
    const role = this.name();
    const message: Message = { role };
    while (this.bytes[this.at] === COMMA && !this.hasFailed()) {
      this.at++;
      this.member(message, this.key());
    }
    if (this.hasFailed() || !this.passes(ENDS) || this.at !== to) return undefined;
    this.lastId = id;
    return { type: 'message', id, parentId, timestamp, message };
  }

  private member(message: Message, key: string): void {
    switch (key) {
      case 'content':
        if (message['role'] === 'toolResult') this.skip();
        else message['content'] = this.parsed();
        break;
      case 'usage':
        message['usage'] = this.usage();
        break;
      case 'timestamp':
        message['timestamp'] = this.number();
        break;
      case 'provider':
        message['provider'] = this.nameOrValue();
        break;
      case 'model':
        message['model'] = this.nameOrValue();
        break;
      case 'stopReason':
        message['stopReason'] = this.nameOrValue();
        break;
      case 'toolName':
        message['toolName'] = this.nameOrValue();
        break;
      case 'toolCallId':
        message['toolCallId'] = this.parsed();
        break;
      case 'role':
        this.failed = true;
        break;
      default:
        if (LOOKED_AT.has(key)) message[key] = this.parsed();
        else this.skip();
    }
  }

  private hasFailed(): boolean {
    return this.failed;
  }

  private passes(expected: Uint8Array): boolean {
    const { at, bytes } = this;
    if (this.failed) return false;
    for (let index = 0; index < expected.length; index++) if (bytes[at + index] !== expected[index]) return false;
    this.at = at + expected.length;
    return true;
  }

  /** Where a string ends that holds nothing but plain characters of ASCII; `at` is behind its quote afterwards. */
  private plainEnd(): number {
    const { bytes } = this;
    let at = this.at + 1;
    if (bytes[this.at] !== QUOTE) this.failed = true;
    for (; ; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) break;
      if (!(byte >= 0x20 && byte < 0x7f && byte !== 0x5c)) {
        this.failed = true;
        break;
      }
    }
    this.at = at + 1;
    return at;
  }

  /** `expected`: what it probably is. */
  private text(expected = ''): string {
    const from = this.at + 1;
    const to = this.plainEnd();
    if (this.failed) return '';
    return isText(expected, this.bytes, from, to) ? expected : this.bytes.toString('latin1', from, to);
  }

  private name(): string {
    const from = this.at + 1;
    const to = this.plainEnd();
    return this.failed ? '' : this.names.of(this.bytes, from, to);
  }

  private key(): string {
    const key = this.name();
    if (this.bytes[this.at++] !== COLON) this.failed = true;
    return key;
  }

  private nameOrValue(): unknown {
    if (this.failed) return undefined;
    const from = this.at;
    const name = this.name();
    if (!this.hasFailed()) return name;
    this.failed = false;
    this.at = from;
    return this.parsed();
  }

  private skip(): void {
    if (this.failed) return;
    this.at = valueEnd(this.ends, this.at, this.end);
    if (this.at < 0) this.failed = true;
  }

  private parsed(): unknown {
    const from = this.at;
    this.skip();
    return this.failed ? undefined : (JSON.parse(this.bytes.toString('utf8', from, this.at)) as unknown);
  }

  private number(): unknown {
    const { bytes } = this;
    const from = this.at;
    let value = 0;
    let at = from;
    for (; bytes[at]! >= ZERO && bytes[at]! <= NINE; at++) value = value * 10 + (bytes[at]! - ZERO);
    const whole = at - from;
    if (whole === 0 || (whole > 1 && bytes[from] === ZERO)) return this.parsed();
    if (bytes[at] === DOT) for (at++; bytes[at]! >= ZERO && bytes[at]! <= NINE; at++) value = value * 10 + (bytes[at]! - ZERO);
    const fraction = at === from + whole ? 0 : at - from - whole - 1;
    const simple = whole + fraction <= EXACT_DIGITS && (bytes[at]! | 0x20) !== 0x65 && (fraction > 0 || bytes[at - 1] !== DOT);
    if (!simple) return this.parsed();
    this.at = at;
    return value / POWERS[fraction]!;
  }

  /** A usage with its keys in the order in which programs write them; every other is read as any value is. */
  private usage(): unknown {
    const from = this.at;
    const found: number[] = [];
    for (const key of USAGE) {
      const value = this.passes(key) ? this.number() : undefined;
      if (typeof value !== 'number') break;
      found.push(value);
    }
    if (found.length === USAGE.length && this.passes(ENDS)) {
      const [input, output, cacheRead, cacheWrite, totalTokens, ...costs] = found;
      return { input, output, cacheRead, cacheWrite, totalTokens, cost: { input: costs[0], output: costs[1], cacheRead: costs[2], cacheWrite: costs[3], total: costs[4] } };
    }
    this.at = from;
    return this.parsed();
  }
}
