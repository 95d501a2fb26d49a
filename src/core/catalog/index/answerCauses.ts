/** Finds the causes of an answer's cost in its session. Pure. FORMAT section 5. */
import { billedModel, modelName } from '../../format/entry/usage';
import { NO_PARENT, type EntryTraits, type HeadSource } from '../../format/columns/headSource';
import { causeBit } from '../rows/usageCauses';

/** Entries that are looked at for the answer before. More than these are between hardly any two answers. */
const MAX_STEPS = 100;

/** Tokens. Providers cache no shorter beginnings of a context. */
const MIN_CACHED = 1024;

const SUMMARIES = new Set(['compaction', 'branch_summary']);
const hasFailed = ({ stopReason }: EntryTraits): boolean => stopReason === 'error' || stopReason === 'aborted';
const nameOf = (traits: EntryTraits): string => {
  const model = billedModel(traits);
  return model ? modelName(model) : '';
};

/** Returns the causes as bits. @param isActive true if the entry is on the path to the leaf */
export function causesOf(heads: HeadSource, place: number, isActive: boolean): number {
  const traits = heads.traitsAt(place);
  if (SUMMARIES.has(traits.type)) return causeBit('compaction');
  if (traits.type !== 'message') return 0;
  let causes = isActive ? 0 : causeBit('abandoned');
  if (traits.role !== 'assistant') return causes;
  if (hasFailed(traits)) causes |= causeBit('failed');
  const { isRetry, answer } = before(heads, place);
  if (isRetry) causes |= causeBit('retry');
  if (answer !== undefined && hasMissedCache(heads, answer, place)) causes |= causeBit('cacheMiss');
  return causes;
}

/**
 * Looks at the answers before an entry, up to a summary.
 *
 * @returns the place of the newest one that didn't fail, and `isRetry`: true if one after it ended with an error, without a message of
 * the person since
 */
function before(heads: HeadSource, place: number): { readonly isRetry: boolean; readonly answer?: number } {
  let isRetry = false;
  let hasPrompt = false;
  let at = heads.parentAt(place);
  for (let steps = 0; at !== NO_PARENT && steps < MAX_STEPS; at = heads.parentAt(at), steps++) {
    const traits = heads.traitsAt(at);
    if (SUMMARIES.has(traits.type)) break;
    if (traits.role === 'user') hasPrompt = true;
    if (traits.role !== 'assistant') continue;
    if (!hasFailed(traits)) return { isRetry, answer: at };
    if (!hasPrompt && traits.stopReason === 'error') isRetry = true;
  }
  return { isRetry };
}

function hasMissedCache(heads: HeadSource, earlier: number, later: number): boolean {
  const [old, now] = [heads.usageAt(earlier), heads.usageAt(later)];
  if (!old || !now || nameOf(heads.traitsAt(earlier)) !== nameOf(heads.traitsAt(later))) return false;
  const cached = old.cacheRead + old.cacheWrite;
  return cached >= MIN_CACHED && now.cacheRead < cached / 2 && now.input + now.cacheWrite > 0;
}
