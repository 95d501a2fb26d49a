/** What a scanner that searched found on its lines: their words, the tools that they call, the files that these name. */
import { textsOf } from '../format/byteTable';
import { CALL, intsOf, ROLES, type Scanner } from '../format/scanner';
import { touchOf, type Touch } from '../format/touches';

/** What stands on a line that is kept. */
export interface FoundLine {
  /** Where its object is in the file. */
  readonly offset: number;
  readonly role: string;
  /** Where its words are; both the same if it has none. */
  readonly from: number;
  readonly to: number;
  readonly touches: readonly Touch[];
  readonly tools: readonly string[];
}

const NONE: readonly never[] = [];

/** Those on which there is anything, in the order of the file, their words from `base` on. What is given is good until the next one is asked for. */
export function* scannedLines(scanner: Scanner, base: number): Generator<FoundLine, undefined> {
  const [offsets, profiles, from, to] = [scanner.doubles('offset'), scanner.ints('profile'), scanner.ints('wordsFrom'), scanner.ints('wordsTo')];
  const calls = intsOf(scanner.part('calls'));
  const tools = new Tools(textsOf(scanner.table('names')));
  // As `profileNumber` in the scanner writes them.
  const roles = textsOf(scanner.table('profiles')).map((profile) => ROLES[profile.charCodeAt(0)]!);
  const found = { offset: 0, role: '', from: 0, to: 0, touches: NONE as readonly Touch[], tools: NONE as readonly string[] };
  let next = 0;
  for (let row = 0; row < offsets.length; row++) {
    const first = next;
    while (calls[next] === row) next += CALL;
    if (from[row] === to[row] && first === next) continue;
    found.offset = offsets[row]!;
    found.role = roles[profiles[row]!]!;
    found.from = base + from[row]!;
    found.to = base + to[row]!;
    found.touches = tools.touches(calls, first, next);
    found.tools = tools.names(calls, first, next);
    yield found;
  }
}

/** What is told of calls, by the numbers of their tools and files. */
class Tools {
  /** Of each alone: mostly one is called at a time. */
  private readonly alone: (readonly string[])[];
  private readonly kinds: (Touch['kind'] | null | undefined)[] = [];

  constructor(private readonly texts: readonly string[]) {
    this.alone = texts.map((text) => [text]);
  }

  names(calls: Int32Array, first: number, end: number): readonly string[] {
    if (first === end) return NONE;
    const tool = calls[first + 1]!;
    if (first + CALL === end) return tool < 0 ? NONE : this.alone[tool]!;
    const found = new Set<string>();
    for (let at = first; at < end; at += CALL) if (calls[at + 1]! >= 0) found.add(this.texts[calls[at + 1]!]!);
    return [...found];
  }

  touches(calls: Int32Array, first: number, end: number): readonly Touch[] {
    if (first === end) return NONE;
    const touches: Touch[] = [];
    for (let at = first; at < end; at += CALL) {
      const [tool, file] = [calls[at + 1]!, calls[at + 2]!];
      const kind = tool < 0 || file < 0 ? undefined : this.kindOf(tool);
      if (kind) touches.push({ file: this.texts[file]!, kind });
    }
    return touches;
  }

  private kindOf(tool: number): Touch['kind'] | undefined {
    const kind = (this.kinds[tool] ??= touchOf(this.texts[tool]!) ?? null);
    return kind ?? undefined;
  }
}
