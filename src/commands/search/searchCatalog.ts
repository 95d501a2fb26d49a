/** From what was typed and chosen to hits: what people call projects and tools becomes what the catalog knows. */
import * as vscode from 'vscode';
import type { Catalog, SearchHit, SearchOptions } from '../../core/index';
import { matchFolders, parseSearchQuery, matchTools } from './searchQuery';

/** What is narrowed down beside the text. */
export interface SearchScope {
  readonly roles?: readonly string[];
  /** Only entries with a label. */
  readonly labeled?: boolean;
  /** Only the projects that are open in the window. */
  readonly openProjects?: boolean;
  /** Only active branches. */
  readonly active?: boolean;
}

export async function searchCatalog(catalog: Catalog, text: string, { limit, signal, ...chosen }: SearchScope & Pick<SearchOptions, 'limit' | 'signal'> = {}): Promise<SearchHit[]> {
  const typed = parseSearchQuery(text);
  const roles = [...(typed.roles ?? []), ...(chosen.roles ?? [])];
  const known = typed.tools ? await catalog.tools() : [];
  const tools = typed.tools?.flatMap((tool) => matchTools(tool, known));
  const project = await projectFolders(catalog, typed.projects, chosen.openProjects === true);
  const labels = typed.labels ?? (chosen.labeled ? [''] : undefined);
  return catalog.search(typed.query, {
    ...(roles.length > 0 ? { roles } : {}),
    ...(tools ? { tools } : {}),
    ...(typed.files ? { files: typed.files } : {}),
    ...(labels ? { labels } : {}),
    ...(project ? { project } : {}),
    ...(chosen.active ? { active: true } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...(signal ? { signal } : {}),
  });
}

/** A project that is named goes before those that are open. */
async function projectFolders(catalog: Catalog, named: readonly string[] | undefined, here: boolean): Promise<string[] | undefined> {
  if (!named) return here ? workspaceFolderPaths() : undefined;
  const folders = (await catalog.sessions()).map((row) => row.cwd);
  return named.flatMap((name) => matchFolders(name, folders));
}

/** The folders of this window that lie on the disk. */
export const workspaceFolderPaths = (): string[] => (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
