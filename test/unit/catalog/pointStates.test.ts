import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pointStates, type TextAtTime } from '../../../src/core/catalog/restore/pointStates';
import { filesAt, type Catalog } from '../../../src/core/index';
import { entryId } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { gitRepository } from '../../fixtures/gitRepository';
import { TimedSession } from '../../fixtures/timedSession';

describe('The files after an entry', () => {
  const project = testFolder();
  const store = testCatalog();
  const here = (minutes = 0, header: object = {}): TimedSession => new TimedSession(project.path, minutes, header);
  const ref = (name: string, n: number) => ({ path: store.path(name), entryId: entryId(n) });

  const given = (seconds: number) => {
    const time = Date.parse('2026-01-02T10:00:00.000Z') + seconds * 1000;
    return { timestamp: new Date(time).toISOString(), message: { timestamp: time } };
  };

  it('are those in the session’s folder that any session wrote', async () => {
    const catalog = await store.open({
      a: here().tool('write', { path: 'a.ts', content: 'a1\n' }).tool('write', { path: '/elsewhere/x.ts', content: 'x' }),
      b: here(10).tool('edit', { path: 'a.ts', oldText: 'a1', newText: 'a2' }).tool('write', { path: 'ü.ts', content: 'b\n' }),
      c: here(20).tool('read', { path: 'only-read.ts' }, 'r\n'),
    });
    await project.write('a.ts', 'a2\n');
    await project.write('ü.ts', 'b\n');
    const files = await filesAt(catalog, ref('a', 2));
    assert.deepEqual(files, [
      { file: join(project.path, 'a.ts'), text: 'a1\n', certainty: 'exact' },
      {
        file: join(project.path, 'ü.ts'),
        certainty: 'likely',
        reason: 'No session had written this file yet, and nothing recorded shows whether it was there.',
      },
    ]);
    const { folder, time, states } = await pointStates(catalog, ref('a', 2));
    assert.deepEqual([folder, time], [project.path, Date.parse('2026-01-02T10:00:02.000Z')]);
    const [a, b] = states;
    assert.deepEqual([a?.isTouchedAfter, a?.last?.text, b?.last?.text], [true, 'a2\n', 'b\n']);
    assert.deepEqual(
      ['a1\n', 'a2\n', 'a3\n', undefined].map((text) => a?.wasRecorded(text)),
      [true, true, false, true],
    );
    const tip = await filesAt(catalog, ref('b', 4), { files: ['a.ts', '/elsewhere/x.ts'] });
    assert.deepEqual(
      tip.map(({ text }) => text),
      ['a2\n', 'x'],
    );
  });

  const edit = { path: 'a.ts', oldText: 'a1', newText: 'a2' };
  const patch = (...lines: string[]) => ({ input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
  const one = async (catalog: Catalog, at: ReturnType<typeof ref>, file = 'a.ts', evidence: readonly TextAtTime[] = []) => {
    const { states } = await pointStates(catalog, at, { files: [file], evidence: () => evidence });
    return states[0];
  };

  it('lead forward again after the disk went back to an earlier state', async () => {
    await project.write('a.ts', 'a1\n');
    const catalog = await store.open({ a: here().tool('write', { path: 'a.ts', content: 'a1\n' }).tool('edit', edit) });
    const tip = await one(catalog, ref('a', 4));
    assert.deepEqual([tip?.at?.certainty, tip?.at?.text, tip?.last?.text], ['likely', 'a2\n', 'a2\n']);
    assert.equal(tip?.reason, 'Nothing recorded afterwards shows that the file was still like this.');
    assert.ok(tip.wasRecorded('a1\n'));
    const time = Date.parse('2026-01-02T11:00:00.000Z');
    const proven = await one(catalog, ref('a', 4), 'a.ts', [
      { time, text: 'a2\n' },
      { time: time + 1, text: 'a1\n' },
    ]);
    assert.deepEqual([proven?.at?.certainty, proven?.at?.text, proven?.last?.text], ['exact', 'a2\n', 'a1\n']);
    const gone = await one(catalog, ref('a', 4), 'a.ts', [{ time, text: undefined }]);
    assert.deepEqual(
      [gone?.at?.certainty, gone?.reason],
      ['likely', 'Something that isn’t recorded changed this file, before or after this point.'],
    );
  });

  it('are gone under a name that a session deleted or moved, and likely gone before they were written', async () => {
    const session = here()
      .tool('write', { path: 'a.ts', content: 'a1\nz\n' })
      .tool('apply_patch', patch('*** Update File: a.ts', '*** Move to: b.ts', '@@', '-a1', '+b1'))
      .tool('apply_patch', patch('*** Delete File: b.ts'))
      .tool('read', { path: 'c.ts' }, 'ok');
    const catalog = await store.open({ a: session });
    const states = async (n: number) =>
      (await filesAt(catalog, ref('a', n))).map(({ file, text, certainty }) => [basename(file), text, certainty]);
    assert.deepEqual(await states(1), [
      ['a.ts', undefined, 'likely'],
      ['b.ts', undefined, 'likely'],
    ]);
    assert.deepEqual(await states(2), [
      ['a.ts', 'a1\nz\n', 'exact'],
      ['b.ts', undefined, 'likely'],
    ]);
    assert.deepEqual(await states(4), [
      ['a.ts', undefined, 'exact'],
      ['b.ts', 'b1\nz\n', 'exact'],
    ]);
    assert.deepEqual(await states(8), [
      ['a.ts', undefined, 'exact'],
      ['b.ts', undefined, 'exact'],
    ]);
  });

  it('were certainly not there if a reading failed', async () => {
    const failing = here();
    failing.lines.assistant([{ type: 'toolCall', id: 'x', name: 'read', arguments: { path: 'a.ts' } }], given(1));
    const content = [{ type: 'text', text: "ENOENT: no such file or directory, access 'a.ts'" }];
    failing.lines.message({ role: 'toolResult', toolCallId: 'x', toolName: 'read', content, isError: true }, given(2));
    const catalog = await store.open({ a: failing, b: here(10).tool('write', { path: 'a.ts', content: 'a1\n' }) });
    const [file] = await filesAt(catalog, ref('a', 2));
    assert.deepEqual(file, { file: join(project.path, 'a.ts'), certainty: 'exact' });
  });

  it('from before the first session are a later text without the edits, with its mark and line breaks', async () => {
    await project.write('a.ts', '\uFEFFa2\r\nb\r\n');
    const catalog = await store.open({ a: here().tool('edit', edit) });
    const state = await one(catalog, ref('a', 1));
    assert.deepEqual([state?.at?.certainty, state?.at?.text], ['likely', '\uFEFFa1\r\nb\r\n']);
    assert.match(state?.reason ?? '', /^No earlier text is recorded/);
    assert.ok(state?.wasRecorded('\uFEFFa1\r\nb\r\n'));
  });

  it('are what a commit had before the first session, also for many files at once', async () => {
    const repository = gitRepository(() => project.path);
    repository.git('09:00:00', 'init', '-q');
    const names = ['a', 'b', 'c', 'd', 'e', 'ü f'].map((name) => `${name}.ts`);
    for (const name of names) await project.write(name, 'a1\r\nb\r\n');
    repository.commit('09:30:00');
    let session = here();
    for (const path of names) session = session.tool('edit', { ...edit, path });
    for (const name of names) await project.write(name, 'a2\r\nb\r\nmine\r\n');
    const catalog = await store.open({ a: session });
    const files = await filesAt(catalog, ref('a', 1));
    assert.deepEqual(
      files.map(({ text, certainty }) => [text, certainty]),
      names.map(() => ['a1\r\nb\r\n', 'likely']),
    );
    const tip = await filesAt(catalog, ref('a', 12), { files: names });
    assert.deepEqual(
      tip.map(({ text, certainty, reason }) => [text, certainty, reason]),
      names.map(() => ['a2\r\nb\r\n', 'likely', 'Something that isn’t recorded changed this file, before or after this point.']),
    );
  });

  it('are what the last commit before the entry had, also long after the last edit of the file', async () => {
    const repository = gitRepository(() => project.path);
    repository.git('09:00:00', 'init', '-q');
    const names = ['a', 'b', 'c', 'd', 'ü f'].map((name) => `${name}.ts`);
    let session = here();
    for (const path of names) session = session.tool('edit', { ...edit, path });
    const later = here(30).tool('write', { path: 'other.ts', content: 'x' });
    for (const [text, time] of [
      ['a1', '09:30:00'],
      ['a2', '10:01:00'],
      ['a3', '10:20:00'],
      ['a4', '10:40:00'],
      ['a5', '10:50:00'],
    ] as const) {
      for (const name of names) await project.write(name, `${text}\n`);
      repository.commit(time);
    }
    const catalog = await store.open({ a: session, b: later });
    for (const files of [names, names.slice(0, 1)]) {
      const found = await filesAt(catalog, ref('b', 2), { files });
      assert.deepEqual(
        found.map(({ text }) => text),
        files.map(() => 'a3\n'),
      );
    }
  });

  it('aren’t certain after a command that ran in the same message, nor after going to another branch', async () => {
    const session = here();
    const calls = ['write', 'bash'].map((name, at) => ({
      type: 'toolCall',
      id: `x${String(at)}`,
      name,
      arguments: { path: 'a.ts', content: 'a1\n' },
    }));
    session.lines.assistant(calls, given(1));
    for (const [at, { name, id }] of calls.entries())
      session.lines.message({ role: 'toolResult', toolCallId: id, toolName: name, content: [], isError: false }, given(2 + at));
    const branched = here(10).tool('write', { path: 'b.ts', content: 'b1\n' });
    const [first, end] = [entryId(1), branched.lines.last];
    branched.lines.branchFrom(first).user('again', given(620)).assistant('ok', given(630));
    const rewriting = here(30).tool('write', { path: 'a.ts', content: 'x' }).tool('write', { path: 'b.ts', content: 'x' });
    const catalog = await store.open({ a: session, b: branched, c: rewriting });
    const reasonOf = async (at: ReturnType<typeof ref>, file: string) => (await one(catalog, at, file))?.reason;
    assert.equal(await reasonOf(ref('a', 2), 'a.ts'), 'A command ran afterwards that may have changed this file.');
    assert.equal(await reasonOf({ path: store.path('b'), entryId: end }, 'b.ts'), undefined);
    assert.match((await reasonOf(ref('b', 5), 'b.ts')) ?? '', /^The conversation went on from an earlier entry/);
  });

  it('may be there again after a committed deletion if commands ran before and after the entry', async () => {
    const repository = gitRepository(() => project.path);
    repository.git('09:00:00', 'init', '-q');
    await project.write('a.ts', 'a1\n');
    repository.commit('09:30:00');
    rmSync(join(project.path, 'a.ts'));
    repository.commit('10:05:00');
    const session = here().tool('write', { path: 'a.ts', content: 'a2\n' });
    const between = here(10).tool('bash', { command: 'git checkout HEAD~1 -- a.ts' });
    const point = here(20).tool('write', { path: 'b.ts', content: 'b1\n' });
    const catalog = await store.open({ a: session, b: between, c: point });
    const absence = async (from: Catalog) => {
      const { at, reason } = (await one(from, ref('c', 3))) ?? {};
      return [at?.certainty, at && 'isAbsent' in at, reason];
    };
    assert.deepEqual(await absence(catalog), ['exact', true, undefined], 'nothing ran afterwards that could have removed it');
    await catalog.close();
    const after = here(30).tool('bash', { command: 'rm a.ts' });
    const doubtful = await store.open({ a: session, b: between, c: point, d: after });
    assert.deepEqual(await absence(doubtful), ['likely', true, 'A command ran afterwards that may have changed this file.']);
  });

  it('aren’t certain after a command that only a fork has, whose source is gone', async () => {
    const forked = { timestamp: '2026-01-02T12:00:00.000Z', parentSession: '/gone.jsonl' };
    const fork = here(0, forked).tool('write', { path: 'a.ts', content: 'a1\n' }).tool('bash', { command: 'make' });
    const catalog = await store.open({ fork, later: here(30).tool('write', { path: 'a.ts', content: 'x' }) });
    assert.equal((await one(catalog, ref('fork', 4)))?.reason, 'A command ran afterwards that may have changed this file.');
  });

  it('are read through no link, and aren’t read if they’re no files', async () => {
    const outside = join(project.path, '..', `outside-${basename(project.path)}`);
    writeFileSync(outside, 'secret\n');
    try {
      symlinkSync(outside, join(project.path, 'a.ts'));
      execFileSync('mkfifo', [join(project.path, 'b.ts')]);
      symlinkSync('/', join(project.path, 'root'));
      const paths = ['a.ts', 'b.ts', 'root/etc/hostname', '//server/share/x.ts', 'x'.repeat(5000), 'nul\0.ts'];
      let session = here();
      for (const path of paths) session = session.tool('write', { path, content: 'a1\n' });
      const catalog = await store.open({ a: session });
      for (const files of [paths, paths.slice(0, 3)]) {
        const found = await filesAt(catalog, ref('a', 12), { files });
        assert.ok(found.every(({ text }) => text !== 'secret\n'));
        assert.equal(found[0]?.certainty, 'likely');
        assert.match(found[1]?.reason ?? '', /can’t be read as text/);
      }
    } finally {
      rmSync(outside);
    }
  });

  it('are refused for too many files, and end with the signal', async () => {
    const catalog = await store.open({ a: here().tool('write', { path: 'a.ts', content: 'x' }) });
    const files = Array.from({ length: 20_001 }, (_, n) => `f${String(n)}`);
    await assert.rejects(filesAt(catalog, ref('a', 1), { files }), { code: 'invalid' });
    const stop = new AbortController();
    const progress: number[] = [];
    await filesAt(catalog, ref('a', 2), { onProgress: (done, total) => progress.push(done, total) });
    assert.deepEqual(progress, [1, 1]);
    stop.abort(new Error('enough'));
    await assert.rejects(filesAt(catalog, ref('a', 2), { signal: stop.signal }), /enough/);
  });

  it('refuses an entry that isn’t there, and one that isn’t named', async () => {
    const catalog = await store.open({ a: here() });
    await assert.rejects(filesAt(catalog, { path: store.path('a'), entryId: 'none' }), { code: 'unknown-entry' });
    await assert.rejects(filesAt(catalog, { path: store.path('a'), entryId: '' }), { code: 'entry-required' });
    // Scripts may leave it out.
    await assert.rejects(filesAt(catalog, { path: store.path('a') } as Parameters<typeof filesAt>[1]), { code: 'entry-required' });
  });
});
