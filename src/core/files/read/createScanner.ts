/** The WebAssembly scanner, where it's available. Without it every line is parsed as JSON. */
import { Scanner } from '../../format/scanner/scanner';

/** Returns a scanner, `undefined` without WebAssembly. Parameters as in the scanner's constructor. */
export function createScanner(...given: ConstructorParameters<typeof Scanner>): Scanner | undefined {
  try {
    return new Scanner(...given);
  } catch {
    return undefined;
  }
}
