import assert from 'node:assert/strict';
import { describeMessage } from '../../../src/core/format/entry/rowText';
import { unwrapUserText } from '../../../src/core/format/text/userText';

const SENDER = 'Sender (untrusted metadata):\n```json\n{\n  "label": "control-ui",\n  "id": "control-ui"\n}\n```';
const CONVERSATION =
  'Conversation info (untrusted metadata):\n```json\n{\n  "message_id": "1436",\n  "timestamp": "Mon 2026-03-16 08:52 GMT+1"\n}\n```';
const REPLY = 'Replied message (untrusted, for context):\n```json\n{\n  "body": "yes"\n}\n```';
const DATE = '[Tue 2026-05-05 09:41 GMT+8]';
const SYSTEM = 'System: [2026-05-05 09:41:12 GMT+8] Model switched.';
const CRON = '[cron:0b5f6c1e-3f0e-4c43-9e2a-6f9d9c3b7a10 Morning report] Write the report.\nCurrent time: Tuesday, May 5th, 2026';
const SKILL = '<skill name="review" location="/home/me/.pi/skills/review/SKILL.md">\nReferences are relative to it.\n\n# Review\n</skill>';
const FILE = '<file name="/home/me/notes/plan.md">\n# Plan\n</file>';
const REMINDER = '<system-reminder>\nThe list is empty.\n</system-reminder>';
const NEW =
  'A new session was started via /new or /reset. Run your Session Startup sequence - read the required files before responding to the user.';

describe('What a person said', () => {
  for (const [title, message, said] of [
    ['behind the sender', `${SENDER}\n\nFix the parser`, 'Fix the parser'],
    ['behind the conversation, the sender and the message replied to', `${CONVERSATION}\n\n${SENDER}\n\n${REPLY}\n\nhi\nyou`, 'hi\nyou'],
    ['behind the date', `${DATE} Fix the parser`, 'Fix the parser'],
    ['behind the date in another zone', '[Sun 2026-04-19 00:33 UTC] 所以', '所以'],
    ['behind the sender and the date', `${SENDER}\n\n${DATE} Fix [it]`, 'Fix [it]'],
    ['behind the date and the conversation', `${DATE} ${CONVERSATION}\n\nFix it`, 'Fix it'],
    ['behind what happened meanwhile', `${SYSTEM}\nSystem: on two lines\n\nFix it`, 'Fix it'],
    ['behind what happened meanwhile, as untrusted', 'System (untrusted): [2026-05-05 09:41:12] Node: up\n\nFix it', 'Fix it'],
    ['to a skill', `${SKILL}\n\nonly src`, 'only src'],
    ['behind a file', `${FILE}\nSummarize it`, 'Summarize it'],
    ['before a file', `Summarize it\n\n${FILE}`, 'Summarize it'],
    ['behind an image', '<file name="/home/me/a.png"></file>\nWhat is it?', 'What is it?'],
    ['behind a reminder', `${REMINDER}\nGo on`, 'Go on'],
    ['before reminders', `Go on\n${REMINDER}\n\n${REMINDER}\n`, 'Go on'],
    ['behind the prompt of a new session', `${NEW}\nCurrent time: Tuesday\n\nhello`, 'hello'],
  ] as const)
    it(title, () => {
      const { text, saysSomething, from, to } = unwrapUserText(message);
      assert.deepEqual([text, saysSomething], [said, true]);
      assert.equal(message.slice(from, to), said);
    });

  it('is the name of the job, which has its text from long before', () => {
    assert.deepEqual(unwrapUserText(CRON), { text: 'Morning report', saysSomething: true, from: CRON.indexOf('Write'), to: CRON.length });
    assert.equal(unwrapUserText(CRON.replace('Morning', '[prod] Morning')).text, '[prod] Morning report');
  });

  it('is the name of a skill without arguments', () => {
    assert.deepEqual([unwrapUserText(SKILL).text, unwrapUserText(SKILL).saysSomething], ['review', true]);
    assert.equal(unwrapUserText(`${DATE} ${SKILL}\n`).text, 'review');
  });

  for (const [message, name] of [
    [SENDER, 'Sender'],
    [`${SENDER}\n\n${DATE}`, 'Sender'],
    [DATE, 'Tue 2026-05-05 09:41 GMT+8'],
    [`${DATE} ${NEW}`, 'A new session was started via /new or /reset'],
    [`${SYSTEM}\n\n${SENDER}`, 'Model switched.'],
    [FILE, 'plan.md'],
    [REMINDER, 'system-reminder'],
  ] as const)
    it(`is nothing if there is only ${JSON.stringify(name)}`, () => {
      const { text, saysSomething, from, to } = unwrapUserText(message);
      assert.deepEqual([text, saysSomething, message.slice(from, to)], [name, false, '']);
    });

  for (const message of [
    '',
    ' \n',
    'Fix the parser',
    'Sender (untrusted metadata): what is that?',
    `Sender (trusted):\n${SENDER.slice(SENDER.indexOf('```'))}`,
    SENDER.slice(0, -4),
    `Why does every message begin with ${SENDER}`,
    '[Tue] is a day',
    '[2026-05-05] release notes',
    `${DATE}Fix`,
    'System: [x] is broken',
    'System: the disk is full',
    'A new session was started via /new or /reset. Why?',
    'A new session was started by me',
    '[cron:daily] failed',
    '[cron:0b5f6c1e-3f0e-4c43-9e2a-6f9d9c3b7a10]',
    '<skill name="review">no location</skill>',
    SKILL.slice(0, -1),
    '<file>a</file>',
    '<file name="a">without an end',
    'Close it with </file>',
    'Where do I put\n<file name="a">\nand </file> or\n</file>',
    '<system-reminders>a</system-reminders>',
  ])
    it(`is all of ${JSON.stringify(message.slice(0, 60))}`, () =>
      assert.deepEqual(unwrapUserText(message), { text: message, saysSomething: true, from: 0, to: message.length }));

  it('is found in messages of any length', () => {
    const long = 16_000_000;
    const started = `A new session was started via /new or /reset. Run ${'x'.repeat(long)}`;
    assert.equal(unwrapUserText(started).text, 'A new session was started via /new or /reset');
    const events = `System: [2026-05-05 09:41] started${'\nSystem: x'.repeat(long / 10)}`;
    assert.equal(unwrapUserText(`${events}\n\nGo on`).text, 'Go on');
    assert.equal(unwrapUserText(`${events}\n\nGo on`).from, events.length + 2);
    const job = `[cron:00000000-0000-4000-8000-000000000000 ${'[]'.repeat(long / 2)}] Run`;
    assert.equal(unwrapUserText(job).text, job);
  });

  it('is what its row says, which has only wrappers in brackets', () => {
    const row = (content: unknown): string => describeMessage({ role: 'user', content }, undefined);
    assert.equal(row(`${SENDER}\n\n${DATE} Fix\nit`), 'user: Fix it');
    assert.equal(row([{ type: 'text', text: CRON }]), 'user: Morning report');
    assert.equal(row(SENDER), '[user: Sender]');
    assert.equal(row('[user: Sender]'), 'user: [user: Sender]');
    assert.equal(row(`${FILE}${'x'.repeat(1_000)}`), `user: ${'x'.repeat(200)}`);
  });
});
