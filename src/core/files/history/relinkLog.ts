/** The record of a project's move while it's under way: the roots with forks, and a step for each session. */
import { defined } from '../../format/values/defined';
import { isObjectOf, isOptional, isText } from '../../format/values/checks';
import { isArray, isObject } from '../../format/values/jsonValues';
import { beginOperation, type OperationRecord } from '../storage/operationRecord';
import { isNormalAbsolutePath } from '../storage/pathChecks';
import { isTimeOrderedId } from '../storage/privateStorage';
import type { Root } from '../locate/roots';
import type { MoveLog, MoveStep } from '../write/moveLog';
import type { Journal } from './journal';

/** A step in the record. `undoes`: the journal's record that the step takes back. */
export interface LoggedStep extends MoveStep {
  readonly undoes?: string;
}

/** The content of a move's record. */
interface RecordedMove {
  readonly steps: readonly LoggedStep[];
  /** The paths of the roots in which forks of the sessions may be, without the roots that a start has dealt with. */
  readonly roots: readonly string[];
  /** True if a start has dealt with all steps, and with some of the roots. */
  readonly isSearched: boolean;
}

/**
 * Begins the record of a move. Each step is in the journal once it's done.
 *
 * @param roots the roots in which forks of the sessions may be.
 * @param undoneBy returns the journal's record that a step takes back. Without it, the steps can be undone.
 * @param onProblem receives failures to record a step that is done.
 * @throws {SessionError} `permission` or `no-space`.
 */
export async function beginRelink(
  journal: Journal,
  roots: readonly Root[],
  onProblem: (error: unknown) => void,
  undoneBy?: (step: MoveStep) => string | undefined,
): Promise<MoveLog> {
  const operation = await beginOperation(journal.folder, 'relinking', { roots: roots.map(({ path }) => path) });
  return {
    begin: async ({ path, newPath, before, after }) => {
      const undoes = undoneBy?.({ path, newPath, before, after });
      await operation.step({ path, newPath, before, after, ...defined({ undoes }) });
    },
    done: (step) => noteStep(journal, operation.id, { ...step, ...undoesOf(undoneBy?.(step)) }).catch(onProblem),
    end: async (isComplete) => {
      if (isComplete) await operation.done();
    },
  };
}

const undoesOf = (undoes: string | undefined): { undoes?: string } => (undoes === undefined ? {} : { undoes });

/** Adds a step to the journal. */
export async function noteStep(journal: Journal, group: string, { path, newPath, before, after, undoes }: LoggedStep): Promise<void> {
  await journal.add(undoes === undefined ? { kind: 'relink', path, newPath, before, after, group } : { kind: 'undo', path, undoes });
}

/** Returns the content of a record. Leaves out lines that aren't steps. */
export function recordedMove({ subject, steps }: OperationRecord): RecordedMove {
  const searched = new Set(steps.map(searchedRoot).filter(isNormalAbsolutePath));
  const roots = isArray(subject['roots']) ? subject['roots'].filter(isNormalAbsolutePath) : [];
  return { steps: steps.filter(isLoggedStep), roots: roots.filter((root) => !searched.has(root)), isSearched: searched.size > 0 };
}

/** Records that the forks in these roots lead to their parents' new paths. */
export const noteSearchedRoots = async (record: OperationRecord, searched: readonly Root[]): Promise<void> => {
  const { roots } = recordedMove(record);
  for (const { path } of searched) if (roots.includes(path)) await record.step({ searched: path });
};

const searchedRoot = (line: unknown): unknown => (isObject(line) ? line['searched'] : undefined);

const isLoggedStep = isObjectOf<LoggedStep>({
  path: isNormalAbsolutePath,
  newPath: isNormalAbsolutePath,
  before: isText,
  after: isText,
  undoes: isOptional(isTimeOrderedId),
});
