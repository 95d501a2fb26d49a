/** Takes back everything that was written elsewhere, after the extension was uninstalled. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, type RootEnvironment } from '../../core/index';
import { agentsFolder, filesIn, type AgentFiles } from '../agentFiles';
import { takeBackEntry } from './install';
import { uninstallCommand } from './pathCommand';
import { readRecord } from './record';
import { targetOf, TARGETS } from './targets';

/**
 * Takes back what the extensions in a folder have written, and reports what had to stay.
 *
 * @param extensions the folder of all extensions of the editor
 */
export async function takeBackOf(environment: RootEnvironment, extensions: string, report: (error: unknown) => void): Promise<void> {
  const folder = agentsFolder(environment);
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const name of names) await takeBackAll(filesIn(join(folder, name)), environment, extensions).catch(report);
}

async function takeBackAll(files: AgentFiles, environment: RootEnvironment, extensions: string): Promise<void> {
  const record = await readRecord(files);
  if (record.extensions !== extensions) return;
  const failed: unknown[] = [];
  const attempt = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => failed.push(error));
  for (const id of TARGETS) {
    // The folder that a variable named then may be another one now.
    const written = record.changes.find(({ target }) => target === id);
    const target = targetOf(id, environment, files);
    if (written) await attempt(takeBackEntry({ ...target, file: written.file }, files));
  }
  await attempt(uninstallCommand(files));
  if (failed.length > 0) throw new AggregateError(failed, failed.map(String).join('\n'));
  await rm(files.folder, { recursive: true, force: true });
}
