/** Takes the lines of a session out of an HTML export of ours. */
import { SessionError } from '../../format/entry/problem';
import { extractLines } from '../../format/export/htmlData';
import { createFile } from '../io/atomicFile';
import type { ByteSource } from '../io/byteSource';
import { fileLines } from './fileLines';

/**
 * Writes them to a new file.
 *
 * @throws {SessionError} `not-a-session` if the page isn't an export.
 */
export async function writeExportedLines(page: ByteSource, source: string, path: string, signal?: AbortSignal): Promise<void> {
  const lines = extractLines(texts(page, signal));
  await createFile(
    path,
    async (to) => {
      for (;;) {
        const next = await lines.next();
        if (!next.done) await to.line(next.value);
        else if (next.value > 0) return;
        else throw new SessionError('not-a-session', 'This HTML page isn’t an export of a session: {path}', { path: source });
      }
    },
    { mode: 0o600 },
  );
}

/** A line that is too long to be read is replaced by invalid JSON, so that it's reported. */
async function* texts(page: ByteSource, signal?: AbortSignal): AsyncGenerator<string> {
  for await (const lines of fileLines(page, signal)) for (const { text = '{' } of lines) yield text;
}
