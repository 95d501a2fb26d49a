/** The digest of a branch: what was asked, touched, run and answered on it, from the recording alone. */
import { branchPart, type BranchPart } from '../../format/branches/branchPart';
import { DigestCollector, outcomeText, type DigestCommand, type DigestPrompt } from '../../format/branches/digestCollector';
import type { HeadSource } from '../../format/columns/headSource';
import { defined } from '../../format/values/defined';
import { plainRow } from '../../format/entry/plainRow';
import { SessionError } from '../../format/entry/problem';
import { isRewind, rewindReport } from '../../format/entry/rewind';
import { headsOf } from '../../format/linking/headsById';
import type { Session } from '../../format/session/session';
import { totalsSteps, type UsageTotals } from '../../format/session/costs/usageTotals';
import { textOf } from '../../format/entry/message';
import type { Touch } from '../../format/toolCalls/fileTouches';
import { Yielder } from '../concurrency/eventLoop';
import { readBodies } from './sessionFile';

/** A branch since the nearest fork. Texts are single lines, cut to a few hundred characters; lists keep the newest hundreds. */
export interface BranchDigest {
  readonly tipId: string;
  /** The nearest fork above. */
  readonly forkId?: string;
  /** `left`: the session goes on elsewhere. */
  readonly state: 'active' | 'left';
  /** The tip of the branch that the person went on with at the fork, and the prompt there. */
  readonly replacedBy?: { readonly id: string; readonly prompt: string };
  readonly prompts: readonly DigestPrompt[];
  readonly files: readonly Touch[];
  readonly commands: readonly DigestCommand[];
  /** Failed calls, commands and answers. */
  readonly failures: number;
  /** The beginning of the last answer or error; of a branch that a rewind left, of its report. */
  readonly outcome: string;
  /** The summary of the branch that the file records. */
  readonly summary?: string;
  readonly usage: UsageTotals;
  /** Times of the first and the last entry, in milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
}

/** Entries and bytes of a branch that are read: its last ones. */
const [MAX_ENTRIES, MAX_BYTES, MAX_ENTRY] = [2000, 48 * 1024 * 1024, 4 * 1024 * 1024];
/** Entries in memory at a time. */
const CHUNK = 100;
const MAX_SUMMARY = 2000;

/**
 * Returns the digest of a branch.
 *
 * @param tipId the branch's tip, or an entry within, which stands for the newest tip below it; by default the leaf.
 * @throws {SessionError} `unknown-entry`; `entry-required` for a session without entries; as `readBodies`.
 * @throws the signal's reason if aborted.
 */
export async function branchDigest(
  session: Session,
  tipId?: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<BranchDigest> {
  signal?.throwIfAborted();
  const turn = new Yielder(signal);
  const heads = headsOf(session);
  const part = await turn.run(branchPart(session, tipId));
  if (!part) throw new SessionError('entry-required', 'This session has no entries.', {});
  const usage = await turn.run(totalsSteps(heads, part.own));
  const collector = new DigestCollector();
  for (const ids of chunksOf(heads, part.own)) for (const entry of await readBodies(session, ids, signal)) collector.add(entry);
  const { fork, replacedBy } = part;
  const prompt = replacedBy?.prompt === undefined ? undefined : heads.at(replacedBy.prompt);
  const report = await reportOf(session, heads, part, signal);
  const times = part.own.map((place) => heads.timeAt(place)).filter((time) => time > 0);
  return {
    tipId: heads.idAt(part.tip),
    ...defined({
      forkId: fork === undefined ? undefined : heads.idAt(fork),
      replacedBy: replacedBy && { id: heads.idAt(replacedBy.tip), prompt: prompt ? plainRow(prompt) : '' },
      summary: await summaryOf(session, heads, part, signal),
    }),
    state: part.isActive ? 'active' : 'left',
    prompts: collector.prompts,
    files: collector.touched,
    commands: collector.commands,
    failures: collector.failures,
    outcome: report ?? collector.outcome,
    usage,
    from: times[0] ?? 0,
    until: times.at(-1) ?? 0,
  };
}

/** The ids of the last entries that are read, in order and in parts. */
function* chunksOf(heads: HeadSource, own: readonly number[]): Generator<string[]> {
  let bytes = 0;
  let first = own.length;
  while (first > 0 && own.length - first < MAX_ENTRIES) {
    const length = heads.lengthAt(own[first - 1] ?? 0);
    bytes += length > MAX_ENTRY ? 0 : length;
    if (bytes > MAX_BYTES) break;
    first--;
  }
  const read = own.slice(first).filter((place) => heads.traitsAt(place).type === 'message' && heads.lengthAt(place) <= MAX_ENTRY);
  for (let at = 0; at < read.length; at += CHUNK) yield read.slice(at, at + CHUNK).map((place) => heads.idAt(place));
}

/** The report of a rewind that left this branch: it hangs on the fork. */
async function reportOf(
  session: Session,
  heads: HeadSource,
  { others, isActive }: BranchPart,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const rewind = isActive ? undefined : others.find((place) => isRewind(heads.traitsAt(place)) && heads.lengthAt(place) <= MAX_ENTRY);
  if (rewind === undefined) return undefined;
  const [entry] = await readBodies(session, [heads.idAt(rewind)], signal);
  return entry?.type === 'custom_message' ? outcomeText(rewindReport(entry) ?? textOf(entry.content, '\n')) : undefined;
}

/** The recorded summary of this branch: at its fork, or naming one of its entries. */
async function summaryOf(
  session: Session,
  heads: HeadSource,
  { own, fork, others }: BranchPart,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const ids = new Set(own.map((place) => heads.idAt(place)));
  const forkId = fork === undefined ? undefined : heads.idAt(fork);
  const place = others.findLast((other) => {
    const { type, fromId } = heads.traitsAt(other);
    return (
      type === 'branch_summary' &&
      heads.lengthAt(other) <= MAX_ENTRY &&
      (ids.has(fromId ?? '') || (fromId === forkId && others.length === 1))
    );
  });
  if (place === undefined) return undefined;
  const [entry] = await readBodies(session, [heads.idAt(place)], signal);
  return entry?.type === 'branch_summary' ? plainRow({ type: 'branch_summary', text: entry.summary }, MAX_SUMMARY) || undefined : undefined;
}
