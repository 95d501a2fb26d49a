/** The handlers of the extension's commands, by id. Loaded when the first command runs (see `registerCommands.ts`). */
import { isFocusedRow, type CommandContract, type RowKey } from '../contract';
import { agentTraceCommands } from './lines/agentTrace/agentTraceCommands';
import { annotationCommands } from './lines/annotationCommands';
import { branchCommands } from './changes/branchCommands';
import { changeSubmission } from './changes/changeSubmission';
import { labelCommands } from './changes/labelCommands';
import { renameCommands } from './changes/renameCommands';
import { fileChangeCommands } from './open/fileChangeCommands';
import { archiveCommands } from './cleanUp/archiveCommands';
import { cleanUpCommands } from './cleanUp/cleanUpCommands';
import { clearIndexCommands } from './search/clearIndexCommands';
import { compareCommands } from './open/compareCommands';
import { copyCommands } from './copyCommands';
import { deleteCommands } from './cleanUp/deleteCommands';
import { trashCommands } from './cleanUp/trashCommands';
import type { CommandDeps } from './handler/commandDeps';
import { exportCommands } from './export/exportCommands';
import { shareCommands } from './share/shareCommands';
import { batchExportCommands } from './export/batchExportCommands';
import { sessionsOfLinesCommands } from './lines/sessionsOfLinesCommands';
import { sessionsForFileCommands } from './search/sessionsForFileCommands';
import { goToSessionCommands } from './open/goToSessionCommands';
import { forkCommands } from './changes/forkCommands';
import { importCommands } from './changes/importCommands';
import { recoverCommands } from './changes/recoverCommands';
import { commandCallback, type CommandHandler } from './handler/commandHandler';
import { createConfirmForce } from './handler/confirmForce';
import { relinkCommands } from './changes/relinkCommands';
import { migrateCommands } from './changes/migrateCommands';
import { fileVersionCommands } from './lines/fileVersionCommands';
import { lineOriginCommands } from './lines/lineOriginCommands';
import { whyThisLineCommands } from './lines/whyThisLine';
import { locationCommands } from './open/locationCommands';
import { openCommands } from './open/openCommands';
import { pinCommands } from './pinCommands';
import type { ReportDocuments } from './handler/reportDocuments';
import { runningCommands } from './open/runningCommands';
import type { CommittedDocuments } from './lines/committedDocuments';
import { reviewCommands } from './lines/review/reviewCommands';
import { revealSessionCommands } from './open/revealSessionCommands';
import { terminalCommands } from './terminal/terminalCommands';
import { searchCommands } from './search/searchCommands';
import type { Notifier } from './handler/notifications';
import { undoCommands } from './changes/undoCommands';
import { usageCommands } from './usageCommands';
import { viewCommands } from './viewCommands';
import { pendingCommands } from './changes/pendingCommands';

/** Requires a handler with the documented answer for each command of the contract. Further commands are for menus only. */
type Commands = { readonly [Id in keyof CommandContract]: CommandHandler<CommandContract[Id]['answer']> };

/** The key behind a command. Menus show a key only beside the command that it's bound to, so several commands share one. */
const ROW_KEYS: Readonly<Record<string, RowKey>> = {
  'sessionTree.rename': 'rename',
  'sessionTree.label': 'rename',
  'sessionTree.delete': 'delete',
  'sessionTree.dropWaiting': 'delete',
  'sessionTree.copyText': 'copy',
  'sessionTree.showContextToSide': 'openToSide',
};

/** Lets a command that a key runs act on the focused rows, whichever of the key's commands fits these. */
function keyOrCall(
  deps: CommandDeps,
  id: string,
  call: (...args: unknown[]) => Promise<unknown>,
): (...args: unknown[]) => Promise<unknown> {
  const key = ROW_KEYS[id];
  return key === undefined ? call : (...args) => (isFocusedRow(args[0]) ? deps.runKey(key) : call(...args));
}

/** Documents that commands open. Their schemes are registered before any command runs. */
export interface CommandDocuments {
  readonly reports: ReportDocuments;
  readonly committed: CommittedDocuments;
}

export interface CommandTable {
  /** Runs a command with the arguments that the editor passed. Rejects if there's no such command. */
  readonly run: (id: string, args: readonly unknown[]) => Promise<unknown>;
  readonly ids: readonly string[];
  readonly dispose: () => void;
}

export function createCommands(deps: CommandDeps, notifier: Notifier, { reports, committed }: CommandDocuments): CommandTable {
  const confirmForce = createConfirmForce();
  const submission = changeSubmission(deps, notifier, confirmForce);
  const review = reviewCommands(deps, notifier, committed);
  const commands = {
    ...labelCommands(notifier, submission),
    ...branchCommands(deps, notifier, submission),
    ...renameCommands(deps, submission),
    ...migrateCommands(deps, notifier, confirmForce, reports),
    ...relinkCommands(deps, notifier, reports),
    ...deleteCommands(deps, notifier, confirmForce),
    ...trashCommands(deps, notifier),
    ...pinCommands(deps),
    ...archiveCommands(deps, notifier, confirmForce),
    ...cleanUpCommands(deps, notifier, reports),
    ...undoCommands(deps, notifier, confirmForce),
    ...pendingCommands(deps),
    ...forkCommands(deps, notifier),
    ...importCommands(deps, notifier, reports),
    ...recoverCommands(deps, notifier, reports),
    ...openCommands(deps),
    ...compareCommands(deps),
    ...fileChangeCommands(deps),
    ...lineOriginCommands(deps),
    ...review.commands,
    ...agentTraceCommands(deps, notifier, reports),
    ...annotationCommands(deps),
    ...fileVersionCommands(deps),
    ...whyThisLineCommands(deps),
    ...sessionsOfLinesCommands(deps),
    ...terminalCommands(deps),
    ...searchCommands(deps),
    ...sessionsForFileCommands(deps),
    ...revealSessionCommands(deps),
    ...runningCommands(deps),
    ...usageCommands(deps, reports),
    ...locationCommands(deps),
    ...clearIndexCommands(deps, notifier),
    ...copyCommands(deps),
    ...viewCommands(deps),
    ...goToSessionCommands(deps),
    ...exportCommands(deps, notifier),
    ...batchExportCommands(deps, notifier, reports),
    ...shareCommands(deps, notifier),
  } satisfies Commands;
  const calls = new Map(
    Object.entries<CommandHandler<unknown>>(commands).map(([id, handler]) => [
      id,
      keyOrCall(deps, id, commandCallback(deps, notifier, handler)),
    ]),
  );
  return {
    run: async (id, args) => {
      const call = calls.get(id);
      if (!call) throw new Error(`There is no command ${id}`);
      return call(...args);
    },
    ids: [...calls.keys()],
    dispose: review.dispose,
  };
}
