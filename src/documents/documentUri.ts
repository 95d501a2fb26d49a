/** The address of a readable document: its path is for people, who see it on the tab; its query says what it shows. */
import * as vscode from 'vscode';
import { DOCUMENT_SCHEME, type SessionRef } from '../contract';

/** Characters of a title that are shown on a tab. */
const MAX_TITLE_LENGTH = 50;

/** What a document shows: a branch, or of it what comes after a fork point. */
export interface DocumentRef extends SessionRef {
  /** A side of a comparison: the entry that both sides have last, `null` where they have nothing in common. */
  readonly since?: string | null;
}

export function documentUri(ref: DocumentRef, title: string): vscode.Uri {
  return vscode.Uri.from({ scheme: DOCUMENT_SCHEME, path: `/${fileName(title)}.md`, query: documentKey(ref) });
}

/** What tells one document from another, whatever it is called at the moment. */
export function documentKey({ path, entryId, since }: DocumentRef): string {
  if (since !== undefined) return JSON.stringify([path, entryId ?? null, since]);
  return JSON.stringify(entryId === undefined ? [path] : [path, entryId]);
}

/** What a document shows, `undefined` if the address is none of ours. */
export function parseDocumentUri(uri: vscode.Uri): DocumentRef | undefined {
  if (uri.scheme !== DOCUMENT_SCHEME) return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(uri.query);
  } catch {
    return undefined;
  }
  const [path, entryId, since] = Array.isArray(parts) ? (parts as unknown[]) : [];
  if (typeof path !== 'string') return undefined;
  return {
    path,
    ...(typeof entryId === 'string' ? { entryId } : {}),
    ...(typeof since === 'string' || since === null ? { since } : {}),
  };
}

/** A title as a file's name: one line, no separators, nothing that addresses, tabs or lists of tabs (`$(icon)`) read as something else. */
function fileName(title: string): string {
  const name = Array.from(title.slice(0, 10 * MAX_TITLE_LENGTH).replace(/[/\\:*?"<>|#%$\p{C}\s]+/gu, ' ').trim());
  const short = name.length > MAX_TITLE_LENGTH ? `${name.slice(0, MAX_TITLE_LENGTH - 1).join('').trim()}…` : name.join('');
  return short.replace(/^\.+/, '') || 'session';
}
