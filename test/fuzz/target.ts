/**
 * Fuzz targets. The suite runs a limited number of cases of each module in this folder that exports `target`; `npm run
 * fuzz` runs them without a limit.
 */

export interface FuzzTarget {
  /** A few words, unique among the targets. `npm run fuzz -- --only` matches a part of it. */
  readonly name: string;
  /** Number of cases in the suite; 200 by default. All targets together should take less than half a minute. */
  readonly cases?: number;
  /**
   * Makes one input from `random` and checks it. The same random numbers must give the same input.
   *
   * @throws an error with the failure and the input in its message
   */
  run(random: Random): void | Promise<void>;
}

/** Source of a case's numbers: returns a whole number from 0 up to `end`, without `end`. */
export type Choose = (end: number) => number;

/** Pieces of text with a meaning for parsers, renderers, terminals and paths. */
export const DANGEROUS: readonly string[] = [
  '"',
  '\\',
  '\\u',
  '\\ud800',
  '\\u0000',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  'null',
  '-0',
  '1e999',
  '__proto__',
  'constructor',
  'toString',
  '{"type":"',
  '"}]}}',
  '\n',
  '\r',
  '\r\n',
  '\t',
  '\0',
  ' ',
  '<',
  '>',
  '<img src=x>',
  '<script>',
  '</',
  '<!--',
  '&',
  '&#x3c;',
  '&lt;',
  '`',
  '```',
  '~~~',
  '*',
  '_',
  '**',
  '~',
  '#',
  '|',
  '!',
  '![](',
  '](',
  ')',
  '(',
  '- ',
  '1. ',
  '> ',
  '$(x)',
  '$$',
  'https://x.y/',
  'www.x.y',
  'a@x.y',
  'command:x',
  'vscode://',
  'javascript:',
  '\u001b[31m',
  '\u001b]0;',
  '\u001b]8;;',
  '\u001b\\',
  '\u0007',
  '\u0090',
  '\u0098',
  '\u009b',
  '\u009c',
  '\u009d',
  '\u202e',
  '\u2066',
  '\u200b',
  '\ufeff',
  '\u2028',
  '\u{e0041}',
  '\ud800',
  '\udfff',
  '🌳',
  '日本',
  'é',
  'e\u0301',
  '/',
  '//',
  '..',
  '../',
  '\\\\host\\share',
  '~',
  '%2e%2e',
  '%00',
  'C:',
  '.lock',
  '-',
  '--',
  ';',
  '$(',
  "'",
  'OR',
  'NOT',
  'NEAR',
  'tool:',
  'file:',
  'a',
  'word',
  'x'.repeat(300),
];

/** Random values for targets. Everything comes from `choose`; smaller numbers give simpler inputs. */
export class Random {
  constructor(private readonly choose: Choose) {}

  /** Returns a whole number from 0 up to `end`, without `end`; 0 if `end` is below 1. */
  int(end: number): number {
    return end > 1 ? this.choose(end) : 0;
  }

  /** Returns true in one of `n` cases. */
  once(n: number): boolean {
    return this.int(n) === n - 1;
  }

  pick<T>(of: readonly T[]): T {
    return of[this.int(of.length)]!;
  }

  /** Returns up to `most` items, mostly few. */
  list<T>(most: number, item: (random: this) => T): T[] {
    return Array.from({ length: this.int(1 + this.int(most + 1)) }, () => item(this));
  }

  /** Returns up to `most` bytes of any value. */
  bytes(most: number): Buffer {
    return Buffer.from(this.list(most, () => this.int(256)));
  }

  /** Returns up to `most` pieces, most of them from `alphabet`, some of them any UTF-16 unit. */
  text(most = 12, alphabet: readonly string[] = DANGEROUS): string {
    return this.list(most, () => (this.once(12) ? String.fromCharCode(this.int(0x10000)) : this.pick(alphabet))).join('');
  }

  /** Returns the bytes with `times` changes: one replaced, some removed, repeated, moved or inserted, or the end cut off. */
  mutate(bytes: Buffer, times = 1 + this.int(4)): Buffer {
    let changed = bytes;
    for (let left = times; left > 0; left--) changed = this.mutateOnce(changed);
    return changed;
  }

  private mutateOnce(bytes: Buffer): Buffer {
    const from = this.int(bytes.length + 1);
    const before = bytes.subarray(0, from);
    const length = this.int(1 + this.int(400));
    const piece = bytes.subarray(from, from + length);
    const after = bytes.subarray(from + length);
    switch (this.int(6)) {
      case 0:
        return Buffer.concat([before, Buffer.of(this.int(256)), bytes.subarray(from + 1)]);
      case 1:
        return Buffer.concat([before, after]);
      case 2:
        return Buffer.concat([before, piece, piece, after]);
      case 3: {
        const rest = Buffer.concat([before, after]);
        const to = this.int(rest.length + 1);
        return Buffer.concat([rest.subarray(0, to), piece, rest.subarray(to)]);
      }
      case 4:
        return before;
      default:
        return Buffer.concat([before, Buffer.from(this.text(3)), bytes.subarray(from)]);
    }
  }
}
