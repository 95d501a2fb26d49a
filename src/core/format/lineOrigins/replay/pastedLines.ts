/** Origins of lines that an edit cut and put elsewhere: whoever wrote them before has written them. */
import { UNKNOWN } from '../alignLines';
import { ALIGNED, type Work } from '../work';
import type { LineDocument } from './lineDocument';

/**
 * Returns the document after an edit, with the earlier origins of the lines that the edit pasted.
 *
 * @param origin the edit
 * @param isTyped true for lines that the edit wrote itself
 * @param elsewhere the origin of a line that wasn't in this document
 */
export function* withPastedOrigins(
  before: LineDocument,
  after: LineDocument,
  origin: number,
  isTyped: (line: number) => boolean,
  elsewhere: (line: number) => number,
): Work<LineDocument> {
  yield (before.lines.length + after.lines.length) * ALIGNED;
  const kept = new Map<number, number>();
  for (const [at, line] of after.lines.entries()) if (after.origins[at] !== origin) kept.set(line, (kept.get(line) ?? 0) + 1);
  const cut = new Map<number, number[]>();
  for (const [at, line] of before.lines.entries()) {
    const count = kept.get(line) ?? 0;
    if (count > 0) kept.set(line, count - 1);
    else if (line !== UNKNOWN) {
      const origins = cut.get(line);
      if (origins) origins.push(before.origins[at]!);
      else cut.set(line, [before.origins[at]!]);
    }
  }
  const origins = after.origins.map((one, at) => {
    const line = after.lines[at]!;
    return one !== origin || isTyped(line) ? one : (cut.get(line)?.shift() ?? elsewhere(line));
  });
  return { ...after, origins };
}
