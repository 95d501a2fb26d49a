import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  BatchExport,
  EXPORT_FORMATS,
  exportSession,
  readSession,
  type ExportFormat,
  type ExportOptions,
  type ExportResult,
} from '../../../src/core/index';
import { session, type SessionBuilder } from '../../fixtures/build';
import { everyField } from '../../fixtures/everyField';
import { testFolder } from '../../fixtures/folder';
import { leaks } from '../../fixtures/leaks';
import { GIF, PNG } from '../../fixtures/pictures';
import { TOKENS } from '../../fixtures/plantedSecrets';
import { dice } from '../../fixtures/random';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const wrapped = (text: string, width = 76): string => base64(text).replaceAll(new RegExp(`.{${String(width)}}`, 'g'), '$&\n');
const ENV = (secret: string): string => `BOT_NAME=x\nBASE_URL=https://a.example\nTOKEN=${secret}\nREGION=eu-central-1\nLEVEL=information\n`;

const random = dice(23);
/** Puts a text between the characters of a secret, some of which follow each other. */
const divided =
  (between: string) =>
  (secret: string): string => {
    const at = 5 + random.below(secret.length - 8);
    return `${secret.slice(0, at)}${between}${secret.slice(at)}`;
  };
const everywhere =
  (between: string) =>
  (secret: string): string =>
    secret.split('').join(between);

/** What programs and formats do to a text that holds a secret. */
const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  'a color': divided('\u001b[01;31m\u001b[K'),
  'a color and its end': (secret) => `\u001b[1m${divided('\u001b[m')(secret)}\u001b[0m`,
  'a title of a terminal': divided('\u001b]0;title\u0007'),
  'a link of a terminal': divided('\u001b]8;;https://a.example\u001b\\'),
  'a zero-width space': divided('\u200b'),
  'a zero-width space everywhere': everywhere('\u200b'),
  'a soft hyphen': divided('\u00ad'),
  'a word joiner and a mark of order': divided('\u2060\ufeff'),
  'a change of direction': divided('\u202e'),
  'a control': divided('\u0001'),
  'a continued line': divided('\\\n'),
  'a long line of mail': (secret) => `${'This is the token that was sent in that mail. '.repeat(2).slice(0, 70)} ${divided('=\n')(secret)}`,
  'a short line of mail': divided('=\r\n'),
  'lines of mail of one character': everywhere('=\n'),
  'a short line of mail with white space at its end': divided('= \t\n'),
  'the name of a soft hyphen in HTML': divided('&shy;'),
  'a zero-width space in an address': divided('%E2%80%8B'),
  'a color in Base64': (secret) => base64(`colored ${divided('\u001b[0m')(secret)} text`),
  Base64: (secret) => base64(ENV(secret)),
  'Base64 that begins like a picture': (secret) => base64(`BOT_TOKEN=1\n${secret}\n`.padEnd(90, '#')),
  'Base64 after the beginning of a picture': (secret) =>
    Buffer.from(`\x89PNG\r\n\x1a\n\0\0\0 ${secret} ${'\x9d'.repeat(40)}`, 'latin1').toString('base64'),
  'Base64 in lines': (secret) => wrapped(ENV(secret)),
  'indented Base64 in short lines': (secret) => wrapped(ENV(secret), 48).replaceAll('\n', '\n    '),
  'Base64 in Base64': (secret) => base64(base64(ENV(secret))),
  'Base64 in lines in Base64 in lines': (secret) => wrapped(wrapped(ENV(secret))),
  'Base64 in Base64 in Base64': (secret) => base64(base64(base64(ENV(secret)))),
  'marks of Markdown': divided('**'),
};
/** Tokens that have at least this many characters before their random part. */
const PREFIX = 4;
const KINDS = ['ghp', 'gitlab', 'akia', 'slackb', 'google', 'npm', 'groq', 'stripe'].map((kind) => TOKENS[kind]!);

describe('An export has no piece of a secret', function () {
  this.timeout(60_000);
  const folder = testFolder();
  let exports = 0;
  const pageFolder = async (): Promise<string> => {
    for (const name of ['markdown-it.js', 'page.js', 'page.css', 'export.css']) await folder.write(name, '/**/');
    return folder.path;
  };
  const exported = async (
    built: SessionBuilder,
    format: ExportFormat,
    more: Partial<ExportOptions> = {},
  ): Promise<ExportResult & { text: string }> => {
    const source = await readSession(await folder.write('a.jsonl', built.text()));
    const target = join(folder.path, `out-${String(exports++)}`);
    const result = await exportSession(source, { format, target, pageFolder: await pageFolder(), ...more });
    return { ...result, text: await readFile(target, 'utf8') };
  };
  const planted: string[] = [];
  const secretOf = (): string => {
    const secret = KINDS[planted.length % KINDS.length]!();
    planted.push(secret);
    return secret;
  };
  const nothingLeft = (text: string, form: string): void => assert.deepEqual(leaks(text, planted, PREFIX), [], form);
  beforeEach(() => void (planted.length = 0));

  for (const format of EXPORT_FORMATS)
    it(`in any field, in any form: ${format}`, async () => {
      const forms = Object.entries(FORMS);
      // JSON lines have all fields; the other forms are made of the same redacted lines.
      for (let round = 0; round < (format === 'jsonl' ? 10 : 3); round++) {
        let next = round;
        const built = everyField(() => `see ${forms[next++ % forms.length]![1](secretOf())} there`);
        const { text } = await exported(built, format);
        nothingLeft(text, String(round));
        if (format === 'jsonl') for (const line of text.trimEnd().split('\n')) JSON.parse(line);
        planted.length = 0;
      }
    });

  it('that a list of texts divides', async () => {
    const parts = (secret: string): string[] => {
      const [one, two] = [1 + random.below(secret.length - 2), 1 + random.below(secret.length - 2)].sort((a, b) => a - b);
      return [`see ${secret.slice(0, one)}`, secret.slice(one, two), `${secret.slice(two)} there`].filter((part) => part !== '');
    };
    const blocks = (): object[] => parts(secretOf()).map((text) => ({ type: 'text', text }));
    for (const format of EXPORT_FORMATS)
      for (let round = 0; round < 5; round++) {
        const built = session()
          .user(blocks())
          .assistant([{ type: 'thinking', thinking: 'x' }, ...blocks()])
          .message({ role: 'toolResult', toolCallId: 'c1', toolName: 'bash', content: blocks(), details: { pieces: secretOf().split('') } })
          .entry('custom_message', { customType: 't', content: blocks() })
          .entry('custom', { customType: 't', data: JSON.stringify({ output: parts(secretOf()) }) })
          .entry('compaction', {
            summary: 's',
            firstKeptEntryId: 'e0000001',
            tokensBefore: 1,
            retainedTail: [{ role: 'user', content: blocks() }],
          });
        const { text, redacted } = await exported(built, format);
        nothingLeft(text, format);
        assert.equal(redacted.length, planted.length, 'each is one finding');
        planted.length = 0;
      }
    const { text } = await exported(
      session().user([
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ]),
      'jsonl',
    );
    assert.match(text, /"one"[^]*"two"/);
  });

  it('that a title cuts, at each place', async () => {
    const length = 45;
    for (let at = 150; at < 202; at++) {
      const secret = TOKENS['ghp']!();
      planted.push(secret);
      const built = session().user([
        { type: 'text', text: `${'word '.repeat(40).slice(0, at)} ${secret.slice(0, 9)}` },
        { type: 'text', text: `${secret.slice(9)} end`.padEnd(length) },
      ]);
      const { text, head } = await exported(built, at % 8 === 0 ? 'html' : 'jsonl');
      nothingLeft(`${text}\n${head.title}`, String(at));
      assert.ok(head.title.startsWith('word word') && head.title.length <= 200, head.title);
      planted.length = 0;
    }
    const { head } = await exported(session().user(`${'word '.repeat(20_000)}${secretOf()}`), 'html');
    assert.equal(head.title, 'word '.repeat(40).trim());
    const spaces = await exported(session().user(`a${' '.repeat(65_505)}${secretOf()} b`), 'html');
    nothingLeft(`${spaces.text}\n${spaces.head.title}`, 'spaces');
  });

  it('that the limit of a title’s source cuts, when a placeholder before it is short', async () => {
    const long = base64(ENV(secretOf()).padEnd(49_080, '#'));
    for (const before of [' ', '\n', '码', '。']) {
      const { head, text } = await exported(session().user(`deploy ${long}${before}${'x'.repeat(60)}${before}${secretOf()} end`), 'html');
      assert.match(head.title, /^deploy \[redacted:/, before);
      assert.ok(!head.title.includes('ghp_') && leaks(head.title, planted, PREFIX).length === 0, head.title);
      nothingLeft(text, before);
    }
    const { head } = await exported(session().user('船'.repeat(70_000)), 'html');
    assert.equal(head.title, '船'.repeat(200));
    assert.equal((await exported(session().user('y'.repeat(70_000)), 'html')).head.title, '…');
  });

  it('in what an HTML export says of itself, which has the same ids as its lines', async () => {
    const built = session()
      .user('x')
      .entry('message', { id: secretOf(), message: { role: 'user', content: 'y' } });
    const { text } = await exported(built, 'html');
    nothingLeft(text, 'leaf');
    const leafId = /"leafId":"([^"]+)"/.exec(text)?.[1] ?? '';
    assert.match(leafId, /redacted:/);
    assert.ok(text.includes(`"id":"${leafId}"`));
  });

  it('in the names of the files of a dataset, and in its manifest', async () => {
    const secret = secretOf();
    const path = await folder.write(`2026-01-01T00-00-00-000Z_${secret}.jsonl`, session({ id: secret }).user('x').text());
    const several = await BatchExport.open([path], (one) => readSession(one), {});
    await several.write(join(folder.path, 'set'), { format: 'dataset' }, {});
    const names = await readdir(join(folder.path, 'set'));
    const texts = await Promise.all(names.map((name) => readFile(join(folder.path, 'set', name), 'utf8')));
    nothingLeft([...names, ...texts].join('\n'), 'dataset');
  });

  it('in the place of an image, unless it’s a picture', async () => {
    await mkdir(join(folder.path, 'x'), { recursive: true });
    const image = (data: string, mimeType = 'image/png'): object => ({ type: 'image', mimeType, data });
    const stays = [image(PNG), image(GIF, 'image/gif')];
    const { text: kept, redacted } = await exported(session().user(stays), 'jsonl');
    assert.deepEqual(redacted, []);
    assert.ok(kept.includes(PNG) && kept.includes(GIF));
    const env = (): string => base64(`BASE_URL=x\nTOKEN=${secretOf()}\n`.padEnd(90, '#'));
    const broken = (picture: string): string =>
      Buffer.concat([Buffer.from(picture, 'base64').subarray(0, 40), Buffer.from(` ${secretOf()} `)]).toString('base64');
    const built = session()
      .user([image(env()), image(broken(PNG)), image(broken(GIF), 'image/gif'), image(secretOf())])
      .assistant([{ type: 'toolCall', id: 'c', name: 'x', arguments: image(env()) }])
      .entry('custom', { customType: 't', data: { type: 'image', mimeType: 'image/png', data: env() } })
      .user([{ type: 'text', mimeType: 'image/png', data: env(), text: env() }]);
    for (const format of EXPORT_FORMATS) nothingLeft((await exported(built, format)).text, format);
  });

  it('in Base64 that is longer than what is searched at once', async () => {
    const { text } = await exported(session().user(wrapped(`${'some line of a file\n'.repeat(25_000)}TOKEN=${secretOf()}\n`)), 'jsonl');
    nothingLeft(text, 'long');
    // In one line, which begins anywhere before what is searched.
    for (const before of [0, 1]) {
      const one = base64(`${'some line of a file\n'.repeat(14_000)}TOKEN=${secretOf()}\n`);
      nothingLeft((await exported(session().user(`${'x'.repeat(before)} ${one}`), 'jsonl')).text, String(before));
    }
  });

  it('in Base64 whose beginning is another text, and in its short last line', async () => {
    for (let more = 0; more < 4; more++) {
      const { text } = await exported(
        session().user(`${'A'.repeat(more)}${base64(`${'some line of a file\n'.repeat(30)}${ENV(secretOf())}`)}`),
        'jsonl',
      );
      nothingLeft(text, `${String(more)} before`);
    }
    for (let length = 1; length < 15; length++) {
      const secret = secretOf();
      const lines = wrapped(`${'# '.repeat(57).slice(secret.length - 57 - (length % 12))}${secret}`);
      assert.ok((lines.split('\n')[1] ?? '').replaceAll('=', '').length < 16);
      nothingLeft((await exported(session().user(`It is\n${lines}\n.`), 'jsonl')).text, `a last line of ${String(length)}`);
    }
  });

  it('under another placeholder than the same one in plain text', async () => {
    const secret = secretOf();
    for (const [name, form] of Object.entries(FORMS)) {
      const { redacted } = await exported(
        session()
          .user(secret)
          .user(`see ${form(secret)} there`),
        'jsonl',
      );
      assert.deepEqual([...new Set(redacted.map(({ placeholder }) => placeholder))], ['[redacted:github-token-1]'], name);
    }
  });
});
