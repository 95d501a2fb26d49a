/** The table of a session's searchable lines: position in the file, entry, role and time, in a few bytes per line. */
import { elementAt, valueOf } from '../../format/values/lookups';
import { ROLES } from '../../format/scanner/scannerRows';
import { ByteReader, ByteWriter } from './byteCodec';
import { DamagedDatabase, parseStoredStrings } from './damagedDatabase';

export interface TableLine {
  readonly line: number;
  readonly offset: number;
  readonly length: number;
  /** The entry that a hit on this line leads to. */
  readonly entryId: string;
  readonly role: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** True if the entry is on the active branch. */
  readonly active: boolean;
  /** False if the line is listed only for the tools that it calls or the files that it names. */
  readonly hasText: boolean;
  /** The tools that it calls, without repetitions. */
  readonly tools: readonly string[];
}

/** Bits of a line; the number of its role follows above them. */
const ACTIVE = 1;
const TEXTLESS = 2;
const HAS_TOOLS = 4;
/** One unit of the role's number. */
const ROLE = 8;

/** Lines in a block: one line is found without decoding all lines before it. */
const BLOCK = 16;
/** The numbers of a block: its first line, the number of its lines, and the start of their bytes. */
const ENTRY = 3;
const COUNT = 1;
const START = 2;
const NO_TOOLS: readonly string[] = [];
/** The approximate size of a line as an object. */
const LINE_OBJECT_BYTES = 150;

/**
 * Writes the names of the tools and of the roles that aren't in `ROLES`, the number of blocks, the blocks (`ENTRY`), and
 * the lines. Within a block, each line is stored as its difference from the one before; so are the blocks.
 */
export function encodeLines(lines: readonly TableLine[]): Uint8Array {
  const roles = [...new Set([...ROLES, ...lines.map((line) => line.role)])];
  const tools = [...new Set(lines.flatMap((line) => line.tools))];
  const toolNumbers = new Map(tools.map((name, index) => [name, index]));
  const blocks: number[] = [];
  const inBlocks = new ByteWriter();
  for (let from = 0; from < lines.length; from += BLOCK) {
    const block = lines.slice(from, from + BLOCK);
    blocks.push(elementAt(block, 0).line, block.length, inBlocks.length);
    let [line, offset, time] = [0, 0, 0];
    for (const at of block) {
      inBlocks.number(at.line - line);
      inBlocks.signed(at.offset - offset);
      inBlocks.number(at.length);
      inBlocks.number(
        roles.indexOf(at.role) * ROLE + (at.active ? ACTIVE : 0) + (at.hasText ? 0 : TEXTLESS) + (at.tools.length > 0 ? HAS_TOOLS : 0),
      );
      inBlocks.signed(at.time - time);
      inBlocks.id(at.entryId);
      if (at.tools.length > 0) {
        inBlocks.number(at.tools.length);
        for (const name of at.tools) inBlocks.number(valueOf(toolNumbers, name));
      }
      ({ line, offset, time } = at);
    }
  }
  const names = new ByteWriter();
  names.text(JSON.stringify(tools));
  names.text(JSON.stringify(roles.slice(ROLES.length)));
  names.number(blocks.length / ENTRY);
  let [line, start] = [0, 0];
  for (let at = 0; at < blocks.length; at += ENTRY) {
    names.number(blocks[at]! - line);
    names.number(blocks[at + COUNT]!);
    names.number(blocks[at + START]! - start);
    [line, start] = [blocks[at]!, blocks[at + START]!];
  }
  return joined([names.bytes(), inBlocks.bytes()]);
}

/** Reads what `encodeLines` wrote, a block at a time. */
export class LineTable {
  private readonly blocks: Uint32Array;
  private readonly tools: readonly string[];
  private readonly roles: readonly string[];
  private readonly start: number;
  private readonly reader: ByteReader;
  private lines: readonly TableLine[] | undefined;

  constructor(private readonly bytes: Uint8Array) {
    const reader = (this.reader = new ByteReader(bytes));
    this.tools = parseStoredStrings(reader.text());
    this.roles = [...ROLES, ...parseStoredStrings(reader.text())];
    this.blocks = readBlocks(reader, bytes.length);
    this.start = reader.position;
  }

  /** The approximate memory in bytes. */
  get size(): number {
    // Ids are decoded from a string of all bytes, with two characters for each.
    return this.bytes.length * 3 + (this.lines?.length ?? 0) * LINE_OBJECT_BYTES;
  }

  all(): readonly TableLine[] {
    if (!this.lines) {
      const lines: TableLine[] = [];
      for (let block = 0; block < this.blocks.length; block += ENTRY) this.read(block, lines);
      this.lines = lines;
    }
    return this.lines;
  }

  /** Line, offset and length of each entry that has text, in file order. */
  textLines(): number[] {
    const { reader, blocks } = this;
    const found: number[] = [];
    for (let block = 0; block < blocks.length; block += ENTRY) {
      reader.position = this.start + blocks[block + START]!;
      let [line, offset] = [0, 0];
      for (let left = blocks[block + COUNT]!; left > 0; left--) {
        line += reader.number();
        offset += reader.signed();
        const length = reader.number();
        const flags = reader.number();
        reader.number();
        this.skipEntry(flags);
        if ((flags & TEXTLESS) === 0) found.push(line, offset, length);
      }
    }
    return found;
  }

  /** The entries on a line: one, or several that were joined by a missing line break. */
  at(line: number): TableLine[] {
    const { blocks } = this;
    let [low, high] = [0, blocks.length / ENTRY];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (blocks[middle * ENTRY]! < line) low = middle + 1;
      else high = middle;
    }
    const found: TableLine[] = [];
    // A line's entries may be split between the end of one block and the start of the next.
    for (let block = Math.max(0, low - 1) * ENTRY; block < blocks.length && blocks[block]! <= line; block += ENTRY)
      this.read(block, found, line);
    return found;
  }

  /** @param only decode this line alone */
  private read(block: number, into: TableLine[], only?: number): void {
    const { reader, tools, roles } = this;
    reader.position = this.start + this.blocks[block + START]!;
    let [line, offset, time] = [0, 0, 0];
    for (let left = this.blocks[block + 1]!; left > 0; left--) {
      line += reader.number();
      if (only !== undefined && line > only) break;
      offset += reader.signed();
      const length = reader.number();
      const flags = reader.number();
      time += reader.signed();
      if (only !== undefined && line !== only) {
        this.skipEntry(flags);
        continue;
      }
      const entryId = reader.id();
      const called = (flags & HAS_TOOLS) === 0 ? NO_TOOLS : Array.from({ length: reader.number() }, () => tools[reader.number()] ?? '');
      into.push({
        line,
        offset,
        length,
        entryId,
        role: roles[Math.floor(flags / ROLE)] ?? '',
        time,
        active: (flags & ACTIVE) !== 0,
        hasText: (flags & TEXTLESS) === 0,
        tools: called,
      });
    }
  }

  /** Moves past the id and the tools of a line. */
  private skipEntry(flags: number): void {
    const { reader } = this;
    reader.skipId();
    if ((flags & HAS_TOOLS) !== 0) for (let calls = reader.number(); calls > 0; calls--) reader.number();
  }
}

/** Copies the parts into one buffer of their own, which can be transferred to another thread. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** @param size the size of all bytes */
function readBlocks(reader: ByteReader, size: number): Uint32Array {
  const count = reader.number() * ENTRY;
  if (count > size) throw new DamagedDatabase('A stored table ends too early.');
  const blocks = new Uint32Array(count);
  for (let index = 0; index < count; index++)
    blocks[index] = reader.number() + (index % ENTRY === COUNT || index < ENTRY ? 0 : blocks[index - ENTRY]!);
  return blocks;
}

/** The names of all tools that a session's lines call, from the bytes of `encodeLines`. */
export const toolsOfLines = (bytes: Uint8Array): string[] => parseStoredStrings(new ByteReader(bytes).text());
