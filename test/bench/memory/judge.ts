/** Asks by a fixed strategy without a model, and judges the answers. */
import type { Question } from './stories';

/** Calls a tool. */
export type Ask = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<string>;

export interface Verdict {
  readonly question: Question;
  /** The fact is in the answers, and nothing that was left is given as if it were active; or nothing was found of what never happened. */
  readonly isRight: boolean;
  readonly calls: number;
  readonly tokens: number;
  /** A hit for what never happened. */
  readonly isInvented: boolean;
  /** A hit on a branch that was left without saying so, or what replaced it. */
  readonly isDead: boolean;
  readonly texts: readonly string[];
}

const BYTES_OF_TOKEN = 4;
/** The first hit as the answer names it. */
const FIRST_HIT = /^1\. (active|left) ("(?:[^"\\]|\\.)*"|\S+?),/m;

/** Searches for the question as it is; then asks for the digest of the first hit's branch, if the fact wasn't there yet. */
export async function askQuestion(ask: Ask, question: Question): Promise<Verdict> {
  const found = await ask('search_sessions', { query: question.text });
  const texts = [found];
  const [, , named] = FIRST_HIT.exec(found) ?? [];
  if (named !== undefined && question.fact !== undefined && !found.includes(question.fact)) {
    const ref: unknown = named.startsWith('"') ? JSON.parse(named) : named;
    texts.push(await ask('branch_digest', { session: ref }));
  }
  const isFound = named !== undefined;
  const isDead = question.fact !== undefined && texts.some((text) => givesDeadBranch(text, question));
  return {
    question,
    isRight: question.fact === undefined ? !isFound : !isDead && texts.some((text) => text.includes(question.fact ?? '')),
    calls: texts.length,
    tokens: Math.max(...texts.map((text) => Buffer.byteLength(text) / BYTES_OF_TOKEN)),
    isInvented: question.fact === undefined && isFound,
    isDead,
    texts,
  };
}

/** True if the fact stands in a hit or digest whose branch is said to be another than it is, or without what replaced it. */
function givesDeadBranch(text: string, { fact = '', state, replacedBy }: Question): boolean {
  const parts = text.split(/\n(?=\d+\. )/);
  return parts.some((part) => {
    const [, said] = /^(?:\d+\. )?(active|left)\b/.exec(part) ?? [];
    if (said === undefined || !part.includes(fact)) return false;
    // The prompt with which the person went on is the active branch, named at the left one.
    if (said === 'left' && state === 'active') return !/replaced by/.test(part);
    if (said !== state) return true;
    return state === 'left' && replacedBy !== undefined && !part.includes(replacedBy.slice(0, 30));
  });
}
