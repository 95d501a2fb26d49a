/** URIs of Markdown documents. The path is the title on the tab; the query identifies the session, the entry and the fork point. */
import * as vscode from 'vscode';
import { DOCUMENT_SCHEME, type SessionRef } from '../contract';
import { beginning, isArray } from '../core/index';

/** Characters of a title on a tab. */
const MAX_TITLE_LENGTH = 50;

/** Identifies a document: a branch, or the part of it after a fork point. */
export interface DocumentRef extends SessionRef {
  /** For one side of a comparison: the last entry that both sides have, `null` if they have none in common. */
  readonly since?: string | null;
}

export function documentUri(ref: DocumentRef, title: string): vscode.Uri {
  return vscode.Uri.from({ scheme: DOCUMENT_SCHEME, path: `/${fileName(title)}.md`, query: documentKey(ref) });
}

/** Returns the part of the URI that identifies a document, independently of its title. */
export function documentKey({ path, entryId, since }: DocumentRef): string {
  if (since !== undefined) return JSON.stringify([path, entryId ?? null, since]);
  return JSON.stringify(entryId === undefined ? [path] : [path, entryId]);
}

/** Returns the content of a document by its URI; `undefined` if the URI isn't one of ours. Each part is checked, because a URI may have any text. */
export function parseDocumentUri(uri: vscode.Uri): DocumentRef | undefined {
  if (uri.scheme !== DOCUMENT_SCHEME) return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(uri.query);
  } catch {
    return undefined;
  }
  const [path, entryId, since] = isArray(parts) ? parts : [];
  if (typeof path !== 'string') return undefined;
  return {
    path,
    ...(typeof entryId === 'string' ? { entryId } : {}),
    ...(typeof since === 'string' || since === null ? { since } : {}),
  };
}

/** Turns a title into a file name: one line, without separators and without characters that URIs, tabs or lists of tabs (`$(icon)`) interpret. */
function fileName(title: string): string {
  const name = beginning(title, 10 * MAX_TITLE_LENGTH)
    // A zero-width joiner is part of many emoji.
    .replace(/(?:(?!\u200d)[/\\:*?"<>|#%$\p{C}\s])+/gu, ' ')
    .trim();
  const short = name.length > MAX_TITLE_LENGTH ? `${beginning(name, MAX_TITLE_LENGTH - 1).trim()}…` : name;
  return short.replace(/^\.+/, '') || 'session';
}
