import assert from 'node:assert/strict';
import { mkdir, open, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { createWriter, importSession, needsImport, pathTo, readSession, type SessionError } from '../../../../src/core/index';
import { detectImport } from '../../../../src/core/files/import/detectImport';
import type { ByteSource } from '../../../../src/core/files/io/byteSource';
import { ORIGIN_MARK } from '../../../../src/core/format/session/treeTraversal';
import { DATA_BLOCK_END, DATA_BLOCK_START, embedLine } from '../../../../src/core/format/export/htmlData';
import { session } from '../../../fixtures/build';
import { testFolder } from '../../../fixtures/folder';
import { claudeSession, codexSession } from '../../../fixtures/foreignSessions';
import { countingStamp, linesOf, refuses, snapshot } from '../../../fixtures/writes';

describe('An imported session', () => {
  const folder = testFolder();
  const here = (): { sessionDir: string; targetCwd: string } => ({ sessionDir: join(folder.path, 'sessions'), targetCwd: '/work/here' });
  const other = (): string =>
    session({ cwd: '/home/else/demo', parentSession: '/home/else/parent.jsonl', additionalDirectories: ['/home/else/secrets'], theme: 'x' })
      .user('ask', { id: 'ask' })
      .assistant('left', { id: 'left' })
      .branchFrom('ask')
      .assistant('right', { id: 'right' })
      .label('left', 'kept')
      .branchFrom('left')
      .user('again', { id: 'again' })
      .text();

  it('is a new one in the project, with all branches byte for byte, the leaf and a note of its origin', async () => {
    const file = await folder.write('other.jsonl', other());
    const before = await snapshot(folder.path);
    const { path, program, notes } = await importSession(file, { ...here(), stamp: countingStamp() });
    assert.deepEqual((await snapshot(folder.path))['other.jsonl'], before['other.jsonl']);
    const [header, ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n');
    const source = (await readFile(file, 'utf8')).trimEnd().split('\n');
    assert.deepEqual(lines.slice(0, -1), source.slice(1));
    const { id, ...rest } = JSON.parse(header ?? '') as Record<string, unknown>;
    const original = JSON.parse(source[0] ?? '') as Record<string, unknown>;
    assert.notEqual(id, original['id']);
    assert.deepEqual(rest, { type: 'session', version: 3, timestamp: original['timestamp'], cwd: '/work/here', theme: 'x' });
    const origin = JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>;
    assert.deepEqual([origin['customType'], origin['parentId']], [ORIGIN_MARK, 'again']);
    assert.deepEqual(origin['data'], {
      kind: 'import',
      program: 'pi',
      file,
      sessionId: original['id'],
      cwd: '/home/else/demo',
      parentSession: '/home/else/parent.jsonl',
      additionalDirectories: ['/home/else/secrets'],
      omissions: [],
    });
    assert.deepEqual([program, notes], ['pi', []]);
    assert.equal(basename(path), `${String(original['timestamp']).replace(/[:.]/g, '-')}_${String(id)}.jsonl`);
  });

  it('can be imported any number of times: nothing is overwritten', async () => {
    const file = await folder.write('other.jsonl', other());
    const paths = await Promise.all([1, 2, 3].map(async () => (await importSession(file, here())).path));
    assert.equal(new Set(paths).size, 3);
    assert.equal((await readdir(here().sessionDir)).length, 3);
  });

  it('keeps what is whole, and says which lines aren’t', async () => {
    const [header = '', ask = '', left = '', ...rest] = other().trimEnd().split('\n');
    const file = await folder.write('torn.jsonl', [header, ask, left.slice(0, -9), ...rest].join('\n'));
    const { path, notes } = await importSession(file, here());
    const read = await readSession(path);
    assert.deepEqual(read.problems, []);
    assert.equal(read.byId.get('again')?.parentId, 'ask');
    assert.deepEqual(
      notes.map(({ lines }) => lines),
      [[3]],
    );
  });

  it('of another program goes into pi’s folder of the project, and OpenClaw’s becomes pi’s', async () => {
    const roots = [{ path: join(folder.path, 'pi'), dialect: 'pi' as const, flat: false }];
    const claw = session({ cwd: '/claw' }).user('hi', { id: 'hi', __openclaw: { x: 1 } });
    claw.entry('custom', { id: 'snap', customType: 'model-snapshot', data: {} }).assistant('yo', { id: 'yo' });
    const file = await folder.write('claw.jsonl', claw.text());
    const { path, program } = await importSession(file, { targetCwd: '/work/here', roots });
    assert.equal(program, 'OpenClaw');
    assert.equal(path.startsWith(join(folder.path, 'pi', '--work-here--')), true);
    const read = await readSession(path);
    assert.deepEqual([read.dialect, pathTo(read, 'yo').map(({ id }) => id)], ['pi', ['hi', 'yo']]);
    assert.equal((await readFile(path, 'utf8')).includes('__openclaw'), false);
  });

  for (const [name, text, prompt] of [
    ['Claude Code', claudeSession(), 'Read both files'],
    ['Codex', codexSession(), 'List the files'],
  ] as const) {
    it(`of ${name} is one of pi, without a problem, in the folder that it names`, async () => {
      const file = await folder.write('foreign.jsonl', text);
      const { path, program, notes } = await importSession(file, { sessionDir: folder.path });
      const read = await readSession(path);
      assert.equal(program, name);
      assert.deepEqual([read.problems, read.dialect, read.header.cwd], [[], 'pi', '/work/demo']);
      assert.ok(read.entries.some((head) => head.text.includes(prompt)));
      const origin = (await linesOf(path)).at(-1);
      assert.equal(origin?.['customType'], ORIGIN_MARK);
      const { omissions } = origin['data'] as { omissions: { message: string }[] };
      assert.deepEqual(
        omissions.map(({ message }) => message),
        notes.map(({ message }) => message),
      );
      assert.ok(notes.length > 0);
    });
  }

  it('comes from an HTML export, too', async () => {
    const lines = other().trimEnd().split('\n').map(embedLine);
    const page = ['<!doctype html>', '<p>', DATA_BLOCK_START, ...lines, DATA_BLOCK_END, '</p>', ''].join('\n');
    const file = await folder.write('export.html', page);
    assert.equal(await needsImport(file), true);
    const { path } = await importSession(file, here());
    const read = await readSession(path);
    assert.deepEqual([read.problems, read.labels.get('left'), read.byId.size], [[], 'kept', 6]);
    const origin = (await linesOf(path)).at(-1)?.['data'] as { file: string } | undefined;
    assert.equal(origin?.file, file);
    const plain = await folder.write('plain.html', '<!doctype html><p>nothing</p>');
    assert.match(await refuses(folder.path, 'not-a-session', () => importSession(plain, here())), /isn’t an export/);
  });

  it('of an HTML export that someone changed is a copy of its lines, and obeys nothing in it', async () => {
    const [, ...entries] = other().trimEnd().split('\n');
    const header = {
      ...{ type: 'session', version: 3, id: '../../../evil', timestamp: '../../x', cwd: '/', parentSession: '/etc/passwd' },
      ...{ branchedFrom: '/etc/passwd', additionalDirectories: ['/'], previousSessionFiles: ['/etc/passwd'] },
    };
    const page = [
      '<!doctype html><script>fetch("https://evil.example")</script>',
      // A block that isn't ours, and one in a comment.
      '<script type="application/json" class="session-lines">',
      '{"type":"session","version":3,"id":"other","timestamp":"","cwd":"/other"}',
      DATA_BLOCK_END,
      DATA_BLOCK_START,
      JSON.stringify(header),
      ...entries.map(embedLine),
      '<script>alert(1)</script>',
      '{"type":"message","id":"torn"',
      `{"type":"custom","id":"deep","parentId":null,"timestamp":"","customType":"x","data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      '{"__proto__":{"polluted":1},"type":"message","id":"__proto__","parentId":"constructor","timestamp":"","message":{"role":"user","content":"x"}}',
      JSON.stringify({
        type: 'custom',
        id: 'note',
        parentId: 'again',
        timestamp: '',
        customType: ORIGIN_MARK,
        data: { file: '/etc/passwd' },
      }),
      JSON.stringify('</script><script>alert(2)</script>'),
      DATA_BLOCK_END,
      DATA_BLOCK_START,
      `{"type":"session_info","id":"last","parentId":"again","timestamp":"","name":${JSON.stringify('<img src=x onerror=alert(3)>')}}`,
    ].join('\n');
    const file = await folder.write('changed.html', page);
    const before = await snapshot(folder.path);
    const { path } = await importSession(file, here());
    const after = await snapshot(folder.path);
    assert.deepEqual(
      Object.keys(after).filter((name) => !(name in before)),
      ['sessions'],
    );
    assert.deepEqual(await readdir(join(folder.path, 'sessions')), [basename(path)]);
    for (const [name, text] of Object.entries(before)) assert.equal(after[name], text, name);
    assert.match(path.slice(folder.path.length + 1), /^sessions\/[\w.-]+\.jsonl$/);
    const [made] = await linesOf(path);
    assert.match(String(made!['id']), /^[\da-f-]{36}$/);
    assert.deepEqual(Object.keys(made!).sort(), ['cwd', 'id', 'timestamp', 'type', 'version']);
    assert.equal(made!['cwd'], '/work/here');
    const read = await readSession(path);
    assert.deepEqual([read.problems.length, read.byId.get('again')?.text, read.byId.get('other')], [0, 'user: again', undefined]);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    assert.ok(!(await readFile(path, 'utf8')).includes('alert(1)'));
  });

  it('is refused for links, folders, pipes, and what is no session, and leaves nothing behind', async () => {
    const file = await folder.write('other.jsonl', other());
    const link = join(folder.path, 'link.jsonl');
    await symlink(file, link);
    const pipe = join(folder.path, 'pipe.jsonl');
    execFileSync('mkfifo', [pipe]);
    await mkdir(join(folder.path, 'folder.jsonl'));
    const before = await readdir(folder.path);
    for (const name of ['link.jsonl', 'pipe.jsonl', 'folder.jsonl', 'nothing.jsonl']) {
      await assert.rejects(importSession(join(folder.path, name), here()), { name: 'SessionError' }, name);
      assert.equal(await needsImport(join(folder.path, name)), false);
    }
    for (const text of ['', 'text', '{"a":1}', '[]\n', '{"type":"session"}\n', '{"type":"user","parentUuid":null}\n'.repeat(2)]) {
      await writeFile(join(folder.path, 'bad.jsonl'), text);
      await assert.rejects(importSession(join(folder.path, 'bad.jsonl'), here()), { code: 'not-a-session' }, text);
    }
    await assert.rejects(importSession(await folder.write('new.jsonl', session({ version: 4 }).user('x').text()), here()), {
      code: 'version',
    });
    assert.deepEqual((await readdir(folder.path)).filter((name) => !before.includes(name)).sort(), ['bad.jsonl', 'new.jsonl', 'sessions']);
    assert.deepEqual(await readdir(here().sessionDir), []);
  });

  it('is looked for in the first 500 lines and 8 MiB of a file', async () => {
    const mebibyte = `{"a":"${'x'.repeat(2 ** 20)}"}\n`;
    for (const [before, isFound] of [
      ['{"a":1}\n'.repeat(499), true],
      ['{"a":1}\n'.repeat(500), false],
      [mebibyte.repeat(7), true],
      [mebibyte.repeat(8), false],
    ] as const) {
      const path = await folder.write('late.jsonl', before + other());
      const file = await open(path);
      try {
        const kind = detectImport(file, path).then(
          (found) => found.kind,
          (error: unknown) => (error as SessionError).code,
        );
        assert.equal(await kind, isFound ? 'session' : 'not-a-session', `after ${before.length} characters`);
      } finally {
        await file.close();
      }
    }
  });

  it('reads only the beginning of a file to find out what it is', async () => {
    const file = join(folder.path, 'sparse.jsonl');
    await writeFile(file, '');
    await truncate(file, 5 * 2 ** 30);
    await assert.rejects(importSession(file, here()), { code: 'not-a-session' });
    assert.equal(await needsImport(file), false);
    const reads: number[] = [];
    const zeros: ByteSource = {
      read: (buffer: Buffer, offset: number, length: number, position: number) => {
        buffer.fill(0, offset, offset + length);
        reads.push(position);
        return Promise.resolve({ bytesRead: length });
      },
      stat: () => Promise.resolve({ size: Number.MAX_SAFE_INTEGER }),
      close: () => Promise.resolve(),
    };
    await assert.rejects(detectImport(zeros, file), { code: 'not-a-session' });
    assert.equal(reads.length, 65);
  });

  it('needs a project if the file names no folder of this machine', async () => {
    for (const cwd of ['', 'relative', 'C:\\work']) {
      const file = await folder.write('other.jsonl', session({ cwd }).user('x').text());
      assert.match(await refuses(folder.path, 'invalid', () => importSession(file, { sessionDir: folder.path })), /Choose a project/);
    }
  });

  it('can’t choose a place outside of its folder', async () => {
    const header = { id: '../../../id', timestamp: '../../../time', cwd: '/../../etc', __proto__: null };
    const file = await folder.write(
      'other.jsonl',
      session({ ...header, ['__proto__']: { polluted: true } })
        .user('x')
        .text(),
    );
    const { path } = await importSession(file, { roots: [{ path: join(folder.path, 'pi'), dialect: 'pi', flat: false }] });
    assert.match(path.slice(folder.path.length), /^\/pi\/--etc--\/[\dTZ-]+_[\da-f-]+\.jsonl$/);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  it('counts as written by the extension', async () => {
    const writer = createWriter(countingStamp());
    const file = await folder.write('other.jsonl', other());
    const { path } = await writer.create('import', file, (tools) => importSession(file, { ...here(), ...tools }));
    assert.equal((await writer.presence([path])).get(path)?.state, 'free');
  });
});
