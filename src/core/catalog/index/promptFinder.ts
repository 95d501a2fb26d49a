/** Finds the person's messages that entries answer. */
import { NO_PARENT, type HeadSource } from '../../format/columns/headSource';

/** Longer ids of prompts aren't stored with touches. */
const MAX_PROMPT_ID_BYTES = 64;

/** Stands for an entry without a prompt. */
const NO_PROMPT = -1;

/**
 * Returns a function that gives the id of the nearest user message among an entry's ancestors, itself included. Takes a
 * few steps for each entry, over all calls together.
 */
export function promptFinder(heads: HeadSource): (place: number) => string | undefined {
  const known = new Map<number, number>();
  return (from) => {
    const path: number[] = [];
    let prompt: number | undefined;
    for (let place = from; prompt === undefined; place = heads.parentAt(place)) {
      if (place === NO_PARENT) prompt = NO_PROMPT;
      else if (heads.traitsAt(place).role === 'user') prompt = place;
      else {
        prompt = known.get(place);
        path.push(place);
      }
    }
    for (const place of path) known.set(place, prompt);
    if (prompt === NO_PROMPT) return undefined;
    const id = heads.idAt(prompt);
    return Buffer.byteLength(id) > MAX_PROMPT_ID_BYTES ? undefined : id;
  };
}
