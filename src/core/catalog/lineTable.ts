/** Where a session's searchable lines stand in its file, whose they are and when: a few bytes for each. */
import { ByteReader, ByteWriter } from './bytes';

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

/** Lines that were made bytes elsewhere, to come behind others. Roles and tools stand in them as their places in these lists. */
export interface EncodedLines {
  readonly count: number;
  readonly roles: readonly string[];
  readonly tools: readonly string[];
  readonly bytes: Uint8Array;
}

const NO_LINES: EncodedLines = { count: 0, roles: [], tools: [], bytes: new Uint8Array() };

export function encodeLines(lines: readonly TableLine[], more = NO_LINES): Uint8Array {
  const roles = [...new Set([...more.roles, ...lines.map((line) => line.role)])];
  const tools = [...new Set([...more.tools, ...lines.flatMap((line) => line.tools)])];
  const toolNumbers = new Map(tools.map((name, index) => [name, index]));
  const writer = new ByteWriter();
  writer.text(JSON.stringify(tools));
  writer.text(roles.join('\n'));
  writer.number(lines.length + more.count);
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
  writer.append(more.bytes);
  return writer.bytes();
}

/** `only`: the number of a line, where others are not needed. */
export function decodeLines(bytes: Uint8Array, only?: number): TableLine[] {
  const reader = new ByteReader(bytes);
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
    if (only !== undefined && line > only) break;
    if (only !== undefined && line < only) {
      reader.pass();
      if ((flags & CALLING) !== 0) for (let calls = reader.number(); calls > 0; calls--) reader.number();
      continue;
    }
    const entryId = reader.text();
    const called = (flags & CALLING) === 0 ? NO_TOOLS : Array.from({ length: reader.number() }, () => tools[reader.number()] ?? '');
    lines.push({ line, offset, length, entryId, role: roles[Math.floor(flags / ROLE)] ?? '', time, active: (flags & ACTIVE) !== 0, hasText: (flags & TEXTLESS) === 0, tools: called });
  }
  return lines;
}

/** The names of all tools that a session's lines call. */
export function toolsOfLines(bytes: Uint8Array): string[] {
  return JSON.parse(new ByteReader(bytes).text()) as string[];
}
