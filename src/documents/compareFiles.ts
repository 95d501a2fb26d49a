/** Compares the files of two branches as they were at their ends, in the editor's multi-file diff. */
import * as vscode from 'vscode';
import type { ChangesRef, SessionRef } from '../contract';
import { commonAncestorSteps, defined, SessionError, Yielder, type FileChange, type Session } from '../core/index';
import { certaintyNote, changeUri } from './changeUri';
import { sideName } from './documentNames';

interface CompareFilesDeps {
  readonly session: (path: string) => Promise<Session>;
  readonly changes: (ref: ChangesRef) => Promise<readonly FileChange[]>;
}

/** One of two branches. */
interface Branch {
  readonly ref: ChangesRef;
  /** The files that it changed after the fork point, by their names. */
  readonly changes: ReadonlyMap<string, FileChange>;
}

/**
 * Opens the files that at least one of two branches changed after their fork point. A branch that didn't change a file has it as it
 * was there.
 *
 * @returns the names of the files
 * @throws {SessionError} `not-found` if there are none; `invalid` if both are the same place; the errors of reading the sessions
 */
export async function compareFiles(deps: CompareFilesDeps, left: SessionRef, right: SessionRef): Promise<readonly string[]> {
  const read = async ({ path, entryId }: SessionRef): Promise<{ session: Session; entryId?: string }> => ({
    session: await deps.session(path),
    ...defined({ entryId }),
  });
  const sides = [await read(left), await read(right)] as const;
  const since = (await new Yielder(undefined).run(commonAncestorSteps(...sides))) ?? undefined;
  const branchOf = async ({ path, entryId }: SessionRef): Promise<Branch> => {
    const ref = { path, ...defined({ entryId, since }) };
    return { ref, changes: new Map((await deps.changes(ref)).map((change) => [change.file, change])) };
  };
  const [one, other] = [await branchOf(left), await branchOf(right)];
  const files = [...new Set([...one.changes.keys(), ...other.changes.keys()])];
  if (files.length === 0) throw new SessionError('not-found', 'Neither of the two branches changed files after they parted.');
  const resources = files.map((file) => {
    const [before, after] = [uriOf(one, other, file), uriOf(other, one, file)];
    return [after, before, after];
  });
  const title = vscode.l10n.t('Files: {0} ↔ {1}', sideName(sides[0]), sideName(sides[1]));
  await vscode.commands.executeCommand('vscode.changes', title, resources);
  return files;
}

/** Returns the document of a file at the end of a branch. If only the other branch changed it, that's the text before those changes. */
function uriOf(branch: Branch, other: Branch, file: string): vscode.Uri {
  const own = branch.changes.get(file);
  const certainty = (own ?? other.changes.get(file))?.certainty ?? 'exact';
  const document = own ? ({ ref: branch.ref, file, side: 'after' } as const) : ({ ref: other.ref, file, side: 'before' } as const);
  return changeUri(document, certainty === 'exact' ? undefined : certaintyNote(certainty));
}
