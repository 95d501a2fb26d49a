import { defined } from '../../core/index';
import { searchSessions } from '../../memory/answers/searchSessions';
import type { HitAnswer } from '../../memory/answers/values';
import { numberOption, textOption, type Answer, type Call, type Options } from '../command';
import { line, type Paint } from '../output';
import { limitsOf, localTime } from './shared';

const LIMIT = 20;

/** Finds entries by words. */
export async function search({ memory, paint }: Call, words: readonly string[], options: Options): Promise<Answer> {
  await memory.current();
  const hits = await searchSessions(memory, {
    query: words.join(' '),
    ...limitsOf(options),
    ...defined({ role: textOption(options, 'role') }),
    limit: numberOption(options, 'limit') ?? LIMIT,
  });
  return {
    json: { hits },
    lines: hits.flatMap((hit) => hitLines(hit, paint)),
    found: hits.length > 0,
    ...(hits.length === 0
      ? { note: 'Nothing was found. Search goes by words: try fewer, or others. “session-tree doctor” names the folders that are read.' }
      : {}),
  };
}

function hitLines({ ref, state, role, time, title, snippet, marks, replacedBy, elsewhere, missing }: HitAnswer, paint: Paint): string[] {
  const head = [
    paint(state === 'active' ? 'green' : 'yellow', state),
    paint('cyan', line(ref)),
    paint('dim', `${line(role)} · ${localTime(time)} · ${line(title)}`),
  ].join('  ');
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    parts.push(flat(snippet.slice(at, start)), paint('bold', flat(snippet.slice(start, end))));
    at = end;
  }
  parts.push(flat(snippet.slice(at)));
  return [
    head,
    `  ${parts.join('').trim()}`,
    ...(elsewhere && elsewhere.length > 0 ? [paint('dim', `  elsewhere in the session: ${line(elsewhere.join(', '))}`)] : []),
    ...(missing && missing.length > 0 ? [paint('dim', `  without: ${line(missing.join(', '))}`)] : []),
    ...(replacedBy ? [paint('dim', `  replaced by ${line(replacedBy.ref)}: ${line(replacedBy.prompt)}`)] : []),
  ];
}

/** Like `line`, with the spaces at the ends. */
const flat = (text: string): string => `${/^\s/.test(text) ? ' ' : ''}${line(text)}${/\S\s+$/.test(text) ? ' ' : ''}`;
