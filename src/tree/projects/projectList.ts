/** The projects as the store, the settings and the workspace make them: computed when somebody asks and something changed. */
import type { UntrustedPaths, ListedSession } from '../../core/index';
import { RealPathCache } from './realPathCache';
import { buildProjects, type Project } from './projects';
import { updateProjects } from './updateProjects';
import type { ViewSettings } from '../view/viewSettings';
import { runCooperatively } from '../cooperativeTask';

export interface ProjectListDeps {
  readonly files: () => ReadonlyMap<string, ListedSession>;
  readonly named: UntrustedPaths;
  readonly settings: () => Pick<ViewSettings, 'program' | 'hideEmpty'>;
  /** Folders turned out to be others than they seemed. */
  readonly onFoldersResolved: () => void;
}

export class ProjectList {
  private readonly realPaths: RealPathCache;
  private projects: readonly Project[] = [];
  /** What changed since they were computed; `all`: not only files did. */
  private changedPaths: Set<string> | 'all' = 'all';
  private work: Promise<void> = Promise.resolve();

  constructor(private readonly deps: ProjectListDeps) {
    this.realPaths = new RealPathCache(deps.named);
  }

  /** As they were computed last. */
  current(): readonly Project[] {
    return this.projects;
  }

  /** Resolves when all that is known of by now is in them. */
  updated(): Promise<void> {
    const work = this.work.then(() => this.compute());
    this.work = work.catch(() => undefined);
    return work;
  }

  /** These files are other than they were; without them: settings or the workspace are. */
  invalidate(paths?: Iterable<string>): void {
    if (!paths) this.changedPaths = 'all';
    else if (this.changedPaths !== 'all') for (const path of paths) this.changedPaths.add(path);
  }

  /** @param folders of the workspace, as they were opened */
  async setWorkspaceFolders(folders: readonly string[]): Promise<void> {
    await this.realPaths.setWorkspace(folders);
    this.foldersResolved();
  }

  /** What is appended costs what was appended; all of them are computed in turns. */
  private async compute(): Promise<void> {
    const { changedPaths: news, realPaths: places } = this;
    if (news !== 'all' && news.size === 0) return;
    this.changedPaths = new Set();
    const input = { files: this.deps.files(), workspace: places.workspace(), realPath: places.realPath, ...this.deps.settings() };
    const after = news === 'all' ? undefined : updateProjects(this.projects, news, input);
    try {
      this.projects = after ?? (await runCooperatively(buildProjects(input)));
    } catch (error) {
      this.changedPaths = 'all';
      throw error;
    }
    if (!after) void places.resolve(this.projects.map(({ cwd }) => cwd)).then((isNew) => isNew && this.foldersResolved());
  }

  /** Folders are others than they seemed. */
  private foldersResolved(): void {
    this.invalidate();
    this.deps.onFoldersResolved();
  }
}
