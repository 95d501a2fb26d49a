/** Registers all commands at once. The extension loads them when one of them runs. */
import { createReportDocuments } from '../../../src/commands/handler/reportDocuments';
import { createCommands } from '../../../src/commands/commandTable';
import { createRareCommands } from '../../../src/commands/rareCommandTable';
import { createConfirmForce } from '../../../src/commands/handler/confirmForce';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import { createNotifier } from '../../../src/commands/handler/notifications';
import { CommittedDocuments } from '../../../src/commands/lines/committedDocuments';
import { RestoreDocuments } from '../../../src/commands/restore/restoreDocuments';
import { restoreFlow } from '../../../src/commands/restore/restoreFlow';
import { registerCommand } from '../../../src/ui/safe/registerCommand';

/** Returns the registered ids of each table. */
export function registerAll(deps: CommandDeps): readonly (readonly string[])[] {
  const notifier = createNotifier(deps);
  const confirmForce = createConfirmForce(deps);
  const reports = createReportDocuments();
  const flow = restoreFlow({ deps, confirmForce, reports, documents: new RestoreDocuments() });
  const tables = [
    createCommands(deps, notifier, confirmForce, new CommittedDocuments(), () => Promise.resolve(flow)),
    createRareCommands(deps, notifier, confirmForce, reports, flow, () => Promise.reject(new Error('No comments are open.'))),
  ];
  for (const { ids, run } of tables) for (const id of ids) registerCommand(id, (...args: unknown[]) => run(id, args));
  return tables.map(({ ids }) => ids);
}
