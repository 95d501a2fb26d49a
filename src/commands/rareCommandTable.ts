/**
 * The handlers of commands that run rarely, by id. They're half of all code of commands, and would delay the first
 * command. Loaded when one of them runs (see `registerCommands.ts`).
 */
import { letAgentsSearchCommands } from './agents/letAgentsSearch';
import { lookupCommands } from './agents/lookupCommands';
import { pathCommands } from './agents/pathCommands';
import { changeSubmission } from './changes/changeSubmission';
import { importCommands } from './changes/importCommands';
import { migrateCommands } from './changes/migrateCommands';
import { recoverCommands } from './changes/recoverCommands';
import { relinkCommands } from './changes/relinkCommands';
import { createUndoAction } from './changes/undoCommands';
import { archiveCommands } from './cleanUp/archiveCommands';
import { cleanUpCommands } from './cleanUp/cleanUpCommands';
import { batchExportCommands } from './export/batchExportCommands';
import { exportCommands } from './export/exportCommands';
import type { CommandDeps } from './handler/commandDeps';
import type { ConfirmForce } from './handler/confirmForce';
import { tableOf, type CommandTable, type ContractHandlers } from './handler/handlerTable';
import type { Notifier } from './handler/notifications';
import type { ReportDocuments } from './handler/reportDocuments';
import { agentTraceCommands } from './lines/agentTrace/agentTraceCommands';
import { recapCommands } from './models/recapCommands';
import { restoreCommands } from './restore/restoreCommands';
import type { RestoreFlow } from './restore/restoreFlow';
import { describeCommands } from './lines/review/describeCommands';
import { sendCommands, type OpenReview } from './review/sendComments';
import { clearIndexCommands } from './search/clearIndexCommands';
import { shareCommands } from './share/shareCommands';
import { retryCommand } from './retryCommand';
import { usageCommands } from './usage/usageCommands';

export type RareHandlers = ReturnType<typeof rareHandlers>;

export function createRareCommands(
  deps: CommandDeps,
  notifier: Notifier,
  confirmForce: ConfirmForce,
  reports: ReportDocuments,
  flow: RestoreFlow,
  review: OpenReview,
): CommandTable {
  return tableOf(deps, notifier, rareHandlers(deps, notifier, confirmForce, reports, flow, review));
}

function rareHandlers(
  deps: CommandDeps,
  notifier: Notifier,
  confirmForce: ConfirmForce,
  reports: ReportDocuments,
  flow: RestoreFlow,
  review: OpenReview,
) {
  const undoAction = createUndoAction(deps, notifier, confirmForce);
  return {
    ...migrateCommands(deps, notifier, confirmForce, reports),
    ...relinkCommands(deps, notifier, reports, undoAction),
    ...archiveCommands(deps, notifier, confirmForce, undoAction),
    ...cleanUpCommands(deps, notifier, reports, undoAction),
    ...importCommands(deps, notifier, reports),
    ...recoverCommands(deps, notifier, reports),
    ...agentTraceCommands(deps, notifier, reports),
    ...describeCommands(deps, notifier),
    ...sendCommands(deps, review),
    ...usageCommands(deps),
    ...clearIndexCommands(deps, notifier),
    ...retryCommand(deps),
    ...recapCommands(deps, reports),
    ...exportCommands(deps, notifier),
    ...batchExportCommands(deps, notifier, reports),
    ...shareCommands(deps, notifier),
    ...letAgentsSearchCommands(deps, notifier, reports),
    ...lookupCommands(deps, reports),
    ...pathCommands(deps, notifier),
    ...restoreCommands({ deps, notifier, submission: changeSubmission(deps, notifier, confirmForce), flow, undoAction }),
  } satisfies Partial<ContractHandlers>;
}
