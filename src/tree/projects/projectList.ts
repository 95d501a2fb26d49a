/** The projects as given by the store, the settings and the workspace. Computed on demand, if something changed. */
import { isAbsolute } from 'node:path';
import { settledWithin, stepCounter, WorktreeFinder, Yielder, type UntrustedPaths, type ListedSession, type Steps } from '../../core/index';
import { MissingFolders } from './missingFolders';
import { RealPathCache } from './realPathCache';
import { withFolderState } from './projectGroup';
import { buildGroups, type ProjectsInput, type SessionGroup, type SessionItem } from './projects';
import { UnfinishedCount } from './unfinishedSessions';
import { updateGroups } from './updateProjects';

/** Milliseconds. A folder on a network may take long to answer. */
const MAX_FOLDER_WAIT = 200;

interface ProjectListDeps {
  readonly files: () => ReadonlyMap<string, ListedSession>;
  readonly named: UntrustedPaths;
  readonly settings: () => Omit<ProjectsInput, 'files' | 'workspace' | 'realPath' | 'isMissing' | 'worktreeOf'>;
  /** Called if a project's folder turned out to be gone or back, or its real path to differ. */
  readonly onFoldersResolved: () => void;
}

export class ProjectList {
  private readonly realPaths: RealPathCache;
  private readonly missing: MissingFolders;
  private readonly worktrees: WorktreeFinder;
  private groups: readonly SessionGroup[] = [];
  private readonly unfinished = new UnfinishedCount();
  /** True if there are sessions of subagents below others. */
  hasFamilies = false;
  /** The files that changed since the last computation; `all` if something besides files did. */
  private changedPaths: Set<string> | 'all' = 'all';
  private work: Promise<void> = Promise.resolve();
  private folderChecks: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: ProjectListDeps) {
    this.realPaths = new RealPathCache(deps.named);
    this.missing = new MissingFolders(deps.named);
    this.worktrees = new WorktreeFinder(deps.named);
  }

  /** The result of the last computation. */
  current(): readonly SessionGroup[] {
    return this.groups;
  }

  /** The number of unfinished sessions among the listed ones. */
  unfinishedCount(): number {
    return this.unfinished.of(this.groups);
  }

  /** Resolves when all changes known by now are included. */
  updated(): Promise<void> {
    const work = this.work.then(() => this.compute());
    this.work = work.catch(() => undefined);
    return work;
  }

  /** Like `updated`, but first checks the folders on the disk, unless that takes long. */
  async updatedWithFolders(): Promise<void> {
    await this.updated();
    await settledWithin(this.folderChecks, MAX_FOLDER_WAIT);
    await this.updated();
  }

  /** @param paths the changed files; without them, settings or the workspace changed */
  invalidate(paths?: Iterable<string>): void {
    if (!paths) this.changedPaths = 'all';
    else if (this.changedPaths !== 'all') for (const path of paths) this.changedPaths.add(path);
  }

  /** @param folders the workspace's folders, with the paths under which they were opened */
  async setWorkspaceFolders(folders: readonly string[]): Promise<void> {
    await this.realPaths.setWorkspace(folders);
    this.foldersResolved();
  }

  /** The cost of an append depends only on the appended data. Yields to the event loop in between. */
  private async compute(): Promise<void> {
    const { changedPaths: changed, realPaths } = this;
    if (changed !== 'all' && changed.size === 0) return;
    this.changedPaths = new Set();
    const input = {
      ...this.deps.settings(),
      files: this.deps.files(),
      workspace: this.workspace(),
      realPath: realPaths.realPath,
      isMissing: this.missing.has,
      worktreeOf: this.worktrees.of,
    };
    const pause = new Yielder(undefined);
    try {
      const after = changed === 'all' ? undefined : await pause.run(updateGroups(this.groups, changed, input));
      this.groups = after ?? (await pause.run(buildGroups(input)));
      if (after) return;
      this.hasFamilies = this.groups.some(({ items }) => items.some(hasSubagents));
    } catch (error) {
      this.changedPaths = 'all';
      throw error;
    }
    const folders = this.groups.flatMap((group) =>
      group.kind === 'project' ? [group, ...(group.worktrees ?? [])].map(({ cwd }) => cwd) : [],
    );
    this.folderChecks = Promise.all([
      this.missing.check(folders).then((isNew) => isNew && this.updateFolderStates()),
      new Yielder(undefined)
        .run(this.folders())
        .then((found) => Promise.all([realPaths.resolve(found), this.worktrees.check([...found, ...realPaths.workspace()])]))
        .then((changes) => changes.includes(true) && this.foldersResolved()),
    ]);
  }

  /** The folders of the workspace. One that is in a worktree stands for the whole repository, whose sessions are one project. */
  private workspace(): readonly string[] {
    const folders = this.realPaths.workspace();
    return [...new Set(folders.flatMap((folder) => [folder, this.worktrees.of(folder)?.repository ?? folder]))];
  }

  /** The folders that sessions work in, whether they are listed or not: a link may lead from them into the workspace. */
  private *folders(): Steps<Set<string>> {
    const found = new Set<string>();
    const isStepEnd = stepCounter();
    for (const file of this.deps.files().values()) {
      if (isStepEnd()) yield;
      if (file.kind !== 'session') continue;
      found.add(file.summary.cwd);
      for (const folder of file.summary.additionalDirectories ?? []) if (isAbsolute(folder)) found.add(folder);
    }
    return found;
  }

  private updateFolderStates(): void {
    // After a computation that is running, whose groups may have been made before.
    this.work = this.work.then(() => {
      this.groups = this.groups.map((group) => withFolderState(group, this.missing.has));
    });
    this.deps.onFoldersResolved();
  }

  private foldersResolved(): void {
    this.invalidate();
    this.deps.onFoldersResolved();
  }
}

const hasSubagents = (item: SessionItem): boolean =>
  item.kind === 'session' && item.children.some((one) => one.kind === 'session' && one.isSubagent);
