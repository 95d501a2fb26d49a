/**
 * Files with lines that pi skips, or reads as something else than one entry. pi gets a copy in which each entry that ours
 * shows has a line of its own, so that everything else of these files can be compared as well.
 */
import { writeFileSync } from 'node:fs';
import { CURRENT_SESSION_VERSION, readBodies, readSession, type ProblemCode, type Session } from '../../src/core/index';
import { isDamaged } from '../../src/core/format/parse/damagedLine';
import type { Both } from './compareWithPi';
import type { Difference, DifferenceKind } from './fileDifferences';
import { copies, loadPi } from './pi';

/** The reason why pi has other entries, by the problem that reading reports. */
const KINDS: readonly (readonly [ProblemCode, DifferenceKind])[] = [
  ['glued-line', 'entries: several on one line'],
  ['damaged-line', 'entries: a line that is no JSON'],
  ['bad-line', 'entries: a line that is no JSON'],
  ['duplicate-header', 'entries: a second header'],
  ['no-id', 'entries: a line without an ID'],
];

/** The lines of a session with one entry each, as pi writes them. */
export async function regularText(session: Session): Promise<string> {
  const bodies = new Map<string, object>();
  for (const body of await readBodies(
    session,
    session.entries.filter((head) => !isDamaged(head)).map(({ id }) => id),
  ))
    bodies.set(body.id, body);
  const lines = session.entries.map(({ id, parentId, type, timestamp }) => bodies.get(id) ?? { type, id, parentId, timestamp });
  // The entries have the names and IDs of the current version.
  return [{ ...session.header, version: CURRENT_SESSION_VERSION }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Reads the file with our reader, and its regular copy with pi. */
export async function readRegular(folder: string, text: string): Promise<Both> {
  const pi = await loadPi();
  const paths = copies(folder, text);
  const ours = await readSession(paths.ours, { home: process.env['HOME'] ?? '' });
  writeFileSync(paths.theirs, await regularText(ours));
  const theirs = pi.open(paths.theirs);
  const known = new Map(ours.entries.map(({ id }) => [id, id]));
  // The line that moved the leaf isn't in the copy.
  if (ours.leafId !== null && theirs.getLeafId() !== ours.leafId) theirs.branch(ours.leafId);
  return { pi, ours, theirs, known };
}

/** The difference in entries, with pi's number of them. */
export function irregularity({ problems, entries }: Session, theirCount: number): Difference {
  const codes = new Set(problems.map(({ code }) => code));
  const kind = KINDS.find(([code]) => codes.has(code))?.[1] ?? 'entries: unexplained';
  const example = `${String(entries.length)} entries, pi has ${String(theirCount)}; ${[...codes].join(', ')}`;
  return { kind, count: Math.max(1, Math.abs(entries.length - theirCount)), example };
}
