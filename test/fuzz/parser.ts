import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endOfLines, resumePoint } from '../../src/core/format/session/fileState';
import { LineSplitter } from '../../src/core/files/read/bytes/lineSplitter';
import { FullReadRequired } from '../../src/core/format/parse/readErrors';
import { readLine } from '../../src/core/format/parse/readLine';
import { SessionReader } from '../../src/core/format/session/read/sessionReader';
import { parseSessionEntries, SessionError, type Session } from '../../src/core/index';
import { generateSession } from '../fixtures/generate';
import { sessionValues } from '../fixtures/shape';
import { exerciseTree } from '../unit/properties/exerciseSession';
import { irregularLines } from '../unit/properties/irregularLines';
import type { FuzzTarget, Random } from './target';
import { finishSteps } from '../../src/core/format/session/steps';

/** Tests run in `out`; the fixtures are beside their sources. */
const DIALECTS = join(__dirname, '../../../test/fixtures/dialects');
const FIXTURES = readdirSync(DIALECTS)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => readFileSync(join(DIALECTS, name)));

/** Whatever bytes a file has: only `SessionError`s are thrown, each line is an entry or a problem, and the tree can be walked. */
export const target: FuzzTarget = {
  name: 'parser',
  cases: 400,
  run: (random) => {
    const bytes = random.mutate(bytesOf(random), random.int(5));
    try {
      checkLines(bytes);
      checkSession(bytes, random);
      checkEntries(bytes);
    } catch (error) {
      throw new Error(`input: ${JSON.stringify(bytes.toString('latin1'))}`, { cause: error });
    }
  },
};

function bytesOf(random: Random): Buffer {
  return random.pick<() => Buffer>([
    () => random.pick(FIXTURES),
    () => Buffer.from(generateSession(1 + random.int(100_000)).builder.text()),
    () => Buffer.from(`{"type":"session","version":3,"id":"s"}\n${irregularLines(random, 12).join('\n')}`),
    () => Buffer.from(`{"type":"session","version":3,"id":"s"}\n${brokenLines(random).join('\n')}\n`),
    () => Buffer.from(random.text(60)),
    () => random.bytes(300),
  ])();
}

/** Lines that are torn, with whole ones glued behind some of them, or with an escape that is none. */
function brokenLines(random: Random): string[] {
  const lines = irregularLines(random, 12);
  return lines.map((line) => {
    const torn = line.slice(0, random.int(line.length + 1));
    return random.pick([line, torn, `${torn}${random.pick(lines)}`, line.replace('"text":"', '"text":"\\x')]);
  });
}

const linesOf = (bytes: Buffer): string[] => bytes.toString('utf8').split('\n');

/** ASCII's white space, NUL and a byte order mark. Other white space isn't JSON's, so a line with it is reported. */
const PADDING = /^[\t-\r \0\ufeff]*$/;

/** Asserts that every character of a line is in an object, is padding, or is reported as `rest`. */
function checkLines(bytes: Buffer): void {
  for (const line of linesOf(bytes)) {
    const read = readLine(line);
    if (read.kind === 'blank') assert.match(line, PADDING);
    if (read.kind !== 'objects') continue;
    let end = 0;
    let outside = '';
    for (const object of read.objects) {
      assert.ok(object.start >= end && object.end > object.start && object.end <= line.length);
      const text = line.slice(object.start, object.end);
      if (object.isDamaged) assert.throws(() => JSON.parse(text) as unknown, `not damaged: ${text}`);
      else assert.deepEqual(object.value, JSON.parse(text));
      outside += line.slice(end, object.start);
      end = object.end;
    }
    outside += line.slice(end);
    assert.equal(read.rest, !PADDING.test(outside), `rest of ${JSON.stringify(line)}`);
  }
}

function checkSession(bytes: Buffer, random: Random): void {
  const whole = read([bytes]);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length;) pieces.push(bytes.subarray(at, (at += 1 + random.int(1 + random.int(2000)))));
  assert.deepEqual(values(read(pieces)), values(whole), 'in pieces');
  if (!whole) return;
  checkAccount(whole, bytes);
  exerciseTree(whole);
  checkGrowth(whole, bytes, random);
}

function read(pieces: readonly Buffer[], from?: Session): Session | undefined {
  const reader = new SessionReader({ path: '/a.jsonl', home: '/home/me' }, from);
  const lines = new LineSplitter(from ? endOfLines(from) : { offset: 0, line: 0 }, {
    add: reader.add.bind(reader),
    skip: reader.skip.bind(reader),
  });
  for (const piece of pieces) finishSteps(lines.take(piece, 0, piece.length));
  finishSteps(lines.end());
  try {
    return reader.session();
  } catch (error) {
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}

const values = (session: Session | undefined): unknown => session && sessionValues(session);

/**
 * Asserts that each line is blank, the header, the title slot, a `leaf` line, an entry, replaced by a later entry with
 * the same id, or in a problem.
 */
function checkAccount(session: Session, bytes: Buffer): void {
  const reportedLines = new Set<number>();
  for (const { line, lastLine } of session.problems) for (let at = line ?? 0; at <= (lastLine ?? line ?? 0); at++) reportedLines.add(at);
  for (const { line } of session.entries) reportedLines.add(line);
  const repeated = new Set<unknown>(session.problems.flatMap(({ code, args }) => (code === 'duplicate-id' ? args['id'] : [])));
  let header = false;
  for (const [index, text] of linesOf(bytes).entries()) {
    const line = readLine(text);
    if (line.kind === 'blank' || reportedLines.has(index + 1)) continue;
    const only = line.kind === 'objects' ? line.objects[0] : undefined;
    if (only?.value['type'] === 'leaf' || repeated.has(only?.value['id'])) continue;
    const isSlot = index === 0 && only?.value['type'] === 'title';
    if (isSlot && !header) continue;
    assert.ok(!header && only?.value['type'] === 'session', `line ${index + 1} is an entry, or reported: ${JSON.stringify(text)}`);
    header = true;
  }
  assert.equal(new Set(session.entries.map(({ id }) => id)).size, session.entries.length, 'ids are unique');
  for (const { offset, length } of session.entries)
    assert.ok(offset >= 0 && length > 0 && offset + length <= bytes.length, 'entries lie within the file');
}

/** Asserts that reading a part and then the appended rest gives the same as reading everything, or reports that everything must be read. */
function checkGrowth(whole: Session, bytes: Buffer, random: Random): void {
  const start = read([bytes.subarray(0, random.int(bytes.length + 1))]);
  if (!start) return;
  const { session: base, offset } = resumePoint(start);
  if (offset !== base.size) return;
  try {
    const grown = read([bytes.subarray(base.size)], base);
    assert.ok(grown);
    assert.deepEqual(
      grown.entries.map(({ id, parentId, line, offset, length }) => [id, parentId, line, offset, length]),
      whole.entries.map(({ id, parentId, line, offset, length }) => [id, parentId, line, offset, length]),
      'grown',
    );
    assert.equal(grown.leafId, whole.leafId);
  } catch (error) {
    if (!(error instanceof FullReadRequired)) throw error;
  }
}

function checkEntries(bytes: Buffer): void {
  try {
    parseSessionEntries(bytes.toString('utf8'));
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
  }
}
