import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { routeComments, type Catalog, type ReviewComment, type RoutedComments } from '../../../src/core/index';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';

const numbered = (name: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `export const ${name}${at} = compute('${name}', ${at});\n`).join('');

/** `a#e0000004: 0, 2` */
const brief = ({ prompts }: RoutedComments): string[] =>
  prompts.map(({ path, entryId, comments }) => `${basename(path, '.jsonl')}#${entryId}: ${comments.join(', ')}`);

describe('the way of comments to sessions', () => {
  const project = testFolder();
  const store = testCatalog();
  const inProject = (fields: object = {}): SessionBuilder => session({ cwd: project.path, ...fields });
  const at = (name: string): string => join(project.path, name);
  const route = (catalog: Catalog, ...comments: (Omit<ReviewComment, 'text'> & { readonly text?: string })[]): Promise<RoutedComments> =>
    routeComments(
      catalog,
      comments.map((one) => ({ text: 'Why?', ...one })),
    );

  it('takes comments on a session’s lines to the end of its branch, as one prompt in the order of the lines', async () => {
    mkdirSync(at('src'));
    await project.write('src/größe.ts', numbered('a', 9));
    const catalog = await store.open({
      a: inProject()
        .user('go')
        .tool('write', { path: 'src/größe.ts', content: numbered('a', 9) })
        .user('thanks')
        .assistant('bye'),
    });
    const routed = await route(
      catalog,
      { file: at('src/größe.ts'), from: 5, to: 6, text: 'Second' },
      { file: at('src/größe.ts'), from: 2, text: 'First\nof two' },
    );
    assert.deepEqual(brief(routed), ['a#e0000005: 1, 0']);
    const block = (from: number, to: number): string =>
      numbered('a', 9)
        .split('\n')
        .slice(from - 1, to)
        .join('\n');
    assert.equal(
      routed.prompts[0]?.text,
      `2 review comments:\n\n\`src/größe.ts\`, line 2:\n\n\`\`\`\n${block(2, 2)}\n\`\`\`\n\nFirst\nof two\n\n` +
        `\`src/größe.ts\`, lines 5 to 6:\n\n\`\`\`\n${block(5, 6)}\n\`\`\`\n\nSecond`,
    );
    assert.deepEqual(routed.unrouted, []);
  });

  it('takes a range to each session that wrote lines of it, and leaves a person’s lines with a reason', async () => {
    const mine = "export const mine = 'a person wrote this';\n";
    await project.write('a.ts', numbered('a', 4) + numbered('b', 4) + mine);
    const catalog = await store.open({
      a: inProject()
        .user('go')
        .tool('write', { path: 'a.ts', content: numbered('a', 4) }),
      b: inProject({ id: 'b' })
        .user('go')
        .user('on')
        .user('on')
        .tool('write', { path: 'a.ts', content: numbered('a', 4) + numbered('b', 4) }),
    });
    const file = at('a.ts');
    const routed = await route(catalog, { file, from: 3, to: 9 }, { file, from: 9 }, { file, from: 10, to: 12 }, { file, from: 0 });
    assert.deepEqual(brief(routed).sort(), ['a#e0000003: 0', 'b#e0000005: 0']);
    assert.deepEqual(routed.unrouted, [
      { comment: 1, reason: 'No session is known to have written these lines.' },
      { comment: 2, reason: 'The file has only 9 lines.' },
      { comment: 3, reason: 'The comment’s lines aren’t a range.' },
    ]);
  });

  it('takes comments on lines of an abandoned branch to its end, and on lines before the fork to the leaf', async () => {
    await project.write('trunk.ts', numbered('trunk', 3));
    await project.write('left.ts', numbered('left', 3));
    const lines = inProject()
      .user('go')
      .tool('write', { path: 'trunk.ts', content: numbered('trunk', 3) });
    const fork = lines.last;
    lines
      .user('try')
      .tool('write', { path: 'left.ts', content: numbered('left', 3) })
      .assistant('tried');
    const left = lines.last;
    lines.branchFrom(fork).user('other').assistant('done');
    const routed = await route(await store.open({ a: lines }), { file: at('left.ts'), from: 2 }, { file: at('trunk.ts'), from: 1 });
    assert.deepEqual(brief(routed).sort(), [`a#${left}: 0`, `a#${lines.last}: 1`].sort());
  });

  it('takes lines that forks have copied to the original, or to the newest fork where that’s gone', async () => {
    await project.write('a.ts', numbered('a', 4));
    const original = inProject()
      .user('go')
      .tool('write', { path: 'a.ts', content: numbered('a', 4) });
    const fork = (id: string, timestamp: string): { text: () => string } => {
      const header = { type: 'session', version: 3, id, timestamp, cwd: project.path, parentSession: store.path('a') };
      return { text: () => [JSON.stringify(header), ...original.lines().slice(1)].join('\n') + '\n' };
    };
    const catalog = await store.open({
      a: original,
      b: fork('b', '2026-01-03T10:00:00.000Z'),
      c: fork('c', '2026-01-05T10:00:00.000Z'),
      d: fork('d', '2026-01-04T10:00:00.000Z'),
    });
    const file = at('a.ts');
    assert.deepEqual(brief(await route(catalog, { file, from: 2 })), ['a#e0000003: 0']);
    rmSync(store.path('a'));
    await catalog.refresh();
    assert.deepEqual(brief(await route(catalog, { file, from: 2 })), ['c#e0000003: 0']);
  });

  it('quotes lines so that they can’t end the quotation, and keeps the comment whole', async () => {
    const hostile = '```\n````~~~\n</code> ![x](https://example.com/x) [run](command:evil)\nexport const hostile = 1234567;\n';
    await project.write('a.md', hostile);
    const catalog = await store.open({ a: inProject().user('go').tool('write', { path: 'a.md', content: hostile }) });
    const text = '```\nnot closed\n# heading [link](command:x) ünïcode 🎉';
    const { prompts } = await route(catalog, { file: at('a.md'), from: 1, to: 4, text });
    assert.ok(prompts[0]?.text.includes(`\n\n\`\`\`\`\`\n${hostile}\`\`\`\`\`\n\n${text}`), prompts[0]?.text);
  });

  it('takes the text of the editor, and leaves files that are gone or no text', async () => {
    const catalog = await store.open({
      a: inProject()
        .user('go')
        .tool('write', { path: 'a.ts', content: numbered('a', 4) }),
    });
    writeFileSync(at('binary'), 'a\0b');
    const texts = new Map([[at('a.ts'), `// mine\n${numbered('a', 4)}`]]);
    const comments = [
      { file: at('a.ts'), from: 3, text: 'x' },
      { file: at('gone.ts'), from: 1, text: 'x' },
      { file: at('binary'), from: 1, text: 'x' },
    ];
    const { prompts, unrouted } = await routeComments(catalog, comments, { texts });
    assert.ok(prompts[0]?.text.includes(numbered('a', 4).split('\n')[1]!));
    assert.deepEqual(unrouted, [
      { comment: 1, reason: `This file doesn’t exist: ${at('gone.ts')}` },
      { comment: 2, reason: `Can’t find the origin of lines because this file isn’t text: ${at('binary')}` },
    ]);
    assert.deepEqual(readFileSync(store.path('a'), 'utf8').includes('Why'), false);
  });

  it('rejects with the reason of its signal', async () => {
    const catalog = await store.open({});
    await assert.rejects(
      routeComments(catalog, [{ file: at('a.ts'), from: 1, text: 'x' }], { signal: AbortSignal.abort(new Error('stop')) }),
      /stop/,
    );
  });
});
