/** The command that shows a file's versions, and with plain arguments lists the entries of all sessions that read or wrote it. */
import { realpath } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import { workspaceFolderPaths } from '../../ui/workspaceFolders';
import type { CommandContract } from '../../contract';
import { SessionError, type Catalog } from '../../core/index';
import { activeUri, isOnDisk } from '../open/activeUri';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { requiredString } from '../handler/commandArguments';
import { settledCatalog } from '../handler/settledCatalog';

type Answer = CommandContract['sessionTree.sessionsForFile']['answer'];

export function sessionsForFileCommands(deps: CommandDeps) {
  const sessionsForFile: CommandHandler<Answer> = {
    title: vscode.l10n.t('Sessions for This File'),
    runWithArguments: async (args) => {
      const paths = await pathVariants(requiredString(args, 'file'));
      const catalog = await settledCatalog(deps.catalog);
      return touchesOf(catalog, paths);
    },
    runInteractive: async (call) => {
      const uri = call.menuTarget instanceof vscode.Uri ? call.menuTarget : activeUri();
      if (!uri)
        throw new SessionError('invalid', 'Open a file, or select one in the Explorer, to see which sessions read or wrote it.', {});
      if (!isOnDisk(uri))
        throw new SessionError(
          'invalid',
          '“{name}” isn’t a file on the machine where the sessions are, so no session can have read or written it.',
          { name: basename(uri.path) || uri.toString() },
        );
      await deps.showFileVersions(uri.fsPath);
    },
  };
  return { 'sessionTree.sessionsForFile': sessionsForFile };
}

/** Returns the paths by which programs may have named a file: the given path, and the one with symbolic links resolved. @throws {SessionError} `invalid` */
async function pathVariants(file: string): Promise<string[]> {
  const given = isAbsolute(file) ? [file] : workspaceFolderPaths().map((folder) => join(folder, file));
  if (given.length === 0 || file === '')
    throw new SessionError('invalid', 'The file path must be absolute, or relative to an open folder: {path}', { path: file });
  const real = await Promise.all(given.map((path) => realpath(path).catch(() => path)));
  return [...new Set([...given, ...real])];
}

async function touchesOf(catalog: Catalog, paths: readonly string[]): Promise<Answer> {
  const found = new Map<string, Answer[number]>();
  for (const path of paths)
    for (const touch of await catalog.touching(path)) found.set(JSON.stringify([touch.path, touch.entryId, touch.kind]), touch);
  return [...found.values()];
}
