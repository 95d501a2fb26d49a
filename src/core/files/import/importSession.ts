/**
 * Imports a file as a new session of a project on this machine: a session of the family, an HTML export of one, or a session
 * of Claude Code or Codex. FORMAT section 6, rule 10.
 */
import { lstat, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { defined } from '../../format/values/defined';
import type { Dialect } from '../../format/entry/dialect';
import { SessionError } from '../../format/entry/problem';
import { FOREIGN_LABELS } from '../../format/import/foreignFormat';
import { planCopy } from '../../format/import/planCopy';
import { isArchivedSession } from '../../format/session/archivedSession';
import { sessionFileName, type Stamp } from '../../format/write/sessionNames';
import { Yielder } from '../concurrency/eventLoop';
import { fileError, isMissing } from '../io/fileErrors';
import { openRegularFile } from '../io/regularFile';
import { localFolder } from '../locate/paths/localFolder';
import { mapPath } from '../locate/paths/mapPath';
import { rootOf, type Root } from '../locate/roots';
import type { CreationTools } from '../write/creationTools';
import { systemStamp } from '../write/systemStamp';
import { detectImport, type ImportKind } from './detectImport';
import { writeExportedLines } from './exportedLines';
import { importForeign } from './importForeign';
import { readWithHeader, unknownProjectError } from './missingHeader';
import { writeCopy, type CopiedSession } from './writeCopy';

/** Options of {@link importSession}. */
export interface ImportOptions extends Partial<CreationTools> {
  /**
   * Folder of the project on this machine. By default the folder that the file names, which must be an absolute path on
   * this machine.
   */
  readonly targetCwd?: string;
  /** Folder of the new file, instead of the program's folder for the project. */
  readonly sessionDir?: string;
  /** The known roots: the new file goes into one of them. By default the program's own. */
  readonly roots?: readonly Root[];
  readonly signal?: AbortSignal;
}

/**
 * Imports a file. No existing file is changed; the new file is created completely or not at all.
 *
 * @param file path of a session of the family, archived or not, of an HTML export, or of a session of Claude Code or Codex.
 * @throws {SessionError} `not-found`, `not-a-session` (also for links, folders and devices), `version` (above 3), `invalid` if
 * there's no folder for it, `changed`, `permission` or `no-space`.
 */
export async function importSession(file: string, options: ImportOptions = {}): Promise<CopiedSession> {
  const source = resolve(file);
  const kind = await kindOf(source, options.signal);
  const stamp = options.stamp ?? systemStamp();
  if (kind.kind === 'session') return importFamilySession(source, source, options, stamp);
  if (kind.kind === 'html') return importExport(source, options, stamp);
  const cwd = projectOf(kind.facts.cwd, options.targetCwd, source);
  const folder = await folderFor('pi', cwd, options);
  const opened = await openSource(source);
  try {
    const imported = await importForeign(opened.file, {
      program: kind.kind,
      source,
      facts: kind.facts,
      cwd,
      target: (timestamp, id) => join(folder, sessionFileName('pi', timestamp, id)),
      stamp,
      ...defined({ disk: options.disk, signal: options.signal }),
    });
    return { ...imported, program: FOREIGN_LABELS[kind.kind] };
  } finally {
    await opened.file.close();
  }
}

/** True for a file that can't be opened, but imported: a session of Claude Code or Codex, or an export. False if that can't be found out: opening it says why. */
export async function needsImport(path: string): Promise<boolean> {
  return kindOf(resolve(path), undefined).then(
    ({ kind }) => kind !== 'session',
    () => false,
  );
}

/** Links aren't followed: only the file that the person named is imported. A session in a database isn't a separate file. */
async function kindOf(source: string, signal: AbortSignal | undefined): Promise<ImportKind> {
  if (isArchivedSession(source)) {
    await assertNoLink(source);
    return { kind: 'session' };
  }
  const opened = await openSource(source).catch((error: unknown) => {
    if (error instanceof SessionError && error.code === 'not-found') return undefined;
    throw error;
  });
  if (!opened) return { kind: 'session' };
  try {
    return await detectImport(opened.file, source, signal);
  } finally {
    await opened.file.close();
  }
}

async function assertNoLink(path: string): Promise<void> {
  const stats = await lstat(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  if (!stats.isFile()) throw notImportable(path);
}

const openSource = (path: string) =>
  openRegularFile(path, { followLink: false, refusal: notImportable }).catch((error: unknown) => {
    throw isMissing(error) || !(error instanceof SessionError) ? fileError(error, path) : error;
  });

const notImportable = (path: string): SessionError =>
  new SessionError('not-a-session', 'Only regular files can be imported, not links, folders or devices: {path}', { path });

/** The lines of an export become a file that is imported like any other. */
async function importExport(source: string, options: ImportOptions, stamp: Stamp): Promise<CopiedSession> {
  const folder = await mkdtemp(join(tmpdir(), 'session-tree-import-'));
  const opened = await openSource(source);
  try {
    const lines = join(folder, 'session.jsonl');
    await writeExportedLines(opened.file, source, lines, options.signal);
    return await importFamilySession(lines, source, options, stamp);
  } finally {
    await opened.file.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param file where the lines are. @param source the file that they come from */
async function importFamilySession(file: string, source: string, options: ImportOptions, stamp: Stamp): Promise<CopiedSession> {
  const root = rootOf(source, options.roots ?? []);
  const project = { cwd: options.targetCwd };
  const session = await readWithHeader(file, source, project, defined({ dialect: root?.dialect, signal: options.signal }));
  const cwd = projectOf(mapPath(session.header.cwd, root?.map), options.targetCwd, source);
  const plan = await new Yielder(options.signal).run(planCopy(session, { kind: 'import', cwd, source }, stamp));
  return writeCopy(session, plan, await folderFor(plan.dialect, cwd, options), options.disk);
}

/** @throws {SessionError} `invalid` */
function projectOf(named: string | undefined, target: string | undefined, path: string): string {
  if (target !== undefined) return resolve(target);
  if (named !== undefined && isAbsolute(named)) return resolve(named);
  throw unknownProjectError(path);
}

/** Returns the folder for a program's session. @throws {SessionError} `read-only` */
async function folderFor(dialect: Dialect, cwd: string, { sessionDir, roots = [], assertChangeable }: ImportOptions): Promise<string> {
  const folder = sessionDir === undefined ? localFolder(dialect, cwd, roots) : resolve(sessionDir);
  // The file's name isn't known yet, and doesn't matter.
  await assertChangeable?.(join(folder, 'new.jsonl'));
  return folder;
}
