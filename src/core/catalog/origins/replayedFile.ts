/** The replay of a file, kept while its record stays the same: typing changes only the text that it's aligned with. */
import { LineTexts } from '../../format/lineOrigins/lineTexts';
import type { Replayed } from '../../format/lineOrigins/replay/replay';
import { needsCurrentText, replayFile } from '../../format/lineOrigins/replay/replayFile';
import { Yielder } from '../../files/concurrency/eventLoop';
import type { Catalog } from '../catalogApi';
import { fileEvents, type FileEventOptions, type TimedEvent } from './fileEvents';

export interface ReplayedFile {
  readonly events: readonly TimedEvent[];
  readonly replayed: Replayed;
  /** The lines of the current text, as numbers of `texts`. */
  readonly current: readonly number[];
  readonly texts: LineTexts;
}

interface KeptFile extends Pick<ReplayedFile, 'events' | 'texts'> {
  readonly record: string;
  /** Absent if the replay depends on the current text. */
  readonly replayed: Replayed | undefined;
  /** Texts that were aligned with it. */
  uses: number;
}

/** Texts after which a file is replayed anew, because their lines are kept with it. */
const MAX_USES = 100;

/** The last file of each catalog. */
const lastFiles = new WeakMap<Catalog, KeptFile>();

/**
 * Replays a file.
 *
 * @param text the current one
 * @param record identifies all that is known about the file; `undefined` if a change of it couldn't be noticed
 * @throws the signal's reason if aborted
 */
export async function replayedFile(
  catalog: Catalog,
  file: string,
  text: string,
  record: string | undefined,
  options: FileEventOptions,
): Promise<ReplayedFile> {
  const last = lastFiles.get(catalog);
  const kept = record !== undefined && last?.record === record && last.uses < MAX_USES ? last : undefined;
  const texts = kept?.texts ?? new LineTexts();
  const events = kept?.events ?? (await fileEvents(catalog, file, options)).events;
  const current = texts.numbersIn(text);
  const states = events.map(({ event }) => event);
  const pause = new Yielder(options.signal);
  const replayed = kept?.replayed ?? (await replayFile(states, current, texts, () => pause.yieldIfDue()));
  if (kept) kept.uses++;
  else if (record !== undefined)
    lastFiles.set(catalog, { record, events, texts, replayed: needsCurrentText(states) ? undefined : replayed, uses: 1 });
  return { events, replayed, current, texts };
}
