/** The base of a merge of a file that was to be restored. */
import type { Catalog } from '../catalogApi';
import { pointStates } from './pointStates';

/**
 * Returns the text of a file after the last change that a session recorded; `undefined` if it isn't known as a whole, or if there
 * was no file.
 *
 * @throws {SessionError} as `filesAt`
 */
export async function lastRecordedText(
  catalog: Catalog,
  ref: { readonly path: string; readonly entryId: string },
  file: string,
): Promise<string | undefined> {
  const { states } = await pointStates(catalog, ref, { files: [file] });
  const last = states[0]?.last;
  return last === undefined || last.isAbsent ? undefined : last.text;
}
