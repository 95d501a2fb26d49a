/** The replay of a file, kept while its record stays the same: typing changes only the text that it's aligned with. */
import { LineTexts } from '../../format/lineOrigins/lineTexts';
import type { Replayed } from '../../format/lineOrigins/replay/replay';
import { needsCurrentText, replaying } from '../../format/lineOrigins/replay/replayFile';
import { limitedWork, workSteps, type Work } from '../../format/lineOrigins/work';
import { Yielder } from '../../files/concurrency/eventLoop';
import type { Catalog } from '../catalogApi';
import { withCutLines } from './events/cutLines';
import { fileEvents, TooManyChanges, type FileEventOptions, type TimedEvent } from './events/fileEvents';

interface ReplayedFile {
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

/** After this many texts a file is replayed from the start, because the lines of all texts are kept in memory. */
const MAX_USES = 100;

/** The last file of each catalog. */
const lastFiles = new WeakMap<Catalog, KeptFile>();

/**
 * The amount of work of a quick answer: with the reading of its entries less than a tenth of a second, also for the first answer of a
 * process, whose code isn't compiled yet and takes two to three times as long.
 */
const MAX_QUICK_WORK = 3_000_000;

/**
 * Replays a file and finds something in it.
 *
 * @param text the current one
 * @param record identifies all that is known about the file; `undefined` if a change of it couldn't be noticed
 * @throws {TooManyChanges}
 * @throws the signal's reason if aborted
 */
export async function findInReplay<T>(
  catalog: Catalog,
  file: string,
  text: string,
  record: string | undefined,
  options: FileEventOptions,
  find: (file: ReplayedFile) => Work<T>,
): Promise<T> {
  const last = lastFiles.get(catalog);
  const kept = record !== undefined && last?.record === record && last.uses < MAX_USES ? last : undefined;
  const texts = kept?.texts ?? new LineTexts();
  const events = kept?.events ?? (await withCutLines(catalog, (await fileEvents(catalog, file, options)).events, options));
  const pause = new Yielder(options.signal);
  const work = found(catalog, { events, texts, kept, record, text }, find);
  const result = await pause.run(workSteps(options.isQuick === true ? limitedWork(work, MAX_QUICK_WORK, undefined) : work));
  if (!result) throw new TooManyChanges();
  return result.value;
}

interface FileToReplay extends Pick<ReplayedFile, 'events' | 'texts'> {
  readonly kept: KeptFile | undefined;
  readonly record: string | undefined;
  readonly text: string;
}

function* found<T>(
  catalog: Catalog,
  { events, texts, kept, record, text }: FileToReplay,
  find: (file: ReplayedFile) => Work<T>,
): Work<{ readonly value: T }> {
  const current = yield* texts.numbering(text);
  const states = events.map(({ event }) => event);
  const replayed = kept?.replayed ?? (yield* replaying(states, current, texts));
  if (kept) kept.uses++;
  else if (record !== undefined)
    lastFiles.set(catalog, { record, events, texts, replayed: needsCurrentText(states) ? undefined : replayed, uses: 1 });
  return { value: yield* find({ events, replayed, current, texts }) };
}
