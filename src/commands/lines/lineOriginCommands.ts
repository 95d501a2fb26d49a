/** The commands by which other programs ask where a file's lines come from, and ask for a file's text after an entry. */
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import { lineOrigins, SessionError, type LineOrigin } from '../../core/index';
import { absoluteFile, entryRefOf, lineNumber } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { settledCatalog } from '../handler/settledCatalog';
import { openDocument } from './versionTarget';

export function lineOriginCommands(deps: CommandDeps) {
  const origins: CommandHandler<CommandContract['sessionTree.lineOrigins']['answer']> = {
    title: '',
    runWithArguments: async (args) => {
      const file = absoluteFile(args);
      const [from, to] = [lineNumber(args, 'from') ?? 1, lineNumber(args, 'to') ?? Infinity];
      const catalog = await settledCatalog(deps.catalog);
      // Git runs in the repository of the file, which an untrusted workspace may have brought along.
      const options = { git: vscode.workspace.isTrusted };
      const open = openDocument(file);
      const found = await lineOrigins(catalog, file, open ? { ...options, text: open.getText() } : options);
      return within(found, from, to);
    },
    runInteractive: needsArguments,
  };
  const at: CommandHandler<CommandContract['sessionTree.fileAt']['answer']> = {
    title: '',
    runWithArguments: async (args) => {
      const { uri, exact } = await deps.fileAt(entryRefOf(args), absoluteFile(args));
      return { uri, exact };
    },
    runInteractive: needsArguments,
  };
  return { 'sessionTree.lineOrigins': origins, 'sessionTree.fileAt': at };
}

function needsArguments(): Promise<void> {
  return Promise.reject(new SessionError('invalid', 'The command needs a string for “{name}”.', { name: 'file' }));
}

/** The parts of ranges that are between two lines. */
const within = (origins: readonly LineOrigin[], from: number, to: number): LineOrigin[] =>
  origins.flatMap((origin) =>
    to < from || origin.to < from || origin.from > to
      ? []
      : [{ ...origin, from: Math.max(origin.from, from), to: Math.min(origin.to, to) }],
  );
