import assert from 'node:assert/strict';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { transform } from 'esbuild';
import { exportSession, readSession } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

const PAGE = ['markdown-it.js', 'page.js', 'page.css', 'export.css'];
/** Bytes of the page's head, and of the translations of its texts. */
const HEAD = 5000;
const TRANSLATIONS = 24_000;
const CODE = 'export const total = (items) => items.reduce((sum, { price }) => sum + price, 0); // "in" <cents> & more\n';

/** Returns the beginning of a PNG, and bytes that stand for its picture. */
/** A PNG without the checksums of its chunks. */
const picture = (bytes: number): Buffer => {
  const chunk = (type: string, length: number): Buffer => {
    const data = Buffer.alloc(length + 12, 'picture');
    data.writeUInt32BE(length);
    data.write(type, 4);
    return data;
  };
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', 13), chunk('IDAT', bytes), chunk('IEND', 0)]);
};

describe('An export as HTML', () => {
  const folder = testFolder();

  /** Returns the bytes of the session, and those that its export has beyond the page. */
  const sizes = async (text: string): Promise<{ jsonl: number; html: number }> => {
    for (const name of PAGE) await folder.write(name, '/**/');
    const target = join(folder.path, 'a.html');
    const source = await readSession(await folder.write('a.jsonl', text));
    const { problems } = await exportSession(source, { format: 'html', target, pageFolder: folder.path });
    assert.deepEqual(problems, []);
    return { jsonl: Buffer.byteLength(text), html: (await stat(target)).size };
  };
  const assertSmall = ({ jsonl, html }: { jsonl: number; html: number }): void =>
    assert.ok(html <= 1.5 * jsonl + HEAD, `${html} bytes of ${jsonl}`);

  it('has a page of less than a megabyte', async () => {
    const lengths = await Promise.all(
      PAGE.map(async (name) => {
        const source = await readFile(resolve('dist', name), 'utf8');
        const { code } = await transform(source, { loader: name.endsWith('.js') ? 'js' : 'css', minify: true, charset: 'utf8' });
        return Buffer.byteLength(code);
      }),
    );
    const length = lengths.reduce((sum, each) => sum + each);
    assert.ok(length + TRANSLATIONS + HEAD <= 1_000_000, `${length} bytes`);
  });

  it('is hardly larger than a session with large texts', async () => {
    const text = session()
      .user('Look')
      .tool('bash', { command: 'cat' }, CODE.repeat(10_000))
      .assistant(`# Done\n\n${CODE.repeat(3000)}`)
      .text();
    assertSmall(await sizes(text));
  });

  it('is hardly larger than a session with pages of HTML', async () => {
    const page = '<!-- a part --><script src="a.js"></script>\n<p class="text">Some words of this page</p>\n';
    assertSmall(await sizes(session().user('Read').tool('read', { path: 'a.html' }, page.repeat(8000)).text()));
  });

  it('is hardly larger than a session of many small entries', async () => {
    const many = session();
    for (let count = 0; count < 2000; count++) many.user('a');
    assertSmall(await sizes(many.text()));
  });

  it('is hardly larger than a session of an old version, whose lines get ids', async () => {
    const line = (count: number): string =>
      `{"type":"message","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"Message ${count}"}}\n`;
    const lines = Array.from({ length: 2000 }, (_, count) => line(count)).join('');
    assertSmall(await sizes(`{"type":"session","id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/x"}\n${lines}`));
  });

  it('is hardly larger than a session with images', async () => {
    const image = (data: string): object => ({ type: 'image', mimeType: 'image/png', data });
    const inside = session();
    for (let count = 0; count < 10; count++) inside.user([image(picture(300_000 + count).toString('base64'))]);
    assertSmall(await sizes(inside.text()));
  });

  it('is hardly larger than a session and oh-my-pi’s images beside it', async () => {
    await mkdir(join(folder.path, 'blobs'));
    const hashes = ['a', 'b', 'c'].map((digit) => digit.repeat(64));
    for (const hash of hashes) await writeFile(join(folder.path, 'blobs', hash), picture(2_000_000));
    const text = session()
      .user(hashes.map((hash) => ({ type: 'image', mimeType: 'image/png', data: `blob:sha256:${hash}` })))
      .text();
    const { jsonl, html } = await sizes(text);
    assert.ok(html > 7_000_000, `${html} bytes`);
    assertSmall({ jsonl: jsonl + 6_000_000, html });
  });
});
