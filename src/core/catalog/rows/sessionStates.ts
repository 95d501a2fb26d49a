/** The states of sessions whose programs keep none: as far as their files tell, and the signs of a program that has them. */
import { presence } from '../../files/presence/presence';
import type { CatalogRow } from './catalogRow';

type MutableRow = { -readonly [K in keyof CatalogRow]: CatalogRow[K] };

/** Sessions that are looked at, and how long ago at most their last message was, in milliseconds: older ones are rarely running. */
const [MAX_CHECKED, MAX_AGE] = [50, 24 * 60 * 60 * 1000];

/** @param rows the newest first */
export async function addStates(rows: readonly MutableRow[], now = Date.now()): Promise<void> {
  const recent: MutableRow[] = [];
  for (const row of rows) {
    if (row.state !== undefined || !row.complete || row.messageCount === 0) continue;
    const state = stateInFile(row);
    if (state !== undefined) row.state = state;
    if (row.machine === undefined && now - row.modified.getTime() < MAX_AGE && recent.length < MAX_CHECKED) recent.push(row);
  }
  if (recent.length === 0) return;
  const found = await presence(recent.map(({ path }) => path));
  for (const row of recent) {
    if (found.get(row.path)?.state !== 'live' || row.state === 'failed') continue;
    row.state = row.unfinished === 'unanswered' ? 'working' : 'waiting';
  }
}

/** Returns `undefined` for a turn without an answer: the file doesn't tell if a program still works on it. */
function stateInFile({ unfinished }: CatalogRow): CatalogRow['state'] {
  switch (unfinished) {
    case 'error':
      return 'failed';
    case 'question':
      return 'waiting';
    case 'unanswered':
      return undefined;
    default:
      return 'idle';
  }
}
