import { defined, filesAt } from '../../core/index';
import { locate, namesOf } from '../../memory/refs';
import type { Answer, Call } from '../command';
import { line } from '../output';
import { pointOf } from './shared';

/** Lists the recorded files of a session's folder as they were after an entry. */
export async function files({ memory, signal, paint }: Call, [ref = '']: readonly string[]): Promise<Answer> {
  const located = await locate(memory, ref);
  const point = pointOf(located);
  const { catalog } = await memory.current();
  const found = await filesAt(catalog, point, { signal });
  return {
    json: {
      ref: located.refs.of(namesOf(located.session), point.entryId),
      files: found.map(({ file, certainty, reason, text }) => ({
        file,
        certainty,
        // A file whose state isn't known has no text either.
        ...(certainty === 'unknown' ? {} : { exists: text !== undefined }),
        ...defined({ reason }),
      })),
    },
    lines: found.map(
      ({ file, certainty, reason, text }) =>
        `${paint(certainty === 'exact' ? 'green' : 'yellow', certainty.padEnd('unknown'.length))}  ${line(file)}${text === undefined && certainty !== 'unknown' ? '  (wasn’t there)' : ''}${reason === undefined ? '' : paint('dim', `  ${line(reason)}`)}`,
    ),
    found: found.length > 0,
    ...(found.length === 0 ? { note: 'No edits of files are recorded in this session’s folder.' } : {}),
  };
}
