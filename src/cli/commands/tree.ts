import { defined } from '../../core/index';
import { sessionTree } from '../../memory/answers/sessionTree';
import type { EntryAnswer } from '../../memory/answers/values';
import { locate, namesOf } from '../../memory/refs';
import { textOption, type Answer, type Call, type Options } from '../command';
import { line, type Paint } from '../output';

/** Deeper entries are indented like these. */
const MAX_DEPTH = 40;

/** Shows the entries of a session with their branches. */
export async function tree({ memory, paint }: Call, [ref = '']: readonly string[], options: Options): Promise<Answer> {
  const located = await locate(memory, ref);
  const entries = await sessionTree(memory, located, {
    ...defined({ filter: textOption(options, 'filter') }),
    redact: options['redact'] !== false,
  });
  return {
    json: { ref: located.refs.of(namesOf(located.session)), path: located.session.path, entries },
    lines: entries.map((entry) => entryLine(entry, paint)),
    found: entries.length > 0,
    ...(entries.length === 0 ? { note: 'This session has no entries under this filter.' } : {}),
  };
}

function entryLine({ id, role, type, text, state, label, isLeaf, depth }: EntryAnswer, paint: Paint): string {
  const indent = '  '.repeat(Math.min(depth, MAX_DEPTH));
  const kind = role ?? type;
  const row = [`${line(kind)}:`, line(text), ...(label === undefined ? [] : [paint('yellow', `[${line(label)}]`)])].join(' ');
  const mark = isLeaf ? '◉' : state === 'active' ? '●' : '○';
  return `${indent}${paint(state === 'active' ? 'green' : 'dim', mark)} ${state === 'active' ? row : paint('dim', row)} ${paint('cyan', `#${line(id)}`)}`;
}
