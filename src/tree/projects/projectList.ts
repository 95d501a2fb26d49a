/** The projects as given by the store, the settings and the workspace. Computed on demand, if something changed. */
import { isAbsolute } from 'node:path';
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
  /** Called if a project's real folder turned out to differ from its path. */
  readonly onFoldersResolved: () => void;
}

export class ProjectList {
  private readonly realPaths: RealPathCache;
  private projects: readonly Project[] = [];
  /** The files that changed since the last computation; `all` if something besides files did. */
  private changedPaths: Set<string> | 'all' = 'all';
  private work: Promise<void> = Promise.resolve();

  constructor(private readonly deps: ProjectListDeps) {
    this.realPaths = new RealPathCache(deps.named);
  }

  /** The result of the last computation. */
  current(): readonly Project[] {
    return this.projects;
  }

  /** Resolves when all changes known by now are included. */
  updated(): Promise<void> {
    const work = this.work.then(() => this.compute());
    this.work = work.catch(() => undefined);
    return work;
  }

  /** @param paths the changed files; without them, settings or the workspace changed */
  invalidate(paths?: Iterable<string>): void {
    if (!paths) this.changedPaths = 'all';
    else if (this.changedPaths !== 'all') for (const path of paths) this.changedPaths.add(path);
  }

  /** @param folders the workspace's folders, as they were opened */
  async setWorkspaceFolders(folders: readonly string[]): Promise<void> {
    await this.realPaths.setWorkspace(folders);
    this.foldersResolved();
  }

  /** An append costs what was appended. Computing all projects yields to the event loop in between. */
  private async compute(): Promise<void> {
    const { changedPaths: changed, realPaths } = this;
    if (changed !== 'all' && changed.size === 0) return;
    this.changedPaths = new Set();
    const input = { files: this.deps.files(), workspace: realPaths.workspace(), realPath: realPaths.realPath, ...this.deps.settings() };
    const after = changed === 'all' ? undefined : updateProjects(this.projects, changed, input);
    try {
      this.projects = after ?? (await runCooperatively(buildProjects(input)));
    } catch (error) {
      this.changedPaths = 'all';
      throw error;
    }
    if (!after) void realPaths.resolve(this.folders()).then((isNew) => isNew && this.foldersResolved());
  }

  /** The folders that sessions work in. */
  private folders(): string[] {
    const files = [...this.deps.files().values()];
    const others = files.flatMap((file) => (file.kind === 'session' ? (file.summary.additionalDirectories ?? []) : []));
    return [...this.projects.map(({ cwd }) => cwd), ...others.filter((folder) => isAbsolute(folder))];
  }

  private foldersResolved(): void {
    this.invalidate();
    this.deps.onFoldersResolved();
  }
}
