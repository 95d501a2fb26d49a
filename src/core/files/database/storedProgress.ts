/** The progress of a session as OpenClaw keeps it: the agent's card, and a recap while it's about the present events. FORMAT section 7. */
import { isArray, isObject } from '../../format/values/jsonValues';
import { defined } from '../../format/values/defined';
import type { ProgressStep, SessionProgress } from '../../format/session/sessionProgress';
import type { DatabaseConnection } from './sqlite/databaseConnection';
import { textOf, type TableName } from './sqlite/databaseTables';
import type { StoredSession } from './storedSessions';

/** Bytes of a key's facts, in which the recap is. */
const MAX_FACTS = 512 * 1024;
/** UTF-16 units of the card and of the recap. */
const MAX_TEXT = 16 * 1024;
const MAX_STEPS = 100;

/** Returns the progress of a session that is the current one of its key; `undefined` if OpenClaw says nothing of it. */
export function readProgress(connection: DatabaseConnection, { id, key, generation }: StoredSession): SessionProgress | undefined {
  if (key === undefined) return undefined;
  const [markdown, steps] = rowOf(connection, 'session_progress_cards', key, ['markdown', 'steps_json']);
  const [facts] = rowOf(connection, 'session_nodes', key, ['entry_json']);
  const progress = {
    ...defined({ recap: recapOf(parse(facts), id, generation), markdown: shortText(markdown) }),
    ...stepsOf(parse(steps)),
  };
  return Object.keys(progress).length === 0 ? undefined : progress;
}

function rowOf(connection: DatabaseConnection, name: TableName, key: string, columns: readonly string[]): readonly unknown[] {
  const table = connection.tables().get(name);
  if (table?.byKey === undefined) return [];
  const values = columns.map((column) => textOf(table.column(column), MAX_FACTS));
  return connection.all(`SELECT ${values.join(', ')} FROM ${table.byKey} WHERE session_key = ?`, key)[0] ?? [];
}

/** Returns a recap that is about this session, none of whose events was rewritten since. */
function recapOf(facts: unknown, id: string, generation: string | undefined): string | undefined {
  const summary = isObject(facts) ? facts['activitySummary'] : undefined;
  if (!isObject(summary) || summary['version'] !== 1 || summary['sessionId'] !== id) return undefined;
  return generation !== undefined && summary['generation'] === generation ? shortText(summary['text']) : undefined;
}

function stepsOf(value: unknown): Pick<SessionProgress, 'steps'> {
  if (!isArray(value)) return {};
  const steps = value.slice(0, MAX_STEPS).flatMap((one): ProgressStep[] => {
    const text = isObject(one) ? shortText(one['step']) : undefined;
    return isObject(one) && text !== undefined ? [{ text, status: shortText(one['status']) ?? '' }] : [];
  });
  return steps.length === 0 ? {} : { steps };
}

const shortText = (value: unknown): string | undefined =>
  typeof value === 'string' && /\S/.test(value) ? value.slice(0, MAX_TEXT) : undefined;

function parse(text: unknown): unknown {
  try {
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : undefined;
  } catch {
    // Broken JSON says nothing.
    return undefined;
  }
}
