/** The file as it was before the calls of a message. */
import { UNKNOWN } from '../../format/lineOrigins/alignLines';
import { LineTexts } from '../../format/lineOrigins/lineTexts';
import { Replay } from '../../format/lineOrigins/replay/replay';
import { initialLines } from '../../format/lineOrigins/replay/replayFile';
import { workSteps } from '../../format/lineOrigins/work';
import { Yielder } from '../../files/concurrency/eventLoop';
import type { Catalog } from '../catalogApi';
import { fileEvents, type FileEventOptions } from './fileEvents';
import { lineBreakOf, ranCommands, timeOfLastWholeText, type FileAt } from './lineOrigins';

/**
 * Returns a file as it was just before a message changed it. Text that isn't recorded is missing, and then `exact` is false.
 * `undefined` if the message didn't change the file.
 *
 * @throws the signal's reason if aborted
 */
export async function fileBefore(
  catalog: Catalog,
  file: string,
  ref: { readonly path: string; readonly entryId: string },
  options: FileEventOptions = {},
): Promise<FileAt | undefined> {
  const { events, sessions } = await fileEvents(catalog, file, options);
  const changes = (path: string | undefined) =>
    events.findIndex(({ source }) => source?.entryId === ref.entryId && (path ?? source.path) === source.path);
  // A fork's copy of the message has the same id, and only one of them is an event.
  const own = changes(ref.path);
  const at = own < 0 ? changes(undefined) : own;
  const timed = events[at];
  if (timed?.event.kind !== 'edit') return undefined;
  const { before } = timed.event.edit;
  if (before !== undefined) return { text: before, exact: true };
  const earlier = events.slice(0, at);
  const texts = new LineTexts();
  const pause = new Yielder(options.signal);
  const states = events.map(({ event }) => event);
  const replay = new Replay(texts, await pause.run(workSteps(initialLines(states, undefined, texts))));
  for (const event of states.slice(0, at)) await pause.run(workSteps(replay.adding(event)));
  const { document, isComplete } = await pause.run(workSteps(replay.result()));
  const known = document.lines.filter((line) => line !== UNKNOWN);
  const isWhole = isComplete && document.isWhole && known.length === document.lines.length;
  return {
    text: known.map((line) => texts.text(line)).join(lineBreakOf(earlier)),
    exact: isWhole && !(await ranCommands(catalog, sessions, timeOfLastWholeText(earlier), timed.time)),
  };
}
