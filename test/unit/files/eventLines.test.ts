import assert from 'node:assert/strict';
import { finishSteps } from '../../../src/core/format/session/steps';
import { EventLines } from '../../../src/core/files/database/lines/eventLines';

const LIMIT = 2 ** 30;

/** Returns the lines of records that come in pieces of `size` bytes. */
function linesOf(records: Buffer, size: number, events: number): string {
  const lines = new EventLines({ events, records: LIMIT }, () => new Error('damaged'));
  const parts: Buffer[] = [];
  for (let from = 0; from < records.length; from += size) parts.push(finishSteps(lines.take(records.subarray(from, from + size))));
  return Buffer.concat([...parts, finishSteps(lines.end())]).toString();
}

/** Asserts that records have these events, in pieces of any size. */
function assertEvents(records: readonly string[], events: readonly string[], sizes = [7, 64, 1000, LIMIT]): void {
  const expected = events.map((event) => `${event}\n`).join('');
  for (const ending of ['\n', ''])
    for (const size of sizes)
      assert.equal(
        linesOf(Buffer.from(records.join('\n') + ending), size, Buffer.byteLength(expected)),
        expected,
        `in pieces of ${size} bytes`,
      );
}

const record = (event: string): string =>
  JSON.stringify({ kind: 'event', row: { session_id: 'a-b', seq: 12, event_json: event, created_at: 0 } });

describe('The events of an archive', () => {
  it('are its lines, whatever characters and escapes they have, and wherever those are', () => {
    const characters = ['', '\\', '"', '/', '\b\f\n\r\t', '\u0000\u001f', 'ä', '€', '한', '😀', '\u007f\u0080\u07ff\u0800\uffff', '\u2028'];
    const texts = characters.flatMap((character) => [0, 1, 14, 15, 16, 17, 63, 64].map((before) => `${'x'.repeat(before)}${character}y`));
    // Lines of JSON have no line feeds. Others get one line.
    const events = [...texts.map((text) => JSON.stringify({ text })), ...texts.map((text) => text.replaceAll('\n', ' '))];
    assertEvents([...texts.map((text) => record(JSON.stringify({ text }))), ...texts.map(record)], events, [64, 1000, LIMIT]);
    const escaped = texts.map((text) => Array.from({ length: text.length }, (_, at) => String.raw`\u${hex(text.charCodeAt(at))}`).join(''));
    assertEvents(
      escaped.map((text) => `{"kind":"event","row":{"event_json":"${text}"}}`),
      texts.map((text) => text.replaceAll('\n', ' ')),
      [LIMIT],
    );
  });

  it('are those of the records of that kind, in any form of JSON', () => {
    const records: [string, string?][] = [
      ['{"kind":"header","version":1,"row":{"event_json":"a header"}}'],
      [record('{"plain":1}'), '{"plain":1}'],
      ['{"row":{"event_json":"other order"},"kind":"event"}', 'other order'],
      [' { "kind" : "event", "row" : { "event_json" : "spaces" } } ', 'spaces'],
      ['{"kind":"event","row":{"event_json":"first","event_json":"last"}}', 'last'],
      [String.raw`{"kind":"event","row":{"event_json":"first","event\u005fjson":"escaped key"}}`, 'escaped key'],
      [String.raw`{"kind":"event","row":{"session_id":"\",\"event_json\":\"","event_json":"quoted key"}}`, 'quoted key'],
      ['{"kind":"event","row":{"event_json":"a","seq":1},"row":{"event_json":"second row"}}', 'second row'],
      ['{"kind":"event","row":{"event_json":"a"},"kind":"other"}'],
      ['{"kind":"event","row":{"more":{"event_json":"inner"},"event_json":"outer"}}', 'outer'],
      ['{"kind":"event","row":{"event_json":null}}'],
      ['{"kind":"event","row":{"event_json":"cut'],
      ['{"kind":"event","row":{"event_json":"no end"'],
      ['{"kind":"event","row":{"event_json":"more"}} more'],
      ['{"kind":"event","row":{"seq":01,"event_json":"no number"}}'],
      [String.raw`{"kind":"event","row":{"event_json":"no \x escape"}}`],
      ['{"kind":"event","row":{"event_json":"a\ttab"}}'],
      [String.raw`{"kind":"event","row":{"event_json":"half \ud83d"}}`, 'half \ufffd'],
      [String.raw`{"kind":"event","row":{"event_json":"half \ude00\ud83d\ud83d\ude00"}}`, 'half \ufffd\ufffd😀'],
      [String.raw`{"kind":"event","row":{"event_json":"two halves \ud83d\ud83d"}}`, 'two halves \ufffd\ufffd'],
      [String.raw`{"kind":"event","row":{"event_json":"two halves \ude00\ude00"}}`, 'two halves \ufffd\ufffd'],
      [''],
      [`{"kind":"event","row":{"name":"${'n'.repeat(1000)}","event_json":"far"}}`, 'far'],
      [record('x'.repeat(3_000_000)), 'x'.repeat(3_000_000)],
      [record('last'), 'last'],
    ];
    assertEvents(
      records.map(([text]) => text),
      records.flatMap(([, event]) => event ?? []),
      [1000, 4096, LIMIT],
    );
  });

  it('are damaged if they are more or fewer than the database says, and the records more than the limit', () => {
    const records = Buffer.from(`${record('{}')}\n`);
    assert.equal(linesOf(records, LIMIT, 3), '{}\n');
    for (const size of [2, 4]) assert.throws(() => linesOf(records, LIMIT, size), /damaged/);
    const more = new EventLines({ events: 2, records: LIMIT }, () => new Error('damaged'));
    assert.throws(() => finishSteps(more.take(records)), /damaged/);
    const lines = new EventLines({ events: LIMIT, records: 10 }, () => new Error('damaged'));
    finishSteps(lines.take(Buffer.from('x'.repeat(10))));
    assert.throws(() => finishSteps(lines.take(Buffer.from('\n'))), /damaged/);
  });

  it('of several archives are read in turn', () => {
    const texts = ['one', 'two', 'three'].map((name) => Array.from({ length: 9 }, (_, at) => `{"${name}":"${'x'.repeat(at * 5)}"}`));
    const archives = texts.map((events) => {
      const expected = `${events.join('\n')}\n`;
      const lines = new EventLines({ events: expected.length, records: LIMIT }, () => new Error('damaged'));
      return { lines, expected, records: Buffer.from(events.map(record).join('\n')), parts: new Array<Buffer>() };
    });
    for (let from = 0; archives.some(({ records }) => from < records.length); from += 100)
      for (const { lines, records, parts } of archives) parts.push(finishSteps(lines.take(records.subarray(from, from + 100))));
    for (const { lines, parts, expected } of archives)
      assert.equal(Buffer.concat([...parts, finishSteps(lines.end())]).toString(), expected);
  });

  it('are looked for in steps, among many short records and in a long one', () => {
    for (const text of ['{}\n'.repeat(10_000), `${record('x'.repeat(1_000_000))}\n`]) {
      const steps = new EventLines({ events: LIMIT, records: LIMIT }, () => new Error('damaged')).take(Buffer.from(text));
      let count = 0;
      while (steps.next().done !== true) count++;
      assert.ok(count > 20, `${count} steps for ${text.length} characters`);
    }
  });
});

const hex = (unit: number): string => unit.toString(16).padStart(4, '0');
