/** Writers of lines that a call cut from one file and pasted into another, as oh-my-pi's patches do. */
import { Yielder } from '../../../files/concurrency/eventLoop';
import { LineTexts } from '../../../format/lineOrigins/lineTexts';
import type { FileEdit } from '../../../format/lineOrigins/record/fileEdit';
import { replaying } from '../../../format/lineOrigins/replay/replayFile';
import { NO_EDIT } from '../../../format/lineOrigins/replay/origin';
import { limitedWork, workSteps } from '../../../format/lineOrigins/work';
import type { Catalog } from '../../catalogApi';
import { fileEvents, type FileEventOptions, type TimedEvent } from './fileEvents';

/** Other files that are replayed for one file. */
const MAX_FILES = 4;
/** The amount of work for one of them, about half a second. */
const MAX_WORK = 50_000_000;

/**
 * Adds an event of its writer before each edit that pasted lines from another file, as an edit without a place. More than a few
 * such files aren't looked at, and quick answers look at none: the origin of their lines is unknown then.
 */
export async function withCutLines(
  catalog: Catalog,
  events: readonly TimedEvent[],
  options: FileEventOptions,
): Promise<readonly TimedEvent[]> {
  if (options.isQuick === true || !events.some(({ source }) => source && source.pastedFrom.length > 0)) return events;
  const all: TimedEvent[] = [];
  let files = 0;
  for (const event of events) {
    const { source } = event;
    for (const file of source?.pastedFrom ?? [])
      if (source && files++ < MAX_FILES) all.push(...(await cutLines(catalog, event, file, pastedTexts(source.edit), options)));
    all.push(event);
  }
  return all;
}

/** The lines that an edit added without having written them itself. */
function pastedTexts({ hunks, before = '', text, pasted }: FileEdit): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { lines } of hunks) for (const line of lines) if (line.sign === '+') found.add(line.text);
  if (text !== undefined) {
    const old = new Set(before.split('\n'));
    for (const line of text.split('\n')) if (!old.has(line)) found.add(line);
  }
  for (const line of pasted?.typed ?? []) found.delete(line);
  return found;
}

/** Returns the writers of lines that a file had before a call, each as an edit of these lines. */
async function cutLines(
  catalog: Catalog,
  { time, source: paste }: TimedEvent,
  file: string,
  wanted: ReadonlySet<string>,
  options: FileEventOptions,
): Promise<TimedEvent[]> {
  const { events } = await fileEvents(catalog, file, options);
  const end = events.findIndex(({ source }) => source?.path === paste?.path && source?.entryId === paste?.entryId);
  const earlier = end < 0 ? [] : events.slice(0, end);
  if (earlier.length === 0) return [];
  const texts = new LineTexts();
  const work = replaying(
    earlier.map(({ event }) => event),
    undefined,
    texts,
  );
  const replayed = await new Yielder(options.signal).run(workSteps(limitedWork(work, MAX_WORK, undefined)));
  const byWriter = new Map<number, string[]>();
  for (const [at, line] of replayed?.document.lines.entries() ?? []) {
    const origin = replayed?.document.origins[at] ?? NO_EDIT;
    if (origin <= NO_EDIT || line < 0 || !wanted.has(texts.text(line))) continue;
    const lines = byWriter.get(origin);
    if (lines) lines.push(texts.text(line));
    else byWriter.set(origin, [texts.text(line)]);
  }
  return [...byWriter].flatMap(([origin, lines]): TimedEvent[] => {
    const source = earlier[origin]?.source;
    const hunks = [{ lines: lines.map((text) => ({ sign: '+' as const, text })) }];
    return source ? [{ time, event: { kind: 'edit', edit: { file, hunks, replacements: [], isCertain: false } }, source }] : [];
  });
}
