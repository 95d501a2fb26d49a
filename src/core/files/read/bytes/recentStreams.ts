/** The streams of archives that were read last, with the bytes that they keep: archives are opened again for each part of them. */
import type { UnpackedStream } from './unpackedStream';

/** Milliseconds after the last use of a stream until all are dropped. */
const IDLE_MS = 60_000;
/** Bytes that all streams may keep. The most recently closed stream is kept even if it has more. */
const MAX_BYTES = 128 * 1024 * 1024;
/** The most streams. Besides the bytes that it keeps, each may hold the state of its decoder, which is a few megabytes. */
const MAX_STREAMS = 32;

export class RecentStreams {
  /** The streams that nothing reads, the least recently closed one first. */
  private readonly idle = new Map<string, UnpackedStream>();
  private timer: NodeJS.Timeout | undefined;

  /**
   * Opens a stream. It has one reader at a time, as two would make each other unpack from the beginning.
   *
   * @param key identifies the unpacked bytes.
   * @param create makes the stream of an archive that wasn't read lately.
   */
  open(key: string, create: () => UnpackedStream): UnpackedStream {
    const found = this.idle.get(key);
    this.idle.delete(key);
    return found ?? create();
  }

  /** Keeps a stream that its reader has closed, and closes the streams beyond the limits. */
  async close(key: string, stream: UnpackedStream): Promise<void> {
    const same = this.idle.get(key);
    this.idle.delete(key);
    this.idle.set(key, stream);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.clear(), IDLE_MS).unref();
    const dropped = this.takeOldest();
    for (const one of same ? [same, ...dropped] : dropped) await one.close();
  }

  /** Removes and returns the streams beyond the limits, the least recently closed ones. */
  private takeOldest(): UnpackedStream[] {
    const taken: UnpackedStream[] = [];
    let [count, bytes] = [0, 0];
    for (const [key, stream] of [...this.idle].reverse()) {
      count++;
      bytes += stream.keptBytes;
      if (count === 1 || (count <= MAX_STREAMS && bytes <= MAX_BYTES)) continue;
      this.idle.delete(key);
      taken.push(stream);
    }
    return taken;
  }

  private async clear(): Promise<void> {
    const streams = [...this.idle.values()];
    this.idle.clear();
    for (const stream of streams) await stream.close();
  }
}

/** The streams of this thread. */
export const recentStreams = new RecentStreams();
