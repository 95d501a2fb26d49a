/** The prompt, the message and the session that a line of a file comes from, and its commit. */
import { defined, isMissing, lineCommit, lineOrigins, promptExcerpt, readSmallText, turnOf, type LineCommit } from '../../core/index';
import type { Memory } from '../memory';
import { namesOf, RefMaker } from '../refs';
import { isoTime } from './values';
import { Refusal } from '../requestError';

export interface OriginAnswer {
  readonly file: string;
  /** The lines that the same call wrote, from 1. */
  readonly from: number;
  readonly to: number;
  /** The message that wrote the line. */
  readonly ref: string;
  readonly session: string;
  readonly path: string;
  readonly entryId: string;
  readonly title: string;
  readonly state: 'active' | 'left';
  readonly certainty: string;
  readonly time?: string;
  readonly model?: string;
  /** The person's message that the line answers. */
  readonly promptRef?: string;
  readonly prompt?: string;
}

export interface LineAnswer {
  readonly origin?: OriginAnswer;
  readonly commit?: LineCommit;
}

/** Bytes of a file whose lines are looked up. */
const MAX_FILE = 8 * 1024 * 1024;

/**
 * @param file absolute @param line from 1
 * @throws {SessionError} `not-found`; `invalid` for a line that the file hasn't; as `lineOrigins`
 */
export async function whyLine(memory: Memory, file: string, line: number): Promise<LineAnswer> {
  const text = await readSmallText(file, { maxBytes: MAX_FILE }).catch((error: unknown) => {
    if (isMissing(error)) throw new Refusal(`This file doesn’t exist: ${file}`);
    throw error;
  });
  const count = text.split('\n').length;
  if (line > count) throw new Refusal(`This file has only ${String(count)} lines: ${file}`);
  const { signal } = memory;
  const { catalog } = await memory.current();
  const found = (await lineOrigins(catalog, file, defined({ text, signal }))).find(({ from, to }) => from <= line && line <= to);
  const commit = await lineCommit(file, text, line, signal);
  if (!found || (await memory.isHidden(found.path))) return defined({ commit });
  const session = await memory.session(found.path);
  const turn = turnOf(session, found.entryId);
  const secrets = await memory.secrets();
  const prompt = await promptExcerpt(session, turn);
  const refs = new RefMaker(await memory.rows());
  const names = namesOf(session);
  const origin: OriginAnswer = {
    file,
    from: found.from,
    to: found.to,
    ref: refs.of(names, found.entryId),
    session: refs.of(names),
    path: found.path,
    entryId: found.entryId,
    title: await secrets.text(turn.title),
    state: turn.isActive ? 'active' : 'left',
    certainty: found.certainty,
    ...defined({
      time: isoTime(found.time),
      model: turn.model && `${turn.model.provider}/${turn.model.modelId}`,
      promptRef: turn.promptId === undefined ? undefined : refs.of(names, turn.promptId),
      prompt: prompt === undefined ? undefined : await secrets.text(prompt),
    }),
  };
  return { origin, ...defined({ commit }) };
}
