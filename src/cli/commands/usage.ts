import { costText, defined, numberText } from '../../core/index';
import { usageOf } from '../../memory/answers/usage';
import { textOption, type Answer, type Call, type Options } from '../command';
import { line } from '../output';

/** Adds up what sessions cost. */
export async function usage({ memory, paint }: Call, _args: readonly string[], options: Options): Promise<Answer> {
  await memory.current();
  const sums = await usageOf(
    memory,
    defined({
      by: textOption(options, 'by'),
      since: textOption(options, 'since'),
      until: textOption(options, 'until'),
      project: textOption(options, 'project'),
    }),
  );
  const columns = sums.map(({ key, ref, cost, input, output, cacheRead, cacheWrite }) => [
    costText(cost, 'en'),
    ...[input, output, cacheRead, cacheWrite].map((tokens) => numberText(tokens, 'en')),
    line(ref ?? key),
  ]);
  const head = ['Cost', 'Input', 'Output', 'Cache read', 'Cache write', ''];
  const rows = [head, ...columns];
  const widths = head.map((_, at) => rows.reduce((width, row) => Math.max(width, (row[at] ?? '').length), 0));
  const lines = rows.map((row, index) => {
    const text = row.map((cell, at) => (at === head.length - 1 ? cell : cell.padStart(widths[at] ?? 0))).join('  ');
    return index === 0 ? paint('dim', text.trimEnd()) : text;
  });
  return {
    json: { usage: sums },
    lines: sums.length === 0 ? [] : lines,
    found: sums.length > 0,
    ...(sums.length === 0 ? { note: 'Nothing was used.' } : {}),
  };
}
