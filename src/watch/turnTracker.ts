/** Notices when long turns end or wait for the person. Pure: the time is an argument. */
import type { SessionSummary } from '../core/index';

/** The end of a turn: a question, an error, or an answer. */
export type TurnOutcome = 'waits' | 'failed' | 'done';

export interface EndedTurn {
  readonly session: SessionSummary;
  readonly outcome: TurnOutcome;
}

/** Milliseconds: the person remembers a shorter turn, and has hardly looked away. */
const LONG_TURN = 60_000;

export class TurnTracker {
  /** When the turns that run began, by the paths of their sessions, in milliseconds since 1970. */
  private readonly begun = new Map<string, number>();

  /**
   * Returns the turns that have ended since the last call.
   *
   * @param sessions all sessions of interest
   * @param isRunning true for a session that a program has
   */
  update(sessions: readonly SessionSummary[], isRunning: (path: string) => boolean, now: number): EndedTurn[] {
    const ended: EndedTurn[] = [];
    const known = new Set<string>();
    for (const session of sessions) {
      const { path, unfinished, modified } = session;
      known.add(path);
      const begun = this.begun.get(path);
      if (unfinished === 'unanswered') {
        // A program that is gone leaves its turn without an end.
        if (!isRunning(path)) this.begun.delete(path);
        else if (begun === undefined) this.begun.set(path, Math.min(now, modified || now));
      } else if (begun !== undefined) {
        this.begun.delete(path);
        if (now - begun >= LONG_TURN && unfinished !== 'interrupted') ended.push({ session, outcome: outcomeOf(session) });
      }
    }
    for (const path of this.begun.keys()) if (!known.has(path)) this.begun.delete(path);
    return ended;
  }
}

const outcomeOf = ({ unfinished }: SessionSummary): TurnOutcome =>
  unfinished === 'question' ? 'waits' : unfinished === 'error' ? 'failed' : 'done';
