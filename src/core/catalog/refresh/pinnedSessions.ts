/** The pinned sessions of oh-my-pi, as of the last reading. They are in no session's file, so rows get them when they're shown. */
import { pinFilesOf, readPins } from '../../files/locate/programs/sessionPins';
import type { OnProblem } from '../../files/locate/folderEntries';
import type { Root } from '../../files/locate/roots';
import { elementAt } from '../../format/values/lookups';
import type { SessionMarks } from '../../format/session/session';
import type { SessionSummary } from '../rows/sessionSummary';

export class PinnedSessions {
  private readonly pins = new Map<string, ReadonlySet<string>>();
  private all: ReadonlySet<string> = new Set();
  private reading: Promise<void> = Promise.resolve();

  /** The IDs of all pinned sessions; another set after each change. */
  ids(): ReadonlySet<string> {
    return this.all;
  }

  /**
   * Reads the pins of the roots' sessions again. A file that can't be read is reported, and its known pins are kept.
   *
   * @param paths if set, only these files are read.
   */
  refresh(roots: readonly Root[], paths: readonly string[] | undefined, onProblem: OnProblem): Promise<void> {
    const files = pinFilesOf(roots);
    const due = paths ? files.filter((file) => paths.includes(file)) : files;
    this.reading = this.reading.then(async () => {
      const found = due.map((file) => readPins(file).catch((error: unknown) => onProblem(file, error)));
      for (const [at, ids] of (await Promise.all(found)).entries()) if (ids) this.pins.set(elementAt(due, at), ids);
      for (const file of this.pins.keys()) if (!files.includes(file)) this.pins.delete(file);
      const all = new Set([...this.pins.values()].flatMap((ids) => [...ids]));
      if (differences(this.all, all).size > 0) this.all = all;
    });
    return this.reading;
  }

  /** Returns the summary with the session's pin, as far as its program keeps it here. */
  withPin(summary: SessionSummary): SessionSummary {
    const isPinned = this.all.has(summary.id);
    if (summary.dialect !== 'omp' || isPinned === (summary.marks?.isPinned === true)) return summary;
    const { marks: { isPinned: before, ...marks } = {}, ...others } = summary;
    if (before === undefined) return { ...others, marks: { ...marks, isPinned: true } };
    return isEmpty(marks) ? others : { ...others, marks };
  }
}

const isEmpty = (marks: SessionMarks): boolean => Object.keys(marks).length === 0;

/** Returns the elements that only one of two sets has. */
export const differences = (a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> =>
  new Set([...[...a].filter((one) => !b.has(one)), ...[...b].filter((one) => !a.has(one))]);
