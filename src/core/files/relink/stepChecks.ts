/** Checks the paths of recorded steps of moves, which move and remove files. */
import { realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { asString, type JsonObject } from '../../format/values/jsonValues';
import { SessionError } from '../../format/entry/problem';
import { readLine } from '../../format/parse/readLine';
import { errorCode } from '../io/fileErrors';
import type { RootGuard } from '../locate/readOnlyRoots';
import { rootOf, type Root } from '../locate/roots';
import type { MoveStep } from '../write/moveLog';
import { linkedError } from './relocate';

/** The known roots, and the guard of the read-only ones. */
interface StepTools {
  readonly roots: () => readonly Root[];
  readonly writer: { readonly assertChangeable: RootGuard };
}

/** Returns the folder that a header names. */
export const folderIn = (header: string): string | undefined => asString(headerIn(header)?.['cwd']);

/** Returns a header from a text that is one and nothing else. */
function headerIn(text: string): JsonObject | undefined {
  if (text.includes('\n') || !text.startsWith('{') || !text.endsWith('}')) return undefined;
  const read = readLine(text, Buffer.byteLength(text));
  if (read.kind !== 'objects' || read.rest || read.objects.length !== 1) return undefined;
  const [only] = read.objects;
  return only && !only.isDamaged && only.value['type'] === 'session' ? only.value : undefined;
}

/**
 * Checks that both paths of a step are in one root, and that no link in the folders below it leads elsewhere. A session
 * whose path stays may be in a linked folder: nothing but its header is replaced.
 *
 * @throws {SessionError} `invalid` if they aren't; as `assertChangeable`. @throws {NodeJS.ErrnoException} the system's errors.
 */
export async function assertInRoot({ path, newPath }: Pick<MoveStep, 'path' | 'newPath'>, { roots, writer }: StepTools): Promise<void> {
  const root = roots().find((one) => [path, newPath].every((each) => rootOf(each, [one])));
  if (!root) throw new SessionError('invalid', 'This session isn’t in any of your session folders: {path}', { path });
  for (const each of [path, newPath]) await writer.assertChangeable(each);
  if (path !== newPath) for (const each of [path, newPath]) await assertNoLink(dirname(each), root.path);
}

/** True if {@link assertInRoot} refuses nothing. @throws {NodeJS.ErrnoException} the system's errors */
export async function isInRoot(step: Pick<MoveStep, 'path' | 'newPath'>, tools: StepTools): Promise<boolean> {
  try {
    await assertInRoot(step, tools);
    return true;
  } catch (error) {
    if (error instanceof SessionError) return false;
    throw error;
  }
}

async function assertNoLink(folder: string, root: string): Promise<void> {
  const expected = join(await realpath(root), relative(root, folder));
  try {
    if ((await realpath(folder)) !== expected) throw linkedError(folder);
  } catch (error) {
    // A missing folder is created in the nearest existing folder.
    if (errorCode(error) !== 'ENOENT' || folder === root) throw error;
    await assertNoLink(dirname(folder), root);
  }
}
