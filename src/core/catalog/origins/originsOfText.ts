/** Finds the origins of the lines of a text that the file had at some time, such as in a commit. */
import { claiming } from '../../format/lineOrigins/claimLines';
import { LineTexts } from '../../format/lineOrigins/lineTexts';
import { replaying } from '../../format/lineOrigins/replay/replayFile';
import { workSteps, type Work } from '../../format/lineOrigins/work';
import { Yielder } from '../../files/concurrency/eventLoop';
import type { TimedEvent } from './events/fileEvents';
import { assertText, originsOf, type LineOrigin } from './lineOrigins';

/**
 * Returns the origins of a text's lines, like `lineOrigins`, from the events of the file up to a time.
 *
 * @param until in milliseconds since 1970
 * @throws {SessionError} `invalid` for content that isn't text or is too large
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
  return new Yielder(signal).run(workSteps(originsIn(before, text)));
}

function* originsIn(events: readonly TimedEvent[], text: string): Work<LineOrigin[]> {
  const texts = new LineTexts();
  const current = yield* texts.numbering(text);
  const states = events.map(({ event }) => event);
  const replayed = yield* replaying(states, current, texts);
  return originsOf(yield* claiming(replayed, current, texts), events);
}
