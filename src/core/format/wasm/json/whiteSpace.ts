/** White space in strings, as JavaScript's `\s` has it. */
import { codeUnitAt } from './escapes';
import { BACKSLASH, byteAt, SPACE } from './strings';

/** Returns whether a JSON string, given without its quotes, has a character that isn't white space. */
export function isNonBlank(from: usize, to: usize): bool {
  for (let at = from; at < to;) {
    const byte = byteAt(at);
    if (byte == BACKSLASH) {
      if (!isSpace(codeUnitAt(at))) return true;
      at += byteAt(at + 1) == 0x75 ? 6 : 2;
    } else if (byte < 0x80) {
      // JSON has no other white space without an escape.
      if (byte != SPACE) return true;
      at++;
    } else {
      const size = spaceSize(at);
      if (size == 0) return true;
      at += size;
    }
  }
  return false;
}

function isSpace(unit: u32): bool {
  if (unit < 0x80) return unit == SPACE || (unit >= 9 && unit <= 13);
  if (unit >= 0x2000 && unit <= 0x200a) return true;
  switch (unit) {
    case 0xa0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202f:
    case 0x205f:
    case 0x3000:
    case 0xfeff:
      return true;
    default:
      return false;
  }
}

/** Returns the length in bytes of the white space at a byte above ASCII; 0 if it is another character, or isn't UTF-8. */
function spaceSize(at: usize): usize {
  const first = byteAt(at);
  if (first == 0xc2) return byteAt(at + 1) == 0xa0 ? 2 : 0;
  if ((first & 0xf0) != 0xe0 || (byteAt(at + 1) & 0xc0) != 0x80 || (byteAt(at + 2) & 0xc0) != 0x80) return 0;
  const high: u32 = first & 0xf;
  const middle: u32 = byteAt(at + 1) & 0x3f;
  const unit = (high << 12) | (middle << 6) | (byteAt(at + 2) & 0x3f);
  // A character that fits into two bytes isn't UTF-8 in three.
  return unit >= 0x800 && isSpace(unit) ? 3 : 0;
}
