/**
 * Problems of a file's lines, in file order. Every line of a file with millions of lines may be bad: the list has at
 * most a thousand problems of each kind, and the last of these represents all that follow.
 */
import { elementAt } from '../entry/lookups';
import { formatMessage, type Problem, type ProblemCode } from '../entry/problem';

const MAX_SEPARATE = 1000;

/** Templates of the kinds that can occur on every line. The others tell where an entry stands that seems lost. */
const RANGE_TEMPLATES: Readonly<Partial<Record<ProblemCode, string>>> = {
  'bad-line': 'Lines {line} to {last} ({count}) aren’t valid JSON and were skipped.',
  'before-header': 'Lines {line} to {last} ({count}) come before the session header and were skipped.',
  'duplicate-header': 'Lines {line} to {last} ({count}) are extra session headers. The first header is used.',
  'duplicate-id': 'Lines {line} to {last} ({count}) repeat IDs. The last line with each ID is used.',
  'no-id': 'Lines {line} to {last} ({count}) have no ID. IDs were assigned from their positions.',
  'glued-line': 'Lines {line} to {last} ({count}) hold several objects without a line break between them. All were read.',
};

export class LineProblems {
  readonly list: Problem[];
  private readonly counts = new Map<ProblemCode, number>();
  /** By kind that reached the limit: the index in the list of its last problem, and the sentence for several lines. */
  private readonly ranges = new Map<ProblemCode, { readonly index: number; readonly template: string }>();

  /** @param earlier the problems of an earlier part of the same file, which this list continues */
  constructor(earlier: readonly Problem[] = []) {
    this.list = [...earlier];
    earlier.forEach(({ code }, index) => this.register(code, index));
  }

  add(next: Problem): void {
    const range = this.ranges.get(next.code);
    if (range) this.list[range.index] = merge(elementAt(this.list, range.index), next, range.template);
    else this.register(next.code, this.list.push(next) - 1);
  }

  private register(code: ProblemCode, index: number): void {
    const count = (this.counts.get(code) ?? 0) + 1;
    this.counts.set(code, count);
    const template = RANGE_TEMPLATES[code];
    if (count === MAX_SEPARATE && template !== undefined) this.ranges.set(code, { index, template });
  }
}

function merge(first: Problem, next: Problem, template: string): Problem {
  const { code, line = 0 } = first;
  const lastLine = next.lastLine ?? next.line ?? line;
  const args = { line, last: lastLine, count: Number(first.args['count'] ?? 1) + Number(next.args['count'] ?? 1) };
  return { code, line, lastLine, template, args, message: formatMessage(template, args) };
}
