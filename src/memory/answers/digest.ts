/** The digest of a branch as an answer: tried, left, because. */
import { branchDigest, defined, sessionTitle, firstWords, type BranchDigest } from '../../core/index';
import type { Memory } from '../memory';
import { namesOf, type Located } from '../refs';
import { isoTime, type Replacement } from './values';

export interface DigestAnswer extends Omit<BranchDigest, 'replacedBy' | 'prompts' | 'from' | 'until'> {
  /** The branch, by its tip. */
  readonly ref: string;
  readonly session: string;
  readonly title: string;
  readonly forkRef?: string;
  readonly replacedBy?: Replacement & { readonly id: string };
  readonly prompts: readonly { readonly ref: string; readonly id: string; readonly text: string }[];
  /** Milliseconds since 1970; 0 if they aren't known. */
  readonly from: number;
  readonly until: number;
  readonly began?: string;
  readonly ended?: string;
}

/** Bytes of the session that are searched for secrets which the digest repeats. */
const MAX_LEARNED = 512 * 1024;

/** @throws as `branchDigest` */
export async function digestOf(
  memory: Memory,
  { session, entryId, refs }: Located,
  { redact = true }: { readonly redact?: boolean } = {},
): Promise<DigestAnswer> {
  const { signal } = memory;
  const digest = await branchDigest(session, entryId, signal ? { signal } : {});
  const secrets = redact ? await memory.secrets() : undefined;
  await secrets?.learn(session, MAX_LEARNED, signal);
  const shown = async (text: string): Promise<string> => (secrets ? secrets.text(text) : text);
  const names = namesOf(session);
  const { tipId, forkId, replacedBy, prompts, commands, outcome, summary, from, until, ...others } = digest;
  return {
    ref: refs.of(names, tipId),
    session: refs.of(names),
    title: await shown(sessionTitle(session.name, session.name === undefined ? firstWords(session.entries) : {})),
    tipId,
    ...others,
    ...(forkId === undefined ? {} : { forkId, forkRef: refs.of(names, forkId) }),
    ...(replacedBy
      ? { replacedBy: { id: replacedBy.id, ref: refs.of(names, replacedBy.id), prompt: await shown(replacedBy.prompt) } }
      : {}),
    prompts: await each(prompts, async ({ id, text }) => ({ ref: refs.of(names, id), id, text: await shown(text) })),
    commands: await each(commands, async ({ command, failed }) => ({ command: await shown(command), failed })),
    outcome: await shown(outcome),
    ...(summary === undefined ? {} : { summary: await shown(summary) }),
    from,
    until,
    ...defined({ began: isoTime(from), ended: isoTime(until) }),
  };
}

async function each<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<R[]> {
  const mapped: R[] = [];
  for (const item of items) mapped.push(await map(item));
  return mapped;
}
