/** Finds the origins of the lines of a text that the file had at some time, such as in a commit. */
import { claimLines } from '../../format/lineOrigins/claimLines';
import { LineTexts } from '../../format/lineOrigins/lineTexts';
import { replayFile } from '../../format/lineOrigins/replay/replayFile';
import { Yielder } from '../../files/concurrency/eventLoop';
import type { TimedEvent } from './fileEvents';
import { assertText, originsOf, type LineOrigin } from './lineOrigins';

/**
 * Returns the origins of a text's lines, like `lineOrigins`, from what had happened to the file by then.
 *
 * @param until in milliseconds since 1970
 * @throws {SessionError} `invalid` for what is no text or too large
 * @throws the signal's reason if aborted
 */
export async function originsOfText(
  events: readonly TimedEvent[],
  {
    file,
    text,
    until,
    signal,
  }: { readonly file: string; readonly text: string; readonly until: number; readonly signal?: AbortSignal | undefined },
): Promise<LineOrigin[]> {
  assertText(text, file);
  const before = events.filter(({ time }) => time <= until);
  if (!before.some(({ source }) => source)) return [];
  const texts = new LineTexts();
  const current = texts.numbersIn(text);
  const pause = new Yielder(signal);
  const replayed = await replayFile(
    before.map(({ event }) => event),
    current,
    texts,
    () => pause.yieldIfDue(),
  );
  return originsOf(claimLines(replayed, current, texts), before);
}
