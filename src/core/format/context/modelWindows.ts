/**
 * Context windows of models, in tokens. Session files don't record them. They are pi's own list as it's published on npm, which
 * `npm run models` reads again; the JSON file in this folder says which version and when.
 */
import type { ModelRef } from '../entry/usage';
import { ownValue } from '../entry/jsonValues';
import list from './modelWindows.json';

/** By model: the window with all providers, or with each one where they differ. */
const WINDOWS: Readonly<Record<string, number | Readonly<Record<string, number>>>> = list.windows;

/**
 * Returns the size of a model's context window in tokens; `undefined` if it isn't known. A provider that the list doesn't have
 * for the model, such as a proxy, has the window on which all others agree.
 */
export function contextWindow({ provider, modelId }: ModelRef): number | undefined {
  const window = ownValue(WINDOWS, modelId);
  return window === undefined || typeof window === 'number' ? window : ownValue(window, provider);
}
