/** Registers all commands at once. The extension loads them when the first one runs. */
import { createReportDocuments } from '../../../src/commands/handler/reportDocuments';
import { createCommands } from '../../../src/commands/commandTable';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import { createNotifier } from '../../../src/commands/handler/notifications';
import { CommittedDocuments } from '../../../src/commands/lines/committedDocuments';
import { registerCommand } from '../../../src/ui/registerCommand';

/** Returns the registered ids. */
export function registerAll(deps: CommandDeps): readonly string[] {
  const documents = { reports: createReportDocuments(), committed: new CommittedDocuments() };
  const { ids, run } = createCommands(deps, createNotifier(deps.log), documents);
  for (const id of ids) registerCommand(id, (...args: unknown[]) => run(id, args));
  return ids;
}
