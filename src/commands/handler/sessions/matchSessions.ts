/** Finds sessions by a few letters, as Ctrl+P finds files. Pure. The cost depends on the number of sessions, not on their sizes. */
import { STEP_LENGTH, type SessionSummary, type Steps } from '../../../core/index';

/** A session with its texts in lower case. */
export interface SessionCandidate {
  readonly session: SessionSummary;
  readonly title: string;
  /** The name of the project's folder. */
  readonly project: string;
  readonly id: string;
  readonly labels: string;
}

/** Words of a query beyond this are ignored. */
const MAX_WORDS = 8;

export function* sessionCandidates(sessions: readonly SessionSummary[]): Steps<SessionCandidate[]> {
  const candidates: SessionCandidate[] = [];
  for (const [index, session] of sessions.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    candidates.push(sessionCandidate(session));
  }
  return candidates;
}

/** Returns the candidates with the labels of their sessions. @param labels by path */
export function* withLabels(
  candidates: readonly SessionCandidate[],
  labels: ReadonlyMap<string, readonly string[]>,
): Steps<SessionCandidate[]> {
  const labeled: SessionCandidate[] = [];
  for (const [index, candidate] of candidates.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    const own = labels.get(candidate.session.path);
    labeled.push(own ? { ...candidate, labels: own.join('\n').toLowerCase() } : candidate);
  }
  return labeled;
}

function sessionCandidate(session: SessionSummary): SessionCandidate {
  return {
    session,
    title: session.title.toLowerCase(),
    project: (session.cwd.split(/[/\\]/).findLast((name) => name !== '') ?? '').toLowerCase(),
    id: session.id.toLowerCase(),
    labels: '',
  };
}

/**
 * Returns up to `limit` matches, the best first; equally good ones keep their order. Each word has to be in the title, the
 * project, a label or the id, or its letters have to be in the title in the same order. Without words, the first candidates
 * are returned.
 */
export function matchSessions(query: string, candidates: readonly SessionCandidate[], limit: number): SessionSummary[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
  if (words.length === 0) return candidates.slice(0, limit).map(({ session }) => session);
  const byScore = new Map<number, SessionSummary[]>();
  for (const candidate of candidates) {
    const score = scoreOf(words, candidate);
    if (score === 0) continue;
    const same = byScore.get(score);
    if (!same) byScore.set(score, [candidate.session]);
    else if (same.length < limit) same.push(candidate.session);
  }
  return [...byScore]
    .sort(([a], [b]) => b - a)
    .flatMap(([, sessions]) => sessions)
    .slice(0, limit);
}

/** Returns the sum of the words' scores; 0 if one of them doesn't match. */
function scoreOf(words: readonly string[], candidate: SessionCandidate): number {
  let sum = 0;
  for (const word of words) {
    const score = wordScore(word, candidate);
    if (score === 0) return 0;
    sum += score;
  }
  return sum;
}

/** Returns 0 if nothing matches, otherwise more for a better place: the title's start is best, single letters in the title are worst. */
function wordScore(word: string, { title, project, id, labels }: SessionCandidate): number {
  const at = title.indexOf(word);
  if (at === 0) return 8;
  if (at > 0) return /[\p{L}\p{N}]/u.test(title.charAt(at - 1)) ? 4 : 7;
  if (project.startsWith(word)) return 6;
  if (labels.includes(word)) return 5;
  if (project.includes(word)) return 3;
  if (word.length >= 4 && id.includes(word)) return 2;
  return isSubsequence(word, title) ? 1 : 0;
}

function isSubsequence(letters: string, text: string): boolean {
  let at = 0;
  for (const letter of letters) {
    const found = text.indexOf(letter, at);
    if (found < 0) return false;
    at = found + letter.length;
  }
  return true;
}
