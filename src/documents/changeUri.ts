/** The addresses of documents of changed files. Anything can be in an address, so reading one checks each part. */
import * as vscode from 'vscode';
import { CHANGE_SCHEME, type ChangesRef } from '../contract';
import { isArray, uiLine, type ChangeCertainty } from '../core/index';

/** Characters of a path in the address of a document. */
const MAX_PATH_LENGTH = 300;

/** A document of a file. */
export interface ChangeDocument {
  readonly ref: ChangesRef;
  readonly file: string;
  readonly side: Side;
}

/**
 * `before`, `after`: the file before and after all changes of a branch. `at`: the file after the entry. `prior`: the file just
 * before the entry changed it. `oldParts`, `newParts`: only the parts that the entry changed.
 */
const SIDES = ['before', 'after', 'at', 'prior', 'oldParts', 'newParts'] as const;
export type Side = (typeof SIDES)[number];

/** The editor shows the folder next to the file's name, so the folder's name says what isn't exact. */
export function changeUri({ ref, file, side }: ChangeDocument, certaintyText: string | undefined): vscode.Uri {
  const shown = uiLine(file, MAX_PATH_LENGTH)
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  const name = shown.pop() ?? '';
  if (certaintyText !== undefined) shown.push(`${shown.pop() ?? ''} (${certaintyText})`.trim());
  return vscode.Uri.from({
    scheme: CHANGE_SCHEME,
    path: `/${[...shown, name].join('/')}`,
    query: JSON.stringify([ref.path, ref.entryId ?? null, file, side, ...(ref.since === undefined ? [] : [ref.since])]),
  });
}

export function certaintyNote(certainty: Exclude<ChangeCertainty, 'exact'>): string {
  switch (certainty) {
    case 'commands':
      return vscode.l10n.t('may include changes by commands');
    case 'unknown-before':
      return vscode.l10n.t('earlier text not recorded');
    case 'parts':
      return vscode.l10n.t('changed parts only');
  }
}

/** Anything can be in a URI, so each part is checked. */
export function parseChangeUri({ scheme, query }: vscode.Uri): ChangeDocument | undefined {
  if (scheme !== CHANGE_SCHEME) return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(query);
  } catch {
    return undefined;
  }
  const [path, entryId, file, side, since] = isArray(parts) ? parts : [];
  if (typeof path !== 'string' || typeof file !== 'string') return undefined;
  const known = SIDES.find((one) => one === side);
  if (known === undefined) return undefined;
  const ref = { path, ...(typeof entryId === 'string' ? { entryId } : {}), ...(typeof since === 'string' ? { since } : {}) };
  return { ref, file, side: known };
}
