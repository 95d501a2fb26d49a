import { homedir } from 'node:os';
import { defined, expandPath, filesAt, isWithin, sanitizeText } from '../../core/index';
import { locate, namesOf } from '../../memory/refs';
import type { Answer, Call } from '../command';
import { pointOf } from './shared';

/** Writes a file as it was after an entry. */
export async function at({ memory, signal, isTerminal }: Call, [ref = '', name = '']: readonly string[]): Promise<Answer> {
  const located = await locate(memory, ref);
  const point = pointOf(located);
  const { catalog } = await memory.current();
  // A relative name starts in this folder, if that is in the session's, else in the session's.
  const here = expandPath(name, homedir(), process.cwd());
  const file = isWithin(here, located.session.header.cwd, process.platform) ? here : name;
  const [found] = await filesAt(catalog, point, { files: [file], signal });
  const { text, certainty = 'unknown', reason } = found ?? {};
  const note = certainty === 'unknown' ? 'It isn’t known how this file was.' : text === undefined ? 'This file wasn’t there.' : undefined;
  return {
    json: {
      ref: located.refs.of(namesOf(located.session), point.entryId),
      file: found?.file ?? here,
      text: text ?? null,
      certainty,
      ...defined({ reason }),
    },
    lines: [],
    ...(text === undefined ? {} : { parts: [isTerminal ? sanitizeText(text) : text] }),
    found: text !== undefined,
    ...defined({ note: [note, reason].filter((part) => part !== undefined).join(' ') || undefined }),
  };
}
