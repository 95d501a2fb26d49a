/**
 * The API that pi's documents describe, with their names and arguments. Its writes go through the same writer as all
 * other changes. A file of version 1 or 2 can be read; appending is refused until it's migrated. FORMAT section 6, rule
 * 8.
 */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { defined } from '../../format/entry/defined';
import { forkFolderOf } from '../database/databaseForks';
import { liveFolderOf } from '../locate/archiveFolders';
import { DIALECT_FACTS, type Dialect } from '../../format/entry/dialect';
import { CURRENT_VERSION, type JsonObject } from '../../format/entry/entry';
import { planFork } from '../../format/write/fork';
import { migrateLine } from '../../format/parse/migrateLine';
import { newSessionId, sessionFileName, type Stamp } from '../../format/write/sessionNames';
import { SessionError } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import { defaultSessionDir, dialectOfPath } from '../locate/defaultSessionDir';
import { forkLoadedSession } from '../write/forkSession';
import { listFiles } from '../locate/listFiles';
import {
  readHeader,
  readSessionInfos,
  sessionFilesIn,
  toListOptions,
  type ListArgument,
  type ListOptions,
  type OnProgress,
  type SessionInfo,
} from './listSessions';
import { currentEnvironment, findRoots } from '../locate/roots';
import { SessionAppendApi } from './sessionAppendApi';
import { readSession } from '../read/sessionFile';
import { assertEntry } from '../../format/session/requireEntry';
import { emptySession, BufferedSession } from './bufferedSession';
import { currentLines } from './currentLines';
import { systemStamp } from '../write/systemStamp';
import { createWriter, type Writer } from '../write/sessionWriter';

/** Options of {@link SessionManager}. */
export interface ManagerOptions {
  /** By default that of the file or its folder, otherwise `pi`. */
  readonly dialect?: Dialect;
  /** Should be shared with other code that writes to the same files in this process. */
  readonly writer?: Writer;
  /** Source of ids and times. */
  readonly stamp?: Stamp;
}

/** Header fields of a new session. FORMAT section 2. */
export interface NewSessionOptions {
  readonly id?: string;
  readonly parentSession?: string;
}

export interface CreateOptions extends ManagerOptions, NewSessionOptions {}

/** Options, or as in pi the working directory alone, which then counts instead of the header's. */
export type OpenArgument = ManagerOptions | string;

/**
 * The API that pi's documents describe, with their names and arguments. Getters return synchronously. An append changes
 * memory at the call, and resolves once it's on disk; appends that aren't awaited keep their order. Opening a file
 * changes nothing. FORMAT section 6.
 */
export class SessionManager extends SessionAppendApi {
  protected buffer: BufferedSession;
  private file: string | undefined;
  private readonly writer: Writer;
  private readonly stamp: Stamp;

  private constructor(
    private cwd: string,
    private readonly sessionDir: string,
    private readonly persist: boolean,
    private readonly dialect: Dialect,
    options: CreateOptions,
  ) {
    super();
    this.stamp = options.stamp ?? systemStamp();
    this.writer = options.writer ?? createWriter(this.stamp);
    this.buffer = this.start(options);
  }

  /**
   * Creates a session. Its file is created with the first user or assistant message.
   *
   * @throws {SessionError} `invalid` for an unusable id; `read-only` for a dialect that is never written.
   */
  static create(cwd: string, sessionDir?: string, options: CreateOptions = {}): SessionManager {
    const dialect = options.dialect ?? (sessionDir === undefined ? undefined : dialectOfPath(resolve(sessionDir))) ?? 'pi';
    if (!DIALECT_FACTS[dialect].writable)
      throw new SessionError('read-only', '{program} sessions are read-only here.', { program: DIALECT_FACTS[dialect].label });
    const project = resolve(cwd);
    return new SessionManager(project, resolve(sessionDir ?? defaultSessionDir(project, dialect)), true, dialect, options);
  }

  /**
   * Opens a file without changing it.
   *
   * @throws {SessionError} `not-found`, `not-a-session` or `permission`.
   */
  static async open(path: string, sessionDir?: string, given: OpenArgument = {}): Promise<SessionManager> {
    const [cwd, options] = typeof given === 'string' ? [given, {}] : [undefined, given];
    const full = resolve(path);
    const session = await readSession(full, { dialect: options.dialect ?? dialectOfPath(full) ?? 'pi' });
    const manager = new SessionManager(
      process.cwd(),
      resolve(sessionDir ?? (await forkFolderOf(full)) ?? liveFolderOf(full)),
      true,
      session.dialect,
      options,
    );
    manager.use(session, cwd);
    return manager;
  }

  /** Opens the project's session whose file changed last, or creates one. */
  static async continueRecent(cwd: string, sessionDir?: string, options: ManagerOptions = {}): Promise<SessionManager> {
    const dir = resolve(sessionDir ?? defaultSessionDir(resolve(cwd), options.dialect ?? 'pi'));
    // A file that vanished meanwhile sorts last, and then isn't found.
    const files = await Promise.all(
      (await sessionFilesIn(dir)).map(async (path) => ({
        path,
        time: await stat(path).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      })),
    );
    for (const { path } of files.sort((a, b) => b.time - a.time)) {
      const manager = await SessionManager.open(path, dir, options).catch((error: unknown) => {
        if (error instanceof SessionError) return undefined;
        throw error;
      });
      if (manager && isOfProject(manager.getHeader().cwd, cwd, sessionDir !== undefined)) return manager;
    }
    return SessionManager.create(cwd, dir, options);
  }

  /**
   * Creates a session that never has a file.
   *
   * @param entries lines to begin with, of any version. Their header, if there is one, is that of the session.
   * @throws {SessionError} `invalid` for an unusable id.
   */
  static inMemory(cwd: string = process.cwd(), options: CreateOptions = {}, entries: readonly JsonObject[] = []): SessionManager {
    const manager = new SessionManager(resolve(cwd), '', false, options.dialect ?? 'pi', options);
    if (entries.length > 0) {
      const { header, lines } = currentLines(manager.getHeader(), entries, manager.dialect);
      manager.buffer = manager.logOf(emptySession(header, '', manager.dialect), undefined, false, lines);
    }
    return manager;
  }

  /**
   * Copies a whole session with all branches to another project.
   *
   * @throws {SessionError} `invalid` for an unusable id; as `forkSession`.
   */
  static async forkFrom(
    sourcePath: string,
    targetCwd: string,
    sessionDir?: string,
    options: ManagerOptions & Pick<NewSessionOptions, 'id'> = {},
  ): Promise<SessionManager> {
    if (options.id !== undefined) assertSessionId(options.id);
    const path = resolve(sourcePath);
    const source = await readSession(path, { dialect: options.dialect ?? dialectOfPath(path) ?? 'pi' });
    const cwd = resolve(targetCwd);
    const stamp = options.stamp ?? systemStamp();
    const writer = options.writer ?? createWriter(stamp);
    const fork = await forkLoadedSession(source, {
      targetCwd: cwd,
      sessionDir: sessionDir ?? defaultSessionDir(cwd, source.dialect),
      stamp,
      ...(options.id === undefined ? {} : { id: options.id }),
    });
    await writer.own(fork.path);
    return SessionManager.open(fork.path, sessionDir, { writer, stamp, dialect: source.dialect });
  }

  /**
   * Returns the path of the project's session with exactly this id, from the beginnings of the files; `undefined` if
   * there is none.
   */
  static async findById(cwd: string, id: string, sessionDir?: string, options: ListOptions = {}): Promise<string | undefined> {
    const dir = resolve(sessionDir ?? defaultSessionDir(resolve(cwd), options.dialect ?? 'pi'));
    const files = await sessionFilesIn(dir, options.onProblem);
    // Files are usually named after their session.
    for (const path of [...files.filter((file) => file.includes(id)), ...files.filter((file) => !file.includes(id))]) {
      try {
        const header = await readHeader(path);
        if (header?.id === id && isOfProject(header.cwd, cwd, sessionDir !== undefined)) return path;
      } catch (error) {
        options.onProblem?.(path, error);
      }
    }
    return undefined;
  }

  /**
   * Lists the sessions of a project, newest first.
   *
   * @throws the signal's reason when it is aborted.
   */
  static async list(cwd: string, sessionDir?: string, onProgress?: OnProgress, given?: ListArgument): Promise<SessionInfo[]> {
    const options = toListOptions(given);
    options.signal?.throwIfAborted();
    const dir = resolve(sessionDir ?? defaultSessionDir(resolve(cwd), options.dialect ?? 'pi'));
    const files = await sessionFilesIn(dir, options.onProblem, sessionDir !== undefined);
    return readSessionInfos(files, options, onProgress, (info) => isOfProject(info.cwd, cwd, sessionDir !== undefined));
  }

  /**
   * Lists the sessions of all projects of one dialect, newest first, without those of subagents; with a folder, the
   * sessions in it.
   *
   * @throws the signal's reason when it is aborted.
   */
  static async listAll(onProgress?: OnProgress, options?: ListArgument): Promise<SessionInfo[]>;
  static async listAll(sessionDir: string, onProgress?: OnProgress, options?: ListArgument): Promise<SessionInfo[]>;
  static async listAll(...given: readonly (string | OnProgress | ListArgument | undefined)[]): Promise<SessionInfo[]> {
    const folder = given.find((one) => typeof one === 'string');
    const onProgress = given.find((one) => typeof one === 'function');
    const options = toListOptions(given.find((one) => typeof one === 'object'));
    options.signal?.throwIfAborted();
    if (folder !== undefined) return readSessionInfos(await sessionFilesIn(resolve(folder), options.onProblem, true), options, onProgress);
    const onProblem = options.onProblem ?? (() => undefined);
    const roots = (await findRoots(currentEnvironment(), onProblem)).filter((root) => root.dialect === (options.dialect ?? 'pi'));
    const files = (await listFiles(roots, onProblem)).files.filter((file) => file.owner === undefined);
    return readSessionInfos(
      files.map((file) => file.path),
      options,
      onProgress,
    );
  }

  /**
   * Replaces the current session with a new one.
   *
   * @returns the path of the file that will be created.
   * @throws {SessionError} `invalid` for an unusable id.
   */
  newSession(options: NewSessionOptions = {}): string | undefined {
    this.buffer = this.start(options);
    return this.file;
  }

  /**
   * Replaces the current session with that of another file.
   *
   * @throws {SessionError} as `open`.
   */
  async setSessionFile(sessionFile: string): Promise<void> {
    const path = resolve(sessionFile);
    this.use(await readSession(path, { dialect: dialectOfPath(path) ?? this.dialect }));
  }

  /**
   * Creates a file with the path to an entry, writes it at once, and continues with it.
   *
   * @returns its path; `undefined` in memory.
   */
  async createBranchedSession(leafId: string): Promise<string | undefined> {
    assertEntry(this.buffer.session, leafId);
    await this.buffer.create();
    if (!this.persist) {
      this.buffer = this.branchedInMemory(leafId);
      return undefined;
    }
    const { path } = await forkLoadedSession(this.buffer.session, {
      entryId: leafId,
      position: 'at',
      sessionDir: this.sessionDir,
      stamp: this.stamp,
    });
    await this.writer.own(path);
    await this.setSessionFile(path);
    return path;
  }

  isPersisted(): boolean {
    return this.persist;
  }

  getCwd(): string {
    return this.cwd;
  }

  getSessionDir(): string {
    return this.sessionDir;
  }

  /** Returns true if new sessions go to the project's default folder. */
  usesDefaultSessionDir(): boolean {
    return this.sessionDir === resolve(defaultSessionDir(resolve(this.cwd), this.dialect));
  }

  getSessionFile(): string | undefined {
    return this.file;
  }

  private use(session: Session, cwd = session.header.cwd): void {
    this.file = session.path;
    this.cwd = cwd || this.cwd;
    // A session in memory may begin with a file's entries, but never writes to that file.
    this.buffer = this.logOf(session, this.persist ? session.path : undefined, this.persist);
  }

  private start({ id = newSessionId(this.stamp), parentSession }: NewSessionOptions): BufferedSession {
    assertSessionId(id);
    const timestamp = this.stamp.now().toISOString();
    this.file = this.persist ? join(this.sessionDir, sessionFileName(this.dialect, timestamp, id)) : undefined;
    const header = {
      type: 'session',
      version: CURRENT_VERSION,
      id,
      timestamp,
      cwd: this.cwd,
      ...defined({ parentSession }),
    };
    return this.logOf(emptySession(header, this.file ?? '', this.dialect), this.file, false);
  }

  private branchedInMemory(leafId: string): BufferedSession {
    const plan = planFork(this.buffer.session, { entryId: leafId, position: 'at' }, this.stamp);
    const bodies = this.buffer.bodies(plan.entries.map(({ head }) => head));
    const lines = plan.entries.map(({ target }, index): JsonObject => migrateLine(bodies[index] as unknown as JsonObject, target));
    const header = Object.fromEntries(Object.entries(plan.header).filter(([key]) => key !== 'parentSession'));
    return this.logOf(emptySession(header, '', this.dialect), undefined, false, [...lines, ...plan.addedLines]);
  }

  private logOf(session: Session, path: string | undefined, persisted: boolean, lines: readonly JsonObject[] = []): BufferedSession {
    return new BufferedSession(session, path, persisted, { writer: this.writer, stamp: this.stamp }, lines);
  }
}

function assertSessionId(id: string): void {
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(id))
    throw new SessionError('invalid', 'Can’t use this as a session ID because it isn’t a valid file name: {id}', { id });
}

/**
 * Folder names lose information, so the header decides. Sessions without a project belong to the default folder's
 * project, but to none in a chosen folder.
 */
function isOfProject(sessionCwd: string, cwd: string, chosen: boolean): boolean {
  return sessionCwd === '' ? !chosen : resolve(sessionCwd) === resolve(cwd);
}
