/** Labels of all sessions, by project. Pure. */

export interface Label {
  readonly path: string;
  readonly entryId: string;
  readonly label: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
}

export interface LabelGroup {
  readonly kind: 'project';
  /** Empty where the sessions name none. */
  readonly cwd: string;
  readonly labels: readonly LabelRow[];
}

export interface LabelRow extends Label {
  readonly kind: 'label';
  /** So that commands take it for the entry that it stands on. */
  readonly row: 'entry';
  /** Whether its session may be written to. */
  readonly writable: boolean;
  /** What its session is called, if it is. */
  readonly session: string | undefined;
}

interface LabeledSession {
  readonly path: string;
  readonly cwd: string;
  readonly name?: string;
  readonly firstMessage: string;
  readonly writable: boolean;
}

/** The newest label first, and of the projects the one that has it. */
export function groupLabels(labels: readonly Label[], sessions: readonly LabeledSession[]): LabelGroup[] {
  const rows = new Map(sessions.map((session) => [session.path, session]));
  const groups = new Map<string, LabelRow[]>();
  for (const label of [...labels].sort((a, b) => b.timestamp - a.timestamp)) {
    const session = rows.get(label.path);
    const cwd = session?.cwd ?? '';
    const group = groups.get(cwd) ?? [];
    group.push({ ...label, kind: 'label', row: 'entry', writable: session?.writable ?? false, session: session?.name ?? session?.firstMessage });
    groups.set(cwd, group);
  }
  return Array.from(groups, ([cwd, found]) => ({ kind: 'project', cwd, labels: found }));
}
