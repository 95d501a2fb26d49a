/**
 * Context windows of models. Session files don't record them. They are pi's own list as it's published on npm, which
 * `npm run models` reads again; the JSON file in this folder says which version and when.
 */
import { ownValue } from '../values/jsonValues';
import type { ModelRef } from '../entry/usage';
import { windowIn, type ModelWindows } from './contextWindow';
import list from './modelWindows.json';

export const MODEL_WINDOWS: ModelWindows = list.windows;

/** Returns the part of the list for some models. */
export function windowsOf(models: Iterable<ModelRef>): ModelWindows {
  const known: Record<string, ModelWindows[string]> = {};
  for (const { modelId } of models) {
    const windows = ownValue(MODEL_WINDOWS, modelId);
    if (windows !== undefined) known[modelId] = windows;
  }
  return known;
}

/** Returns the size of a model's context window in tokens as {@link windowIn} does. */
export const contextWindow = (model: ModelRef): number | undefined => windowIn(MODEL_WINDOWS, model);
