/** Groups the labels of all sessions by project, in steps: there may be thousands. Pure. */
import { sortSteps, stepCounter, type Steps } from '../core/index';

interface Label {
  readonly path: string;
  readonly entryId: string;
  readonly label: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
}

export interface LabelGroup {
  readonly kind: 'project';
  /** The project's folder; empty if the sessions don't name one. */
  readonly cwd: string;
  readonly labels: readonly LabelRow[];
}

export interface LabelRow extends Label {
  readonly kind: 'label';
  /** Makes commands treat the row as its entry. */
  readonly row: 'entry';
  /** True if the session can be written to. */
  readonly writable: boolean;
  /** The session's title. */
  readonly session: string | undefined;
  /** The number of forks that have a copy of the label. */
  readonly copies: number;
}

interface LabeledSession {
  readonly cwd: string;
  readonly title: string;
  readonly writable: boolean;
  /** The path or id of the session that it was forked from. */
  readonly parentSession?: string | undefined;
}

/** Returns the session at a path. A function, because few of very many sessions have labels. */
type SessionLookup = (path: string) => LabeledSession | undefined;

/** Sorts labels by time, newest first, and projects by their newest label. A fork repeats the labels of its session; each is listed once, where it was set. */
export function* groupLabels(labels: readonly Label[], sessionAt: SessionLookup): Steps<LabelGroup[]> {
  const groups = new Map<string, LabelRow[]>();
  const distinct = yield* withoutCopies(labels, sessionAt);
  const newestFirst = yield* sortSteps(distinct, (a, b) => b.label.timestamp - a.label.timestamp);
  const isStepEnd = stepCounter();
  for (const { label, copies } of newestFirst) {
    if (isStepEnd()) yield;
    const session = sessionAt(label.path);
    const cwd = session?.cwd ?? '';
    const group = groups.get(cwd) ?? [];
    group.push({
      ...label,
      kind: 'label',
      row: 'entry',
      writable: session?.writable ?? false,
      session: session?.title,
      copies,
    });
    groups.set(cwd, group);
  }
  return Array.from(groups, ([cwd, found]) => ({ kind: 'project', cwd, labels: found }));
}

/** Combines equal labels of equal entries. The label of a session that isn't a fork is kept, otherwise the first by path. */
function* withoutCopies(labels: readonly Label[], sessionAt: SessionLookup): Steps<{ readonly label: Label; readonly copies: number }[]> {
  const found = new Map<string, { label: Label; copies: number }>();
  const rank = ({ path }: Label): string => `${sessionAt(path)?.parentSession === undefined ? 0 : 1} ${path}`;
  const isStepEnd = stepCounter();
  for (const label of labels) {
    if (isStepEnd()) yield;
    const key = JSON.stringify([label.entryId, label.label, label.timestamp]);
    const known = found.get(key);
    if (!known) found.set(key, { label, copies: 0 });
    else found.set(key, { label: rank(label) < rank(known.label) ? label : known.label, copies: known.copies + 1 });
  }
  return [...found.values()];
}
