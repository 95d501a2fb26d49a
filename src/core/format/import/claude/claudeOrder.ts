/**
 * The order in which Claude Code's lines are read. The program writes the lines of parallel calls as they come, so a result can
 * stand before its call and a line before its parent. Each line that names a line that comes soon waits for that line.
 */
import { asString, isArray, isObject, type JsonObject } from '../../values/jsonValues';

interface HeldLine {
  readonly value: JsonObject;
  readonly line: number;
  /** UTF-16 units. */
  readonly size: number;
  /** Keys of lines that come before it, if the file has them. */
  readonly needs: readonly string[];
}

/** Maximum number of lines that are held, and of their UTF-16 units. A line isn't looked for beyond them. */
const MAX_HELD = 2000;
const MAX_HELD_SIZE = 16 * 1024 * 1024;

export class ClaudeOrder {
  /** The lines that come next. */
  private readonly ahead: HeldLine[] = [];
  /** Waiting lines, by the key of the line that each waits for. */
  private readonly waiting = new Map<string, HeldLine[]>();
  /** The number of held lines with each key. */
  private readonly pending = new Map<string, number>();
  private readonly done = new Set<string>();
  private held = 0;
  private size = 0;
  /** The boundary of a compaction that came last, which a summary without a parent belongs to. */
  private boundary: string | undefined;

  /** @param read receives each line once */
  constructor(private readonly read: (value: JsonObject, line: number) => void) {}

  /** @param size of the line in UTF-16 units */
  add(value: JsonObject, line: number, size: number): void {
    if (isBoundary(value)) this.boundary = asString(value['uuid']);
    this.ahead.push({ value, line, size, needs: this.needsOf(value) });
    this.held++;
    this.size += size;
    for (const key of keysOf(value)) this.pending.set(key, (this.pending.get(key) ?? 0) + 1);
    while (this.held > MAX_HELD || this.size > MAX_HELD_SIZE) this.next();
  }

  end(): void {
    while (this.held > 0) this.next();
  }

  /** Reads at least one line, or lets it wait. */
  private next(): void {
    const first = this.ahead.shift();
    if (first) {
      this.take(first, false);
      return;
    }
    // Lines that wait for each other.
    for (const [key, lines] of this.waiting) {
      this.waiting.delete(key);
      for (const line of lines) this.take(line, true);
      return;
    }
  }

  /** Reads a line and the lines that wait for it, unless it waits itself. */
  private take(first: HeldLine, isForced: boolean): void {
    const queue = [first];
    for (const one of queue) {
      const keys = keysOf(one.value);
      const isMissing = (key: string): boolean => !this.done.has(key) && this.pending.has(key) && !keys.includes(key);
      const needed = isForced && one === first ? undefined : one.needs.find(isMissing);
      if (needed !== undefined) {
        const others = this.waiting.get(needed);
        if (others) others.push(one);
        else this.waiting.set(needed, [one]);
        continue;
      }
      this.read(one.value, one.line);
      this.held--;
      this.size -= one.size;
      for (const key of keys) {
        const left = (this.pending.get(key) ?? 1) - 1;
        if (left > 0) this.pending.set(key, left);
        else this.pending.delete(key);
        this.done.add(key);
        for (const waiting of this.waiting.get(key) ?? []) queue.push(waiting);
        this.waiting.delete(key);
      }
    }
  }

  private needsOf(value: JsonObject): string[] {
    const logical = isBoundary(value) ? value['logicalParentUuid'] : undefined;
    const parent = asString(value['parentUuid']) ?? asString(logical) ?? (value['isCompactSummary'] === true ? this.boundary : undefined);
    return [...(parent === undefined ? [] : [parent]), ...blocksOf(value, 'user', 'tool_result', 'tool_use_id')];
  }
}

const isBoundary = (value: JsonObject): boolean => value['subtype'] === 'compact_boundary';

/** Returns the keys by which other lines name a line: its ID, and the IDs of its calls. */
function keysOf(value: JsonObject): string[] {
  const uuid = asString(value['uuid']);
  return [...(uuid === undefined ? [] : [uuid]), ...blocksOf(value, 'assistant', 'tool_use', 'id')];
}

/** Returns the keys of the calls that a line's blocks make or answer. */
function blocksOf(value: JsonObject, type: string, blockType: string, key: string): string[] {
  const content = value['type'] === type && isObject(value['message']) ? value['message']['content'] : undefined;
  const blocks = isArray(content) ? content.filter(isObject) : [];
  return blocks.flatMap((block) => (block['type'] === blockType && typeof block[key] === 'string' ? [`call ${block[key]}`] : []));
}
