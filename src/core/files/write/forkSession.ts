/**
 * Forks sessions: writes a branch of a session, or all of it, to a new file. Touches no existing file.
 * FORMAT section 6, rule 6.
 */
import { stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { DIALECT_FACTS, type Dialect } from '../../format/entry/dialect';
import { isObject, textOf, type Entry } from '../../format/entry/entry';
import { planFork, type ForkPlan } from '../../format/write/fork';
import { projectFolderName, sessionFileName, titleSlotLine, type Stamp } from '../../format/write/sessionNames';
import type { Session } from '../../format/session/session';
import { copyEntries } from './copyEntries';
import type { Disk } from '../io/disk';
import { fileError } from '../io/fileErrors';
import { createFile, type FileDigest } from '../io/atomicFile';
import { openRegularFile } from '../io/regularFile';
import { rootOf, type Root } from '../locate/roots';
import { readBodies, readSession } from '../read/sessionFile';
import { systemStamp } from './systemStamp';

export interface ForkOptions {
  /** Fork from this entry; without it the whole active branch, or with `targetCwd` the whole session with all branches. */
  readonly entryId?: string;
  /** Another project: its folder goes into the header, and the file into that folder's directory of the same root. */
  readonly targetCwd?: string;
  /** By default `before` on user and custom messages, else `at`. */
  readonly position?: 'before' | 'at';
  /** The roots that are known, so that another project's directory is found. */
  readonly roots?: readonly Root[];
  /** The directory of the new file, instead of the one that follows from the above. */
  readonly sessionDir?: string;
  /** What the root says the file is, if the file itself doesn't tell. */
  readonly dialect?: Dialect;
  readonly stamp?: Stamp;
  readonly disk?: Disk;
}

export interface Fork {
  readonly path: string;
  /** The text of the user or custom message that the fork stands before. */
  readonly prompt?: string;
  /** What the new file holds. */
  readonly written: FileDigest;
}

/**
 * Forks a session into a new file of version 3, which is there whole or not at all.
 *
 * @throws {SessionError} `not-found`, `not-a-session`, `version` (above 3), `unknown-entry`, `changed`, `permission`, `no-space`.
 */
export async function forkSession(path: string, options: ForkOptions = {}): Promise<Fork> {
  return forkLoadedSession(await readSession(resolve(path), options.dialect ? { dialect: options.dialect } : {}), options);
}

/** Forks a session that was just read; see {@link forkSession}. */
export async function forkLoadedSession(session: Session, options: ForkOptions = {}): Promise<Fork> {
  const { entryId, position, targetCwd } = options;
  const stamp = options.stamp ?? systemStamp();
  const cwd = targetCwd === undefined ? undefined : resolve(targetCwd);
  const plan = planFork(session, { ...(entryId === undefined ? {} : { entryId }), ...(position ? { position } : {}), ...(cwd === undefined ? {} : { cwd }) }, stamp);
  const timestamp = String(plan.header['timestamp']);
  const name = sessionFileName(session.dialect, timestamp, String(plan.header['id']));
  const path = join(options.sessionDir === undefined ? await directoryOf(session, cwd, options.roots ?? []) : resolve(options.sessionDir), name);
  const prompt = plan.prompt ? promptText((await readBodies(session, [plan.prompt.id]))[0]) : undefined;
  const written = await writeFork(path, session, plan, timestamp, options.disk);
  return { path, written, ...(prompt === undefined ? {} : { prompt }) };
}

async function writeFork(path: string, session: Session, plan: ForkPlan, timestamp: string, disk?: Disk): Promise<FileDigest> {
  const { file: source, stats } = await openRegularFile(session.path).catch((error: unknown) => {
    throw fileError(error, session.path);
  });
  try {
    return await createFile(
      path,
      async (to) => {
        if (DIALECT_FACTS[session.dialect].hasTitleSlot) {
          await to.line(titleSlotLine({ title: session.name ?? '', ...(session.name === undefined ? {} : { source: 'auto' }), updatedAt: timestamp }).trimEnd());
        }
        await to.line(JSON.stringify(plan.header));
        await copyEntries(source, session, plan.entries, to);
        for (const line of plan.addedLines) await to.line(JSON.stringify(line));
      },
      { mode: Number(stats.mode) & 0o777, ...(disk ? { disk } : {}) },
    );
  } finally {
    await source.close();
  }
}

/** Returns the folder for a fork: that of its source, or the other project's folder in the same root. */
async function directoryOf(session: Session, cwd: string | undefined, roots: readonly Root[]): Promise<string> {
  const folder = (project: string): string => projectFolderName(project, session.dialect, { home: homedir(), temp: tmpdir() });
  const root = rootOf(session.path, roots);
  if (root?.flat) return root.path;
  if (root) return join(root.path, cwd === undefined ? (relative(root.path, dirname(session.path)).split(sep)[0] ?? '') : folder(cwd));
  // A fork of a subagent's session is an independent session, so it goes to the folder of the owner.
  const owner = `${dirname(session.path)}.jsonl`;
  const directory = (await stat(owner).catch(() => undefined)) ? dirname(owner) : dirname(session.path);
  return cwd !== undefined && basename(directory) === folder(session.header.cwd) ? join(dirname(directory), folder(cwd)) : directory;
}

function promptText(entry: Entry | undefined): string {
  if (entry?.type === 'message') return textOf(isObject(entry.message) ? entry.message['content'] : undefined);
  return entry?.type === 'custom_message' ? textOf(entry.content) : '';
}
