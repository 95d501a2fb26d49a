import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { MarkdownString, TextDocument } from 'vscode';
import { readSession, SessionError, type LineOrigin, type Session } from '../../../src/core/index';
import type * as hoverModule from '../../../src/lineOrigins/originHover';
import { escapeMarkdown } from '../../../src/tree/items/escapeMarkdown';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { fakeEditor, Uri } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

describe('The hover of a line', () => {
  const folder = testFolder();
  const { OriginHover } = loadWithVscode(join(__dirname, '../../../src/lineOrigins/originHover.js'), {
    ...fakeEditor().api,
    Hover: class {
      constructor(readonly contents: unknown) {}
    },
  }) as typeof hoverModule;
  const logged: unknown[] = [];
  const text = {
    ago: () => '3 days ago',
    age: () => '3d',
    dollars: (cost: number) => `$${cost.toFixed(2)}`,
    truncate: (all: string, length: number) => all.slice(0, length),
    joinParts: (...parts: readonly (string | undefined)[]) => parts.filter((part) => part).join(' · '),
  };

  /** Hovers over line 2 of a file whose lines 2 and 3 the session wrote. */
  async function hovered(read: () => Promise<Session>, certainty: LineOrigin['certainty'] = 'exact', line = 1, isQuick = true) {
    logged.length = 0;
    const origin = { from: 2, to: 3, path: '/s (1).jsonl', entryId: entryId(2), time: 0, certainty };
    const log = { warnOnce: (one: string) => logged.push(one), error: (error: unknown) => logged.push(error) };
    const origins = { quick: () => Promise.resolve(isQuick ? [origin] : ('too many changes' as const)) };
    const hover = new OriginHover({ origins, session: read, text, escapeMarkdown, log });
    const document = { uri: Uri.file('/work/a.ts') } as unknown as TextDocument;
    const shown = await hover.provideHover(document, { line } as never, { isCancellationRequested: false } as never);
    return shown?.contents as unknown as MarkdownString | undefined;
  }
  const reading = (builder: SessionBuilder) => async (): Promise<Session> => readSession(await folder.write('s.jsonl', builder.text()));
  const door = (): SessionBuilder => session().user('Make a *door*').tool('write', { path: 'a.ts', content: 'x' });

  it('has the prompt, the session, the turn, and how certain it is', async () => {
    const builder = door().name('Doors');
    const [prompt, , facts] = (await hovered(reading(builder)))!.value.split('\n\n');
    assert.equal(prompt, 'Make a door');
    assert.equal(
      facts!.replaceAll('\\', '').replace('&#36;', '$'),
      'Doors · pi · anthropic/claude-x  \n3 days ago · On the active branch · $0.04 for this turn  \nThis turn wrote the line as it is.',
    );
    assert.match((await hovered(reading(builder), 'likely'))!.value, /probably wrote the line/);
  });

  it('links to the extension’s own commands and to no others', async () => {
    const evil = '[x](command:workbench.action.quit) <a href="command:evil">y</a> https://evil.example $(alert)';
    const markdown = (await hovered(reading(session().user(evil).tool('write', { path: evil, content: 'x' }).name(evil))))!;
    const links = [...markdown.value.matchAll(/(?<!\\)\]\(([^)]*)\)/g)].map(([, target]) => decodeURIComponent(target!));
    assert.deepEqual(links, [
      `command:sessionTree.showContext?[{"row":"entry","path":"/s (1).jsonl","entryId":"${entryId(2)}"}]`,
      `command:sessionTree.showFileChange?[{"path":"/s (1).jsonl","entryId":"${entryId(2)}","file":"/work/a.ts"}]`,
      'command:sessionTree.whyThisLine?[{"row":"line","file":"/work/a.ts","line":2}]',
      'command:sessionTree.resume?[{"row":"session","path":"/s (1).jsonl"}]',
    ]);
    const { enabledCommands } = markdown.isTrusted as { enabledCommands: readonly string[] };
    assert.deepEqual(
      enabledCommands,
      links.map((target) => /^command:([\w.]+)/.exec(target)![1]),
    );
    assert.doesNotMatch(markdown.value, /<a|\$\(|https:\/\//);
    assert.equal(markdown.supportHtml, undefined);
    assert.equal(markdown.supportThemeIcons, undefined);
  });

  it('has the beginning of a long prompt', async () => {
    const of = async (prompt: string): Promise<string> => {
      const builder = session().user(prompt).tool('write', { path: 'a.ts', content: 'x' });
      return (await hovered(reading(builder)))!.value.split('\n\n')[0]!;
    };
    assert.equal(await of('x'.repeat(600)), `${'x'.repeat(500)}…`);
    assert.equal((await of(Array(20).fill('y').join('\n'))).split('\n').length, 8);
  });

  it('says that there are too many changes, with a link to the command that goes on', async () => {
    const markdown = (await hovered(reading(door()), 'exact', 1, false))!;
    const link = '[All Edits of This Line](command:sessionTree.whyThisLine?';
    assert.ok(markdown.value.startsWith(`Too many changes to find this line’s origin quickly.\n\n${link}`), markdown.value);
    assert.deepEqual(markdown.isTrusted, { enabledCommands: ['sessionTree.whyThisLine'] });
  });

  it('is absent where no session wrote the line, and if the session can’t be read', async () => {
    assert.equal(await hovered(reading(door()), 'exact', 0), undefined);
    assert.equal(await hovered(() => Promise.reject(new SessionError('not-found', 'It is gone.'))), undefined);
    assert.deepEqual(logged, ['It is gone.']);
  });
});
