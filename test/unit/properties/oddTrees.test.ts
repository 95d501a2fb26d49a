import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createScanBuffers } from '../../../src/core/catalog/index/scanSession';
import { headsOf } from '../../../src/core/format/linking/headsById';
import { readerStateOf } from '../../../src/core/format/linking/readerState';
import { Scanner } from '../../../src/core/format/scanner/scanner';
import type { Session } from '../../../src/core/format/session/session';
import { testFolder } from '../../fixtures/folder';
import { catalogData } from './catalogData';
import { CAPACITY, readBytes, type ReadBytes } from './readBytes';

const scanner = new Scanner(CAPACITY, 0);
const HEADER = '{"type":"session","version":3,"id":"s","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/home/me"}';
const FIRST =
  '{"type":"message","id":"e0","parentId":null,"timestamp":"2026-01-02T10:00:00.000Z","message":{"role":"user","content":"first"}}';

/** Few ids, so that many are repeated, and many parents are unknown, come later or form circles. */
const id = fc.nat(7).map((number) => `e${number}`);
const parentId = fc.option(fc.oneof({ weight: 6, arbitrary: id }, fc.constantFrom('l1', 'unknown', 'é')), { freq: 8 });
const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'toolResult', 'other'),
  content: fc.constantFrom('said', 'words'),
  toolCallId: fc.constant('c'),
});
/** A line of an entry: a message that the scanner takes, or one of those that it doesn't take. */
const entry = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant('message'), id, parentId, message }) },
  fc.record({ type: fc.constant('label'), id, parentId, targetId: id, label: fc.constantFrom('one', 'two') }),
  fc.record({ type: fc.constant('leaf'), id: fc.oneof(fc.constant('l1'), fc.constant('l2'), id), parentId, targetId: parentId }),
  fc.record({ type: fc.constant('custom'), id, parentId, customType: fc.constant('x'), appendMode: fc.constant('side') }),
  fc.record({ type: fc.constant('message'), id: fc.constantFrom('é', '', 'x'.repeat(2000)), parentId, message }),
  fc.record({ type: fc.constant('session_info'), id, parentId, name: fc.constant('a name') }),
);
/** A line, as a function of its place: most continue the line before, with an id of their own. */
const line = fc.tuple(entry, fc.nat(9), fc.nat(2), fc.nat(60)).map(([value, second, odd, damage]) => (place: number): string => {
  const usual = odd === 0 ? {} : { id: `n${place}`, parentId: place === 0 ? 'e0' : `n${place - 1}` };
  const text = JSON.stringify({ ...value, ...usual, timestamp: `2026-01-02T10:00:0${second}.000Z` });
  // Programs skip such a line, and its place in the tree is legible.
  return damage === 0 ? text.replace(/}$/, ',"broken":}') : text;
});

/** Some lines of a session, a few of them without a line break between them, and with or without one at the end. */
const file = fc.tuple(fc.array(line, { minLength: 1, maxLength: 14 }), fc.boolean(), fc.nat(20)).map(([lines, isEnded, glued]) => {
  const texts = [HEADER, FIRST, ...lines.map((lineAt, place) => lineAt(place))];
  return Buffer.from(
    texts
      .map((text, index) => (index === glued ? text : `${text}\n`))
      .join('')
      .slice(0, isEnded ? undefined : -1),
  );
});

/** The ids that the lines may have. */
const IDS = ['l1', 'l2', 'é', ...Array.from({ length: 14 }, (_, number) => [`e${number}`, `n${number}`]).flat()];

/** What a session, and the one before its last line, has by id and by place, without the objects of all heads. */
function byPlace(session: Session | undefined): unknown {
  if (!session) return undefined;
  const heads = headsOf(session);
  const entries = Array.from({ length: heads.length }, (_, place) => ({
    id: heads.idAt(place),
    parent: heads.parentAt(place),
    type: heads.traitsAt(place).type,
    role: heads.traitsAt(place).role,
    time: heads.timeAt(place),
    messageTime: heads.messageTimeAt(place),
    offset: heads.offsetAt(place),
    length: heads.lengthAt(place),
    head: heads.peek(place),
    children: session.children.get(heads.idAt(place)),
  }));
  return { entries, places: IDS.map((one) => heads.placeOf(one)), before: byPlace(readerStateOf(session).lines.beforeLastLine) };
}

/** Asserts that a file has the same session if it's scanned as if it's parsed. */
async function readTwice(bytes: Buffer): Promise<{ readonly scanned: ReadBytes; readonly parsed: ReadBytes }> {
  const scanned = await readBytes(bytes, scanner);
  // Values are read before the scanner begins another file.
  const places = byPlace(scanned.read);
  const parsed = await readBytes(bytes);
  assert.deepEqual(scanned.session, parsed.session, bytes.toString());
  assert.deepEqual(places, byPlace(parsed.read), bytes.toString());
  return { scanned, parsed };
}

describe('Files with repeated ids, late and unknown parents, circles and leaf lines', function () {
  this.timeout(120_000);
  const folder = testFolder();

  it('have the same session if they are scanned as if they are parsed', async () => {
    const seen = { repeated: 0, circles: 0, unended: 0, scanned: 0 };
    await fc.assert(
      fc.asyncProperty(file, async (bytes) => {
        const { scanned, parsed } = await readTwice(bytes);
        const codes = new Set(parsed.read?.problems.map(({ code }) => code));
        if (codes.has('duplicate-id')) seen.repeated++;
        if (codes.has('cycle')) seen.circles++;
        if (parsed.read && readerStateOf(parsed.read).lines.beforeLastLine) seen.unended++;
        if (scanned.messages > 0) seen.scanned++;
      }),
      { numRuns: 3000 },
    );
    assert.ok(
      Object.values(seen).every((count) => count > 300),
      JSON.stringify(seen),
    );
  });

  it('have the same lines before a last one that repeats an id, after a repeated id beyond ASCII', async () => {
    const ids = ['a', 'b', 'é', 'é', 'c', 'a'];
    const lines = ids.map((one) => FIRST.replace('"e0"', `"${one}"`).replace('null', '"e0"'));
    const { parsed } = await readTwice(Buffer.from([HEADER, FIRST, ...lines].join('\n')));
    assert.deepEqual(
      parsed.read?.entries.map(({ id: one }) => one),
      ['e0', 'b', 'é', 'c', 'a'],
    );
  });

  it('have the same data in the catalog', async () => {
    const buffers = createScanBuffers();
    const parsing = { ...buffers, read: { ...buffers.read, scanner: undefined } };
    await fc.assert(
      fc.asyncProperty(file, async (bytes) => {
        const path = await folder.write('odd.jsonl', bytes);
        assert.deepEqual(await catalogData(path, 'pi', buffers), await catalogData(path, 'pi', parsing), bytes.toString());
      }),
      { numRuns: 400 },
    );
  });
});
