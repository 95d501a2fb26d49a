/** What reads messages by their bytes, wherever there is WebAssembly; without it every line is parsed. */
import { Scanner } from '../../format/columns/scanner';

/** As the scanner's constructor. */
export function createScanner(capacity: number, expected: number): Scanner | undefined {
  try {
    return new Scanner(capacity, expected);
  } catch {
    return undefined;
  }
}
