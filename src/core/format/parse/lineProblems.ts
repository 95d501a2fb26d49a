/**
 * Problems of a file's lines, in file order. Every line of a file with millions of lines may be bad: the list has at
 * most a thousand problems of each kind, and the last of these represents all that follow.
 */
import { elementAt } from '../values/lookups';
import { formatMessage, problem, type Problem, type ProblemCode } from '../entry/problem';

const MAX_SEPARATE = 1000;

/** Templates of the kinds that can occur on every line. The other kinds say where to find an entry that seems lost. */
const RANGE_TEMPLATES: Readonly<Partial<Record<ProblemCode, string>>> = {
  'bad-line': 'Lines {line} to {last} ({count}) aren’t valid JSON and were skipped.',
  'before-header': 'Lines {line} to {last} ({count}) come before the session header and were skipped.',
  'duplicate-header': 'Lines {line} to {last} ({count}) are extra session headers. The first header is used.',
  'duplicate-id': 'Lines {line} to {last} ({count}) repeat IDs. The last line with each ID is used.',
  'no-id': 'Lines {line} to {last} ({count}) have no ID. IDs were assigned from their positions.',
  'glued-line': 'Lines {line} to {last} ({count}) hold several objects without a line break between them. All were read.',
};

/** Several lines that one problem of the list represents. */
interface Range {
  /** The index of the problem in the list. */
  readonly index: number;
  readonly template: string;
  readonly line: number;
  last: number;
  count: number;
}

export class LineProblems {
  private readonly found: Problem[];
  private readonly counts = new Map<ProblemCode, number>();
  /** The last problem of each kind that has reached the limit; it represents all further lines of its kind. */
  private readonly ranges = new Map<ProblemCode, Range>();

  /** @param earlier the problems of an earlier part of the same file, which this list continues */
  constructor(earlier: readonly Problem[] = []) {
    this.found = [...earlier];
    earlier.forEach((one, index) => this.register(one, index));
  }

  /**
   * Adds a problem. Above the limit of its kind only the range grows: in a file with a problem on every line, `problem`
   * would take most of the time.
   */
  add(code: ProblemCode, args: Problem['args'] & { readonly line: number }, entryId?: string): void {
    const range = this.ranges.get(code);
    if (range) extend(range, args);
    else this.addMade(problem(code, args, entryId));
  }

  addMade(next: Problem): void {
    const range = this.ranges.get(next.code);
    if (range) extend(range, { ...next.args, line: next.lastLine ?? next.line });
    else this.register(next, this.found.push(next) - 1);
  }

  get list(): Problem[] {
    for (const [code, { index, template, line, last, count }] of this.ranges) {
      if (count === countOf(elementAt(this.found, index))) continue;
      const args = { line, last, count };
      this.found[index] = { code, line, lastLine: last, template, args, message: formatMessage(template, args) };
    }
    return this.found;
  }

  private register(one: Problem, index: number): void {
    const { code, line = 0, lastLine = line } = one;
    const count = (this.counts.get(code) ?? 0) + 1;
    this.counts.set(code, count);
    const template = RANGE_TEMPLATES[code];
    if (count === MAX_SEPARATE && template !== undefined)
      this.ranges.set(code, { index, template, line, last: lastLine, count: countOf(one) });
  }
}

/** Returns the number of lines that a problem represents. */
const countOf = ({ args }: Problem): number => Number(args['count'] ?? 1);

/** Adds the lines of a problem with these arguments. */
function extend(range: Range, { line, count = 1 }: { readonly line: number | undefined; readonly count?: string | number }): void {
  range.last = line ?? range.line;
  range.count += Number(count);
}
