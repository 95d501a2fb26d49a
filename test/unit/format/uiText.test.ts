import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { formatMessage, SessionError, uiArgs } from '../../../src/core/format/entry/problem';
import { uiLineKeepingEnds, uiError, uiLine, uiPath, uiText } from '../../../src/core/format/text/uiText';

/** The workbench of the editor tests, which has the syntax as regular expressions. */
const WORKBENCH = join(__dirname, '../../../../test/host/node_modules/code-server/lib/vscode/out/vs/code/browser/workbench/workbench.js');

/** `parseLinkedText`, in vs/base/common/linkedText.ts. */
// eslint-disable-next-line no-useless-escape -- copied unchanged
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^\)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
/** `renderLabelWithIcons`, in vs/base/browser/ui/iconLabel/iconLabels.ts. */
const ICON = /(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/g;

/** Parts of VS Code's syntax, and characters that sanitizing removes or makes visible between them. */
const piece = fc.constantFrom(
  '[',
  ']',
  '(',
  ')',
  '](',
  '$(',
  '$',
  '\\',
  '[x]',
  '(command:a.b)',
  '(https://x/)',
  '(file:///x)',
  'command:',
  'HTTPS://',
  'bug)',
  '$(bug)',
  '~spin)',
  ' "t")',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\u0000',
  '\u001b[1m',
  '\u001b]8;;x\u0007',
  '\u009b',
  '\u202e',
  '\u200b',
  '\u2060',
  '\u{e005d}\u{e0028}',
  '\u{1f41b}',
  '\ud83d',
  '…',
  'x',
);
const texts = fc.array(fc.oneof(piece, fc.string({ maxLength: 3, unit: 'binary' })), { maxLength: 40 }).map((pieces) => pieces.join(''));
const matches = (text: string): string[] => [...text.matchAll(LINK), ...text.matchAll(ICON)].map(([match]) => match);
const runs = { numRuns: 3000 };

describe('Text for the editor’s own surfaces', () => {
  it('is checked against the syntax of the installed VS Code', () => {
    assert.ok(existsSync(WORKBENCH), 'The editor for tests is not installed');
    const code = readFileSync(WORKBENCH, 'utf8');
    assert.ok(code.includes(LINK.source), 'VS Code parses links in another way');
    const [, name, modifier] = /iconNameExpression="([^"]+)",\w+\.iconModifierExpression="([^"]+)"/.exec(code) ?? [];
    assert.deepEqual([name, modifier], ['[A-Za-z0-9-]+', '~[A-Za-z]+']);
  });

  it('has no links and icons, for any input', () => {
    assert.deepEqual(matches('/gone/[Details](command:x.y?%22z%22)'), ['[Details](command:x.y?%22z%22)'], 'the judge');
    fc.assert(
      fc.property(texts, (text) => {
        for (const shown of [uiLine(text), uiText(text), uiLineKeepingEnds(text, 30), uiPath(text, 30)])
          assert.deepEqual(matches(shown), []);
      }),
      runs,
    );
  });

  it('has none where a list cuts it to highlight a match', () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (text, a, b) => {
        const shown = uiLine(text);
        assert.deepEqual(matches(shown.slice(a % (shown.length + 1), b % (shown.length + 1) || undefined)), []);
      }),
      runs,
    );
  });

  it('has none where several arguments and a template together would make one', () => {
    const template = 'Not [{a}{b}({c}) and {d}] ({a})[{b}]({c})';
    fc.assert(
      fc.property(texts, texts, texts, texts, (a, b, c, d) => {
        const error = new SessionError('invalid', template, { a, b, c, d });
        assert.deepEqual(matches(error.message), []);
        assert.deepEqual(error.args, { a, b, c, d });
      }),
      runs,
    );
  });

  it('is one line, or lines with at most one empty line between them', () => {
    fc.assert(
      fc.property(texts, (text) => {
        assert.doesNotMatch(uiLine(text), /[\n\r\u2028\u2029]|\s\s|^\s|\s$/);
        assert.doesNotMatch(uiText(text), /\r|\n\s*\n\s*\n|^\s|\s$/);
      }),
      runs,
    );
    assert.equal(uiText('one\r\n two\n\n \n\nthree'), 'one\n two\n\nthree');
  });

  it('has no control and bidi characters', () => {
    fc.assert(
      fc.property(texts, (text) =>
        // eslint-disable-next-line no-control-regex -- control characters are what it matches
        assert.doesNotMatch(uiText(text), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/),
      ),
      runs,
    );
  });

  it('has at most the given length, and no half characters at a cut', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 40 }), (text, length) => {
        for (const shown of [uiLine(text, length), uiText(text, length), uiLineKeepingEnds(text, length), uiPath(text, length)])
          assert.ok(shown.length <= length, shown);
      }),
      runs,
    );
    assert.equal(uiLine('ab\u{1f41b}cd', 4), 'ab…');
    assert.equal(uiPath('/home/a\u{1f41b}bcdefghij/s.jsonl', 17), '/home/a…/s.jsonl');
    assert.equal(uiPath('/home/ab\u{1f41b}cdefghij/s.jsonl', 18), '/home/ab…/s.jsonl');
    assert.match(uiPath(`/home/${'a'.repeat(50)}/$(x).jsonl`, 40), /^\/home\/a+…\/\$\u2060\(x\)\.jsonl$/);
    assert.equal(uiPath('C:\\Users\\name\\x.jsonl', 17), 'C:\\Users…\\x.jsonl');
    assert.equal(uiLineKeepingEnds('a\u{1f41b}cdefg\u{1f41b}h', 4), 'a…h');
    assert.equal(uiLineKeepingEnds('a\u{1f41b}cdefg\u{1f41b}h', 6), 'a…\u{1f41b}h');
  });

  it('does not change when it is prepared again', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 5, max: 60 }), (text, length) => {
        assert.equal(uiLine(uiLine(text, length), length), uiLine(text, length));
        assert.equal(uiLine(uiLine(text)), uiLine(text));
      }),
      runs,
    );
  });

  it('differs only by characters without width', () => {
    for (const text of ['/gone/[Details](command:x) $(bug) \\$(bug)', 'a[0](b)', '$(pwd)', 'C:\\$(x)\\[y](z)']) {
      assert.equal(uiLine(text).replaceAll('\u2060', ''), text);
      assert.equal(uiText(text).replaceAll('\u2060', ''), text);
    }
    for (const text of ['/home/me/a b.jsonl', 'Costs $5 (about)', '[label] text', 'f(x)[1]', 'שלום']) assert.equal(uiLine(text), text);
  });

  it('is cut before it is sanitized, so that a long text takes no longer than a short one', () => {
    const seconds = (text: string): number => {
      // The first call makes one piece of the repeated text, whose memory takes time.
      uiLine(text);
      const start = process.cpuUsage();
      for (let nth = 0; nth < 50; nth++) uiLine(text);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1e6;
    };
    for (const opening of ['[', '$(', '](', '\u001b[', '\u0090', ' ', '\n']) {
      const short = seconds(opening.repeat(10_000));
      assert.ok(seconds(opening.repeat(10_000_000)) < 20 * short + 0.05, JSON.stringify(opening));
    }
  });

  it('keeps both ends of a long argument, and the sentence around it', () => {
    const path = `/home/${'deep/'.repeat(200)}session.jsonl`;
    const sentence = formatMessage('The folder of this session is gone: {cwd}. Fork it.', uiArgs({ cwd: path, n: 3 }));
    assert.match(sentence, /^The folder of this session is gone: \/home\/deep\/[^]*…[^]*deep\/session\.jsonl\. Fork it\.$/);
    assert.ok(sentence.length < 400);
  });
});

describe('Errors that the editor shows', () => {
  const evil = "no such file, open '/x/[a](command:b)'";
  it('have a message without links, and are the same objects', () => {
    const error = Object.assign(new Error(evil), { code: 'ENOENT' });
    assert.equal(uiError(error), error);
    assert.deepEqual([matches(error.message), error.code], [[], 'ENOENT']);
    const aborted = new DOMException(evil, 'AbortError');
    assert.equal(uiError(aborted), aborted);
    assert.deepEqual(matches(aborted.message), []);
    assert.deepEqual(matches(uiError(evil) as string), []);
    assert.equal(uiError(undefined), undefined);
  });
});
