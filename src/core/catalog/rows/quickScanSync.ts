/** The synchronous `quickScan`, for worker threads. */
import { readAtSync, type ByteSourceSync } from '../../files/sync/readAtSync';
import { openSessionBytesSync } from '../../files/sync/sessionBytesSync';
import { headRange, tailRange, needsLongerHead, QUICK_SCAN_BYTES, QuickScanner } from './quickScan';
import type { StaleFile, StoredRow } from './catalogRow';

/** Never throws, like `quickScan`. */
export function quickScanSync(file: StaleFile, buffer: Buffer): StoredRow {
  const scanner = new QuickScanner(file);
  let source: ByteSourceSync | undefined;
  try {
    const opened = openSessionBytesSync(file.path);
    const size = opened.locateEnd(QUICK_SCAN_BYTES);
    source = opened.file;
    let head = readAtSync(source, ...headRange(size, buffer));
    const tail = size > QUICK_SCAN_BYTES ? readAtSync(source, ...tailRange(size, buffer)) : undefined;
    for (let length = 2 * QUICK_SCAN_BYTES; needsLongerHead(head, size, length); length *= 2)
      head = readAtSync(source, 0, Math.min(length, size));
    scanner.scan(head, tail);
  } catch {
    // The row is still the one for a file without content.
  } finally {
    source?.close();
  }
  return scanner.row();
}
