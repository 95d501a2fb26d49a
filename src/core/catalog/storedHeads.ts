/** A session's heads as bytes, so that a large file need not be read again to be opened, or to go on where it ended. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { EntryHead } from '../format/head';
import { link, type ReadLines, type Session } from '../format/session';

/** What `link` says by itself when the heads are linked again. */
const LINKED = new Set(['unknown-parent']);
/** What heads alone don't tell any more. */
const LOST = new Set(['duplicate-id', 'cycle', 'torn-line']);

interface Stored {
  readonly lines: Omit<ReadLines, 'heads' | 'reading'>;
  readonly reading: object;
  readonly calls: [string, string][];
  readonly shapes: string[][];
  /** The number of a head's shape, then the values of its keys. */
  readonly heads: unknown[][];
}

/** `undefined` for the few sessions whose heads alone do not make them again. */
export function encodeHeads(session: Session): Uint8Array | undefined {
  const { reading } = session;
  if (reading.before || reading.leafTargets.size > 0 || session.problems.some(({ code }) => LOST.has(code))) return undefined;
  const answered = new Set<string>();
  const shapes = new Map<string, number>();
  const keys: string[][] = [];
  const heads: unknown[][] = session.entries.map((head) => {
    if (head.toolCallId !== undefined) answered.add(head.toolCallId);
    const names = Object.keys(head).filter((key) => key !== 'time');
    const name = names.join();
    let shape = shapes.get(name);
    if (shape === undefined) shapes.set(name, (shape = keys.push(names) - 1));
    return [shape, ...names.map((key) => head[key as keyof EntryHead])];
  });
  const stored: Stored = {
    lines: {
      path: session.path,
      dialect: session.dialect,
      ...(session.name === undefined ? {} : { name: session.name }),
      problems: session.problems.filter(({ code }) => !LINKED.has(code)),
      hasGivenIds: session.hasGivenIds,
      size: session.size,
    },
    reading: { ...reading, calls: undefined, leafTargets: undefined, missing: undefined, maps: undefined },
    calls: [...reading.calls].filter(([id]) => !answered.has(id)),
    shapes: keys,
    heads,
  };
  return deflateRawSync(JSON.stringify(stored), { level: 1 });
}

/** @throws if the bytes are none of `encodeHeads`. */
export function decodeHeads(bytes: Uint8Array): Session {
  const stored = JSON.parse(inflateRawSync(bytes).toString('utf8')) as Stored;
  const heads = stored.heads.map((values): EntryHead => {
    const names = stored.shapes[values[0] as number]!;
    const head: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!;
      head[name] = values[index + 1];
      if (name === 'timestamp') head['time'] = Date.parse(head[name] as string) || 0;
    }
    return head as unknown as EntryHead;
  });
  const reading = { ...stored.reading, calls: new Map(stored.calls) } as unknown as ReadLines['reading'];
  return link({ ...stored.lines, heads, reading });
}
