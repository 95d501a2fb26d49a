import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  buildSessionContext,
  firstWords,
  importSession,
  readSession,
  sessionTitle,
  sessionUsage,
  type Session,
} from '../../../../src/core/index';
import { asString } from '../../../../src/core/format/values/jsonValues';
import { unwrapUserText } from '../../../../src/core/format/text/wrappers/userText';
import { touchesOfLine } from '../../../../src/core/format/toolCalls/fileTouches';
import { testFolder } from '../../../fixtures/folder';
import { linesOf } from '../../../fixtures/writes';

type Fields = Readonly<Record<string, unknown>>;

const CASES = resolve('test', 'fixtures', 'foreign');
const textOfContent = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (content as readonly Fields[]).map(({ text, name }) => asString(text) ?? asString(name) ?? '').join('|');

const queue = (operation: string, content?: string, reason?: string): Fields => ({
  type: 'queue-operation',
  operation,
  ...(content === undefined ? {} : { content }),
  ...(reason === undefined ? {} : { reason }),
});
const attached = (prompt: unknown, more: Fields = {}): Fields => ({
  type: 'attachment',
  attachment: { type: 'queued_command', prompt, commandMode: 'prompt', ...more },
});
const ask = (text: string): Fields => ({ type: 'user', message: { role: 'user', content: text } });
const answer = (id: string, text: string): Fields => ({
  type: 'assistant',
  message: { id, role: 'assistant', model: 'm', content: [{ type: 'text', text }] },
});
/** Lines in a chain, without the lines of the queue. */
const chain = (...lines: readonly Fields[]): string => {
  let parentUuid: string | null = null;
  return lines
    .map((line, index) => {
      const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
      if (line['type'] === 'queue-operation') return JSON.stringify({ sessionId: 's', timestamp, ...line });
      const whole = { uuid: `u${String(index)}`, parentUuid, sessionId: 's', cwd: '/x', timestamp, ...line };
      parentUuid = whole.uuid;
      return JSON.stringify(whole);
    })
    .join('\n');
};

interface Imported {
  readonly session: Session;
  readonly title: string;
  readonly notes: readonly string[];
  /** The messages that a model gets, as `role: text`. */
  readonly context: readonly string[];
  readonly lines: readonly Fields[];
  readonly origin: Fields;
}

describe('A session of another program, imported from disk', () => {
  const folder = testFolder();

  it('isn’t named after a command that only the program handled', async () => {
    const commands = ['/clear', '/model'].map((name) => ask(`<command-name>${name}</command-name>\n<command-message></command-message>`));
    const { title, context } = await importText(chain(...commands, ask('Fix the boat'), answer('m1', 'ok')));
    assert.equal(title, 'Fix the boat');
    assert.deepEqual(context.slice(0, 2), ['user: /clear', 'user: /model']);
  });

  it('has no prompt from the queue that says nothing', async () => {
    const lines = [attached(5), attached(null), attached({ a: 1 }), attached([]), attached('Real')];
    const { context, notes } = await importText(chain(ask('Go'), ...lines, answer('m1', 'ok')));
    assert.deepEqual(context, ['user: Go', 'user: Real', 'assistant: ok']);
    assert.match(notes.join(), /queued_command/);
  });

  it('keeps the place of a line that is nested too deep to be written', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const call = answer('m1', 'Looking');
    const text = chain(ask('Go'), call, ask('Weiter'), answer('m2', 'Done')).replace(
      '"Looking"}',
      `"Looking"},{"type":"tool_use","id":"t","name":"x","input":{"a":${deep}}}`,
    );
    const { context, notes } = await importText(text);
    assert.match(notes.join(), /deep|nested/i);
    assert.equal(context.at(-1), 'assistant: Done');
  });

  async function importText(text: string): Promise<Imported> {
    const file = await folder.write('foreign.jsonl', text);
    const { path, notes } = await importSession(file, { sessionDir: folder.path, targetCwd: '/work/here' });
    const session = await readSession(path);
    assert.deepEqual(session.problems, []);
    const { messages } = await buildSessionContext(session);
    const lines = await linesOf(path);
    return {
      session,
      title: sessionTitle(session.name, firstWords(session.entries)),
      notes: notes.map(({ message }) => message),
      context: messages.map((message) => {
        const { role, content } = message as unknown as Fields;
        return `${String(role)}: ${textOfContent(content ?? (message as unknown as Fields)['summary'] ?? '')}`;
      }),
      lines,
      origin: lines.at(-1)?.['data'] as Fields,
    };
  }
  const importCase = async (name: string): Promise<Imported> => importText(await readFile(resolve(CASES, `${name}.jsonl`), 'utf8'));

  describe('of Claude Code: what a person said while it worked', () => {
    it('is a message where it reached the model, once, and not if it was taken back', async () => {
      const { context, notes } = await importCase('claude-queue');
      assert.deepEqual(context, [
        'user: Migrate the tables',
        'assistant: Bash',
        'toolResult: migrating',
        'user: Use the staging database',
        'assistant: On staging, then.',
        'assistant: Bash',
        'toolResult: ok',
        'user: Also update the changelog',
        'assistant: The changelog is updated, too.',
        'user: Queued and sent later',
        'assistant: Done',
      ]);
      assert.deepEqual(notes, []);
    });

    it('has an attachment, or only the operations of the queue', async () => {
      const attached = await importCase('claude-queued-attachment');
      assert.deepEqual(attached.context, [
        'user: Build the mast',
        'assistant: Bash',
        'toolResult: ok',
        'user: And paint it green please',
        'assistant: Painted green.',
      ]);
      const removed = await importCase('claude-queued-removed');
      assert.deepEqual(removed.context.slice(2), ['toolResult: ok', 'user: Paint it blue as well', 'assistant: Painted blue.']);
      assert.deepEqual([...attached.notes, ...removed.notes], []);
    });

    for (const [what, lines, said] of [
      [
        'two that become one prompt',
        [queue('enqueue', 'A'), queue('enqueue', 'B'), queue('dequeue'), queue('dequeue'), ask('A\nB')],
        ['A\nB'],
      ],
      [
        'two that one attachment has',
        [queue('enqueue', 'A'), queue('enqueue', 'B'), queue('remove'), queue('remove'), attached('A\nB')],
        ['A\nB'],
      ],
      ['that the attachment comes before', [queue('enqueue', 'A'), attached('A'), queue('remove', 'A', 'absorbed_mid_turn')], ['A']],
      ['that nothing queued', [queue('dequeue'), queue('remove'), queue('popAll'), ask('A')], ['A']],
      [
        'of which the one in the middle was taken',
        [queue('enqueue', 'A'), queue('enqueue', 'B'), queue('enqueue', 'C'), queue('remove', 'B')],
        ['B'],
      ],
      ['that were all taken back', [queue('enqueue', 'A'), queue('enqueue', 'B'), queue('popAll')], []],
      ['of which one was cancelled', [queue('enqueue', 'A'), queue('remove', 'A', 'cancelled')], []],
      [
        'that are the same twice',
        [
          queue('enqueue', 'A'),
          queue('remove', 'A'),
          attached('A'),
          answer('m2', 'yes'),
          queue('enqueue', 'A'),
          queue('remove', 'A'),
          answer('m3', 'yes'),
        ],
        ['A', 'A'],
      ],
      ['whose attachment comes too late', [queue('enqueue', 'A'), queue('remove', 'A'), answer('m2', 'yes'), attached('A')], ['A']],
      [
        'of which another was meant',
        [queue('enqueue', 'A'), queue('enqueue', 'B'), queue('remove'), attached('B'), queue('popAll')],
        ['B'],
      ],
      ['with blocks', [queue('enqueue', 'A'), queue('remove'), attached([{ type: 'text', text: 'A' }])], ['A']],
    ] as const)
      it(`is right for texts ${what}`, async () => {
        const { context } = await importText(chain(ask('Go'), answer('m1', 'ok'), ...lines, answer('end', 'end')));
        const prompts = context.filter((text) => text.startsWith('user: ')).map((text) => text.slice('user: '.length));
        assert.deepEqual(prompts, ['Go', ...said]);
        assert.equal(context.at(-1), 'assistant: end');
      });

    it('isn’t a notice of a task', async () => {
      const notice = '<task-notification>\n<task-id>1</task-id>\n</task-notification>';
      const lines = [
        queue('enqueue', notice),
        queue('remove', notice),
        attached(notice, { commandMode: 'task-notification' }),
        ask(notice),
      ];
      const { context, title } = await importText(chain(...lines, answer('m1', 'ok'), ask('Real'), answer('m2', 'yes')));
      assert.deepEqual([title, context.filter((text) => text.startsWith('user: '))], ['Real', ['user: Real']]);
      assert.equal(context.filter((text) => text.startsWith('custom: ')).length, 2);
    });
  });

  describe('of Claude Code: lines without a message', () => {
    it('never begin a branch, whatever they hang on', async () => {
      const { context, notes, session } = await importCase('claude-hook-row');
      assert.deepEqual(context, ['user: Deploy it', 'assistant: The delivered answer', 'user: Thanks, next', 'assistant: Second answer']);
      assert.deepEqual([notes, session.byId.size], [[], 5]);
    });

    it('may be a chain of thousands, before and behind the answer', async function () {
      this.timeout(60_000);
      const line = (fields: Fields): string =>
        JSON.stringify({ sessionId: 's', cwd: '/x', timestamp: '2026-01-01T00:00:00.000Z', ...fields });
      const hooks = (first: string, count: number): string[] =>
        Array.from({ length: count }, (_, at) =>
          line({
            type: 'system',
            subtype: 'stop_hook_summary',
            uuid: `${first}${String(at)}`,
            parentUuid: at === 0 ? 'u1' : `${first}${String(at - 1)}`,
          }),
        );
      const text = [
        line({ type: 'user', uuid: 'u1', parentUuid: null, message: { role: 'user', content: 'Go' } }),
        ...hooks('a', 10_000),
        line({ type: 'assistant', uuid: 'u2', parentUuid: 'u1', message: { id: 'm', content: [{ type: 'text', text: 'done' }] } }),
        ...hooks('b', 10_000),
        line({ type: 'user', uuid: 'u3', parentUuid: 'a9999', message: { role: 'user', content: 'Next' } }),
        line({ type: 'assistant', uuid: 'u4', parentUuid: 'u3', message: { id: 'n', content: [{ type: 'text', text: 'end' }] } }),
        // A prompt that was changed is a branch all the same, also behind such a line.
        line({ type: 'progress', uuid: 'p', parentUuid: 'b9999', data: {} }),
        line({ type: 'user', uuid: 'u5', parentUuid: 'p', message: { role: 'user', content: 'Instead' } }),
      ];
      const { context, notes, session } = await importText(text.join('\n'));
      assert.deepEqual(context, ['user: Go', 'assistant: done', 'user: Instead']);
      assert.deepEqual([session.byId.get('u3')?.parentId, session.byId.get('u5')?.parentId, notes], ['u2', 'u2', []]);
    });
  });

  describe('of Claude Code: what the model got besides messages', () => {
    const given = (attachment: Fields): Fields => ({ type: 'attachment', attachment });
    const shown = ({ context }: Imported): string[] => context.map((text) => text.replaceAll('\n', ' / '));

    it('is in the context where it was given, hidden from the person', async () => {
      const imported = await importText(
        chain(
          ask('Go'),
          given({ type: 'edited_text_file', filename: '/x/hull.ts', snippet: '1→length = 9' }),
          given({
            type: 'nested_memory',
            path: '/x/CLAUDE.md',
            content: { path: '/x/CLAUDE.md', type: 'Project', content: 'Use metres.' },
          }),
          given({ type: 'deferred_tools_delta', addedNames: ['Anchor'], addedLines: ['Anchor'], removedNames: [] }),
          given({ type: 'agent_listing_delta', addedTypes: ['scout'], addedLines: [] }),
          given({ type: 'hook_additional_context', content: ['Low tide', 'at noon'], hookEvent: 'SessionStart' }),
          given({ type: 'todo_reminder', content: [{ content: 'Caulk', status: 'pending' }], itemCount: 1 }),
          answer('m', 'Done'),
        ),
      );
      assert.deepEqual(shown(imported), [
        'user: Go',
        'custom: /x/hull.ts / 1→length = 9',
        'custom: /x/CLAUDE.md / Use metres.',
        'custom: Anchor',
        'custom: scout',
        'custom: Low tide / at noon',
        'custom: Caulk',
        'assistant: Done',
      ]);
      const [first] = imported.lines.filter(({ type }) => type === 'custom_message');
      assert.deepEqual(
        [first?.['customType'], first?.['display'], first?.['details']],
        ['claude-code.attachment', false, { type: 'edited_text_file' }],
      );
      assert.deepEqual(imported.notes, []);
    });

    it('has images of files, and a note if the line doesn’t say what it was', async () => {
      const image = { type: 'file', filename: 'a.png', content: { type: 'image', file: { base64: 'AAAA', type: 'image/png' } } };
      const { lines, notes } = await importText(
        chain(ask('Go'), given(image), given({ type: 'companion_intro', name: 'Rex' }), answer('m', 'ok')),
      );
      assert.deepEqual(lines[2]?.['content'], [
        { type: 'text', text: 'a.png' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ]);
      assert.deepEqual(notes, ['Left out because pi’s format has nothing like it: “attachment: companion_intro” (lines 3)']);
    });

    it('never begins a branch, also if it stands beside the answer or behind a prompt that was changed', async () => {
      const date = { type: 'date_change', newDate: '2026-01-02' };
      const lines = [
        { ...ask('Go'), uuid: 'a', parentUuid: null },
        { ...answer('m', 'Done'), uuid: 'b', parentUuid: 'a' },
        { ...given(date), uuid: 'c', parentUuid: 'a' },
        { ...ask('Next'), uuid: 'd', parentUuid: 'b' },
        { ...given({ ...date, newDate: 'never answered' }), uuid: 'e', parentUuid: 'd' },
        { ...ask('Instead'), uuid: 'f', parentUuid: 'b' },
        { ...answer('n', 'Yes'), uuid: 'g', parentUuid: 'f' },
      ];
      const { session, notes } = await importText(lines.map((line) => JSON.stringify({ sessionId: 's', cwd: '/x', ...line })).join('\n'));
      const parents = ['b', 'c', 'd', 'e', 'f', 'g'].map((id) => session.byId.get(id)?.parentId);
      assert.deepEqual([parents, notes], [['a', 'b', 'c', 'd', 'c', 'f'], []]);
    });

    it('has a command that the program ran itself, and its output, and the tools that a search found', async () => {
      const system = (content: string): Fields => ({ type: 'system', subtype: 'local_command', content });
      const found = [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'tool_reference', tool_name: 'Anchor' }] }];
      const imported = await importText(
        chain(
          system('<command-name>/context</command-name>\n<command-message>context</command-message>\n<command-args></command-args>'),
          system('<local-command-stdout>12 tokens</local-command-stdout>'),
          ask('Go'),
          { type: 'assistant', message: { id: 'm', content: [{ type: 'tool_use', id: 'c', name: 'ToolSearch', input: {} }] } },
          { type: 'user', message: { role: 'user', content: found } },
        ),
      );
      assert.deepEqual(shown(imported), [
        'custom: /context',
        'custom: <local-command-stdout>12 tokens</local-command-stdout>',
        'user: Go',
        'assistant: ToolSearch',
        'toolResult: Anchor',
      ]);
      assert.deepEqual([imported.title, imported.notes], ['Go', []]);
    });

    for (const notice of [
      '<bash-notification>\n<shell-id>b1</shell-id>\n</bash-notification>',
      '<agent-notification>\n<agent-id>a1</agent-id>\n</agent-notification>',
      'Unknown skill: usage',
      'Unknown slash command: /keel',
    ])
      it(`isn’t said by the person: ${notice.split('\n')[0] ?? ''}`, async () => {
        const { title, context } = await importText(chain(ask(notice), ask('Real'), answer('m', 'ok')));
        assert.deepEqual([title, context.slice(1)], ['Real', ['user: Real', 'assistant: ok']]);
        assert.match(context[0] ?? '', /^custom: /);
      });
  });

  describe('of Claude Code: lines whose parents aren’t known', () => {
    const lines = (...all: readonly Fields[]): string =>
      all.map((line, at) => JSON.stringify({ sessionId: 's', cwd: '/x', uuid: `u${String(at)}`, ...line })).join('\n');

    it('follow the line before in the file of a subagent', async () => {
      const use = { id: 'm', content: [{ type: 'tool_use', id: 'c', name: 'Read', input: {} }] };
      const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'the keel' }] };
      const agent = { isSidechain: true, agentId: 'scout' };
      const { context, notes, session } = await importText(
        lines(
          { ...ask('Look'), ...agent, parentUuid: null },
          { type: 'assistant', message: use, ...agent, parentUuid: 'u0' },
          { type: 'user', message: result, ...agent, parentUuid: 'gone' },
          { ...answer('n', 'It is long'), ...agent, parentUuid: 'gone too' },
        ),
      );
      assert.deepEqual(context, ['user: Look', 'assistant: Read', 'toolResult: the keel', 'assistant: It is long']);
      assert.equal(session.roots.length, 1);
      assert.deepEqual(notes, ['Attached to the entry before because the parent isn’t in the file (lines 4)']);
    });

    it('follow the line before if an answer has none; a prompt alone without one is a branch', async () => {
      const none = { parentUuid: null };
      const flat = await importText(
        lines(
          { ...ask('One'), ...none },
          { ...answer('m', 'yes'), ...none },
          { ...ask('Two'), ...none },
          { ...answer('n', 'no'), ...none },
        ),
      );
      assert.deepEqual([flat.context, flat.notes], [['user: One', 'assistant: yes', 'user: Two', 'assistant: no'], []]);
      const changed = await importText(
        lines(
          { ...ask('One'), ...none },
          { ...answer('m', 'yes'), parentUuid: 'u0' },
          { ...ask('Two'), ...none },
          { ...answer('n', 'no'), parentUuid: 'u2' },
        ),
      );
      assert.deepEqual([changed.context, changed.session.roots.length], [['user: Two', 'assistant: no'], 2]);
    });
  });

  describe('of Claude Code: results and what a compaction writes again', () => {
    it('has a result below its call, also if it stands before it', async () => {
      const { context, notes, session } = await importCase('claude-result-first');
      assert.deepEqual(context, ['user: Read the hull', 'assistant: |Read', 'toolResult: const length = 4;', 'assistant: It is 4 long.']);
      assert.deepEqual([notes, session.byId.size], [[], 5]);
    });

    const use = (id: string, ...calls: readonly string[]): Fields => ({
      type: 'assistant',
      message: { id, content: calls.map((call) => ({ type: 'tool_use', id: call, name: call, input: {} })) },
    });
    const result = (call: string): Fields => ({
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: `of ${call}` }] },
    });
    const linked = (lines: readonly Fields[]): string =>
      lines
        .map((line, at) => JSON.stringify({ timestamp: new Date(at * 1000).toISOString(), sessionId: 's', cwd: '/x', ...line }))
        .join('\n');

    it('has the results of parallel calls before what was said meanwhile, and a result that a compaction comes between', async () => {
      const parallel = await importText(
        linked([
          { ...ask('Go'), uuid: 'a', parentUuid: null },
          { ...result('two'), uuid: 'd', parentUuid: 'a' },
          { ...use('m', 'one', 'two'), uuid: 'b', parentUuid: 'a' },
          { ...attached('Hurry'), uuid: 'e', parentUuid: 'b' },
          { ...result('one'), uuid: 'c', parentUuid: 'b' },
          { ...answer('n', 'Done'), uuid: 'f', parentUuid: 'e' },
        ]),
      );
      assert.deepEqual(parallel.context, [
        'user: Go',
        'assistant: one|two',
        'toolResult: of two',
        'toolResult: of one',
        'user: Hurry',
        'assistant: Done',
      ]);
      const compacted = await importText(
        linked([
          { ...ask('Go'), uuid: 'a', parentUuid: null },
          { ...result('one'), uuid: 'c', parentUuid: 'b' },
          { type: 'system', subtype: 'compact_boundary', content: 'Compacted', uuid: 'k', parentUuid: null, logicalParentUuid: 'c' },
          { ...ask('The summary'), uuid: 'l', parentUuid: null, isCompactSummary: true },
          { ...use('m', 'one'), uuid: 'b', parentUuid: 'a' },
          { ...ask('More'), uuid: 'e', parentUuid: 'l' },
        ]),
      );
      assert.deepEqual(
        compacted.lines.slice(1, -1).map(({ id, parentId }) => `${String(parentId)} ${String(id)}`),
        ['null a', 'a b', 'b c', 'c l', 'l e'],
      );
      assert.deepEqual([parallel.notes, compacted.notes, compacted.context], [[], [], ['compactionSummary: The summary', 'user: More']]);
    });

    for (const [what, again] of [
      ['with the same IDs', (line: Fields): Fields => line],
      ['with other IDs', (line: Fields): Fields => ({ ...line, uuid: `${String(line['uuid'])}2` })],
    ] as const)
      for (const isBefore of [false, true])
        it(`has the lines that a compaction writes again once: ${what}, ${isBefore ? 'before' : 'behind'} its summary`, async () => {
          const kept = [
            { ...ask('Kept'), uuid: 'c', parentUuid: 'b', timestamp: '2026-01-01T00:00:00.000Z' },
            { ...answer('n', 'Kept answer'), uuid: 'd', parentUuid: 'c', timestamp: '2026-01-01T00:00:01.000Z' },
          ];
          const copies = kept.map(again);
          const summary = { ...ask('The summary'), uuid: 'l', parentUuid: 'k', isCompactSummary: true };
          const { context, notes, session } = await importText(
            linked([
              { ...ask('First'), uuid: 'a', parentUuid: null },
              { ...answer('m', 'First answer'), uuid: 'b', parentUuid: 'a' },
              ...kept,
              { type: 'system', subtype: 'compact_boundary', content: 'Compacted', uuid: 'k', parentUuid: null, logicalParentUuid: 'd' },
              ...(isBefore ? [...copies, summary] : [summary, ...copies]),
              { ...ask('Next'), uuid: 'e', parentUuid: copies[1]?.['uuid'] },
            ]),
          );
          assert.deepEqual(context, ['compactionSummary: The summary', 'user: Kept', 'assistant: Kept answer', 'user: Next']);
          assert.deepEqual([notes, session.byId.size], [[], 7]);
        });
  });

  describe('of Claude Code: its title and its parent', () => {
    it('is called by the command with its arguments, or by what the person said', async () => {
      assert.equal((await importCase('claude-slash')).title, '/review the keel');
      const interrupted = await importCase('claude-interrupted');
      assert.equal(interrupted.title, 'Sand the deck instead');
      assert.equal(interrupted.context.length, 3);
      const both = await importText(
        chain(ask('x'), answer('m', 'y')).replace(
          '"x"',
          JSON.stringify([
            { type: 'text', text: '[Request interrupted by user]' },
            { type: 'text', text: 'Caulk it' },
          ]),
        ),
      );
      assert.deepEqual([both.title, both.context[1]], ['Caulk it', 'user: Caulk it']);
    });

    for (const [text, title] of [
      [
        '<command-name>/review</command-name>\n            <command-message>review</command-message>\n            <command-args></command-args>',
        '/review',
      ],
      [
        '<command-message>keel is running…</command-message>\n<command-name>keel</command-name>\n<command-args>a &lt; b\nc</command-args>',
        '/keel a &lt; b c',
      ],
      ['<bash-input>npm test</bash-input>', '!npm test'],
      ['<command-name>/torn', '<command-name>/torn'],
      ['<command-name>/a</command-name> and more', '<command-name>/a</command-name> and more'],
    ] as const)
      it(`is called by what was typed: ${title}`, async () => {
        assert.equal((await importText(chain(ask(text), answer('m', 'ok')))).title, title);
      });

    it('isn’t called by commands that the program ran itself', async () => {
      const caveat = { ...ask('<local-command-caveat>Caveat: …</local-command-caveat>'), isMeta: true };
      const { title, notes } = await importText(
        chain(caveat, ask('<command-name>/clear</command-name>'), ask('<local-command-stdout></local-command-stdout>'), ask('Caulk it')),
      );
      assert.deepEqual([title, notes], ['Caulk it', []]);
    });

    it('is called by the request, without what the editor added, also if another agent wrote it', async () => {
      const opened = '<ide_opened_file>The user opened the file /x/a.ts in the IDE.</ide_opened_file>';
      assert.equal((await importText(chain(ask(`${opened}\nCaulk it`), answer('m', 'ok')))).title, 'Caulk it');
      const task = { ...ask('Find all ropes'), isSidechain: true, agentId: 'a', origin: { kind: 'coordinator' } };
      assert.equal((await importText(chain(task, { ...answer('m', 'ok'), isSidechain: true }))).title, 'Find all ropes');
    });

    it('keeps its name if an empty one follows', async () => {
      for (const empty of ['', ' ']) {
        const names = [
          { type: 'custom-title', customTitle: 'Hull', sessionId: 's' },
          { type: 'custom-title', customTitle: empty, sessionId: 's' },
          { type: 'ai-title', aiTitle: empty, sessionId: 's' },
          { type: 'summary', summary: empty, leafUuid: 'u0' },
        ];
        const { title, notes } = await importText(`${chain(ask('Go'))}\n${names.map((name) => JSON.stringify(name)).join('\n')}`);
        assert.deepEqual([title, notes], ['Hull', []]);
      }
    });

    it('is one subagent’s, with its parent', async () => {
      const { context, notes, origin } = await importCase('claude-subagent-file');
      assert.deepEqual(context, ['user: Find all ropes', 'assistant: Seven ropes.']);
      assert.deepEqual([notes, origin['sessionId'], origin['parentSession']], [[], 'a1b2c3', '11111111-2222-4333-8444-555555555555']);
    });
  });

  describe('of Codex: prompts', () => {
    const roles = ({ context }: Imported): readonly string[] => context.filter((text) => /^(?:user|assistant): /.test(text));
    const item = (role: string, ...texts: readonly string[]): Fields => ({
      type: 'response_item',
      payload: {
        type: 'message',
        role,
        content: texts.map((text) => ({ type: role === 'assistant' ? 'output_text' : 'input_text', text })),
      },
    });
    const event = (payload: Fields): Fields => ({ type: 'event_msg', payload });
    const heard = (message: string): Fields => event({ type: 'user_message', message });
    const log = (...lines: readonly Fields[]): string =>
      lines.map((line, at) => JSON.stringify({ timestamp: new Date(at * 1000).toISOString(), ...line })).join('\n');
    const count = (total: number): Fields =>
      event({
        type: 'token_count',
        info: {
          total_token_usage: { total_tokens: total },
          last_token_usage: { input_tokens: total, output_tokens: 1, total_tokens: total + 1 },
        },
      });
    const meta = (payload: Fields = {}): Fields => ({
      type: 'session_meta',
      payload: { id: 'own', timestamp: '2026-01-01T00:00:00Z', cwd: '/x', ...payload },
    });

    it('are those of the person, each once', async () => {
      const imported = await importCase('codex-context');
      assert.equal(imported.title, 'What is in the cart?');
      assert.deepEqual(roles(imported), [
        'user: What is in the cart?',
        'assistant: Three items.',
        'user: And the sum?',
        'assistant: Forty.',
      ]);
      assert.deepEqual(imported.notes, []);
      const inputs = imported.session.entries.flatMap(({ usage }) => (usage ? [usage.input] : []));
      assert.deepEqual(inputs, [50, 70]);
    });

    it('are called by the request, without what the editor added', async () => {
      const imported = await importCase('codex-ide');
      assert.equal(imported.title, 'Make the hull longer');
      assert.deepEqual([roles(imported).length, imported.notes], [4, []]);
      const text = imported.context[0]?.slice('user: '.length) ?? '';
      const { from, to } = unwrapUserText(text);
      assert.equal(text.slice(from, to).trim(), 'Make the hull longer');
    });

    for (const [text, title] of [
      ['# Files mentioned by the user:\n\n## a.png: /tmp/a.png\n\n## My request for Codex:\nFix it', 'Fix it'],
      ['# Context from my IDE setup:\r\n\r\n## Active file: a\r\n\r\n## My request for Codex:\r\nFix it', 'Fix it'],
      ['# Review findings:\n\n## My request for Codex: Fix it', 'Fix it'],
      ['# A heading:\n\nMy own text', '# A heading: My own text'],
    ] as const)
      it(`are called by the request of ${JSON.stringify(text.slice(0, 30))}`, async () => {
        assert.equal((await importText(log(meta(), item('user', text), item('assistant', 'ok')))).title, title);
      });

    it('have their images without the marks that Codex puts around them', async () => {
      const image = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' };
      const text = (given: string): Fields => ({ type: 'input_text', text: given });
      for (const open of ['<image name=[Image #1]>', '<image>', '<image name=[Image #1] path="/x/größe 1.png">']) {
        const content = [text(open), image, text('</image>'), text('Fix it')];
        const asked = { type: 'response_item', payload: { type: 'message', role: 'user', content } };
        const imported = await importText(log(meta(), asked, item('assistant', 'ok'), item('user', '<image>')));
        assert.equal(imported.title, 'Fix it');
        assert.deepEqual([roles(imported).at(-1), imported.notes], ['user: <image>', []]);
      }
    });

    it('are apart from context in the same message, and may look like it', async () => {
      const context = '<environment_context>\n<cwd>/x</cwd>\n</environment_context>';
      const own = '<build_log>\nerror\n</build_log>';
      const lines = [
        item('user', '# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>', context, 'Go'),
        item('assistant', 'ok'),
        item('user', '<new_kind_of_context>\nx\n</new_kind_of_context>'),
        item('user', own),
        heard(own),
        item('assistant', 'yes'),
        heard('<other_log>x</other_log>'),
        item('user', '<other_log>x</other_log>'),
      ];
      const imported = await importText(log(meta(), ...lines));
      assert.deepEqual(roles(imported), ['user: Go', 'assistant: ok', `user: ${own}`, 'assistant: yes', 'user: <other_log>x</other_log>']);
    });

    it('may be an event alone, and are in the order of the turns', async () => {
      const lines = [
        heard('First'),
        item('assistant', 'one'),
        item('user', 'Second'),
        heard('Second'),
        item('assistant', 'two'),
        heard('Second'),
      ];
      const imported = await importText(log(meta(), ...lines, item('user', 'Second'), item('assistant', 'three'), heard('Last')));
      assert.deepEqual(roles(imported), [
        'user: First',
        'assistant: one',
        'user: Second',
        'assistant: two',
        'user: Second',
        'assistant: three',
        'user: Last',
      ]);
    });

    it('may be aborted, with their tokens', async () => {
      const aborted = event({ type: 'turn_aborted', reason: 'interrupted' });
      const lines = [
        item('user', 'A'),
        count(10),
        aborted,
        item('user', 'B'),
        aborted,
        count(20),
        item('user', 'C'),
        item('assistant', 'c'),
        count(40),
      ];
      const { session, notes } = await importText(log(meta(), ...lines, item('user', 'D'), event({ type: 'error', message: 'No quota' })));
      assert.deepEqual(notes, []);
      const answers = session.entries.filter(({ role }) => role === 'assistant');
      assert.deepEqual(
        answers.map(({ usage, stopReason }) => [stopReason, usage?.input]),
        [
          ['aborted', 10],
          ['aborted', 20],
          ['stop', 40],
          ['error', 0],
        ],
      );
    });

    it('may be aborted while a tool runs: its result stays below the call', async () => {
      const aborted = event({ type: 'turn_aborted', reason: 'interrupted' });
      const call = { type: 'response_item', payload: { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c' } };
      const output = { type: 'response_item', payload: { type: 'function_call_output', call_id: 'c', output: 'aborted by user' } };
      const { context, notes } = await importText(log(meta(), item('user', 'A'), call, count(10), aborted, output, item('user', 'B')));
      assert.deepEqual([context, notes], [['user: A', 'assistant: shell', 'toolResult: aborted by user', 'user: B'], []]);
    });

    it('of early versions have no header and no payloads', async () => {
      const early = [
        { id: 'old', timestamp: '2025-05-07T17:24:21.597Z', instructions: null },
        { record_type: 'state' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: '<user_instructions>\nx\n</user_instructions>' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
        { record_type: 'state' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] },
      ];
      const imported = await importText(early.map((line) => JSON.stringify(line)).join('\n'));
      assert.deepEqual([imported.title, roles(imported), imported.notes], ['Go', ['user: Go', 'assistant: ok'], []]);
    });

    for (const [what, payload, parent] of [
      ['a fork', { forked_from_id: 'p' }, 'p'],
      ['a subagent', { source: { subagent: { thread_spawn: { parent_thread_id: 'p', depth: 1 } } } }, 'p'],
      ['a thread', { parent_thread_id: 'p', forked_from_id: 'q' }, 'p'],
      ['a thread of another session', { session_id: 'p' }, 'p'],
      ['a session of its own', { session_id: 'own', source: 'cli' }, undefined],
      ['a review', { source: { subagent: 'review' } }, undefined],
    ] as const)
      it(`name their parent: ${what}`, async () => {
        const { origin } = await importText(log(meta(payload), meta({ id: 'p' }), item('user', 'Go')));
        assert.deepEqual([origin['sessionId'], origin['parentSession']], ['own', parent]);
      });

    it('need no note for events that repeat them', async () => {
      const imported = await importCase('codex-exec-end');
      assert.deepEqual([imported.notes, imported.context.length], [[], 4]);
      const types = [
        'exec_command_begin',
        'exec_command_output_delta',
        'mcp_tool_call_end',
        'patch_apply_begin',
        'turn_diff',
        'plan_update',
      ];
      const others = [
        { type: 'world_state', payload: {} },
        { type: 'response_item', payload: { type: 'ghost_snapshot' } },
      ];
      const { notes } = await importText(log(meta(), item('user', 'Go'), ...types.map((type) => event({ type })), ...others));
      assert.deepEqual(notes, []);
    });

    it('may call tools in code, whose commands and patches are known', async () => {
      const imported = await importCase('codex-exec');
      const calls = imported.lines.flatMap((line) => {
        const content = ((line['message'] ?? {}) as Fields)['content'];
        return Array.isArray(content) ? (content as Fields[]).filter(({ type }) => type === 'toolCall') : [];
      });
      assert.deepEqual(
        calls.map(({ arguments: given }) => (given as Fields)['command']),
        ["sed -n '1,20p' src/hull.ts", 'apply_patch src/hull.ts'],
      );
      const rows = imported.session.entries
        .filter(({ role }) => role === 'toolResult')
        .map(({ id }) => imported.session.byId.get(id)?.text);
      assert.deepEqual(rows, ["[exec: sed -n '1,20p' src/hull.ts]", '[exec: apply_patch src/hull.ts]']);
      assert.deepEqual(
        imported.lines.flatMap((line) => touchesOfLine(line)),
        [{ file: 'src/hull.ts', kind: 'write' }],
      );
      assert.deepEqual([imported.notes, imported.context.length], [[], 6]);
    });

    it('has the tokens of a turn without an answer', async () => {
      const lines = [
        item('user', 'A'),
        count(10),
        count(30),
        item('user', 'B'),
        item('assistant', 'b'),
        count(60),
        item('user', 'C'),
        count(100),
      ];
      const { session, notes, lines: written } = await importText(log(meta(), ...lines));
      const counted = written.filter(({ type }) => type === 'usage');
      assert.deepEqual(
        counted.map(({ kind, usage }) => [kind, (usage as Fields)['input']]),
        Array.from({ length: 3 }, (_, at) => ['codex.unanswered', [10, 30, 100][at]]),
      );
      assert.deepEqual([sessionUsage(session).input, notes], [200, []]);
    });

    it('have the plans that Codex takes out of answers, once', async () => {
      const plan = (text: string): Fields => event({ type: 'item_completed', item: { type: 'Plan', id: 'p', text } });
      const lines = [
        item('user', 'Go'),
        item('assistant', 'Here it is.'),
        count(10),
        plan('1. Caulk'),
        plan('1. Caulk'),
        item('user', 'B'),
        plan('2. Paint'),
      ];
      const { context, notes } = await importText(log(meta(), ...lines, event({ type: 'guardian_assessment', status: 'approved' })));
      assert.deepEqual([context, notes], [['user: Go', 'assistant: Here it is.|1. Caulk', 'user: B', 'assistant: 2. Paint'], []]);
    });

    it('may compute patches in code, which are those that were applied', async () => {
      const code = (id: string, input: string): Fields => ({
        type: 'response_item',
        payload: { type: 'custom_tool_call', call_id: id, name: 'exec', input },
      });
      const done = (id: string): Fields => ({
        type: 'response_item',
        payload: { type: 'custom_tool_call_output', call_id: id, output: 'Script completed' },
      });
      const applied = (changes: Fields, success = true): Fields => event({ type: 'patch_apply_end', call_id: 'exec-1', success, changes });
      const diff =
        '--- a/hull.ts\n+++ b/hull.ts\n@@ -1,2 +1,2 @@ hull\n keel\n-const length = 4;\n+const length = 9;\n\\ No newline at end of file\n';
      const imported = await importText(
        log(
          meta(),
          item('user', 'Go'),
          code('c', 'for (const file of files) await tools.apply_patch(patchOf(file)); await tools.exec_command({ cmd: "ls" });'),
          applied({ '/x/hull.ts': { type: 'update', unified_diff: diff, move_path: '/x/long.ts' } }),
          applied(
            { '/x/mast.ts': { add: { content: 'tall\n' } }, '/x/oar.ts': { type: 'delete', content: 'x' }, 'a\nb': { type: 'delete' } },
            false,
          ),
          done('c'),
          code('d', 'const { apply_patch } = tools; await apply_patch(p);'),
          applied({ '/x/sail.ts': { type: 'add', content: 'wide' } }),
          done('d'),
          code('e', 'await tools.apply_patch("*** Begin Patch\\n*** Delete File: rope.ts\\n*** End Patch");'),
          applied({ '/x/rope.ts': { type: 'delete', content: '' } }),
          done('e'),
        ),
      );
      const results = imported.lines.map((line) => (line['message'] ?? {}) as Fields).filter(({ role }) => role === 'toolResult');
      const patch = (...lines: readonly string[]): Fields => ({ input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
      assert.deepEqual(results[0]?.['nestedCalls'], {
        calls: [
          {
            id: 'c-1',
            name: 'apply_patch',
            arguments: patch(
              '*** Update File: /x/hull.ts',
              '*** Move to: /x/long.ts',
              '@@',
              ' keel',
              '-const length = 4;',
              '+const length = 9;',
            ),
            status: 'ok',
          },
          {
            id: 'c-2',
            name: 'apply_patch',
            arguments: patch('*** Add File: /x/mast.ts', '+tall', '*** Delete File: /x/oar.ts'),
            status: 'error',
          },
          { id: 'c-3', name: 'exec_command', arguments: { cmd: 'ls' }, status: 'ok' },
        ],
        complete: false,
      });
      assert.deepEqual(
        imported.lines.flatMap((line) => touchesOfLine(line)).map(({ file }) => file),
        ['/x/hull.ts', '/x/long.ts', '/x/mast.ts', '/x/oar.ts', '/x/sail.ts', 'rope.ts'],
      );
      const rows = imported.session.entries
        .filter(({ role }) => role === 'toolResult')
        .map(({ id }) => imported.session.byId.get(id)?.text);
      assert.match(rows[1] ?? '', /^\[exec: apply_patch .*sail\.ts\]$/);
    });

    it('may call several tools in code, one of them with arguments that nobody knows', async () => {
      const source = [
        '// tools.exec_command({cmd: "no"}) in a comment, and in a text:',
        'const text = "tools.exec_command({cmd: 1})";',
        'const patch = `*** Begin Patch\\n*** Add File: a.ts\\n+x\\n*** End Patch`;',
        'const workdir = "/x"',
        "const [a, b] = await Promise.all([tools.exec_command({ cmd: 'echo \"it\\'s\"', workdir, n: [1, -2.5, null] }), tools.apply_patch(patch)]);",
        'for (const file of files) await tools.exec_command({ cmd: `cat ${file}` });',
        'text(await tools["mcp__x__y"]());',
      ].join('\n');
      const call = { type: 'custom_tool_call', call_id: 'c', name: 'exec', input: source };
      const output = { type: 'custom_tool_call_output', call_id: 'c', output: 'Script completed' };
      const { lines } = await importText(
        log(meta(), item('user', 'Go'), { type: 'response_item', payload: call }, { type: 'response_item', payload: output }),
      );
      const result = lines.map((line) => (line['message'] ?? {}) as Fields).find(({ role }) => role === 'toolResult');
      assert.deepEqual(result?.['nestedCalls'], {
        calls: [
          { id: 'c-1', name: 'exec_command', arguments: { cmd: 'echo "it\'s"', workdir: '/x', n: [1, -2.5, null] }, status: 'ok' },
          { id: 'c-2', name: 'apply_patch', arguments: { input: '*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch' }, status: 'ok' },
          { id: 'c-3', name: 'exec_command', status: 'ok' },
          { id: 'c-4', name: 'mcp__x__y', status: 'ok' },
        ],
        complete: false,
      });
    });
  });
});
