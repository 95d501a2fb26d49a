/** The handlers of the extension's commands, by id, except for the rare ones. Loaded when the first command runs (see `registerCommands.ts`). */
import { annotationCommands } from './lines/annotationCommands';
import { branchCommands } from './changes/branchCommands';
import { changeSubmission } from './changes/changeSubmission';
import { labelCommands } from './changes/labelCommands';
import { renameCommands } from './changes/renameCommands';
import { familyCommands } from './open/familyCommands';
import { fileChangeCommands } from './open/fileChangeCommands';
import { compareCommands } from './open/compareCommands';
import { copyCommands } from './copyCommands';
import { deleteCommands } from './cleanUp/deleteCommands';
import { trashCommands } from './cleanUp/trashCommands';
import type { CommandDeps } from './handler/commandDeps';
import { sessionsOfLinesCommands } from './lines/sessionsOfLinesCommands';
import { sessionsForFileCommands } from './search/sessionsForFileCommands';
import { goToSessionCommands } from './open/goToSessionCommands';
import { forkCommands } from './changes/forkCommands';
import { tableOf, type CommandTable, type ContractHandlers } from './handler/handlerTable';
import type { ConfirmForce } from './handler/confirmForce';
import { fileVersionCommands } from './lines/fileVersionCommands';
import { lineOriginCommands } from './lines/lineOriginCommands';
import { whyThisLineCommands } from './lines/whyThisLine';
import { locationCommands } from './open/locationCommands';
import { openCommands } from './open/openCommands';
import { markCommands } from './markCommands';
import { savedViewCommands } from './savedViewCommands';
import { runningCommands } from './open/runningCommands';
import type { CommittedDocuments } from './lines/committedDocuments';
import type { RestoreFlow } from './restore/restoreFlow';
import { reviewCommands } from './lines/review/reviewCommands';
import { revealSessionCommands } from './open/revealSessionCommands';
import { terminalCommands } from './terminal/terminalCommands';
import { searchCommands } from './search/searchCommands';
import { SideKey } from './handler/sideKey';
import type { Notifier } from './handler/notifications';
import type { RareHandlers } from './rareCommandTable';
import { createUndoAction, undoCommands } from './changes/undoCommands';
import { viewCommands } from './viewCommands';
import { pendingCommands } from './changes/pendingCommands';

export function createCommands(
  deps: CommandDeps,
  notifier: Notifier,
  confirmForce: ConfirmForce,
  committed: CommittedDocuments,
  restoring: () => Promise<RestoreFlow>,
): CommandTable {
  const submission = changeSubmission(deps, notifier, confirmForce);
  const undoAction = createUndoAction(deps, notifier, confirmForce);
  const review = reviewCommands(deps, notifier, committed);
  const sideKey = new SideKey();
  const commands = {
    ...labelCommands(deps, notifier, submission, undoAction),
    ...branchCommands(deps, notifier, submission, undoAction, restoring),
    ...renameCommands(deps, submission),
    ...deleteCommands(deps, notifier, confirmForce),
    ...trashCommands(deps, notifier),
    ...markCommands(deps, notifier),
    ...savedViewCommands(deps),
    ...undoCommands(deps, notifier, confirmForce),
    ...pendingCommands(deps),
    ...forkCommands(deps, notifier, undoAction),
    ...openCommands(deps),
    ...compareCommands(deps),
    ...fileChangeCommands(deps),
    ...lineOriginCommands(deps),
    ...review.commands,
    ...annotationCommands(deps),
    ...fileVersionCommands(deps),
    ...whyThisLineCommands(deps),
    ...sessionsOfLinesCommands(deps),
    ...terminalCommands(deps),
    ...searchCommands(deps, sideKey),
    ...sessionsForFileCommands(deps),
    ...revealSessionCommands(deps),
    ...runningCommands(deps),
    ...familyCommands(deps),
    ...locationCommands(deps),
    ...copyCommands(deps),
    ...viewCommands(deps),
    ...goToSessionCommands(deps, sideKey),
    ...sideKey.commands,
  } satisfies Omit<ContractHandlers, keyof RareHandlers>;
  return tableOf(deps, notifier, commands, review.dispose);
}
