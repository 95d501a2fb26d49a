/** Escapes in JSON strings. */
import { byteAt } from './strings';

/** Returns the UTF-16 unit of the escape that begins at a backslash. The escape must be valid. */
export function codeUnitAt(at: usize): u32 {
  const letter = byteAt(at + 1);
  switch (letter) {
    case 0x62:
      return 8;
    case 0x66:
      return 12;
    case 0x6e:
      return 10;
    case 0x72:
      return 13;
    case 0x74:
      return 9;
    case 0x75:
      return (hexDigit(at + 2) << 12) | (hexDigit(at + 3) << 8) | (hexDigit(at + 4) << 4) | hexDigit(at + 5);
    default:
      return letter;
  }
}

function hexDigit(at: usize): u32 {
  const byte = byteAt(at);
  return byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57;
}
