import { defined, type KnownWord } from '../../core/index';
import { searchSessions, sessionCount, wordsOfQuestion, type SearchRequest } from '../../memory/answers/searchSessions';
import type { HitAnswer } from '../../memory/answers/values';
import { numberOption, textOption, type Answer, type Call, type Options } from '../command';
import { line, type Paint } from '../output';
import { limitsOf, localTime } from './shared';

const LIMIT = 20;
/** The most words that are named of those that sessions have, and of those that none has. */
const MAX_WORDS = 8;

/** Finds entries by words. */
export async function search({ memory, paint }: Call, words: readonly string[], options: Options): Promise<Answer> {
  await memory.current();
  const role = textOption(options, 'role');
  const request: SearchRequest = {
    query: words.join(' '),
    ...limitsOf(options),
    ...defined({ role }),
    limit: numberOption(options, 'limit') ?? LIMIT,
  };
  const hits = await searchSessions(memory, request);
  return {
    json: { hits },
    lines: hits.flatMap((hit) => hitLines(hit, paint)),
    found: hits.length > 0,
    ...(hits.length === 0 ? { note: nothingNote(await wordsOfQuestion(memory, request)) } : {}),
  };
}

function nothingNote(words: readonly KnownWord[]): string {
  const known = words.filter(({ sessions }) => sessions > 0).slice(0, MAX_WORDS);
  const unknown = words.filter(({ sessions }) => sessions === 0).slice(0, MAX_WORDS);
  const counted = known.map((one) => `${line(one.word)} (${sessionCount(one)})`);
  return [
    'Nothing was found.',
    ...(known.length > 0 ? [`Words that sessions have: ${counted.join(', ')}.`] : []),
    ...(unknown.length > 0 ? [`Words that no session has: ${unknown.map(({ word }) => line(word)).join(', ')}.`] : []),
    'Search goes by words: try fewer, or others. “session-tree doctor” names the folders that are read.',
  ].join(' ');
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
