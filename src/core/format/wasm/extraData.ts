/** The values of a line that heads don't need and that can be large: `data` of custom entries, and `details`. */
import { CLOSE_BRACE, COLON, COMMA, OPEN_BRACE, valueEnd } from './json';
import { byteAt, plainEnd, QUOTE, startsWith } from './strings';

/** End of the value that was found last. */
export let extraDataEnd: usize = 0;

/**
 * Returns the start of the last `data` or `details` value of the object at `at`; 0 if it has none, or isn't compact JSON
 * with plain keys.
 */
export function findExtraData(at: usize): usize {
  let found: usize = 0;
  if (byteAt(at) != OPEN_BRACE) return 0;
  while (byteAt(at + 1) == QUOTE) {
    const key = at + 2;
    const keyTo = plainEnd(key);
    if (keyTo == 0 || byteAt(keyTo + 1) != COLON) return 0;
    at = valueEnd(keyTo + 2);
    if (at == 0) return 0;
    if ((keyTo - key == 4 && startsWith(key, 'data')) || (keyTo - key == 7 && startsWith(key, 'details'))) {
      found = keyTo + 2;
      extraDataEnd = at;
    }
    if (byteAt(at) == CLOSE_BRACE) return found;
    if (byteAt(at) != COMMA) return 0;
  }
  return 0;
}
