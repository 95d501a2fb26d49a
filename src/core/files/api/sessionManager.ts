/**
 * The API that pi's documents describe, with their names and arguments. Its writes go through the same writer as all
 * other changes. A file of version 1 or 2 can be read; appending is refused until it's migrated. FORMAT section 6, rule
 * 8.
 */
import { join, resolve } from 'node:path';
import { forkFolderOf } from '../database/databaseForks';
import { unarchivedFolderOf } from '../locate/programs/archiveFolders';
import { DIALECT_FACTS, type Dialect } from '../../format/entry/dialect';
import type { JsonObject } from '../../format/values/jsonValues';
import { sessionFileName, type Stamp } from '../../format/write/sessionNames';
import { SessionError } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import { defaultSessionDir, dialectOfPath } from '../locate/programs/programFolders';
import { forkLoadedSession } from '../write/forkSession';
import { newSessionHeader, type NewSessionOptions } from './newSession';
import { findSessionById, isOfProject, listAllSessions, listProjectSessions, newestFiles, projectFolder } from './projectSessions';
import { SessionAppendApi } from './sessionAppendApi';
import { readSession } from '../read/sessionFile';
import { assertEntry } from '../../format/session/requireEntry';
import { emptySession, BufferedSession } from './bufferedSession';
import { currentLines } from './currentLines';
import { branchedSessionLines, forkToProject } from './forkedSessions';
import { systemStamp } from '../write/systemStamp';
import { createWriter, type Writer } from '../write/sessionWriter';

/** Options of {@link SessionManager}. */
export interface ManagerOptions {
  /** By default the dialect of the file or its folder, otherwise `pi`. */
  readonly dialect?: Dialect;
  /** Should be shared with other code that writes to the same files in this process. */
  readonly writer?: Writer;
  /** Source of ids and times. */
  readonly stamp?: Stamp;
}

/** Options of {@link SessionManager.create} and {@link SessionManager.inMemory}. */
export interface CreateOptions extends ManagerOptions, NewSessionOptions {}

/** Options, or as in pi the working directory alone, which then counts instead of the header's. */
export type OpenArgument = ManagerOptions | string;

/**
 * The API that pi's documents describe, with their names and arguments. Getters return synchronously. An append changes
 * memory at the call, and resolves once it's on disk; appends that aren't awaited keep their order. Opening a file
 * changes nothing. FORMAT section 6.
 */
export class SessionManager extends SessionAppendApi {
  /**
   * Returns the path of the project's session with exactly this id, from the beginnings of the files; `undefined` if
   * there is none.
   */
  static readonly findById = findSessionById;
  /** Lists the sessions of a project, newest first. @throws the signal's reason when it is aborted. */
  static readonly list = listProjectSessions;
  /**
   * Lists the sessions of all projects of one dialect, newest first, without sessions of subagents; with a folder, the
   * sessions in it. @throws the signal's reason when it is aborted.
   */
  static readonly listAll = listAllSessions;

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
      resolve(sessionDir ?? (await forkFolderOf(full)) ?? unarchivedFolderOf(full)),
      true,
      session.dialect,
      options,
    );
    manager.use(session, cwd);
    return manager;
  }

  /** Opens the project's session whose file changed last, or creates one. */
  static async continueRecent(cwd: string, sessionDir?: string, options: ManagerOptions = {}): Promise<SessionManager> {
    const dir = projectFolder(cwd, sessionDir, options.dialect);
    for (const path of await newestFiles(dir)) {
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
   * @param entries lines to begin with, of any version. If they have a header, the session uses it.
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
    const { path, ...manager } = await forkToProject(sourcePath, targetCwd, sessionDir, options);
    return SessionManager.open(path, sessionDir, manager);
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
   * Replaces the current session with the session of another file.
   *
   * @throws {SessionError} as `open`.
   */
  async setSessionFile(sessionFile: string): Promise<void> {
    const path = resolve(sessionFile);
    this.use(await readSession(path, { dialect: dialectOfPath(path) ?? this.dialect }));
  }

  /**
   * Creates a file with the path to an entry, writes it immediately, and continues with it.
   *
   * @returns its path; `undefined` in memory.
   */
  async createBranchedSession(leafId: string): Promise<string | undefined> {
    assertEntry(this.buffer.session, leafId);
    await this.buffer.create();
    if (!this.persist) {
      const { header, lines } = branchedSessionLines(this.buffer, leafId, this.stamp);
      this.buffer = this.logOf(emptySession(header, '', this.dialect), undefined, false, lines);
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

  private start(options: NewSessionOptions): BufferedSession {
    const header = newSessionHeader(this.cwd, this.stamp, options);
    this.file = this.persist ? join(this.sessionDir, sessionFileName(this.dialect, header.timestamp, header.id)) : undefined;
    return this.logOf(emptySession(header, this.file ?? '', this.dialect), this.file, false);
  }

  private logOf(session: Session, path: string | undefined, persisted: boolean, lines: readonly JsonObject[] = []): BufferedSession {
    return new BufferedSession(session, path, persisted, { writer: this.writer, stamp: this.stamp }, lines);
  }
}
