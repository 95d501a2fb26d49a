/** Takes back changes of pins, tags and notes. */
import * as vscode from 'vscode';
import type { MadeMarkChange, MarkChange } from '../../contract';
import { sessionDisplayName } from '../handler/sessions/sessionNames';
import type { CommandDeps } from '../handler/commandDeps';
import type { Notifier } from '../handler/notifications';

/** Takes a change back, and says so. */
export async function undoMarkChange(deps: CommandDeps, notifier: Notifier, made: MadeMarkChange): Promise<void> {
  await deps.marks.undo(made);
  notifier.info(undoneMessage(deps, made));
}

function undoneMessage(deps: CommandDeps, { changes, path }: MadeMarkChange): string {
  const [first] = changes;
  const ids = new Set(changes.flatMap((change: MarkChange) => change.ids));
  if (ids.size !== 1) {
    const count = { count: ids.size };
    if (first?.kind === 'pin') return vscode.l10n.t('Undid the pins of {count} sessions', count);
    return first?.kind === 'note'
      ? vscode.l10n.t('Undid the notes of {count} sessions', count)
      : vscode.l10n.t('Undid the tags of {count} sessions', count);
  }
  const name = sessionDisplayName(deps, path);
  switch (first?.kind) {
    case 'pin':
      return first.isOn ? vscode.l10n.t('Undid pin of “{name}”', { name }) : vscode.l10n.t('Undid unpin of “{name}”', { name });
    case 'note':
      return vscode.l10n.t('Undid note of “{name}”', { name });
    default:
      return vscode.l10n.t('Undid tags of “{name}”', { name });
  }
}
