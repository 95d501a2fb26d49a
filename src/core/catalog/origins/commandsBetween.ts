/** Finds out whether commands ran in a time: they may have changed any file. */
import type { Session } from '../../format/session/session';
import { touchKindOfTool } from '../../format/toolCalls/fileTouches';
import type { Catalog } from '../catalogApi';
import { isWithin } from '../../files/locate/pathMatch';
import { timeOf } from './entryTime';

/** Tools that change no file. */
const HARMLESS_TOOLS = new Set(['grep', 'find', 'ls', 'search', 'glob', 'web_search', 'fetch', 'apply_patch']);
/** Milliseconds that a command may run after the message that called it. */
const LONGEST_COMMAND = 24 * 60 * 60 * 1000;
/** Sessions that are looked at; if more were open at the time, a command is likely. */
const MAX_SESSIONS = 100;

/**
 * True if a command ran after one time and up to another: in the given sessions, or in one whose folder has the file.
 *
 * @throws the signal's reason if aborted
 */
export async function ranCommands(
  catalog: Catalog,
  file: string,
  paths: readonly string[],
  { since, until, signal }: { readonly since: number; readonly until: number; readonly signal: AbortSignal | undefined },
): Promise<boolean> {
  if (since >= until) return false;
  const names = await catalog.namesOf(file);
  const inFolder = [...catalog.files().values()].flatMap(({ row: { summary } }) => {
    if (summary.created > until || summary.modified + LONGEST_COMMAND <= since) return [];
    return names.some((name) => isWithin(name, summary.cwd, process.platform)) ? summary.path : [];
  });
  const all = new Set([...paths, ...inFolder]);
  if (all.size > MAX_SESSIONS) return true;
  for (const path of all) {
    const session = await catalog.session(path).catch(() => undefined);
    signal?.throwIfAborted();
    // A session that touched the file and was deleted or torn a moment ago may have run one.
    if (session ? hasCommand(session, since, until) : paths.includes(path)) return true;
  }
  return false;
}

function hasCommand({ entries }: Session, since: number, until: number): boolean {
  return entries.some((head) => {
    const time = timeOf(head);
    if (time <= since || time > until) return false;
    if (head.role === 'bashExecution' || head.role === 'pythonExecution') return true;
    const tool = head.role === 'toolResult' ? head.toolName : undefined;
    return tool !== undefined && touchKindOfTool(tool) === undefined && !HARMLESS_TOOLS.has(tool.toLowerCase());
  });
}
