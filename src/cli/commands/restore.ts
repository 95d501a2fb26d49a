import { createInterface } from 'node:readline/promises';
import {
  applyRestore,
  defined,
  planRestore,
  recoverRestores,
  undoRestore,
  type PlannedFile,
  type RestoreAction,
  type RestorePlan,
} from '../../core/index';
import { locate } from '../../memory/refs';
import { Refusal, RequestError } from '../../memory/requestError';
import { textOption, type Answer, type Call, type Options } from '../command';
import { line, type Paint } from '../output';
import { pointOf } from './shared';

const WRITING: ReadonlySet<RestoreAction> = new Set(['write', 'create', 'delete', 'merge']);

/** Leads the files of a session's folder back to an entry, or takes that back. */
export async function restore(call: Call, [ref]: readonly string[], options: Options): Promise<Answer> {
  const { memory, signal } = call;
  const roots = await memory.roots();
  // It must outlive the cache, which may be deleted at any time.
  const storage = `${memory.cacheFolder}-restores`;
  await recoverRestores({ storage, roots });
  const undo = textOption(options, 'undo');
  if (undo !== undefined) {
    if (ref !== undefined) throw new RequestError('“--undo” takes the id of a restore, and no reference.');
    const { done, left } = await undoRestore(undo, { storage, roots });
    return answer(call, undo, [...done, ...left], done.length > 0);
  }
  if (ref === undefined) throw new RequestError('The reference of an entry is missing, or --undo with the id of a restore.');
  const include = textOption(options, 'include') ?? 'exact';
  if (include !== 'exact' && include !== 'likely') throw new RequestError(`“--include” is exact or likely: ${include}`);
  const located = await locate(memory, ref);
  const { catalog } = await memory.current();
  const plan = await planRestore(catalog, pointOf(located), { include, storage, roots, signal });
  if (options['dryRun'] === true) return answer(call, undefined, plan.files, plan.files.length > 0);
  const count = plan.files.filter(({ action }) => WRITING.has(action)).length;
  if (options['yes'] !== true) await confirm(call, plan, count);
  if (count === 0) return { ...answer(call, undefined, plan.files, true), note: 'No file has to be written.' };
  const { restoreId, done, left } = await applyRestore(plan, { storage, roots, signal });
  const named = new Set([...done, ...left].map(({ file }) => file));
  return answer(call, restoreId, [...done, ...left, ...plan.files.filter(({ file }) => !named.has(file))], true);
}

/** @throws {RequestError} without a terminal; {SessionError} if the person says no */
async function confirm({ paint, signal }: Call, { files, folder }: RestorePlan, count: number): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new RequestError('Without a terminal, restore needs --yes, or --dry-run to see what it would do.');
  process.stderr.write(`${files.map((file) => fileLine(file, paint)).join('\n')}\n`);
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const reply = await questions.question(`Write ${String(count)} files in ${line(folder)}? [y/N] `, { signal });
    if (!/^\s*y(?:es)?\s*$/i.test(reply)) throw new Refusal('Nothing was written.');
  } finally {
    questions.close();
  }
}

function answer({ paint }: Call, restoreId: string | undefined, files: readonly PlannedFile[], found: boolean): Answer {
  return {
    json: {
      ...defined({ restoreId }),
      files: files.map(({ file, action, certainty, reason }) => ({ file, action, certainty, ...defined({ reason }) })),
    },
    lines: [
      ...files.map((file) => fileLine(file, paint)),
      ...(restoreId === undefined ? [] : [`To take it back: session-tree restore --undo ${restoreId}`]),
    ],
    found,
    ...(files.length === 0 ? { note: 'No edits of files are recorded in this session’s folder.' } : {}),
  };
}

const fileLine = ({ file, action, reason }: PlannedFile, paint: Paint): string =>
  `${paint(WRITING.has(action) ? 'green' : action === 'none' ? 'dim' : 'yellow', action.padEnd('conflict'.length))}  ${line(file)}${reason === undefined ? '' : paint('dim', `  ${line(reason)}`)}`;
