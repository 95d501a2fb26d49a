/** Facts about a session of Codex, from its header and the settings of its turns (FORMAT section 8). */
import { defined } from '../../values/defined';
import { asString, isObject, ownValue, type JsonObject } from '../../values/jsonValues';
import { isoTime, type ForeignFacts } from '../converter';

const LEVELS: Readonly<Record<string, string>> = {
  none: 'off',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
};

/** Returns the level of thinking that an effort stands for. */
export const levelOf = (effort: unknown): string | undefined => ownValue(LEVELS, asString(effort) ?? '');

/** Returns the facts in a header. */
export function factsOfMeta(payload: JsonObject, before: ForeignFacts): ForeignFacts {
  return defined({
    sessionId: asString(payload['id']) ?? asString(payload['session_id']),
    parentSession: parentOf(payload),
    cwd: asString(payload['cwd']),
    start: isoTime(payload['timestamp']) ?? before.start,
  });
}

/**
 * Returns the session that a session was forked from, or that started it as a subagent. All threads of one session
 * share a `session_id`.
 */
function parentOf(payload: JsonObject): string | undefined {
  const source = isObject(payload['source']) ? payload['source']['subagent'] : undefined;
  const spawn = isObject(source) && isObject(source['thread_spawn']) ? source['thread_spawn'] : {};
  const shared = asString(payload['session_id']);
  return (
    asString(payload['parent_thread_id']) ??
    asString(spawn['parent_thread_id']) ??
    asString(payload['forked_from_id']) ??
    (shared === payload['id'] || payload['id'] === undefined ? undefined : shared)
  );
}
