import { homedir } from 'node:os';
import { defined, expandPath } from '../../core/index';
import { whyLine, type LineAnswer } from '../../memory/answers/whyLine';
import { RequestError } from '../../memory/requestError';
import type { Answer, Call } from '../command';
import { line, type Paint } from '../output';
import { localTime } from './shared';

/** Finds the prompt and the message that a line of a file comes from. */
export async function why({ memory, paint }: Call, [place = '']: readonly string[]): Promise<Answer> {
  const { file, number } = placeOf(place);
  const found = await whyLine(memory, file, number);
  const { origin, commit } = found;
  return {
    json: { file, line: number, origin: origin ?? null, ...defined({ commit }) },
    lines: originLines(found, paint),
    found: origin !== undefined,
    ...(origin ? {} : { note: 'No session is known to have written this line.' }),
  };
}

/** Splits at the last colon. @throws {RequestError} */
export function placeOf(place: string): { readonly file: string; readonly number: number } {
  const [, file = '', digits = ''] = /^(.+):(\d{1,9})$/s.exec(place) ?? [];
  if (file === '' || Number(digits) < 1) throw new RequestError(`Expected <file>:<line>, with lines from 1: ${place}`);
  return { file: expandPath(file, homedir(), process.cwd()), number: Number(digits) };
}

function originLines({ origin, commit }: LineAnswer, paint: Paint): string[] {
  const committed = commit
    ? [
        `commit ${commit.hash.slice(0, 10)} · ${line(commit.author)} · ${localTime(new Date(commit.time).toISOString())} · ${line(commit.summary)}`,
      ]
    : [];
  if (!origin) return committed;
  const { from, to, ref, title, state, certainty, time, model, promptRef, prompt } = origin;
  return [
    `${from === to ? `line ${String(from)}` : `lines ${String(from)} to ${String(to)}`} · ${certainty} · ${localTime(time).trim()}${model === undefined ? '' : ` · ${line(model)}`}`,
    `${paint(state === 'active' ? 'green' : 'yellow', state)}  ${paint('cyan', line(ref))}  ${line(title)}`,
    ...(promptRef === undefined ? [] : [`${paint('bold', 'Prompt')}  ${paint('cyan', line(promptRef))}`, `  ${line(prompt ?? '')}`]),
    ...committed,
  ];
}
