/** Reads a session's heads from bytes, in the columns of `storedHeads`. Texts are decoded when they are read. */
import { hashOf, probe, buildSlots } from '../../format/columns/stringTable';
import type { HeadColumns, IdIndex } from '../../format/columns/headColumns';
import { NO_PARENT } from '../../format/columns/headSource';
import { HeadTable } from '../../format/columns/headTable';
import { valueOf, elementAt } from '../../format/entry/lookups';
import { linkSession } from '../../format/linking/linkSession';
import type { Session } from '../../format/session/session';
import { ColumnReader } from './columnCodec';
import { BLOCK, IRREGULAR, ROOT, USAGE_NUMBERS, type StoredHeads } from './storedHeads';
import { TIMESTAMP_LENGTH, formatTimestamps } from './timestamps';

/** @throws if the bytes aren't those of `encodeHeads` */
export function decodeHeads(bytes: Uint8Array): Session {
  const reader = new ColumnReader(bytes);
  // The reader has checked that these are the bytes that `encodeHeads` wrote.
  const stored = JSON.parse(reader.text()) as StoredHeads;
  const session = linkSession({ ...stored.parts, lines: { ...stored.lines, calls: new Map(stored.calls) } }, tableOf(reader, stored));
  if (!session) throw new TypeError('Stored heads are those of a whole file, which always links.');
  return session;
}

function tableOf(reader: ColumnReader, { profiles, irregular: irregularHeads }: StoredHeads): HeadTable {
  const [profile, hashes, parents, lines, offsets, lengths, times, messageTimes, tokens, costs, idLengths] = [
    reader.numbers('words'),
    reader.numbers('ints'),
    reader.numbers('ints'),
    reader.numbers('bytes'),
    reader.numbers('bytes'),
    reader.numbers('ints'),
    reader.numbers('doubles'),
    reader.numbers('ints'),
    reader.numbers('ints'),
    reader.numbers('doubles'),
    reader.numbers('words'),
  ];
  const [letters, textLengths] = [reader.text(), reader.numbers('words')];
  const count = profile.length;
  const texts = Array.from({ length: Math.ceil(count / BLOCK) }, () => reader.lazyText());
  const [parent, size, usage] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  const [line, id, idEnd, text, textEnd, callEnd] = [
    new Uint32Array(count),
    new Uint32Array(count),
    new Uint32Array(count),
    new Uint32Array(count),
    new Uint32Array(count),
    new Uint32Array(count),
  ];
  const [offset, time, messageTime] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const irregular = new Map(irregularHeads);
  let timestamps: string | undefined;
  let [stored, message, used, part, at, letter, lastLine, end] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let row = 0; row < count; row++) {
    if (row % BLOCK === 0) at = 0;
    const number = profile[row]!;
    if (number === IRREGULAR) {
      const head = valueOf(irregular, row);
      line[row] = lastLine = head.line;
      offset[row] = head.offset;
      size[row] = head.length;
      end = head.offset + head.length;
      time[row] = head.time;
    } else {
      const { hasUsage, hasMessageTime, hasCall } = elementAt(profiles, number);
      id[row] = letter;
      idEnd[row] = letter += idLengths[stored]!;
      parent[row] = parents[stored] === ROOT ? NO_PARENT : row - parents[stored]!;
      line[row] = lastLine += lines[stored]!;
      offset[row] = end + offsets[stored]!;
      size[row] = lengths[stored]!;
      end = offset[row]! + size[row]!;
      time[row] = times[stored]!;
      if (hasMessageTime) messageTime[row] = time[row]! + messageTimes[message++]!;
      if (hasUsage) usage[row] = used++ * USAGE_NUMBERS;
      text[row] = at;
      textEnd[row] = at += textLengths[part++]!;
      callEnd[row] = hasCall ? (at += textLengths[part++]!) : at;
      stored++;
    }
  }
  const ids = idsOf(hashes, (row) => irregular.get(row)?.id ?? letters.slice(id[row], idEnd[row]));
  for (const [row, { parentId }] of irregularHeads) parent[row] = parentId === null ? NO_PARENT : (ids.indexOf(parentId) ?? NO_PARENT);
  const columns: HeadColumns = {
    profiles,
    profile,
    irregular,
    parent,
    line,
    offset,
    size,
    time,
    messageTime,
    usage,
    tokens,
    costs,
    timestamp: (row) =>
      (timestamps ??= formatTimestamps(time.map((at, index) => (profile[index] === IRREGULAR ? 0 : at)))).slice(
        row * TIMESTAMP_LENGTH,
        (row + 1) * TIMESTAMP_LENGTH,
      ),
    text: (row) => elementAt(texts, Math.floor(row / BLOCK))().slice(text[row], textEnd[row]),
    toolCallId: (row) => elementAt(texts, Math.floor(row / BLOCK))().slice(textEnd[row], callEnd[row]),
  };
  return new HeadTable(columns, ids);
}

/** Finds ids by hash; building a `Map` of them would take longer than all other decoding. */
function idsOf(hashes: Int32Array, at: (row: number) => string): IdIndex {
  const slots = buildSlots(hashes);
  const rowOf = (id: string): number | undefined => {
    const hash = hashOf(id);
    const row = probe(slots, hash, (each) => hashes[each] === hash && at(each) === id);
    return row < 0 ? undefined : row;
  };
  return { length: hashes.length, at, indexOf: rowOf };
}
