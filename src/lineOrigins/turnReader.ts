/** Reads the turns that origins belong to, each once for a state of its session. */
import { turnOf, type LineOrigin, type Session, type Turn } from '../core/index';
import { logFailure, type FailureLog } from './logFailure';

export interface TurnReaderDeps {
  readonly session: (path: string) => Promise<Session>;
  readonly log: FailureLog;
}

type OriginEntry = Pick<LineOrigin, 'path' | 'entryId'>;

export const keyOf = ({ path, entryId }: OriginEntry): string => JSON.stringify([path, entryId]);

/** Returns the turns by `keyOf`. Those that can't be read are missing, and the log has the reason. */
export async function readTurns(origins: readonly OriginEntry[], deps: TurnReaderDeps): Promise<ReadonlyMap<string, Turn>> {
  const byPath = new Map<string, Map<string, string>>();
  for (const origin of origins) {
    const entries = byPath.get(origin.path) ?? new Map<string, string>();
    byPath.set(origin.path, entries.set(keyOf(origin), origin.entryId));
  }
  const turns = new Map<string, Turn>();
  for (const [path, entries] of byPath) {
    try {
      const session = await deps.session(path);
      for (const [key, entryId] of entries) turns.set(key, turnOf(session, entryId));
    } catch (error) {
      logFailure(deps.log, error, 'reading the turns that wrote lines');
    }
  }
  return turns;
}
