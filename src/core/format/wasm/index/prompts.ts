/** The person's message that a row answers: the nearest one among its ancestors. */
import { NONE } from '../../scanner/scannerLayout';
import { createBytes } from '../memory/memory';
import { intAt, resetToZeros, setInt } from '../memory/integers';
import { parents, rowCount } from '../rows/rows';
import { isUser } from './roles';

/** By row: its prompt plus two, 1 if it has none, or 0 if that isn't known yet. */
const prompts = createBytes(0);

export function preparePrompts(): void {
  resetToZeros(prompts, (<usize>rowCount) << 2);
}

/** Returns the row of the prompt, or `NONE`. Takes a few steps for each row, over all calls together. */
export function promptOf(row: i32): i32 {
  let known = 0;
  let at = row;
  // A row is its own ancestor only in a damaged file.
  for (let left = rowCount; known == 0; left--) {
    if (at == NONE || left == 0) known = 1;
    else if (isUser(at)) known = at + 2;
    else known = intAt(prompts, at);
    if (known == 0) at = intAt(parents, at);
  }
  for (at = row; at != NONE && intAt(prompts, at) == 0; at = intAt(parents, at)) {
    setInt(prompts, at, known);
    if (isUser(at)) break;
  }
  return known - 2 < 0 ? NONE : known - 2;
}
