/** The versions of a file across all sessions: each message that changed it, with the lines that it added and removed. */
import { aligning } from '../../format/lineOrigins/alignLines';
import type { OriginCertainty } from '../../format/lineOrigins/lineClaim';
import type { FileEdit } from '../../format/lineOrigins/record/fileEdit';
import { LineTexts } from '../../format/lineOrigins/lineTexts';
import { workSteps, type Work } from '../../format/lineOrigins/work';
import { VersionFinder } from '../../format/lineOrigins/versions/versionFinder';
import type { Steps } from '../../format/session/steps';
import { Yielder } from '../../files/concurrency/eventLoop';
import { defined } from '../../format/values/defined';
import { elementAt } from '../../format/values/lookups';
import type { Catalog } from '../catalogApi';
import { fileEvents, type FileEventOptions, type TimedEvent } from './events/fileEvents';
import { versionEvents } from './fileStates';
import { isClear } from './events/sessionEdits';

/** The way in which a message made a state of a file. */
export type RevisionKind = 'edit' | 'write' | 'move' | 'deletion';

/** A state of a file: that after the calls of one message. */
export interface FileRevision {
  /** The session. An entry that forks have copied is given for one session only. */
  readonly path: string;
  /** The message with the tool calls. */
  readonly entryId: string;
  /** The person's message that it answers. */
  readonly promptId?: string;
  /** When the last of the calls ran, in milliseconds since 1970. */
  readonly time: number;
  readonly kind: RevisionKind;
  /** Lines. A line that changed is one of each. */
  readonly added: number;
  readonly removed: number;
  /** `exact` if the calls succeeded and the lines are counted from recorded texts or differences. */
  readonly certainty: OriginCertainty;
}

interface LineCounts {
  readonly added: number;
  readonly removed: number;
  readonly isExact: boolean;
}

/**
 * Returns the versions of a file in order of time, on all branches. A version that forks have copied is given once.
 *
 * @throws the signal's reason if aborted
 */
export async function fileVersions(catalog: Catalog, file: string, options: FileEventOptions = {}): Promise<FileRevision[]> {
  const { events } = await fileEvents(catalog, file, { ...options, hasUnclear: true });
  const versions = new Map<string, FileRevision>();
  const texts = new LineTexts();
  const pause = new Yielder(options.signal);
  const facts = versionEvents(events);
  // Only whole texts are compared with the one before them.
  const finder = new VersionFinder(events.length, 'event', undefined);
  for (const [at, timed] of events.entries()) {
    const { event, source } = timed;
    if (event.kind === 'edit' && source && isClear(event.edit)) {
      const counts = await pause.run(countLines(event.edit, isWrite(timed) ? finder.state() : undefined, texts));
      const key = JSON.stringify([source.path, source.entryId]);
      versions.set(key, versionOf(timed, counts, versions.get(key)));
    }
    await pause.run(finder.add(elementAt(facts, at)));
    await pause.yieldIfDue();
  }
  return [...versions.values()].sort((a, b) => a.time - b.time);
}

/** True for a whole text that is recorded without the one before it. */
const isWrite = ({ event }: TimedEvent): boolean =>
  event.kind === 'edit' &&
  event.edit.before === undefined &&
  event.edit.hunks.length === 0 &&
  (event.edit.text !== undefined || event.edit.isDeletion === true);

function versionOf({ event, source, time }: TimedEvent, counts: LineCounts, known: FileRevision | undefined): FileRevision {
  if (event.kind !== 'edit' || !source) throw new TypeError('Only edits make versions');
  const { path, entryId, promptId } = source;
  const isExact = counts.isExact && event.edit.isCertain && (known?.certainty ?? 'exact') === 'exact';
  return {
    path,
    entryId,
    ...defined({ promptId }),
    time: Math.max(time, known?.time ?? 0),
    // The last call of a message says what became of the file.
    kind: known?.kind === 'write' && kindOf(event.edit) === 'edit' ? 'write' : kindOf(event.edit),
    added: counts.added + (known?.added ?? 0),
    removed: counts.removed + (known?.removed ?? 0),
    certainty: isExact ? 'exact' : 'likely',
  };
}

function kindOf({ isDeletion, movedTo, before, text }: FileEdit): RevisionKind {
  if (isDeletion === true) return 'deletion';
  if (movedTo !== undefined) return 'move';
  return text !== undefined && before === undefined ? 'write' : 'edit';
}

/** @param known the file before the edit, as far as something else says it */
function* countLines(edit: FileEdit, known: string | undefined, texts: LineTexts): Steps<LineCounts> {
  if (edit.hunks.length > 0) {
    const signs = edit.hunks.flatMap(({ lines }) => lines.map(({ sign }) => sign));
    return { added: count(signs, '+'), removed: count(signs, '-'), isExact: true };
  }
  if (edit.text !== undefined || edit.isDeletion === true) {
    const before = edit.before ?? known;
    return { ...(yield* workSteps(difference(before ?? '', edit.text ?? '', texts))), isExact: before !== undefined };
  }
  let [added, removed] = [0, 0];
  for (const { before, after } of edit.replacements) {
    yield;
    const parts = yield* workSteps(difference(before, after, texts));
    added += parts.added;
    removed += parts.removed;
  }
  return {
    added,
    removed,
    // Sessions don't record how often a text was replaced.
    isExact: !edit.replacements.some(({ all }) => all),
  };
}

function* difference(before: string, after: string, texts: LineTexts): Work<{ added: number; removed: number }> {
  const old = withoutEnd(yield* texts.numbering(before), texts);
  const now = withoutEnd(yield* texts.numbering(after), texts);
  const { places } = yield* aligning(old, now, texts);
  const kept = places.reduce((sum, place) => sum + (place >= 0 ? 1 : 0), 0);
  return { added: now.length - kept, removed: old.length - kept };
}

/** A line break at the end begins no line. */
const withoutEnd = (lines: readonly number[], texts: LineTexts): readonly number[] =>
  lines.at(-1) === texts.numberOf('') ? lines.slice(0, -1) : lines;

const count = <T>(list: readonly T[], wanted: T): number => list.reduce((sum, one) => sum + (one === wanted ? 1 : 0), 0);
