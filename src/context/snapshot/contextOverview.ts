/** Computes the overview: context usage, growth, totals. Yields to the event loop between them. */
import { contextGrowth, downsample, firstAnswer, lastRecordedTokens } from '../../core/format/context/contextGrowth';
import { type ContextUsage, type MessageShare, contextUsage, totalChars } from '../../core/format/context/contextUsage';
import { windowIn, type ModelWindows } from '../../core/format/context/contextWindow';
import { headsOf } from '../../core/format/linking/headsById';
import type { EntryHead } from '../../core/format/entry/entryHead';
import { requireEntry } from '../../core/format/session/requireEntry';
import type { Session } from '../../core/format/session/session';
import { runSteps, STEP_LENGTH } from '../../core/format/session/steps';
import { ownUsage, sumOfTotals, totalsSteps, type Totals, type UsageTotals } from '../../core/format/session/costs/usageTotals';
import { translate } from '../shared/localization';
import type { ContextUsageKind, LargestItem, Overview } from '../shared/protocol';
import type { PlannedSlot, ContextSnapshot } from './contextSnapshot';
import type { SourceYielder } from './sessionSource';
import { oneLine } from '../../core/format/text/oneLine';
import { plainRowWithRole } from '../../core/format/entry/plainRow';
import { MessageShareCache, shareKey } from './messageShareCache';

/** Points that a plot can show. */
const MAX_POINTS = 240;
const LARGEST = 20;
/** UTF-16 units of a message in the list of the largest. */
const TEXT_LENGTH = 120;
/** Tool calls that name a message without text. */
const MAX_CALLS = 3;

/** A message of the context, or its whole system prompt, by the entry that shows it. */
type CountedSlot = Pick<PlannedSlot, 'entryId'>;

interface Counted {
  readonly slots: readonly CountedSlot[];
  /** The shares of each slot. */
  readonly shares: readonly (readonly MessageShare[])[];
  readonly usage: ContextUsage;
}

/** Computes the overview of a view's session, which may grow or be replaced by another session. One for each view. */
export class ContextOverview {
  private readonly cache = new MessageShareCache();
  private last: Counted | undefined;

  constructor(private readonly windows: ModelWindows) {}

  /** @returns `undefined` if `isCurrent` returns false in between. */
  async overview(snapshot: ContextSnapshot, isCurrent: () => boolean): Promise<Overview | undefined> {
    const { session, source, plan } = snapshot;
    const { model } = plan.settings;
    this.cache.use(session, model);
    // System messages are counted by their combined result: a replaced section counts once.
    const promptIds = new Set(snapshot.prompt?.ids);
    const messages = snapshot.modelSlots.filter(
      ({ isEntryRow, role, step }) => !isEntryRow && !(role === 'system' && promptIds.has(step.id)),
    );
    const yielder = source.yielder(undefined);
    await makePathHeads(snapshot, yielder);
    const first = firstAnswer(plan.path);
    const before = first?.before.filter(({ id }) => !promptIds.has(id)) ?? [];
    const entries = new Map<string, readonly [string, string | undefined]>();
    for (const [index, { step }] of messages.entries()) {
      if (index % STEP_LENGTH === 0) await yielder.yieldIfDue();
      entries.set(shareKey(step.id, step.editId), [step.id, step.editId]);
    }
    for (const { id } of before) entries.set(shareKey(id, undefined), [id, undefined]);
    await source.yield();
    const prompt = await this.cache.countPrompt(snapshot);
    if (!(await this.cache.countEntries(snapshot, [...entries.values()], isCurrent))) return undefined;
    const slots: readonly CountedSlot[] = [...(snapshot.prompt ? [snapshot.prompt] : []), ...messages];
    const shares = [
      ...(prompt ? [prompt.shares] : []),
      ...messages.map(({ step, nth }) => this.cache.sharesOf(step.id, step.editId)[nth] ?? []),
    ];
    await source.yield();
    const chars = before.reduce((sum, { id }) => sum + totalChars(this.cache.sharesOf(id).flat()), totalChars(prompt?.shares ?? []));
    await source.yield();
    const recorded = lastRecordedTokens(
      plan,
      session.byId,
      slots.map(({ entryId }) => entryId),
    );
    await source.yield();
    const usage = contextUsage(shares, recorded, prompt?.isWhole ? 'none-missing' : first && { tokens: first.tokens, chars });
    this.last = { slots, shares, usage };
    await source.yield();
    const growth = growthPlot(plan.path);
    await source.yield();
    const totals = await totalsOf(snapshot, yielder);
    const window = model ? windowIn(this.windows, model) : undefined;
    return {
      contextUsage: {
        total: usage.total,
        isRecorded: recorded?.index === slots.length - 1,
        parts: usage.parts,
        // A larger context shows that the model has another window here.
        ...(window === undefined || usage.total > window ? {} : { window }),
      },
      growth,
      totals,
    };
  }

  /** Returns the largest messages, of one kind or of all, largest first. */
  largest(session: Session, kind?: ContextUsageKind, tool?: string): LargestItem[] {
    if (!this.last) return [];
    const { slots, shares, usage } = this.last;
    const matches = (share: MessageShare): boolean => kind === undefined || (share.kind === kind && share.tool === tool);
    return slots
      .map(({ entryId }, index) => ({ entryId, tokens: Math.round(tokensOf((shares[index] ?? []).filter(matches), usage)) }))
      .filter(({ tokens }) => tokens > 0)
      .sort((a, b) => b.tokens - a.tokens)
      .slice(0, LARGEST)
      .map(({ entryId, tokens }) => ({ entryId, tokens, text: messageText(session, entryId) }));
  }
}

/** Makes the heads of a path in slices, which the first access to `plan.path` would make in one go. */
async function makePathHeads({ session, places }: ContextSnapshot, yielder: SourceYielder): Promise<void> {
  const heads = headsOf(session);
  for (const [index, place] of places.entries()) {
    heads.at(place);
    if (index % STEP_LENGTH === 0) await yielder.yieldIfDue();
  }
}

const tokensOf = (shares: readonly MessageShare[], usage: ContextUsage): number =>
  shares.reduce((sum, { kind, chars }) => sum + chars * (kind === 'image' ? usage.imageTokensPerChar : usage.tokensPerChar), 0);

/** Returns the text of a message's row; for a message that only calls tools, the calls as its results record them. */
function messageText(session: Session, entryId: string): string {
  const { byId, children } = session;
  const head = requireEntry(session, entryId);
  if (head.role !== 'assistant' || head.hasText === true) return plainRowWithRole(head, translate, TEXT_LENGTH);
  const calls: string[] = [];
  let next = children.get(entryId)?.[0];
  for (let result = byId.get(next ?? ''); result?.role === 'toolResult' && calls.length < MAX_CALLS; result = byId.get(next ?? '')) {
    calls.push(result.text);
    next = children.get(result.id)?.[0];
  }
  return calls.length > 0 ? oneLine(calls.join(' '), TEXT_LENGTH) : plainRowWithRole(head, translate, TEXT_LENGTH);
}

function growthPlot(path: readonly EntryHead[]): Overview['growth'] {
  const { points, resets: cuts, length } = contextGrowth(path);
  return {
    points: downsample(points, MAX_POINTS).map(({ id, at, tokens }) => [id, at, tokens]),
    cuts: cuts.map(({ id, at }) => [id, at]),
    length,
  };
}

async function totalsOf(
  { session, source, plan: { leafId }, places }: ContextSnapshot,
  yielder: SourceYielder,
): Promise<Overview['totals']> {
  const heads = headsOf(session);
  const sumsAt = async (at: Iterable<number>): Promise<Totals> => sums(await runSteps(totalsSteps(heads, at), () => yielder.yieldIfDue()));
  const whole = await sumsAt(Array(heads.length).keys());
  if (leafId === null) return [whole];
  const branch = await sumsAt(places);
  await source.yield();
  return [whole, branch, sums(ownUsage(session, leafId))];
}

/** Returns the totals without the sums of each model. */
const sums = (totals: UsageTotals): Totals => sumOfTotals([totals]);
