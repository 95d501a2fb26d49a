/** The streams of archives that were read last, with the bytes that they keep: archives are opened again for each part of them. */
import type { UnpackedStream } from './unpackedStream';

/** Milliseconds until all are dropped. */
const IDLE_MS = 60_000;
/** Bytes that all of them keep, except if the one that was closed last has more. */
const MAX_BYTES = 128 * 1024 * 1024;
/** Each may hold the state of its decoder, which is a few megabytes, besides what it keeps. */
const MAX_STREAMS = 32;

export class RecentStreams {
  /** Those that nothing reads. The least recently closed one comes first. */
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

  /** Takes a stream that was read. */
  async close(key: string, stream: UnpackedStream): Promise<void> {
    const same = this.idle.get(key);
    this.idle.delete(key);
    this.idle.set(key, stream);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.clear(), IDLE_MS).unref();
    const dropped = this.takeOldest();
    for (const one of same ? [same, ...dropped] : dropped) await one.close();
  }

  /** Takes those that are too many, or keep too much. */
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

/** Shared by all of this thread. */
export const recentStreams = new RecentStreams();
