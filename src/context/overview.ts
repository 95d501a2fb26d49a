/**
 * What the page tells of a context as a whole: what fills it, how it grew, what it cost. The bodies are counted in
 * slices, and each once: the extension host has others to serve.
 */
import {
  branchUsage,
  charsOf,
  fewer,
  fillOf,
  firstAnswer,
  growthOf,
  lastRecorded,
  messagesOf,
  ownUsage,
  portionsOf,
  readBodies,
  sessionUsage,
  turn,
  type Entry,
  type EntryHead,
  type Fill,
  type Portion,
  type Session,
  type Totals,
} from '../core/index';
import type { FillKind, LargestItem, Overview } from './protocol';
import type { PlannedSlot, Reading } from './reading';
import { oneLine } from './text';

/** Bytes, and entries, that are read without a pause. */
const SLICE_BYTES = 256 * 1024;
const SLICE_ENTRIES = 64;
/** As many points as a plot has room for. */
const POINTS = 240;
const LARGEST = 20;
const TOOL_NAME = 60;

/** An entry's messages. It holds as long as the entry, and the edit that holds for it, stand where they stood. */
interface CountedEntry {
  readonly offset: number;
  readonly editOffset: number | undefined;
  readonly messages: readonly (readonly Portion[])[];
}

interface Counted {
  readonly slots: readonly PlannedSlot[];
  /** Of each slot's message. */
  readonly portions: readonly (readonly Portion[])[];
  readonly fill: Fill;
}

/** Counts what is in a session's messages, and remembers it. One for each view: the session may grow, and be another one. */
export class ContextCount {
  private path = '';
  private readonly counted = new Map<string, CountedEntry>();
  private last: Counted | undefined;

  /** @returns `undefined` if `goesOn` says that nobody wants it any more. */
  async overview(reading: Reading, goesOn: () => boolean): Promise<Overview | undefined> {
    const { session, plan } = reading;
    if (session.path !== this.path) this.counted.clear();
    this.path = session.path;
    const slots = reading.model.filter(({ thin }) => !thin);
    const first = firstAnswer(plan.path);
    const entries = [...slots.filter(({ nth }) => nth === 0).map(({ step }) => [step.id, step.editId] as const), ...(first?.before ?? []).map(({ id }) => [id, undefined] as const)];
    if (!(await this.count(session, entries, goesOn))) return undefined;
    const portions = slots.map(({ step, nth }) => this.of(step.id, step.editId)[nth] ?? []);
    const chars = first?.before.reduce((sum, { id }) => sum + charsOf(this.of(id).flat()), 0) ?? 0;
    await turn();
    const recorded = lastRecorded(plan, session.byId, slots.map(({ entryId }) => entryId));
    const fill = fillOf(portions, recorded, first && { tokens: first.tokens, chars });
    this.last = { slots, portions, fill };
    await turn();
    const growth = plotOf(plan.path);
    await turn();
    const totals = await totalsOf(session, plan.leafId);
    return { fill: { total: fill.total, isRecorded: recorded?.index === slots.length - 1, parts: fill.parts }, growth, totals };
  }

  /** The messages that take the most room, of one kind or of all; the largest first. */
  largest(session: Session, kind?: FillKind, tool?: string): LargestItem[] {
    if (!this.last) return [];
    const { slots, portions, fill } = this.last;
    const wanted = (portion: Portion): boolean => kind === undefined || (portion.kind === kind && portion.tool === tool);
    return slots
      .map(({ entryId }, index) => ({ entryId, tokens: Math.round(charsOf(portions[index]!.filter(wanted)) * fill.scale) }))
      .filter(({ tokens }) => tokens > 0)
      .sort((a, b) => b.tokens - a.tokens)
      .slice(0, LARGEST)
      .map(({ entryId, tokens }) => ({ entryId, tokens, text: oneLine(session.byId.get(entryId)!.text, 120) }));
  }

  private of(id: string, editId?: string): readonly (readonly Portion[])[] {
    return this.counted.get(keyOf(id, editId))?.messages ?? [];
  }

  private async count(session: Session, entries: readonly (readonly [string, string | undefined])[], goesOn: () => boolean): Promise<boolean> {
    const { byId } = session;
    const offsetOf = (id: string | undefined): number | undefined => (id === undefined ? undefined : byId.get(id)!.offset);
    const missing = entries.filter(([id, editId]) => {
      const known = this.counted.get(keyOf(id, editId));
      return known?.offset !== offsetOf(id) || known?.editOffset !== offsetOf(editId);
    });
    await turn();
    for (const slice of slices(session, missing)) {
      const ids = new Set(slice.flatMap(([id, editId]) => (editId === undefined ? [id] : [id, editId])));
      const bodies = new Map<string, Entry>((await readBodies(session, [...ids])).map((entry) => [entry.id, entry]));
      for (const [id, editId] of slice) {
        const messages = messagesOf(bodies.get(id)!, editId === undefined ? undefined : bodies.get(editId));
        this.counted.set(keyOf(id, editId), { offset: offsetOf(id)!, editOffset: offsetOf(editId), messages: messages.map((message) => merged(portionsOf(message))) });
      }
      await turn();
      if (!goesOn()) return false;
    }
    return true;
  }
}

/** What an edit changed is also asked for as it was: the first answer may have read it before. */
const keyOf = (id: string, editId: string | undefined): string => (editId === undefined ? id : `${id} ${editId}`);

function* slices<E extends readonly [string, string | undefined]>({ byId }: Session, entries: readonly E[]): Generator<E[]> {
  let slice: E[] = [];
  let bytes = 0;
  for (const entry of entries) {
    slice.push(entry);
    bytes += byId.get(entry[0])!.length;
    if (bytes < SLICE_BYTES && slice.length < SLICE_ENTRIES) continue;
    yield slice;
    [slice, bytes] = [[], 0];
  }
  if (slice.length > 0) yield slice;
}

/** One portion for each kind, without what is empty: it is kept for every entry. */
function merged(portions: readonly Portion[]): Portion[] {
  const found: Portion[] = [];
  for (const { tool, ...rest } of portions) {
    // A model chose the name; it is shown.
    const portion: Portion = tool === undefined ? rest : { ...rest, tool: oneLine(tool, TOOL_NAME) };
    const at = found.findIndex(({ kind, tool }) => kind === portion.kind && tool === portion.tool);
    if (at >= 0) found[at] = { ...portion, chars: found[at]!.chars + portion.chars };
    else if (portion.chars > 0) found.push(portion);
  }
  return found;
}

function plotOf(path: readonly EntryHead[]): Overview['growth'] {
  const { points, cuts, length } = growthOf(path);
  return { points: fewer(points, POINTS).map(({ id, at, tokens }) => [id, at, tokens]), cuts: cuts.map(({ id, at }) => [id, at]), length };
}

async function totalsOf(session: Session, leafId: string | null): Promise<Overview['totals']> {
  const whole = sums(sessionUsage(session));
  if (leafId === null) return [whole];
  await turn();
  const branch = sums(branchUsage(session, leafId));
  await turn();
  return [whole, branch, sums(ownUsage(session, leafId))];
}

const sums = ({ input, output, cacheRead, cacheWrite, cost }: Totals): Totals => ({ input, output, cacheRead, cacheWrite, cost });
