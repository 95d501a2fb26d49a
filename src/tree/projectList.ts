/** The projects as the store, the settings and the workspace make them: computed when somebody asks and something changed. */
import * as vscode from 'vscode';
import type { StoredFile } from '../core/index';
import { Places } from './places';
import { projectsOf, type Project } from './projects';
import { projectsAfter } from './projectsAfter';
import type { ViewSettings } from './settings';

export interface ProjectListDeps {
  readonly files: () => ReadonlyMap<string, StoredFile>;
  readonly settings: () => ViewSettings;
  /** Folders turned out to be others than they seemed. */
  readonly onNews: () => void;
}

export class ProjectList {
  private readonly places = new Places();
  private projects: readonly Project[] = [];
  /** What changed since they were computed; `all`: not only files did. */
  private news: Set<string> | 'all' = 'all';

  constructor(private readonly deps: ProjectListDeps) {}

  current(): readonly Project[] {
    if (this.news === 'all' || this.news.size > 0) this.compute(this.news);
    return this.projects;
  }

  /** These files are other than they were; without them: settings or the workspace are. */
  outdate(paths?: Iterable<string>): void {
    if (!paths) this.news = 'all';
    else if (this.news !== 'all') for (const path of paths) this.news.add(path);
  }

  async learnWorkspace(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    await this.places.setWorkspace(folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath));
    this.moved();
  }

  private compute(news: ReadonlySet<string> | 'all'): void {
    const { places } = this;
    const input = { files: this.deps.files(), workspace: places.workspace(), realPath: places.realPath, ...this.deps.settings() };
    this.news = new Set();
    const after = news === 'all' ? undefined : projectsAfter(this.projects, news, input);
    this.projects = after ?? projectsOf(input);
    if (!after) void places.learn(this.projects.map(({ cwd }) => cwd)).then((isNew) => isNew && this.moved());
  }

  /** Folders are others than they seemed. */
  private moved(): void {
    this.outdate();
    this.deps.onNews();
  }
}
