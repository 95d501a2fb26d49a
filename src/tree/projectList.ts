/** The projects as the store, the settings and the workspace make them: computed when somebody asks and something changed. */
import * as vscode from 'vscode';
import type { StoredFile } from '../core/index';
import { Places } from './places';
import { projectsOf, type Project } from './projects';
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
  private isCurrent = false;

  constructor(private readonly deps: ProjectListDeps) {}

  current(): readonly Project[] {
    if (!this.isCurrent) this.compute();
    return this.projects;
  }

  /** Files, settings or the workspace are other than they were. */
  outdate(): void {
    this.isCurrent = false;
  }

  async learnWorkspace(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    await this.places.setWorkspace(folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath));
    this.news();
  }

  private compute(): void {
    this.isCurrent = true;
    const { places } = this;
    this.projects = projectsOf({ files: this.deps.files(), workspace: places.workspace(), realPath: places.realPath, ...this.deps.settings() });
    void places.learn(this.projects.map(({ cwd }) => cwd)).then((isNew) => isNew && this.news());
  }

  private news(): void {
    this.outdate();
    this.deps.onNews();
  }
}
