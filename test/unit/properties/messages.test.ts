import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isDamaged } from '../../../src/core/format/parse/damagedLine';
import { LineSplitter } from '../../../src/core/files/read/bytes/lineSplitter';
import { createScanBuffers, scanSession } from '../../../src/core/catalog/index/scanSession';
import { tableSize } from '../../../src/core/format/columns/stringTable';
import { Scanner } from '../../../src/core/format/scanner/scanner';
import { readSession } from '../../../src/core/index';
import type { Session } from '../../../src/core/format/session/session';
import type { EntryHead } from '../../../src/core/format/entry/entryHead';
import { headsOf } from '../../../src/core/format/linking/headsById';
import { HeadTable } from '../../../src/core/format/columns/headTable';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { generateSession } from '../../fixtures/generate';
import { dice } from '../../fixtures/random';
import { sessionValues } from '../../fixtures/shape';
import { brokenBytes } from './brokenSessions';
import { catalogData } from './catalogData';
import { ANSWER, LINE, ODD } from './irregularLines';
import { CAPACITY, newReader, readBytes } from './readBytes';
import { finishSteps } from '../../../src/core/format/session/steps';

const scanner = new Scanner(CAPACITY, 0);

/** Shuffles the keys of all objects on a line. */
function shuffled(line: string, seed: number): string {
  const random = dice(seed);
  const shuffle = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffle);
    if (typeof value !== 'object' || value === null) return value;
    const keys = Object.entries(value).map((entry) => ({ entry, at: random.below(1_000_000) }));
    // Rows show arguments in their order, so it stays.
    return Object.fromEntries(
      keys.sort((a, b) => a.at - b.at).map(({ entry: [key, inner] }) => [key, key === 'arguments' ? inner : shuffle(inner)]),
    );
  };
  return JSON.stringify(shuffle(JSON.parse(line)));
}

/** A line with some pieces inserted or replaced. */
const oddLine = fc
  .tuple(
    fc.constantFrom(LINE, ANSWER, ANSWER.replace('"assistant"', '"user"'), LINE.replace('toolResult', 'bashExecution')),
    fc.array(fc.tuple(fc.constantFrom(...ODD), fc.nat({ max: 700 }), fc.nat({ max: 12 })), { minLength: 1, maxLength: 3 }),
    fc.boolean(),
  )
  .map(([line, pieces, inText]) =>
    pieces.reduce((text, [piece, at, gone]) => {
      const where = inText ? text.indexOf('TEXT') : at % (text.length + 1);
      return text.slice(0, where) + piece + text.slice(where + (inText ? 0 : gone));
    }, line),
  );

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('\\n', '\\"', '\\t') },
  { weight: 4, arbitrary: fc.nat(6).map((count) => '\\\\'.repeat(count)) },
  { weight: 4, arbitrary: fc.nat(70).map((length) => 'x'.repeat(length)) },
  { weight: 2, arbitrary: fc.constantFrom('\\u001b', '\\/', '\\r', '\u007f', 'é', '\u00e9🚀') },
  fc.constantFrom('\\', '\\x', '\\u00g0', '\u0001', '"'),
);
/** Any byte except a line break. */
const byte = fc.nat(0xff).filter((value) => value !== 10);
/** A long text with valid and invalid escapes at any position in a block. */
const longText = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: piece.map((text) => Buffer.from(text)) },
      byte.map((value) => Buffer.of(value)),
      byte.map((value) => Buffer.of(0x5c, value)),
    ),
    { maxLength: 12, minLength: 3 },
  )
  .map((pieces) => Buffer.concat(pieces.flatMap((one) => [one, Buffer.from('x'.repeat(7))])));

/** A line with a large `data` or `details` value, or with an irregular piece in it. */
const ownLine = fc
  .tuple(
    fc.constantFrom('custom', 'custom_message', 'compaction', 'branch_summary', 'message', 'label'),
    fc.constantFrom('data', 'details', 'other'),
    fc.json(),
    fc.constantFrom('', ...ODD),
    fc.nat(8),
    fc.boolean(),
  )
  .map(([type, key, json, odd, at, isFirst]) => {
    const members = [
      `"type":"${type}"`,
      '"id":"a1"',
      '"parentId":"a0"',
      '"timestamp":"2026-01-02T10:00:00.000Z"',
      '"customType":"mine"',
      '"content":"said"',
      '"appendMode":"side"',
    ];
    members.splice(at, 0, `"${key}":[${JSON.stringify('much "more"\n'.repeat(500))},${json}${odd && isFirst ? odd : ''}]`);
    const line = `{${members.join(',')}}`;
    return isFirst ? line : line.slice(0, at * 7) + odd + line.slice(at * 7);
  });

describe('Scanned messages', function () {
  this.timeout(60_000);
  const folder = testFolder();

  it('equal parsed ones for any bytes', async () => {
    let fast = 0;
    await fc.assert(
      fc.asyncProperty(brokenBytes, async (bytes) => {
        if (bytes.length > CAPACITY) return;
        const [byBytes, parsed] = [await readBytes(bytes, scanner), await readBytes(bytes)];
        assert.deepEqual(byBytes.session, parsed.session);
        fast += byBytes.messages;
      }),
      { numRuns: 400 },
    );
    assert.ok(fast > 1000, `${fast} were read so`);
  });

  it('equal parsed ones with escapes anywhere in long texts', async () => {
    const before = '{"type":"session","version":3,"id":"s"}\n{"type":"custom","id":"a0","parentId":null}';
    let fast = 0;
    let bad = 0;
    await fc.assert(
      fc.asyncProperty(longText, fc.constantFrom(LINE, ANSWER), async (text, line) => {
        const [start, end] = line.split('TEXT');
        const bytes = Buffer.concat([Buffer.from(`${before}\n${start!}`), text, Buffer.from(`${end!}\n${LINE.replace('"a1"', '"a2"')}\n`)]);
        const [byBytes, parsed] = [await readBytes(bytes, scanner), await readBytes(bytes)];
        assert.deepEqual(byBytes.session, parsed.session, text.toString('hex'));
        fast += byBytes.messages;
        if (parsed.heads.length < 3 || parsed.heads.some((head) => isDamaged(head as EntryHead))) bad++;
        // Lines with possible white space of other scripts are parsed.
        else if (line === LINE) assert.equal(byBytes.messages, 2, text.toString('hex'));
      }),
      { numRuns: 4000 },
    );
    assert.ok(fast > 1000 && bad > 500, `${fast} were read so, ${bad} are bad`);
  });

  it('equal parsed ones with irregular pieces anywhere', async () => {
    const [header, next] = [
      '{"type":"session","version":3,"id":"s"}\n{"type":"custom","id":"a0","parentId":null}',
      '{"type":"custom","id":"next","parentId":"a1"}',
    ];
    let fast = 0;
    await fc.assert(
      fc.asyncProperty(oddLine, async (line) => {
        const bytes = Buffer.from(`${header}\n${line}\n${next}\n`);
        const [byBytes, parsed] = [await readBytes(bytes, scanner), await readBytes(bytes)];
        assert.deepEqual(byBytes.session, parsed.session, line);
        fast += byBytes.messages;
      }),
      { numRuns: 6000 },
    );
    assert.ok(fast > 200, `${fast} were read so`);
  });

  it('equal parsed ones with a role or type that differs in one character', async () => {
    for (const [line, word] of [
      [ANSWER, 'assistant'],
      [LINE, 'toolResult'],
      [ANSWER, 'message'],
      [ANSWER, 'toolCall'],
    ] as const) {
      for (let at = 0; at < word.length; at++) {
        const odd = line.replaceAll(`"${word}"`, () => `"${word.slice(0, at)}x${word.slice(at + 1)}"`);
        const bytes = Buffer.from(`{"type":"session","version":3,"id":"s"}\n${odd}\n`);
        const [byBytes, parsed] = [await readBytes(bytes, scanner), await readBytes(bytes)];
        assert.deepEqual(byBytes.session, parsed.session, odd);
      }
    }
  });

  it('can be mixed with lines with large data', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(ownLine, fc.boolean(), async (line, isLast) => {
        const bytes = Buffer.from(
          `{"type":"session","version":3,"id":"s"}\n{"type":"custom","id":"a0","parentId":null}\n${line}\n${isLast ? '' : `${LINE.replace('"a1"', '"a2"')}\n`}`,
        );
        const [byBytes, parsed] = [await readBytes(bytes, scanner), await readBytes(bytes)];
        assert.deepEqual(byBytes.session, parsed.session, line);
        assert.deepEqual(byBytes.heads, parsed.heads, line);
        taken += byBytes.messages;
      }),
      { numRuns: 3000 },
    );
    assert.ok(taken > 1000, `${taken} were read so`);
  });

  it('can follow a long header', async () => {
    const title = '{"type":"title","v":1,"title":"t"}';
    const header = `{"type":"session","version":3,"id":"s","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/w","details":${JSON.stringify('much '.repeat(2000))}}`;
    const bytes = Buffer.from(`${title}\n${header}\n${LINE.replace('"a0"', 'null')}\n`);
    const [byBytes, parsed] = [await readBytes(bytes, scanner), await readBytes(bytes)];
    assert.deepEqual(byBytes.session, parsed.session);
    assert.equal(byBytes.messages, 1);
  });

  it('give the catalog the same data as parsed ones', async () => {
    const room = createScanBuffers();
    const parsing = { ...room, read: { ...room.read, scanner: undefined } };
    const question = [{ type: 'text', text: 'Where?' }];
    const calls = (given: object): object[] => [
      { type: 'toolCall', id: 'c', name: 'read', arguments: given },
      { type: 'text', text: 'x\t"y"' },
      { type: 'toolCall', name: 'Edit', arguments: { path: 'b' } },
    ];
    const odd = [
      { file: 'f', path: 'p', file_path: 'q' },
      { path: '', file: 'f' },
      { path: 'a\nb' },
      { path: 'ü' },
      { 1: 'one', path: 'x' },
      { path: { path: 'inner' }, edits: [{ file: 'y' }, 'z'] },
      { path: ['in a list'] },
      'text',
      null,
      { content: 'ä'.repeat(3000) },
      { content: 'word '.repeat(20_000) },
      { list: Array.from({ length: 1200 }, (_, index) => `n${index}`) },
      { path: ' ' },
    ];
    const mixed = session().user(question);
    for (const [index, given] of odd.entries()) mixed.assistant(calls(given as object)).tool('write', { path: `w${index}` });
    const named = (name: string, path: string): object => ({ type: 'toolCall', name, arguments: { path } });
    mixed
      .assistant([named('read', 'b'), named('read', './b'), named('read', 'b'), named('edit', '../demo/b'), named('edit', 'b')])
      .assistant([named('read', '/x'), named('read', 'ü'), named('read', 'ü')]);
    for (const text of [
      '  ',
      ' \n',
      '\u00a0',
      '\u2003x',
      '\u3000',
      '\ufeff',
      '\u0000',
      '\u0008',
      '',
      'é',
      '"',
      '\\n',
      'long '.repeat(1000),
    ])
      mixed
        .user(text)
        .assistant([{ type: 'text', text }])
        .assistant(text)
        .user([
          { type: 'image', data: 'x' },
          { type: 'text', text },
        ]);
    // Two tips, one of which is more than the fork; costs on parsed lines; labels of scanned and of parsed entries.
    const failed = {
      errorMessage: 'no',
      usage: {
        input: 1,
        output: 2,
        cacheRead: 3,
        cacheWrite: 4,
        totalTokens: 10,
        cost: { input: 0.1, output: 0.2, cacheRead: 0.3, cacheWrite: 0.4, total: 0.7 },
      },
    };
    const branches = session()
      .user('one')
      .assistant('two', { message: failed })
      .label(entryId(1), 'first')
      .label(entryId(2), 'failed')
      .label('nobody', 'no one')
      .model('p', 'chosen')
      .assistant('three')
      .name('A name')
      .user('half', { message: { timestamp: 1767348000000.5 } });
    branches
      .branchFrom(entryId(2))
      .user('other')
      .assistant('way', { message: { model: 'm2', provider: 'q' } })
      .compaction('short', entryId(1), { usage: failed.usage })
      .assistant('ünicode', { message: failed })
      .label(entryId(1));
    const lines = branches.lines();
    const glued = [...lines.slice(0, 3), `${lines[3]!}${lines[4]!}`, ...lines.slice(5)];
    const gluedMessages = [lines[0]!, `${lines[1]!}${lines[2]!}`, ...lines.slice(3)];
    const many = session().user('Where?').assistant('Here');
    // Calls without a name; models with equal names; a last line without a line break that isn't an entry.
    mixed.assistant([{ type: 'toolCall', id: 'c', arguments: {} }]).assistant([{ type: 'toolCall', id: 'd', name: '', arguments: {} }]);
    for (const [provider, model] of [
      ['a', 'b/c'],
      ['a/b', 'c'],
    ] as const)
      mixed.assistant('same', { message: { provider, model } });
    const torn = `${many.text()}{"type":"session","id":"again"}`;
    const long = session()
      .user('Where?')
      .assistant('Here', { id: 'i'.repeat(1025) })
      .label('i'.repeat(1025), 'far')
      .assistant('More')
      .user('End');
    const days = session().user('Since when?');
    for (let day = 0; day < 2100; day++) days.assistant('x', { message: { timestamp: day * 86_400_000 } });
    const twice = session()
      .user('Where?')
      .assistant(calls({ x: 'first', y: 'second' }))
      .text()
      .replace('"y"', '"x"');
    // Two hexadecimal digits of an id share a byte; these have the characters beside the digits, too.
    const ids = session().user('Where?');
    for (const id of ['0123456789abcdef', 'fg', 'gf', '`0', '/0', ':9', 'AB', 'abc', 'f', '00'])
      ids.assistant([{ type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'a.ts' } }], { id });
    const withTitle = ['{"type":"title","title":"A title of words"}', ...mixed.lines()];
    const texts = [
      ...Array.from({ length: 60 }, (_, seed) => generateSession(seed + 1).builder.text()),
      mixed.text(),
      branches.text(),
      `${glued.join('\n')}\n`,
      `${gluedMessages.join('\n')}\n`,
      `${withTitle.join('\n')}\n`,
      torn,
      twice,
      long.text(),
      days.user('end').text(),
      ids.text(),
    ];
    let taken = 0;
    for (const [index, text] of texts.entries()) {
      const path = await folder.write(`facts-${index}.jsonl`, text);
      for (const dialect of index < 40 ? (['pi'] as const) : (['pi', 'omp'] as const)) {
        room.read.scanner!.beginFile('words');
        assert.deepEqual(await catalogData(path, dialect, room), await catalogData(path, dialect, parsing), text);
        // By now, parsed lines have profiles after the profiles of scanned messages.
        const profiles = tableSize(room.read.scanner!.rows!.table('profiles'));
        taken += room.read.scanner!.rows!.ints('profile').filter((profile) => profile >= 0 && profile < profiles).length;
      }
    }
    assert.ok(taken > 300, `${taken} were read so`);
  });

  it('give the catalog the same data with repeated ids and leaf lines', async () => {
    const room = createScanBuffers();
    const parsing = { ...room, read: { ...room.read, scanner: undefined } };
    const start = session().user('Where?').assistant('Here').user('Thanks').assistant('And there');
    const [twice, moving] = [start.lines().slice(), start.lines().slice()];
    twice.push(twice[2]!);
    moving.push(`{"type":"leaf","id":"l","parentId":"${entryId(2)}","targetId":"${entryId(1)}","timestamp":"2026-01-02T10:00:00.000Z"}`);
    for (const lines of [twice, moving]) {
      const path = await folder.write('odd.jsonl', `${lines.join('\n')}\n`);
      room.read.scanner!.beginFile('words');
      assert.deepEqual(await catalogData(path, 'openclaw', room), await catalogData(path, 'openclaw', parsing), lines.join('\n'));
      assert.ok(room.read.scanner!.rows!.ints('profile').includes(0), 'one was taken');
    }
  });

  it('equal those with their keys in another order', async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const lines = generateSession(seed).builder.lines();
      const other = [lines[0]!, ...lines.slice(1).map((line, index) => shuffled(line, seed * 1000 + index))];
      const [first, second] = [
        await readBytes(Buffer.from(`${lines.join('\n')}\n`), scanner),
        await readBytes(Buffer.from(`${other.join('\n')}\n`), scanner),
      ];
      const heads = (of: typeof first): unknown => of.heads.map((head) => ({ ...head, offset: 0 }));
      assert.deepEqual(heads(second), heads(first));
      assert.equal(second.messages, first.messages);
    }
  });

  it('equal parsed ones in a file that is read in chunks', async () => {
    const lines = generateSession(12).builder.lines();
    const text = 'line one\nline "two" \u001b[0m ünï 🚀\n'.repeat(200);
    const results = Array.from({ length: 400 }, (_, n) =>
      LINE.replace('"a1"', `"r${n}"`)
        .replace('"a0"', n === 0 ? 'null' : `"r${n - 1}"`)
        .replace('"TEXT"', JSON.stringify(text.slice(n))),
    );
    results[200] = results[200]!.replace('line', 'line"');
    const bytes = Buffer.from(`${[lines[0], ...results, ...lines.slice(1)].join('\n')}\n`);
    const found = await readSession(await folder.write('a.jsonl', bytes), { home: '/home/me' });
    const into = newReader();
    const parsed = new LineSplitter({ offset: 0, line: 0 }, { add: into.add.bind(into), skip: into.skip.bind(into) });
    finishSteps(parsed.take(bytes, 0, bytes.length));
    assert.deepEqual({ ...sessionValues(found), path: '/a.jsonl' }, sessionValues(into.session()));
    assert.deepEqual(
      found.problems.filter(({ code }) => code === 'damaged-line').map(({ line }) => line),
      [202],
    );
    assert.ok(headsOf(found) instanceof HeadTable, 'most of it is in columns');
  });

  it('may have lines of up to a megabyte, also in the catalog', async () => {
    const lines = ['{"type":"session","version":3,"id":"s"}', ANSWER.replace('"assistant"', '"user"')];
    for (let n = 2; n < 8; n++)
      lines.push(
        LINE.replace('"a1"', `"a${n}"`)
          .replace('"a0"', `"a${n - 1}"`)
          .replace('TEXT', 'x'.repeat(n === 5 ? 2_000_000 : n < 5 ? 900_000 : 1)),
      );
    const path = await folder.write('large.jsonl', `${lines.join('\n')}\n`);
    const { session: scanned } = await scanSession(path, { dialect: 'pi', buffers: createScanBuffers(), check: () => undefined });
    const read = await readSession(path);
    // The catalog keeps the first user message, so it parses that line.
    const irregular = (one: Session): ReadonlyMap<number, EntryHead> => {
      const heads = headsOf(one);
      assert.ok(heads instanceof HeadTable);
      return heads.irregular;
    };
    assert.deepEqual(
      [scanned, read].map((one) => [...irregular(one).values()].map(({ id }) => id)),
      [['a1', 'a5'], ['a5']],
    );
    assert.deepEqual(sessionValues(scanned), sessionValues(read));
  });

  it('are parsed once the scanner’s memory is full', async () => {
    const bytes = Buffer.from(`{"type":"session","version":3,"id":"s"}\n${ANSWER}\n{"type":"custom","id":"last","parentId":"a1"}\n`);
    const full = new Scanner(2 ** 28, 0);
    const [scanned, parsed] = [await readBytes(bytes, scanner), await readBytes(bytes, full)];
    assert.deepEqual([scanned.messages > 0, parsed.messages], [true, 0]);
    assert.deepEqual(parsed.session, scanned.session);
  });

  it('are parsed without WebAssembly', async () => {
    const path = await folder.write(
      'a.jsonl',
      `${generateSession(12).builder.lines()[0]!}\n${Array.from({ length: 9000 }, (_, n) => LINE.replace('"a1"', `"r${n}"`).replace('"a0"', n === 0 ? 'null' : `"r${n - 1}"`)).join('\n')}\n`,
    );
    const host = globalThis as { WebAssembly?: object };
    const { WebAssembly } = host;
    const scanned = await readSession(path);
    try {
      delete host.WebAssembly;
      const parsed = await readSession(path);
      assert.deepEqual(
        [scanned, parsed].map((one) => headsOf(one) instanceof HeadTable),
        [true, false],
      );
      assert.deepEqual(sessionValues(parsed), sessionValues(scanned));
    } finally {
      Object.assign(host, { WebAssembly });
    }
  });
});

describe('The scanner’s JSON', function () {
  this.timeout(60_000);

  /** Returns whether the scanner accepts a text as the value of an unused member. */
  const isTaken = (text: string, tail = ''): boolean =>
    isLineTaken(LINE.replace('"isError"', () => `"details":${text}${tail},"isError"`).replace('"parentId":"a0"', '"parentId":null'));
  const isLineTaken = (line: string): boolean => {
    const bytes = Buffer.from(`${line}\nx\n`);
    const scan = scanner.beginFile('none').scan(scanner.load(bytes), 0, bytes.length - 1, { line: 2, offset: 0 });
    return scan?.count === 1 && scan.end === bytes.length - 2;
  };
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  it('ends at the end of a value', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('', '}', 'x', ' '), (text, tail) => {
        assert.equal(isTaken(text, tail), tail === '' || tail === ' ');
      }),
    );
  });

  it('is accepted only if it can be parsed', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom(
          '{',
          '}',
          '[',
          ']',
          ',',
          ':',
          '"',
          '\\',
          '"a"',
          '"a":',
          '0',
          '12',
          '-',
          '.5',
          'e1',
          'E+7',
          'true',
          'null',
          'nul',
          '\\n',
          '\\u00e9',
          '\\u00',
          '\u001f',
          'ü',
          '\u007f',
          '/',
          'x'.repeat(33),
        ),
        fc.json({ maxDepth: 2 }),
      ),
      { maxLength: 8 },
    );
    let valid = 0;
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        // The text may combine with the rest of the line, as it would for JSON.parse.
        const line = LINE.replace('"isError"', () => `"details":${text},"isError"`);
        const taken = isTaken(text);
        if (taken) valid++;
        // A key with an escape is left to the parser.
        if (taken !== isJson(line)) assert.ok(!taken && text.includes('\\'), JSON.stringify(text));
      }),
      { numRuns: 20_000 },
    );
    assert.ok(valid > 500, `${valid} were whole`);
  });

  it('is left to the parser where it is irregular', () => {
    for (const text of [
      '{"a"1}',
      '{"a"x1}',
      '{"a"}',
      '{1:2}',
      '[1}',
      '{"a":1]',
      '[1,]',
      '{"a":1,}',
      '{,}',
      '[,]',
      '01',
      '1.',
      '-',
      '1e',
      'nul',
      'truex',
      '[1 2]',
      '{"a" "b"}',
      '"a"b',
      '',
    ])
      assert.ok(!isTaken(text), text);
    const twice = [
      '"role":"user"',
      '"content":[]',
      '"errorMessage":"a","errorMessage":"b"',
      '"customType":"c"',
      '"nestedCalls":{}',
      '"usage":{"input":1}',
      '"isError":1',
      '"toolName":null',
      '"model":"\\u0041"',
      '"timestamp":1e16',
      '"timestamp":"1"',
      '"timestamp":01',
    ];
    for (const member of twice)
      assert.ok(
        !isLineTaken(ANSWER.replace('"stopReason"', () => `${member},"stopReason"`).replace('"parentId":"a0"', '"parentId":null')),
        member,
      );
    for (const member of ['"timestamp":"2026-01-02T10:00:00.000Z"', '"id":"a2"', '"type":"message"'])
      assert.ok(!isLineTaken(ANSWER.replace('"message":', () => `${member},"message":`)), member);
    for (const amount of ['1e999', '"1"', 'null']) assert.ok(!isTaken(`1,"usage":{"input":${amount}}`), amount);
    for (const block of ['"type":"text"', '"text":"x"', '"text":1', '1'])
      assert.ok(!isLineTaken(ANSWER.replace('"text":"TEXT"', () => `"text":"TEXT",${block}`)), block);
    for (const member of ['"id":"d"', '"name":"\\n"', '"arguments":{}', '"type":"text"'])
      assert.ok(!isLineTaken(ANSWER.replace('"name":"read"', () => `"name":"read",${member}`)), member);
    assert.ok(isLineTaken(ANSWER) && isLineTaken(ANSWER.replace('"stopReason"', '"other":{"a":[1,{}]},"stopReason"')));
  });

  it('has keys that are compared by all their letters', () => {
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
    for (const first of letters)
      for (const second of letters) {
        const key = `${first}${second}`;
        assert.equal(isLineTaken(ANSWER.replace('"parentId"', () => `"${key}":"x","parentId"`)), key !== 'id', key);
      }
  });

  it('may have strings of any length', () => {
    for (let length = 0; length < 70; length++) {
      for (const tail of ['', '\\n', '\\"', '\\\\', '\\u001b', '\\/', '\\b\\f\\r\\t', 'é'])
        assert.ok(isTaken(`"${'a'.repeat(length)}${tail}"`), tail);
      for (const wrong of ['\\', '\\x', '\\u12', '\\u12g4', '\u0000', '\t', '"'])
        assert.ok(!isTaken(`"${'a'.repeat(length)}${wrong}"`), wrong);
    }
  });

  it('has the numbers that JavaScript parses', () => {
    const texts = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -8e15, max: 8e15 }).map(String),
      fc.constantFrom(
        '-0',
        '1E+5',
        '0.0060120000000000004',
        '1e-7',
        '123456789012345678',
        '18446744073709551616',
        '1.',
        '.5',
        '-',
        '01',
        '+1',
      ),
      fc.nat().map(String),
      fc
        .tuple(fc.nat({ max: 99 }), fc.array(fc.nat({ max: 9 }), { minLength: 13, maxLength: 17 }))
        .map(([whole, digits]) => `${whole}.${digits.join('')}`),
    );
    let taken = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const bytes = Buffer.from(`${LINE.replace('1767348000000', text).replace('"parentId":"a0"', '"parentId":null')}\nx\n`);
        const rows = scanner.beginFile('none');
        const isNumber = isJson(text) && Math.abs(Number(text)) <= 8.64e15;
        assert.equal(rows.scan(scanner.load(bytes), 0, bytes.length - 1, { line: 2, offset: 0 })?.count ?? 0, Number(isNumber), text);
        if (!isNumber) return;
        taken++;
        assert.equal(rows.doubles('messageTime')[0], Number(text));
      }),
      { numRuns: 1000 },
    );
    assert.ok(taken > 500, `${taken} were taken`);
  });

  it('has the fractions of dollars that JavaScript parses, to the last bit', () => {
    const digits = (min: number, max: number): fc.Arbitrary<string> =>
      fc.array(fc.nat({ max: 9 }), { minLength: min, maxLength: max }).map((all) => all.join(''));
    const price = fc
      .tuple(fc.nat({ max: 1_000_000 }), fc.constantFrom(3, 15, 0.3, 3.75, 0.1, 0.025))
      .map(([tokens, price]) => String((price / 1_000_000) * tokens));
    // A float, the middle to the next one, and what is beside it.
    const middle = fc.tuple(fc.nat({ max: 2 ** 31 - 1 }), fc.nat({ max: 40 }), fc.constantFrom(-1n, 0n, 1n)).map(([high, bits, beside]) => {
      const scaled = ((BigInt(2 ** 31) + BigInt(high)) * 2n ** 22n + 1n) * 10n ** 4n;
      const shifted = scaled / 2n ** BigInt(bits) + beside;
      const text = shifted.toString().padStart(5, '0');
      return `${text.slice(0, -4)}.${text.slice(-4)}`;
    });
    const text = fc.oneof(
      price,
      middle,
      fc.double({ min: 1e-6, max: 100, noNaN: true }).map((one) => one.toFixed(20)),
      fc.tuple(digits(1, 3), digits(12, 27)).map(([whole, rest]) => `${String(Number(whole))}.${rest}`),
      digits(1, 27).map((rest) => `0.${rest}`),
    );
    fc.assert(
      fc.property(text, (one) => {
        const bytes = Buffer.from(`${LINE.replace('1767348000000', one).replace('"parentId":"a0"', '"parentId":null')}\nx\n`);
        if (!isJson(one) || Math.abs(Number(one)) > 8.64e15) return;
        const scan = scanner.beginFile('none').scan(scanner.load(bytes), 0, bytes.length - 1, { line: 2, offset: 0 });
        assert.equal(scan?.rows.doubles('messageTime')[0], Number(one), one);
      }),
      { numRuns: 20_000 },
    );
  });

  it('has the times that JavaScript parses, or leaves them to the parser', () => {
    const days = fc.tuple(
      fc.integer({ min: 1960, max: 2110 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      fc.integer({ min: 0, max: 25 }),
      fc.integer({ min: 0, max: 61 }),
    );
    const two = (value: number): string => String(value).padStart(2, '0');
    let taken = 0;
    fc.assert(
      fc.property(days, ([year, month, day, hour, minute]) => {
        const text = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:59.007Z`;
        const time = Date.parse(text);
        const isPlain = time >= 0 && new Date(time).toISOString() === text;
        const bytes = Buffer.from(`${LINE.replace('2026-01-02T10:00:00.000Z', text).replace('"parentId":"a0"', '"parentId":null')}\nx\n`);
        const rows = scanner.beginFile('none');
        assert.equal(rows.scan(scanner.load(bytes), 0, bytes.length - 1, { line: 2, offset: 0 })?.count ?? 0, Number(isPlain), text);
        if (!isPlain) return;
        taken++;
        assert.equal(rows.doubles('time')[0], time);
      }),
      { numRuns: 3000 },
    );
    assert.ok(taken > 500, `${taken} were taken`);
  });

  it('has the days of each February', () => {
    for (let year = 1970; year <= 2110; year++) {
      for (const day of ['02-28', '02-29', '02-30', '03-01', '04-31']) {
        const text = `${year}-${day}T00:00:00.000Z`;
        const isDate = new Date(Date.parse(text)).toISOString() === text;
        assert.equal(isLineTaken(ANSWER.replace('2026-01-02T10:00:00.000Z', text)), isDate, text);
      }
    }
  });
});
