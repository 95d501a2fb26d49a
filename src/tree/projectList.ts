/** The projects as the store, the settings and the workspace make them: computed when somebody asks and something changed. */
import type { NamedPaths, StoredFile } from '../core/index';
import { Places } from './places';
import { projectsOf, type Project } from './projects';
import { projectsAfter } from './projectsAfter';
import type { ViewSettings } from './settings';
import { inTurns } from './steps';

export interface ProjectListDeps {
  readonly files: () => ReadonlyMap<string, StoredFile>;
  readonly named: NamedPaths;
  readonly settings: () => Pick<ViewSettings, 'program' | 'hideEmpty'>;
  /** Folders turned out to be others than they seemed. */
  readonly onNews: () => void;
}

export class ProjectList {
  private readonly places: Places;
  private projects: readonly Project[] = [];
  /** What changed since they were computed; `all`: not only files did. */
  private news: Set<string> | 'all' = 'all';
  private work: Promise<void> = Promise.resolve();

  constructor(private readonly deps: ProjectListDeps) {
    this.places = new Places(deps.named);
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
  outdate(paths?: Iterable<string>): void {
    if (!paths) this.news = 'all';
    else if (this.news !== 'all') for (const path of paths) this.news.add(path);
  }

  /** @param folders of the workspace, as they were opened */
  async learnWorkspace(folders: readonly string[]): Promise<void> {
    await this.places.setWorkspace(folders);
    this.moved();
  }

  /** What is appended costs what was appended; all of them are computed in turns. */
  private async compute(): Promise<void> {
    const { news, places } = this;
    if (news !== 'all' && news.size === 0) return;
    this.news = new Set();
    const input = { files: this.deps.files(), workspace: places.workspace(), realPath: places.realPath, ...this.deps.settings() };
    const after = news === 'all' ? undefined : projectsAfter(this.projects, news, input);
    try {
      this.projects = after ?? (await inTurns(projectsOf(input)));
    } catch (error) {
      this.news = 'all';
      throw error;
    }
    if (!after) void places.learn(this.projects.map(({ cwd }) => cwd)).then((isNew) => isNew && this.moved());
  }

  /** Folders are others than they seemed. */
  private moved(): void {
    this.outdate();
    this.deps.onNews();
  }
}
