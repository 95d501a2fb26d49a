/** The size of a model's context window. The list is apart from this, because an exported page has it in its own data. */
import { ownValue } from '../values/jsonValues';
import type { ModelRef } from '../entry/usage';

/** Windows in tokens by model: with all providers, or with each one where they differ. */
export type ModelWindows = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

/**
 * Returns the size of a model's context window in tokens; `undefined` if it isn't known. A provider that the list doesn't have
 * for the model, such as a proxy, has the window on which all others agree.
 */
export function windowIn(windows: ModelWindows, { provider, modelId }: ModelRef): number | undefined {
  const window = ownValue(windows, modelId);
  return window === undefined || typeof window === 'number' ? window : ownValue(window, provider);
}
