/** Others' settings files: read whole as UTF-8, and replaced in one step if nobody changed them meanwhile. */
import { realpath, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFile, isMissing, readSmallFile, replaceFile, SessionError } from '../../core/index';

/** Bytes. Claude Code keeps more than settings in its file. */
const MAX_BYTES = 16 * 1024 * 1024;
/** For their owner alone: such files may have keys in them. */
const NEW_MODE = 0o600;

/** Returns the text; `undefined` if there's no file. @throws {SessionError} `invalid` if it isn't a regular file with text in UTF-8 */
export async function readSettings(file: string): Promise<string | undefined> {
  const bytes = await readSmallFile(file, { maxBytes: MAX_BYTES }).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!bytes) return undefined;
  const text = bytes.toString('utf8');
  if (bytes.equals(Buffer.from(text))) return text;
  throw new SessionError('invalid', 'This file is left as it is, because it isn’t text in UTF-8: {path}', { path: file });
}

/**
 * Writes a text in place of the one that was read. A link is followed to its file.
 *
 * @param before the text that was read; `undefined` if there was no file
 * @param after `undefined` removes the file, and its folder if that's empty then and `andFolder`
 * @throws {SessionError} `changed` if the file isn't as it was read
 */
export async function writeSettings(file: string, before: string | undefined, after: string | undefined, andFolder = false): Promise<void> {
  const check = async (): Promise<void> => {
    if ((await readSettings(file)) !== before)
      throw new SessionError('changed', 'This file was changed meanwhile, so it’s left as it is: {path}', { path: file });
  };
  await check();
  if (after === undefined) {
    await unlink(file);
    // Others may have put something into it.
    if (andFolder) await rmdir(dirname(file)).catch(() => undefined);
  } else if (before === undefined) {
    await createFile(file, (to) => to.text(after), { mode: NEW_MODE });
  } else {
    const place = await realpath(file);
    const { mode } = await stat(place);
    await replaceFile(place, (to) => to.text(after), mode & 0o777, check);
  }
}
