/** The roots' files beside what is known of them: which are as they were, which must be read, which are gone. */
import { homedir } from 'node:os';
import { resolve, sep } from 'node:path';
import { fileError } from '../../files/io/fileErrors';
import type { FileVersionResult } from '../../files/read/statFiles';
import { listFiles, type SessionPath } from '../../files/locate/listFiles';
import { Yielder } from '../../files/io/eventLoop';
import { expandPath, rootOf, type Root } from '../../files/locate/roots';
import { sameVersion } from '../../files/read/compareVersions';
import type { CatalogOptions } from '../catalogApi';
import type { StaleFile } from '../worker/workerProtocol';
import { toRowProblem, unreadableRow, type KnownFile, type RowProblem } from '../rows/catalogRow';

export interface CatalogProblem extends RowProblem {
  /** A file that can't be read, or a folder that can't be listed. */
  readonly path: string;
}

export interface DiskDiff {
  /** As they were, and those that can't be looked at. */
  readonly unchanged: readonly KnownFile[];
  /** Other than they were, newest first. */
  readonly stale: readonly StaleFile[];
  readonly gone: readonly string[];
  readonly failed: readonly CatalogProblem[];
}

export interface DiskDiffOptions {
  readonly roots: readonly Root[];
  /** Ends the listing with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** As `statFileVersions`. */
  readonly readVersions: (paths: readonly string[], signal?: AbortSignal) => Promise<FileVersionResult[]>;
}

/** What differs from `before`, of everything or of what lies at or under the paths. */
export async function diffWithDisk({ roots, signal, readVersions: versionsAt }: DiskDiffOptions, paths: readonly string[] | undefined, before: ReadonlyMap<string, KnownFile>): Promise<DiskDiff> {
  const failed: CatalogProblem[] = [];
  const there = new Set<string>();
  const known: KnownFile[] = [];
  const stale: StaleFile[] = [];
  const files = await filesOf(roots, paths, before, failed);
  const versions = await versionsAt(files.map(({ path }) => path), signal);
  const pause = new Yielder(signal);
  let met = 0;
  for (const [at, { path, owner, root }] of files.entries()) {
    const version = versions[at];
    if (!version) continue;
    const file = before.get(path);
    if (version instanceof Error) {
      const row = unreadableRow(path, fileError(version, path), root.dialect, 0);
      known.push({ path, version: { size: -1, mtimeMs: -1, ino: '' }, complete: true, row, ...(owner === undefined ? {} : { owner }) });
    } else if (file?.complete && sameVersion(file.version, version) && file.owner === owner) known.push(file);
    else stale.push({ path, version, dialect: root.dialect, ...(owner === undefined ? {} : { owner }) });
    there.add(path);
    if (before.has(path)) met++;
    if (pause.isDue()) await pause.yieldIfDue();
  }
  stale.sort((a, b) => b.version.mtimeMs - a.version.mtimeMs);
  await pause.yieldIfDue();
  // Of folders that can't be listed what is known still stands; the database may hold what other windows' roots have.
  const lost = failed.map((problem) => problem.path);
  const isGone = (path: string): boolean => !there.has(path) && !isUnderAny(path, lost) && rootOf(path, roots) !== undefined;
  return { unchanged: known, stale, gone: met < before.size ? pathsWithin(before, paths).filter(isGone) : [], failed };
}

/** What keeps known files at or under the paths from being read. */
export function problemsOf(known: ReadonlyMap<string, KnownFile>, paths: readonly string[] | undefined): CatalogProblem[] {
  const problems: CatalogProblem[] = [];
  for (const path of pathsWithin(known, paths)) {
    const problem = known.get(path)?.row.problem;
    if (problem) problems.push({ path, ...problem });
  }
  return problems;
}

async function filesOf(roots: readonly Root[], paths: readonly string[] | undefined, before: ReadonlyMap<string, KnownFile>, failed: CatalogProblem[]): Promise<readonly SessionPath[]> {
  if (paths?.every((path) => before.has(path))) {
    return paths.map((path) => {
      const { owner } = before.get(path)!;
      return { path, root: rootOf(path, roots)!, ...(owner === undefined ? {} : { owner }) };
    });
  }
  const listing = await listFiles(roots, (path, error) => {
    const problem = toRowProblem(fileError(error, path));
    failed.push({ path, ...problem });
  });
  const inScope = pathScope(paths);
  return listing.files.filter(({ path }) => inScope(path));
}

/** A root as it is given: its path alone, or with what else there is to say. */
export function normalizeRoot(given: CatalogOptions['roots'][number]): Root {
  const { path, dialect = 'pi', flat = false } = typeof given === 'string' ? { path: given } : given;
  return { path: resolve(expandPath(path, homedir())), dialect, flat };
}

/** Whether a path is one of some or lies under one; `undefined`: everything does. */
export function isUnderAny(path: string, paths: readonly string[] | undefined): boolean {
  return paths === undefined || paths.some((at) => path === at || path.startsWith(at + sep));
}

/** The same for many of both: each path is looked up with the folders above it. */
export function pathScope(paths: readonly string[] | undefined): (path: string) => boolean {
  if (paths === undefined) return () => true;
  const among = new Set(paths);
  return (path) => {
    for (let at = path, cut = 1; cut > 0; at = at.slice(0, cut)) {
      if (among.has(at)) return true;
      cut = at.lastIndexOf(sep);
    }
    return false;
  };
}

/** Those of `files` that are one of the paths or lie under one. Where every path is one of them, which has nothing below it, the others are not walked. */
export function pathsWithin(files: ReadonlyMap<string, unknown>, paths: readonly string[] | undefined): readonly string[] {
  return paths?.every((path) => files.has(path)) ? [...new Set(paths)] : [...files.keys()].filter(pathScope(paths));
}
