/**
 * Problems of a file's lines, in file order. Every line of a file with millions of lines may be bad: the list has at
 * most a thousand problems of each kind, and the last of these stands for all that follow.
 */
import { formatMessage, type Problem, type ProblemCode } from '../entry/problem';

const MAX_SEPARATE = 1000;

/** Templates of the kinds that can occur more often than there are entries. */
const RANGE_TEMPLATES: Readonly<Partial<Record<ProblemCode, string>>> = {
  'bad-line': 'Lines {line} to {last} ({count}) aren’t valid JSON and were skipped.',
  'before-header': 'Lines {line} to {last} ({count}) come before the session header and were skipped.',
  'duplicate-header': 'Lines {line} to {last} ({count}) are extra session headers. The first header is used.',
};

export class LineProblems {
  readonly list: Problem[];
  private readonly counts = new Map<ProblemCode, number>();
  /** Index in the list of the last problem of each kind that reached the limit. */
  private readonly lastIndexes = new Map<ProblemCode, number>();

  /** @param earlier the problems of an earlier part of the same file, which this list continues */
  constructor(earlier: readonly Problem[] = []) {
    this.list = [...earlier];
    earlier.forEach(({ code }, index) => this.register(code, index));
  }

  add(next: Problem): void {
    const end = this.lastIndexes.get(next.code);
    if (end !== undefined) this.list[end] = merge(this.list[end]!, next);
    else this.register(next.code, this.list.push(next) - 1);
  }

  private register(code: ProblemCode, index: number): void {
    const count = (this.counts.get(code) ?? 0) + 1;
    this.counts.set(code, count);
    if (count === MAX_SEPARATE && code in RANGE_TEMPLATES) this.lastIndexes.set(code, index);
  }
}

function merge(first: Problem, next: Problem): Problem {
  const { code, line = 0 } = first;
  const lastLine = next.lastLine ?? next.line ?? line;
  const template = RANGE_TEMPLATES[code]!;
  const args = { line, last: lastLine, count: Number(first.args['count'] ?? 1) + Number(next.args['count'] ?? 1) };
  return { code, line, lastLine, template, args, message: formatMessage(template, args) };
}
