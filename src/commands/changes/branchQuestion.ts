/** The question of a branch that is resumed: keep the files as they are, or restore them to the same point. */
import * as vscode from 'vscode';
import { commonAncestorSteps, defined, Yielder, type FileChange } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import { choose } from '../handler/prompts';
import type { BranchTarget } from './branching';

/** Asks only where files may be restored, and only if one of the two branches changed files after they parted. @throws {vscode.CancellationError} */
export async function wantsFiles(
  deps: Pick<CommandDeps, 'changes'>,
  { call, ref, session }: Pick<BranchTarget, 'ref' | 'session'> & { readonly call: { readonly title: string } },
): Promise<boolean> {
  if (!vscode.workspace.isTrusted) return false;
  const { path, entryId } = ref;
  const since = (await new Yielder(undefined).run(commonAncestorSteps({ session, entryId }, { session }))) ?? undefined;
  const changes: readonly FileChange[] = [
    ...(await deps.changes({ path, ...defined({ since }) })),
    ...(await deps.changes({ path, entryId, ...defined({ since }) })),
  ];
  const count = new Set(changes.map(({ file }) => file)).size;
  if (count === 0) return false;
  return choose(call.title, vscode.l10n.t('Select what happens to the files'), [
    { label: vscode.l10n.t('Keep Files as They Are'), value: false },
    {
      label: vscode.l10n.t('Restore Files to This Point…'),
      description: vscode.l10n.t('files that changed in between: {count}', { count }),
      value: true,
    },
  ]);
}
