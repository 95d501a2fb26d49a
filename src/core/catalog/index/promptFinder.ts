/** Finds the person's messages that entries answer. */
import { NO_PARENT, type HeadSource } from '../../format/columns/headSource';

/** Longer ids of prompts aren't stored with touches. */
const MAX_PROMPT_ID_BYTES = 64;

/** Stands for an entry whose prompt isn't known yet, and for one without a prompt. Prompts are stored as their place plus two. */
const UNKNOWN = 0;
const NO_PROMPT = 1;
const FIRST = 2;

/**
 * Returns a function that gives the id of the nearest user message among an entry's ancestors, itself included. Takes a
 * few steps for each entry, over all calls together.
 */
export function promptFinder(heads: HeadSource): (place: number) => string | undefined {
  const known = new Int32Array(heads.length);
  return (from) => {
    let prompt = UNKNOWN;
    let end = from;
    for (; prompt === UNKNOWN; end = heads.parentAt(end)) {
      if (end === NO_PARENT) prompt = NO_PROMPT;
      else if (known[end] !== UNKNOWN) prompt = known[end]!;
      else if (heads.traitsAt(end).role === 'user') prompt = end + FIRST;
    }
    for (let place = from; place !== NO_PARENT && known[place] === UNKNOWN; place = heads.parentAt(place)) {
      known[place] = prompt;
      if (place + FIRST === prompt) break;
    }
    if (prompt === NO_PROMPT) return undefined;
    const id = heads.idAt(prompt - FIRST);
    return Buffer.byteLength(id) > MAX_PROMPT_ID_BYTES ? undefined : id;
  };
}
