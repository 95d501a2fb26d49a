/** The history of one line: the messages that wrote it and its earlier versions. */
import { LineTexts } from '../../format/lineOrigins/lineTexts';
import { Replay } from '../../format/lineOrigins/replay/replay';
import { initialLines } from '../../format/lineOrigins/replay/replayFile';
import { traceLine } from '../../format/lineOrigins/traceLine';
import { workSteps } from '../../format/lineOrigins/work';
import { Yielder } from '../../files/concurrency/eventLoop';
import { defined } from '../../format/values/defined';
import { elementAt } from '../../format/values/lookups';
import type { Catalog } from '../catalogApi';
import { fileEvents, type FileEventOptions } from './events/fileEvents';

/** A version of a line that a message wrote. */
export interface LineVersion {
  /** The session. An entry that forks have copied is given for one session only. */
  readonly path: string;
  /** The message with the tool call. */
  readonly entryId: string;
  /** The person's message that it answers. */
  readonly promptId?: string;
  /** When the call ran, in milliseconds since 1970. */
  readonly time: number;
  /** The line as the call wrote it. */
  readonly text: string;
}

/** Lines of all states that are kept; older states are dropped. */
const MAX_STATE_LINES = 4_000_000;
const MAX_VERSIONS = 50;

/**
 * Returns the versions of a line, the newest first. A changed line counts as the same one if it's similar and between the
 * same neighbors, so the older versions are likely, not certain.
 *
 * @param text the file as the editor has it
 * @param line from 1
 * @throws the signal's reason if aborted
 */
export async function lineHistory(
  catalog: Catalog,
  file: string,
  { text, line }: { readonly text: string; readonly line: number },
  options: FileEventOptions = {},
): Promise<LineVersion[]> {
  const { events } = await fileEvents(catalog, file, options);
  if (!events.some(({ event }) => event.kind === 'edit')) return [];
  const texts = new LineTexts();
  const pause = new Yielder(options.signal);
  const current = await pause.run(workSteps(texts.numbering(text)));
  if (line < 1 || line > current.length) return [];
  const facts = events.map(({ event }) => event);
  const replay = new Replay(texts, await pause.run(workSteps(initialLines(facts, current, texts))));
  /** The texts before each event; `undefined` for dropped ones. */
  const states: (readonly number[] | undefined)[] = [];
  let after = replay.state().lines;
  let kept = 0;
  for (let at = 0, oldest = 0; at < facts.length; at++) {
    states.push(after);
    await pause.run(workSteps(replay.adding(elementAt(facts, at))));
    after = replay.state().lines;
    for (kept += after.length; kept > MAX_STATE_LINES && oldest < at; oldest++) {
      kept -= states[oldest]?.length ?? 0;
      states[oldest] = undefined;
    }
    await pause.yieldIfDue();
  }
  const versions: LineVersion[] = [];
  // Changes that no session made lie between the last event and the current text.
  let { place } = traceLine(after, current, line - 1, texts);
  for (let at = facts.length - 1; at >= 0 && place !== undefined && versions.length < MAX_VERSIONS; at--) {
    const before = states[at];
    if (!before) break;
    const traced = traceLine(before, after, place, texts);
    const { source } = elementAt(events, at);
    if (traced.isChanged && source) {
      const { path, entryId, promptId, time } = source;
      versions.push({ path, entryId, ...defined({ promptId }), time, text: texts.text(elementAt(after, place)) });
    }
    place = traced.place;
    after = before;
    await pause.yieldIfDue();
  }
  return versions;
}
