import assert from 'node:assert/strict';
import Module from 'node:module';
import { join } from 'node:path';
import type { CancellationToken, MarkdownString, TextDocument } from 'vscode';
import { type LineOrigin, readSession, type Session, SessionError } from '../../../src/core/index';
import type * as featuresModule from '../../../src/lineOrigins/lineOriginFeatures';
import type * as hoverModule from '../../../src/lineOrigins/originHover';
import type * as lensesModule from '../../../src/lineOrigins/originLenses';
import type * as sessionsModule from '../../../src/lineOrigins/sessionsOfLines';
import type * as turnsModule from '../../../src/lineOrigins/turnReader';
import { escapeMarkdown } from '../../../src/tree/items/escapeMarkdown';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { CancellationError, fakeEditor, Uri } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';
import { read } from '../../fixtures/read';

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

describe('The lenses above functions and classes', () => {
  class Range {
    constructor(
      readonly start: { readonly line: number },
      readonly end: { readonly line: number },
    ) {}
  }
  const [CLASS, METHOD, CONSTRUCTOR, FUNCTION, VARIABLE] = [4, 5, 8, 11, 12];
  const range = (from: number, to: number): Range => new Range({ line: from - 1 }, { line: to - 1 });
  const origin: LineOrigin = { from: 4, to: 9, path: '/s.jsonl', entryId: entryId(2), time: 0, certainty: 'exact' };

  const unexpected = (): never => {
    throw new Error('Only a lens in sight reads sessions');
  };

  /** Returns the lines of the lenses, from 1, for what the editor knows of a document whose lines 4 to 9 a session wrote. */
  async function linesOf(symbols: unknown): Promise<number[]> {
    const { api } = fakeEditor();
    const { OriginLenses } = loadWithVscode(join(__dirname, '../../../src/lineOrigins/originLenses.js'), {
      ...api,
      Range,
      CodeLens: class {
        constructor(readonly range: Range) {}
      },
      SymbolKind: { Class: CLASS, Method: METHOD, Constructor: CONSTRUCTOR, Function: FUNCTION },
      commands: { ...api.commands, executeCommand: () => Promise.resolve(symbols) },
    }) as typeof lensesModule;
    const lenses = new OriginLenses({
      origins: { of: () => Promise.resolve([origin]), onDidChange: new FakeEmitter<void>().event },
      session: unexpected,
      log: { warnOnce: unexpected, error: unexpected },
    });
    const token = { isCancellationRequested: false } as CancellationToken;
    const found = await lenses.provideCodeLenses({ uri: Uri.file('/work/a.ts') } as unknown as TextDocument, token);
    return found.map((lens) => lens.range.start.line + 1);
  }

  it('are at those that contain lines of sessions, nested ones included', async () => {
    const symbols = [
      { kind: FUNCTION, range: range(1, 3), children: [] },
      {
        kind: CLASS,
        range: range(4, 30),
        children: [
          { kind: METHOD, range: range(5, 8), children: [] },
          { kind: VARIABLE, range: range(9, 9), children: [] },
          { kind: METHOD, range: range(10, 20), children: [] },
        ],
      },
    ];
    assert.deepEqual(await linesOf(symbols), [4, 5]);
  });

  it('are also there for providers that give flat lists', async () => {
    const symbols = [
      { kind: FUNCTION, location: { range: range(2, 4) } },
      { kind: FUNCTION, location: { range: range(12, 14) } },
    ];
    assert.deepEqual(await linesOf(symbols), [2]);
  });

  it('are none in a language without a provider', async () => {
    assert.deepEqual(await linesOf(undefined), []);
  });
});

describe('The sessions that wrote lines', () => {
  const { api } = fakeEditor();
  const { sessionsOfLines } = loadWithVscode(join(__dirname, '../../../src/lineOrigins/sessionsOfLines.js'), api) as typeof sessionsModule;
  const { keyOf, readTurns } = loadWithVscode(join(__dirname, '../../../src/lineOrigins/turnReader.js'), api) as typeof turnsModule;
  const origin = (from: number, to: number, path: string, at: number, time: number): LineOrigin => ({
    from,
    to,
    path,
    entryId: entryId(at),
    time,
    certainty: 'exact',
  });
  const unexpected = (): never => {
    throw new Error('Nothing fails here');
  };
  const opened: string[] = [];
  const deps = {
    session: (path: string) => {
      opened.push(path);
      const call = { path: 'a.ts', content: 'x' };
      return Promise.resolve(read(session().user(`First of ${path}`).tool('write', call).user(`Second of ${path}`).tool('write', call)));
    },
    log: { warnOnce: unexpected, error: unexpected },
  };
  beforeEach(() => (opened.length = 0));

  it('are in the order of their last messages, with the number of their lines', async () => {
    const origins = [
      origin(1, 4, '/old', 2, 10),
      origin(5, 5, '/new', 2, 30),
      origin(6, 9, '/middle', 2, 20),
      origin(10, 12, '/new', 5, 25),
      origin(20, 29, '/elsewhere', 2, 90),
    ];
    const found = await sessionsOfLines(origins, 3, 11, deps);
    assert.deepEqual(
      found.map(({ path, time, lines }) => [path, time, lines]),
      [
        ['/new', 30, 3],
        ['/middle', 20, 4],
        ['/old', 10, 2],
      ],
    );
    assert.deepEqual([found[0]!.entryId, found[0]!.title], [entryId(2), 'First of /new']);
  });

  it('are opened once for all their messages', async () => {
    const origins = [origin(1, 1, '/one', 2, 10), origin(2, 2, '/other', 2, 10), origin(3, 3, '/one', 5, 20)];
    const turns = await readTurns(origins, deps);
    assert.deepEqual(
      origins.map((one) => turns.get(keyOf(one))?.prompt),
      ['First of /one', 'First of /other', 'Second of /one'],
    );
    assert.deepEqual(opened, ['/one', '/other']);
  });
});

const loader = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown };
const FOLDER = join(__dirname, '../../../src/lineOrigins');

describe('The features that show where lines come from', () => {
  const settings = new Map<string, boolean>();
  const changes = new FakeEmitter<{ affectsConfiguration: (name: string) => boolean }>();
  let registered: string[] = [];
  let logged = 0;
  let features: featuresModule.LineOriginFeatures;

  const create = (): void => {
    registered = [];
    const { api } = fakeEditor();
    const register = (name: string) => () => {
      registered.push(name);
      return { dispose: () => registered.splice(registered.indexOf(name), 1) };
    };
    const { LineOriginFeatures } = loadWithVscode(join(FOLDER, 'lineOriginFeatures.js'), {
      ...api,
      workspace: {
        ...api.workspace,
        getConfiguration: () => ({ get: (name: string) => settings.get(name) }),
        onDidChangeConfiguration: changes.event,
      },
      languages: { registerHoverProvider: register('hover'), registerCodeLensProvider: register('lens') },
    }) as typeof featuresModule;
    features = new LineOriginFeatures({
      catalog: {
        open: () => Promise.reject(new Error('opened')),
        catalog: () => Promise.reject(new Error('opened')),
        progress: () => ({ done: 0, total: 0 }),
        onDidChangeSessions: (): never => {
          throw new Error('listens');
        },
      },
      session: () => Promise.reject(new Error('read')),
      text: { ago: String, age: String, dollars: String, truncate: String, joinParts: String },
      escapeMarkdown: String,
      log: { warnOnce: () => undefined, error: () => (logged += 1) },
    });
  };
  afterEach(() => features.dispose());

  it('registers nothing and listens to no session while it’s off', () => {
    settings.clear();
    create();
    assert.deepEqual(registered, []);
  });

  it('follows the setting of the hover', () => {
    settings.set('hover', true);
    create();
    assert.deepEqual(registered, ['hover']);
    settings.set('hover', false);
    changes.fire({ affectsConfiguration: (name) => name === 'other' });
    assert.deepEqual(registered, ['hover']);
    changes.fire({ affectsConfiguration: (name) => name === 'sessionTree.lineOrigins' });
    assert.deepEqual(registered, []);
  });

  it('tries again to load the code of a requested feature', async () => {
    settings.clear();
    create();
    const inner = loader._load;
    loader._load = function (request, ...rest) {
      if (request.startsWith('./')) throw new Error('the file is gone');
      return inner.call(this, request, ...rest);
    };
    try {
      await assert.rejects(features.toggleBlame(), CancellationError);
      await assert.rejects(features.sessionsOf({} as TextDocument, 1, 1), CancellationError);
      await assert.rejects(features.toggleFile({} as TextDocument, 'sessions'), CancellationError);
      assert.equal(logged, 3);
    } finally {
      loader._load = inner;
    }
    await assert.rejects(features.toggleBlame(), /listens/);
  });
});
