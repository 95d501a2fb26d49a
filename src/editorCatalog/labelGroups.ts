/** Groups the labels of all sessions by project. Pure. */

export interface Label {
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
}

interface LabeledSession {
  readonly path: string;
  readonly cwd: string;
  readonly title: string;
  readonly writable: boolean;
}

/** Sorts labels by time, newest first, and projects by their newest label. */
export function groupLabels(labels: readonly Label[], sessions: readonly LabeledSession[]): LabelGroup[] {
  const rows = new Map(sessions.map((session) => [session.path, session]));
  const groups = new Map<string, LabelRow[]>();
  for (const label of [...labels].sort((a, b) => b.timestamp - a.timestamp)) {
    const session = rows.get(label.path);
    const cwd = session?.cwd ?? '';
    const group = groups.get(cwd) ?? [];
    group.push({
      ...label,
      kind: 'label',
      row: 'entry',
      writable: session?.writable ?? false,
      session: session?.title,
    });
    groups.set(cwd, group);
  }
  return Array.from(groups, ([cwd, found]) => ({ kind: 'project', cwd, labels: found }));
}
