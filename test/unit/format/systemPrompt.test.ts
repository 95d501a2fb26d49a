import assert from 'node:assert/strict';
import { contextPlan } from '../../../src/core/format/context/contextPlan';
import { promptDeclaration, replaySystemPrompt, systemPromptEntries } from '../../../src/core/format/context/systemMessage';
import type { JsonObject } from '../../../src/core/format/values/jsonValues';
import { entryPlainText } from '../../../src/core/format/entry/entryPlainText';
import { parseEntry } from '../../../src/core/format/entry/parseEntry';
import { parseSystemMessage, type SystemPrompt } from '../../../src/core/format/entry/prompts/systemPrompt';
import { textOfLine } from '../../../src/core/catalog/index/words/lineText';
import { entryId, session, type Fields, type SessionBuilder } from '../../fixtures/build';
import { read } from '../../fixtures/read';

const system = (fields: Fields): Fields => ({ role: 'system', content: '', ...fields });
const tool = (name: string, description = `runs ${name}`): Fields => ({ name, description, parameters: { type: 'object' } });

/** Replays the prompt at an entry from the lines of a session. */
function promptAt(built: SessionBuilder, leafId?: string | null, rootDialect: 'pi' | 'omp' = 'pi'): SystemPrompt | undefined {
  const found = read(built, { rootDialect });
  const lines = built.lines().map((line) => JSON.parse(line) as JsonObject);
  const ids = systemPromptEntries(contextPlan(found, leafId));
  return replaySystemPrompt(ids.map((id) => found.byId.get(id)!).map((head) => parseEntry(lines[head.line - 1]!, head)));
}

/** Formats a prompt as its text, `name=text` for sections, and the names of its tools. */
function shown(prompt: SystemPrompt | undefined): string | undefined {
  if (!prompt) return undefined;
  const sections = prompt.sections.map(({ name, text }) => `${name}=${text}`);
  return [prompt.text, ...sections, `[${prompt.tools.map(({ name }) => name).join()}]`].filter((part) => part !== '').join(' ');
}

const changed = (): SessionBuilder =>
  session()
    .message(
      system({
        sections: { preamble: 'You are pi.', rules: 'old', docs: 'there' },
        toolsAdded: [tool('read'), tool('bash'), tool('edit')],
      }),
    )
    .user('a')
    .message(system({ sections: { rules: 'new', docs: null, skills: 'more' }, toolsRemoved: [{ name: 'bash' }] }))
    .user('b')
    .message(system({ content: 'And be brief.', toolsRemoved: [{ name: 'read' }], toolsAdded: [tool('read', 'reads better')] }))
    .assistant('c');

describe('The system prompt at an entry', () => {
  it('is replayed from the system messages up to there, in order', () => {
    assert.equal(shown(promptAt(changed(), null)), undefined);
    assert.equal(shown(promptAt(changed(), entryId(1))), 'preamble=You are pi. rules=old docs=there [read,bash,edit]');
    assert.equal(shown(promptAt(changed(), entryId(4))), 'preamble=You are pi. rules=new skills=more [read,edit]');
    assert.equal(shown(promptAt(changed())), 'And be brief. preamble=You are pi. rules=new skills=more [edit,read]');
    assert.deepEqual(promptAt(changed())?.removedSections, []);
    assert.deepEqual(promptAt(changed())?.tools[1], { name: 'read', description: 'reads better', parameters: { type: 'object' } });
  });

  it('is that of the branch', () => {
    const built = changed()
      .branchFrom(entryId(2))
      .message(system({ sections: { rules: 'other' } }));
    assert.equal(shown(promptAt(built)), 'preamble=You are pi. rules=other docs=there [read,bash,edit]');
  });

  it('begins anew with the checkpoint of a compaction, whatever stood before it', () => {
    const checkpoint = system({ sections: { preamble: 'checked' }, toolsAdded: [tool('ls')] });
    const built = changed().compaction('s', entryId(2), { systemMessage: checkpoint }).user('d');
    assert.equal(shown(promptAt(built)), 'preamble=checked [ls]');
    assert.equal(shown(promptAt(built.message(system({ sections: { rules: 'r' } })))), 'preamble=checked rules=r [ls]');
    assert.equal(shown(promptAt(changed().compaction('s', entryId(2)).user('d'))), undefined);
  });

  it('is read from the entries of the context that may record one, and from no others', () => {
    const opened = read(
      changed()
        .compaction('s', entryId(4))
        .user('d')
        .message(system({ sections: { a: 'b' } })),
    );
    assert.deepEqual(systemPromptEntries(contextPlan(opened)), [entryId(7), entryId(9)]);
    assert.deepEqual(systemPromptEntries(contextPlan(opened, entryId(6))), [entryId(1), entryId(3), entryId(5)]);
  });

  it('is missing from a session that records none', () => {
    assert.equal(promptAt(session().user('a').assistant('b')), undefined);
    assert.equal(promptAt(session().message(system({})).user('a')), undefined);
  });

  it('comes from the session_init of oh-my-pi, with the schema of the answer', () => {
    const built = session({ title: 'omp' })
      .entry('session_init', { systemPrompt: 'You explore.', task: 't', tools: ['read', 'grep'], outputSchema: { type: 'string' } })
      .user('t');
    const prompt = promptAt(built, undefined, 'omp');
    assert.equal(shown(prompt), 'You explore. [read,grep]');
    assert.deepEqual(prompt?.outputSchema, { type: 'string' });
    assert.deepEqual(prompt.tools[0], { name: 'read', description: '' });
  });
});

describe('Heads of system messages', () => {
  it('have the name and the task of a subagent', () => {
    const init = (given: object): unknown[] => {
      const head = read(session().entry('session_init', { systemPrompt: ['You tie knots.'], ...given })).entries[0]!;
      return [head.text, head.agent];
    };
    assert.deepEqual(init({ agent: 'разведчик', task: '結ぶ\nいま' }), ['[init: разведчик: 結ぶ いま]', 'разведчик']);
    assert.deepEqual(init({ agent: '', task: 'Tie' }), ['[init: Tie]', undefined]);
    assert.deepEqual(init({ agent: ['x'] }), ['[init: ]', undefined]);
  });

  it('report whether a text is recorded', () => {
    const heads = read(
      session()
        .message(system({}))
        .message(system({ sections: { a: null }, toolsAdded: [tool('x')] }))
        .message(system({ sections: { a: 'text' } }))
        .message(system({ content: 'text' }))
        .entry('session_init', { systemPrompt: 'text' })
        .entry('session_init', { tools: ['x'] }),
    ).entries;
    assert.deepEqual(
      heads.map(({ hasText }) => hasText),
      [false, false, true, true, true, false],
    );
    assert.equal(promptDeclaration(heads)?.id, entryId(3));
  });
});

describe('Hostile system messages', () => {
  it('have sections of any name', () => {
    const built = session()
      .raw(
        `{"type":"message","id":"m","parentId":null,"timestamp":"2026-01-02T10:00:00.000Z","message":{"role":"system","content":null,"sections":{"__proto__":"p","constructor":"c","":"empty"},"toolsAdded":[{"name":"__proto__"}]}}`,
      )
      .branchFrom('m')
      .message(system({ sections: { constructor: null } }));
    assert.equal(shown(promptAt(built)), '__proto__=p =empty [__proto__]');
    assert.equal(Object.hasOwn(Object.prototype, 'p'), false);
  });

  it('have values of any type', () => {
    const odd = {
      content: { text: 'no' },
      sections: { list: ['a'], number: 5, yes: true },
      toolsAdded: [null, 7, 'named', {}, { name: 3 }, { name: 'x', description: ['d'], parameters: 'p' }],
      toolsRemoved: 'read',
    };
    const { text, sections, tools, removedTools } = parseSystemMessage(odd);
    assert.deepEqual([text, sections.map((section) => section.text), removedTools], ['', ['[\n  "a"\n]', '5', 'true'], []]);
    assert.deepEqual(tools, [
      { name: 'named', description: '' },
      { name: 'x', description: '[\n  "d"\n]', parameters: 'p' },
    ]);
    for (const sections of [null, [], 'text', 5]) assert.deepEqual(parseSystemMessage({ sections }).sections, []);
  });

  it('have any number of sections', () => {
    const sections = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`s${String(index)}`, 'x']));
    const built = session();
    for (let turn = 0; turn < 20; turn++) built.message(system({ sections }));
    assert.equal(promptAt(built)?.sections.length, 1000);
  });
});

describe('The text of a system message', () => {
  const message = system({ content: 'be', sections: { a: 'good', b: null }, toolsAdded: [tool('read')] });
  const line = { type: 'message', message };

  it('is copied whole', () => {
    assert.equal(entryPlainText(parseEntry(line, { id: 'a', parentId: null })), 'be\n\ngood\n\nread: runs read');
    const init = { type: 'session_init', systemPrompt: ['one', 'two'], tools: ['x'] };
    assert.equal(entryPlainText(parseEntry(init, { id: 'a', parentId: null })), 'one\n\ntwo\n\nx');
    const blocks = { ...init, systemPrompt: [{ type: 'text', text: 'three' }, 5, 'four'] };
    assert.equal(entryPlainText(parseEntry(blocks, { id: 'a', parentId: null })), 'three\n\nfour\n\nx');
  });

  it('is searched', () => {
    assert.deepEqual(textOfLine(line), { role: 'system', text: 'be\n\ngood\n\nread: runs read' });
    assert.deepEqual(textOfLine({ type: 'session_init', systemPrompt: 'p', task: 't' }), { role: 'session_init', text: 't\n\np' });
  });
});
