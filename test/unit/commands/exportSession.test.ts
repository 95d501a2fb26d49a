import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createWriter, type Finding, type SessionSummary } from '../../../src/core/index';
import type { FindingGroup } from '../../../src/commands/export/findingGroups';
import type * as review from '../../../src/commands/export/reviewFindings';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor, Uri, type FakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { TOKENS } from '../../fixtures/plantedSecrets';
import { until } from '../../fixtures/until';
import { file } from '../tree/storedFiles';
import type * as exportChoices from '../../../src/commands/export/exportChoices';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { runCommands } from './runCommands';

const CHOICES = join(__dirname, '../../../src/commands/export/exportChoices.js');

interface Item {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly kind?: number;
  readonly value?: unknown;
  readonly buttons?: readonly object[];
}
interface Pick {
  readonly items: readonly Item[];
  selectedItems: readonly Item[];
  readonly activeItems: readonly Item[];
  accept(item: Item): void;
  press(button: object): void;
  pressItem(item: Item, button: object): void;
  hide(): void;
}

describe('Export Session', () => {
  const folder = testFolder();
  const token = TOKENS['ghp']!();
  let editor: FakeEditor;
  let path: string;
  let run: (id: string, ...args: unknown[]) => Promise<unknown>;
  const opened: unknown[] = [];

  beforeEach(async () => {
    editor = fakeEditor();
    opened.length = 0;
    const text = session()
      .user(`use ${token}`)
      .assistant('done, jane@corp.example.io')
      .user(`${['qL8vT2xZ', 'p0RkY7mW', 'c4NsB9dH'].join('')} and ${token}`)
      .text();
    path = await folder.write('a.jsonl', text);
    Object.assign(editor.api.window, {
      showSaveDialog: () => Promise.resolve(Uri.file(join(folder.path, 'out.md'))),
    });
    const deps: Partial<CommandDeps> = {
      roots: () => [{ path: '/sessions', dialect: 'pi', flat: false }],
      showEntry: (ref) => Promise.resolve(void opened.push(ref)),
    };
    ({ run } = runCommands(deps, editor));
  });
  const picks = (): readonly Pick[] => editor.picks;
  const shown = async (count: number): Promise<Pick> => {
    await until(() => picks().length === count && picks()[count - 1]!.items.length > 0);
    return picks()[count - 1]!;
  };
  const itemOf = ({ items }: Pick, label: string): Item => items.find((item) => item.label === label)!;
  const written = (): Promise<string> => readFile(join(folder.path, 'out.md'), 'utf8');

  it('answers with what was replaced, and refuses a session folder', async () => {
    const target = join(folder.path, 'out.jsonl');
    const answer = (await run('sessionTree.exportSession', { path, format: 'jsonl', target })) as {
      path: string;
      bytes: number;
      redacted: Finding[];
    };
    assert.deepEqual([answer.path, answer.redacted.map(({ rule }) => rule)], [target, ['github-token', 'email', 'github-token']]);
    assert.ok(!(await readFile(target, 'utf8')).includes(token));
    assert.deepEqual(editor.messages, []);
    await assert.rejects(run('sessionTree.exportSession', { path, format: 'jsonl', target }), { code: 'invalid' });
    const all = { path, format: 'jsonl', target: join(folder.path, 'all.jsonl'), overwrite: true, redact: false };
    assert.deepEqual(((await run('sessionTree.exportSession', all)) as { redacted: Finding[] }).redacted, []);
    for (const args of [
      { ...all, target: '/sessions/x.jsonl' },
      { ...all, target: `${target}.new`, format: 'pdf' },
      { ...all, redact: 'no' },
      { path, target: `${target}.new` },
    ])
      await assert.rejects(run('sessionTree.exportSession', args), { code: 'invalid' }, JSON.stringify(args));
    assert.ok(!(await readdir(folder.path)).includes('out.jsonl.new'));
  });

  it('leads into no read-only session folder by a link, before its root has answered', async () => {
    const kept = join(folder.path, 'kept');
    await mkdir(kept);
    await symlink(kept, join(folder.path, 'link'));
    const writer = createWriter({ roots: () => [{ path: kept, dialect: 'pi', flat: true, readOnly: true }] });
    ({ run } = runCommands({ writer }, fakeEditor()));
    const [target, several] = [join(folder.path, 'link', 'x.jsonl'), join(folder.path, 'link', 'new')];
    await assert.rejects(run('sessionTree.exportSession', { path, format: 'jsonl', target }), { code: 'read-only' });
    await assert.rejects(run('sessionTree.exportSessions', { sessions: [{ path }], format: 'jsonl', target: several }), {
      code: 'read-only',
    });
    await assert.rejects(run('sessionTree.exportAgentTrace', { files: [path], target }), { code: 'read-only' });
    assert.deepEqual(await readdir(kept), []);
  });

  it('is suggested in the folder of the last export, or else outside of the workspace', async () => {
    const [last, remembered, suggested]: [{ folder?: string }, string[], string[]] = [{}, [], []];
    const clean = await folder.write('clean.jsonl', session().user('hello').text());
    await mkdir(join(folder.path, 'kept'));
    Object.assign(editor.api.window, {
      showSaveDialog: ({ defaultUri }: { defaultUri: Uri }) => {
        suggested.push(defaultUri.fsPath);
        return Promise.resolve(Uri.file(join(folder.path, 'out.md')));
      },
    });
    Object.assign(editor.api.workspace, { workspaceFolders: [{ uri: Uri.file(folder.path) }] });
    const lastExport: CommandDeps['lastExport'] = {
      get: (choice) => (choice === 'folder' ? last.folder : undefined),
      set: (choice, to) => Promise.resolve(choice === 'folder' ? void remembered.push(to) : undefined),
    };
    ({ run } = runCommands({ lastExport }, editor));
    for (const [index, given] of [undefined, join(folder.path, 'kept'), join(folder.path, 'gone')].entries()) {
      if (given !== undefined) last.folder = given;
      const running = run('sessionTree.exportSession', { row: 'session', path: clean });
      const formats = await shown(index + 1);
      formats.accept(itemOf(formats, 'Markdown'));
      await running;
    }
    const folders = suggested.map((path) => dirname(path));
    assert.equal(folders[1], join(folder.path, 'kept'));
    for (const outside of [folders[0]!, folders[2]!]) assert.ok([homedir(), join(homedir(), 'Downloads')].includes(outside), outside);
    assert.deepEqual(remembered, [folder.path, folder.path, folder.path]);
  });

  it('asks for the format and the branches in one list, in which the last choice is active', async () => {
    const built = session().user('one').user('two').branchFrom(entryId(1)).user('three');
    await folder.write('a.jsonl', built.text());
    const kept = new Map<string, string>();
    const lastExport = {
      get: (choice: string) => kept.get(choice),
      set: (choice: string, value: string) => Promise.resolve(void kept.set(choice, value)),
    };
    ({ run } = runCommands({ lastExport }, editor));
    const exported = async (count: number, ref: object, accept: (pick: Pick) => Item): Promise<string> => {
      const running = run('sessionTree.exportSession', { row: 'session', path, ...ref });
      const formats = await shown(count);
      formats.accept(accept(formats));
      await running;
      return written();
    };
    const first = await exported(1, {}, ({ items, activeItems }) => {
      const [html = '', , , line = '', ...all] = items.map(({ label, description = '' }) => `${label} ${description}`.trim());
      assert.deepEqual([html, line, all.length], ['HTML Active Branch · to read in any browser, with the tree', '', 3]);
      assert.match(all[1]!, /^Markdown All Branches · /);
      assert.ok(activeItems.length === 0 || activeItems[0] === items[0]);
      return items[5]!;
    });
    assert.ok(first.includes('two') && first.includes('three'), first);
    const again = await exported(2, {}, ({ items, activeItems }) => {
      assert.deepEqual(activeItems, [items[5]]);
      return items[1]!;
    });
    assert.ok(!again.includes('two') && again.includes('three'), again);
    kept.set('branches', 'all');
    const here = await exported(3, { row: 'entry', entryId: entryId(2) }, ({ items, activeItems }) => {
      assert.match(items[1]!.description ?? '', /^Branch up to This Entry · /);
      return activeItems[0]!;
    });
    assert.ok(here.includes('two') && !here.includes('three'), here);
    await folder.write('b.jsonl', session().user('only').text());
    const single = await exported(4, { path: join(folder.path, 'b.jsonl') }, ({ items, activeItems }) => {
      assert.deepEqual([items.length, activeItems], [3, [items[1]]]);
      return items[1]!;
    });
    assert.ok(single.includes('only'));
    assert.deepEqual([kept.get('format'), kept.get('branches')], ['markdown', 'active']);
  });

  it('is suggested with the day and the title, without the secrets in it', async () => {
    const suggested: string[] = [];
    const secret = await folder.write(
      'b.jsonl',
      session().user('password: hunter2hunter2').user('password: wonder*land*77').user('x').text(),
    );
    Object.assign(editor.api.window, {
      showSaveDialog: ({ defaultUri }: { defaultUri: Uri }) => {
        suggested.push(basename(defaultUri.fsPath));
        return Promise.resolve(undefined);
      },
    });
    for (const [index, name] of [
      'Login with hunter2hunter2 of jane@corp.example.io',
      'Login with wonder*land*77 now',
      // It may be a secret.
      'Key x7Kp2mQ9vL4tR8wZ1nB6cD3fG5hJ0s',
      // Nothing recognizes the part of a secret that is left of a title.
      `Token ${token.slice(0, 8)}…`,
    ].entries()) {
      const summary = (): SessionSummary => {
        const listed = file(secret, '/work', 1, { name });
        return listed.kind === 'session' ? listed.summary : assert.fail();
      };
      ({ run } = runCommands({ summary }, editor));
      const running = run('sessionTree.exportSession', { row: 'session', path: secret });
      const formats = await shown(2 * index + 1);
      formats.accept(itemOf(formats, 'Markdown'));
      const review = await shown(2 * index + 2);
      (review as unknown as { accepted: { fire(value: undefined): void } }).accepted.fire(undefined);
      await running;
    }
    const [known, withMarkdown, uncertain, part] = suggested;
    assert.match(known!, /^2026-01-02-Login-with-redacted-[^j]*\.md$/);
    assert.match(withMarkdown!, /^2026-01-02-Login-with-redacted-.*now\.md$/);
    assert.equal(uncertain, '2026-01-02-Key-redacted-long-random-text-1.md');
    assert.equal(part, '2026-01-02-Token.md');
    assert.doesNotMatch(suggested.join(), /hunter|land/);
  });

  it('shows findings by kind for a review, keeps what isn’t selected, and goes to their entries', async () => {
    const running = run('sessionTree.exportSession', { row: 'session', path });
    const formats = await shown(1);
    formats.accept(itemOf(formats, 'Markdown'));
    const review = await shown(2);
    assert.deepEqual(
      review.items.map(({ label, kind, detail = '' }) => (kind === undefined ? detail.split(' · ').slice(0, 2).join(', ') : label)),
      ['Secrets', 'github-token, 2 places', 'Personal Data', 'email, 1 place', 'Uncertain', 'long-random-text, 1 place'],
    );
    assert.ok(!review.items.some(({ label }) => label.includes(token)));
    const [, github, , email, , random] = review.items;
    assert.deepEqual(review.selectedItems, [github, email]);
    review.pressItem(email!, email!.buttons![0]!);
    assert.deepEqual(opened, [{ path, entryId: entryId(2) }]);
    review.selectedItems = [github!, random!];
    const accept = (review as unknown as { accepted: { fire(value: undefined): void } }).accepted;
    accept.fire(undefined);
    await running;
    const text = await written();
    assert.ok(!text.includes(token) && text.includes('jane@corp.example.io') && text.includes('redacted:long-random-text-1'), text);
    assert.match(editor.messages[0]!.join(), /Texts replaced: 3\..*Open/);
  });

  it('lists the entries of a finding in several of them: each can be gone to and left out', async () => {
    const running = run('sessionTree.exportSession', { row: 'session', path });
    const formats = await shown(1);
    formats.accept(itemOf(formats, 'Markdown'));
    const review = await shown(2);
    const github = (): Item => review.items.find(({ detail = '' }) => detail.includes('github-token'))!;
    const random = review.items.at(-1)!;
    review.selectedItems = [...review.selectedItems, random];
    const [showEntries, ...others] = github().buttons!;
    assert.deepEqual(others, []);
    review.pressItem(github(), showEntries!);
    const places = await shown(3);
    // The editor hides a list when another one is shown.
    review.hide();
    assert.deepEqual(
      places.items.map(({ label, description }) => [label, description]),
      [
        ['use [redacted:github-token-1]', ''],
        ['… and [redacted:github-token-1]', ''],
      ],
    );
    places.accept(places.items[0]!);
    places.pressItem(places.items[1]!, places.items[1]!.buttons![0]!);
    assert.deepEqual(
      opened,
      [1, 3].map((number) => ({ path, entryId: entryId(number) })),
    );
    const toggle = (): void => places.pressItem(places.items[1]!, places.items[1]!.buttons![1]!);
    toggle();
    assert.equal(places.items[1]!.description, 'entry is left out');
    assert.deepEqual(places.activeItems, [places.items[1]]);
    toggle();
    toggle();
    places.press({});
    await until(() => github().detail!.startsWith('entries left out: 1 · '));
    assert.deepEqual(review.activeItems, [github()]);
    assert.equal(review.selectedItems.length, 3);
    (review as unknown as { accepted: { fire(value: undefined): void } }).accepted.fire(undefined);
    await running;
    const text = await written();
    assert.ok(text.includes('use \\[redacted:github-token-1') && !text.includes('and \\[redacted'), text);
  });

  it('replaces uncertain texts that the review has no room for, beside those that were chosen', async () => {
    const { reviewFindings } = loadWithVscode(
      join(__dirname, '../../../src/commands/export/reviewFindings.js'),
      editor.api,
    ) as typeof review;
    const group = (key: string, uncertain?: true): FindingGroup => ({
      finding: { path, key, field: '', rule: 'rule', excerpt: key, placeholder: '', ...(uncertain && { uncertain }) },
      count: 1,
      places: [],
      unlistedEntries: 0,
    });
    const groups = [group('certain'), group('kept'), group('chosen', true), group('left', true)];
    const running = reviewFindings({} as CommandDeps, { groups, unlisted: ['beyond'], more: 3 }, 0, 'Export');
    const shownReview = await shown(1);
    assert.equal(shownReview.items.at(-1)!.label, '3 more texts aren’t listed. They’re all replaced.');
    shownReview.selectedItems = shownReview.items.filter(({ label }) => label === 'certain' || label === 'chosen');
    (shownReview as unknown as { accepted: { fire(value: undefined): void } }).accepted.fire(undefined);
    assert.deepEqual(await running, { keep: ['kept'], also: ['chosen', 'beyond'], leaveOut: [], withoutFileImages: false });
  });

  it('counts the images that are files in the review, and leaves them out if they’re selected', async () => {
    const { reviewFindings } = loadWithVscode(
      join(__dirname, '../../../src/commands/export/reviewFindings.js'),
      editor.api,
    ) as typeof review;
    const none = { groups: [], unlisted: [], more: 0 };
    for (const isLeftOut of [false, true]) {
      const running = reviewFindings({} as CommandDeps, none, 2, 'Export');
      const shownReview = await shown(isLeftOut ? 2 : 1);
      const item = shownReview.items.find(({ label }) => label === 'Images that are files beside the session: 2')!;
      assert.deepEqual(shownReview.selectedItems, []);
      if (isLeftOut) shownReview.selectedItems = [item];
      (shownReview as unknown as { accepted: { fire(value: undefined): void } }).accepted.fire(undefined);
      assert.equal((await running).withoutFileImages, isLeftOut);
    }
    const image = { type: 'image', mimeType: 'image/png', data: `blob:sha256:${'a'.repeat(64)}` };
    await folder.write(
      'a.jsonl',
      session()
        .user([image, { type: 'text', text: image.data }])
        .user([image])
        .text(),
    );
    const running = run('sessionTree.exportSession', { row: 'session', path });
    const formats = await shown(3);
    formats.accept(itemOf(formats, 'HTML'));
    const whole = await shown(4);
    assert.ok(whole.items.some(({ label }) => label === 'Images that are files beside the session: 2'));
    whole.hide();
    await running;
  });

  it('gives the file the language of the editor, if there are translations', () => {
    const choices = (): typeof exportChoices => loadWithVscode(CHOICES, editor.api) as typeof exportChoices;
    assert.deepEqual(Object.keys(choices().exportTexts()), ['translate']);
    const bundle = { Messages: 'Nachrichten' };
    Object.assign(editor.api.l10n, { bundle });
    Object.assign(editor.api.env, { language: 'de' });
    const { language, translations } = choices().exportTexts();
    assert.deepEqual([language, translations], ['de', bundle]);
  });

  it('leaves out an entry, and writes nothing when the review is canceled', async () => {
    const running = run('sessionTree.exportSession', { row: 'session', path });
    const formats = await shown(1);
    formats.accept(itemOf(formats, 'Markdown'));
    const review = await shown(2);
    const email = review.items.find(({ detail = '' }) => detail.startsWith('email'))!;
    review.pressItem(email, email.buttons![1]!);
    const leftOut = (): typeof review.items => review.items.filter(({ detail = '' }) => detail.startsWith('entry is left out · '));
    assert.deepEqual(leftOut(), review.activeItems);
    assert.equal(leftOut().length, 1);
    const press = (item: Item): void => review.pressItem(item, item.buttons![1]!);
    press(leftOut()[0]!);
    assert.deepEqual(leftOut(), []);
    press(review.activeItems[0]!);
    (review as unknown as { accepted: { fire(value: undefined): void } }).accepted.fire(undefined);
    await running;
    assert.ok(!(await written()).includes('done,'));
    const again = run('sessionTree.exportSession', { row: 'session', path });
    (await shown(3)).accept(itemOf(formats, 'Markdown'));
    (await shown(4)).hide();
    await again;
    assert.equal(editor.messages.length, 1);
  });
});
