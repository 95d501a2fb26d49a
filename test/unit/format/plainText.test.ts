import assert from 'node:assert/strict';
import { plainRow, plainRowWithRole } from '../../../src/core/format/entry/plainRow';
import { formatMessage } from '../../../src/core/format/entry/problem';
import { plainLine } from '../../../src/core/format/text/plainLine';
import { withoutMarkdown } from '../../../src/core/format/text/plainText';

describe('withoutMarkdown', () => {
  const cases: readonly (readonly [markdown: string, plain: string])[] = [
    ['The **last** *two* ~~three~~ ***four*** holds', 'The last two three four holds'],
    ['**Note**: (**both**), “*each*”', 'Note: (both), “each”'],
    ['这是**重点**内容', '这是重点内容'],
    ['__a whole sentence__', 'a whole sentence'],
    ['Run `npm test` in ``a `b` c``', 'Run npm test in a `b` c'],
    ['**`checkout` answers** early', 'checkout answers early'],
    ['see [the `docs`](https://a.example/c_(d)) and ![a *chart*](x.png)', 'see the docs and a chart'],
    ['[![badge](a.svg)](https://a.example)', 'badge'],
    ['# Plan\n\n## First\ntext', 'Plan\n\nFirst\ntext'],
    ['Done. ## Summary All green', 'Done. Summary All green'],
    ['```ts\nconst a = b ** `c`;\n```\nand **so**', '\nconst a = b ** `c`;\n\nand so'],
    ['cut: ```sh npm t', 'cut:  npm t'],
  ];
  for (const [markdown, plain] of cases)
    it(`leaves the words of ${JSON.stringify(markdown)}`, () => {
      assert.equal(withoutMarkdown(markdown), plain);
      assert.equal(withoutMarkdown(withoutMarkdown(plain)), withoutMarkdown(plain));
    });

  it('leaves code alone, between backticks or not', () => {
    for (const code of [
      'a**b**c',
      '2**3**4 and 2 ** 3 ** 4',
      '2 * 3 * 4',
      'a *b * c',
      'a*b*c',
      '**/*.ts and test/**/*.ts',
      'src/**/*.ts, lib/**/*.js',
      '*.ts and *.js',
      'f(*args, **kwargs) and g(**kwargs, *args)',
      'int **p, **q; char* a, char* b',
      '/* one */ and /** two */',
      '__init__.py, __init__ and __main__ of my_own_file',
      'handlers[name](event), f()[0](x), [x] done',
      '#123, #include and # of lines',
      'ls ~/a ~~/b',
      'echo `date',
      'an **open one',
      'a **** b',
      '\\*not emphasis\\*',
    ])
      assert.equal(withoutMarkdown(code), code);
    for (const code of ['a**b**c', '**/*.ts', '__init__', '*x*', '[a](b)', '# x', '## y'])
      assert.equal(withoutMarkdown(`\`${code}\``), code);
  });

  it('pairs no marks of two paragraphs', () => {
    for (const text of ['a `b\n\nc` d', 'a *b\n\nc* d', 'a **b\n \nc** d']) assert.equal(withoutMarkdown(text), text);
  });
});

describe('plainLine', () => {
  it('is one line without the marks of a list, a quote or a heading at its start', () => {
    assert.equal(plainLine('- **one**\n- two', 100), 'one - two');
    assert.equal(plainLine('> > ## Plan', 100), 'Plan');
    assert.equal(plainLine('-1 is less, *.ts too', 100), '-1 is less, *.ts too');
  });

  it('is cut after the marks are gone, and never empty because of them', () => {
    assert.equal(plainLine('**ab** cd', 5), 'ab cd');
    assert.equal(plainLine('**ab** cde', 5), 'ab c…');
    assert.equal(plainLine('```', 5), '```');
  });
});

describe('plainRow', () => {
  it('shows the message of a provider’s error, which the programs record as JSON', () => {
    const error = (text: string): string => plainRow({ type: 'message', role: 'assistant', text: `assistant: ${text}` });
    assert.equal(error('529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"r'), '529 Overloaded');
    assert.equal(error('429 {"error":{"message":"Rate limit reached for gpt-5.1 in organ'), '429 Rate limit reached for gpt-5.1 in organ…');
    assert.equal(error('API Error: 529 {"type":"error","error":{"message":"Overloaded"}}'), 'API Error: 529 Overloaded');
    assert.equal(error('{"type":"error","error":{"message": "Input is too long"}}'), 'Input is too long');
    assert.equal(error('529 {"type":"error","error":{"type":"overloaded_error"'), '529 {"type":"error","error":{"type":"overloaded_error"');
    assert.equal(error('400 {"error":{"message":"\\"a\\" is\\nno model"}}'), '400 "a" is no model');
    assert.equal(error('{"error":{"message":"{\\n  \\"error\\": {\\n    \\"message\\": \\"Try later\\"}}","code":503}}'), 'Try later');
    assert.equal(error('{"error":{"message":"Cut at \\u00'), 'Cut at …');
    assert.equal(error('{"error":{"message":"{\\"error\\":{\\"message\\":\\"Cut \\\\'), 'Cut …');
    assert.equal(error('{"error":{"message":"no \\escape"}}'), 'no \\escape');
    assert.equal(error('{"message":"an answer"}'), '{"message":"an answer"}');
  });

  it('is prose for messages and summaries, and everything else as it is', () => {
    const message = { type: 'message' };
    assert.equal(plainRow({ ...message, role: 'user', text: 'user: # **Plan**' }), 'Plan');
    assert.equal(plainRow({ ...message, role: 'assistant', text: 'assistant: see `a`' }), 'see a');
    assert.equal(plainRow({ ...message, role: 'user', text: '[user: review]' }), '[review]');
    assert.equal(plainRow({ ...message, role: 'toolResult', text: '[bash: echo `a` **b**]' }), '[bash: echo `a` **b**]');
    assert.equal(plainRow({ ...message, role: 'bashExecution', text: '[bash]: echo `a`' }), '[bash]: echo `a`');
    assert.equal(plainRow({ type: 'branch_summary', text: '[branch summary]: ## Goal `a`' }), '[branch summary]: Goal a');
    assert.equal(plainRow({ type: 'label', text: '[label: **a**]' }), '[label: **a**]');
  });

  it('says that a message has no text, such as one of images only', () => {
    assert.equal(plainRow({ type: 'message', role: 'user', text: 'user: ' }), '(no content)');
    assert.equal(plainRowWithRole({ type: 'message', role: 'user', text: 'user: ' }, formatMessage), 'user: (no content)');
  });

  it('has the role of a message before it, if wanted', () => {
    assert.equal(plainRowWithRole({ type: 'message', role: 'user', text: 'user: **a**' }, formatMessage), 'user: a');
    assert.equal(plainRowWithRole({ type: 'message', role: 'user', text: '[user: review]' }, formatMessage), '[review]');
    assert.equal(plainRowWithRole({ type: 'message', role: 'toolResult', text: '[ls: .]' }, formatMessage), '[ls: .]');
  });
});
