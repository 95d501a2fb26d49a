/** Where a session's searchable lines stand in its file, whose they are and when: a few bytes for each. */

export interface TableLine {
  readonly line: number;
  readonly offset: number;
  readonly length: number;
  /** The entry to go to. */
  readonly entryId: string;
  readonly role: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Whether the entry is on the branch that the programs would go on with. */
  readonly active: boolean;
  /** Whether it has text; without, it stands here for the tools that it calls or the files that it names. */
  readonly hasText: boolean;
  /** The tools that it calls, each once. */
  readonly tools: readonly string[];
}

const [ACTIVE, TEXTLESS, CALLING, ROLE] = [1, 2, 4, 8];
const NO_TOOLS: readonly string[] = [];

export function encodeLines(lines: readonly TableLine[]): Uint8Array {
  const roles = [...new Set(lines.map((line) => line.role))];
  const tools = [...new Set(lines.flatMap((line) => line.tools))];
  const toolNumbers = new Map(tools.map((name, index) => [name, index]));
  const writer = new Writer();
  writer.text(JSON.stringify(tools));
  writer.text(roles.join('\n'));
  writer.number(lines.length);
  let [line, offset, time] = [0, 0, 0];
  for (const at of lines) {
    writer.number(at.line - line);
    writer.signed(at.offset - offset);
    writer.number(at.length);
    writer.number(roles.indexOf(at.role) * ROLE + (at.active ? ACTIVE : 0) + (at.hasText ? 0 : TEXTLESS) + (at.tools.length > 0 ? CALLING : 0));
    writer.signed(at.time - time);
    writer.text(at.entryId);
    if (at.tools.length > 0) {
      writer.number(at.tools.length);
      for (const name of at.tools) writer.number(toolNumbers.get(name)!);
    }
    ({ line, offset, time } = at);
  }
  return writer.bytes();
}

export function decodeLines(bytes: Uint8Array): TableLine[] {
  const reader = new Reader(bytes);
  const tools = JSON.parse(reader.text()) as string[];
  const roles = reader.text().split('\n');
  const lines: TableLine[] = [];
  let [line, offset, time] = [0, 0, 0];
  for (let left = reader.number(); left > 0; left--) {
    line += reader.number();
    offset += reader.signed();
    const length = reader.number();
    const flags = reader.number();
    time += reader.signed();
    const entryId = reader.text();
    const called = (flags & CALLING) === 0 ? NO_TOOLS : Array.from({ length: reader.number() }, () => tools[reader.number()] ?? '');
    lines.push({ line, offset, length, entryId, role: roles[Math.floor(flags / ROLE)] ?? '', time, active: (flags & ACTIVE) !== 0, hasText: (flags & TEXTLESS) === 0, tools: called });
  }
  return lines;
}

/** The names of all tools that a session's lines call. */
export function toolsOfLines(bytes: Uint8Array): string[] {
  return JSON.parse(new Reader(bytes).text()) as string[];
}

/** Numbers of seven bits a byte, the low ones first; good up to 2^53. */
class Writer {
  private buffer = Buffer.allocUnsafe(4096);
  private size = 0;

  number(value: number): void {
    this.room(8);
    let rest = Math.max(0, Math.floor(value));
    while (rest >= 128) {
      this.buffer[this.size++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.buffer[this.size++] = rest;
  }

  signed(value: number): void {
    const whole = Math.trunc(value);
    this.number(whole < 0 ? -whole * 2 - 1 : whole * 2);
  }

  text(text: string): void {
    this.room(text.length * 3 + 8);
    this.number(Buffer.byteLength(text));
    this.size += this.buffer.write(text, this.size);
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.buffer.subarray(0, this.size));
  }

  private room(bytes: number): void {
    if (this.size + bytes > this.buffer.length) this.buffer = Buffer.concat([this.buffer], Math.max(this.buffer.length * 2, this.size + bytes));
  }
}

class Reader {
  private at = 0;
  private readonly buffer: Buffer;

  constructor(bytes: Uint8Array) {
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.buffer[this.at++] ?? 0;
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  }

  signed(): number {
    const value = this.number();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  text(): string {
    const length = this.number();
    this.at += length;
    return this.buffer.toString('utf8', this.at - length, this.at);
  }
}
