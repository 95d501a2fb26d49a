import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import disk from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mock } from 'node:test';
import { fileAt, fileBefore, lineOrigins, TooManyChanges, type Catalog, type LineOrigin } from '../../../src/core/index';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { EDIT_FORMS, fileHistory, type FileHistory } from '../../fixtures/fileHistory';
import { testFolder } from '../../fixtures/folder';
import { OriginScore } from '../../fixtures/originScore';

/** Writes a generated history as sessions: a call’s entry is named as the call. */
function sessionsOf({ events }: FileHistory, cwd: string): Record<string, { text(): string }> {
  const builders = new Map<number, SessionBuilder>();
  for (const event of events) {
    if (event.kind !== 'call') continue;
    let builder = builders.get(event.session);
    if (!builder) builders.set(event.session, (builder = session({ cwd, id: `s${event.session}` }).user('do it')));
    const timestamp = new Date(event.time).toISOString();
    builder.assistant([event.call], { id: event.id, timestamp, message: { timestamp: event.time } });
    builder.message(event.result, { id: `${event.id}-result`, timestamp, message: { timestamp: event.time } });
  }
  return Object.fromEntries([...builders].map(([n, builder]) => [`s${n}`, builder]));
}

const brief = (origins: readonly LineOrigin[]): string[] =>
  origins.map(({ from, to, entryId: id, certainty }) => `${from}-${to} ${id} ${certainty}`);

describe('Origins of a file’s lines', () => {
  const project = testFolder();
  const store = testCatalog();
  const file = (): string => join(project.path, 'a.ts');
  const at = (name: string): string => store.path(name);
  const open = (sessions: Record<string, { text(): string }>): Promise<Catalog> => store.open(sessions);
  const here = (): SessionBuilder => session({ cwd: project.path }).user('write it');

  function git(time: string, ...args: string[]): void {
    execFileSync('git', ['-C', project.path, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      env: { ...process.env, GIT_COMMITTER_DATE: `2026-01-02T${time}Z`, GIT_AUTHOR_DATE: `2026-01-02T${time}Z` },
    });
  }

  it('name the message, the prompt and the time of each stretch', async () => {
    await project.write('a.ts', 'const one = 1;\nconst person = 0;\nconst three = 3;\n');
    const written = here().tool('write', { path: 'a.ts', content: 'const one = 1;\nconst two = 2;\n' });
    const catalog = await open({ a: written.tool('edit', { path: 'a.ts', oldText: 'const two = 2;', newText: 'const three = 3;' }) });
    const [first, second, ...rest] = await lineOrigins(catalog, file());
    assert.deepEqual(rest, []);
    assert.deepEqual(first, {
      from: 1,
      to: 1,
      path: at('a'),
      entryId: entryId(2),
      promptId: entryId(1),
      time: Date.parse('2026-01-02T10:00:02Z'),
      certainty: 'exact',
    });
    assert.deepEqual(second && [second.from, second.entryId, second.certainty], [3, entryId(4), 'exact']);
  });

  it('take the text of the editor instead of the disk', async () => {
    const catalog = await open({ a: here().tool('write', { path: 'a.ts', content: 'const one = 1;\nconst two = 2;\n' }) });
    assert.deepEqual(brief(await lineOrigins(catalog, file(), { text: '// mine\nconst two = 2;' })), [`2-2 ${entryId(2)} exact`]);
  });

  it('follow typing without reading the sessions again, until these change', async () => {
    const written = here().tool('write', { path: 'a.ts', content: 'const one = 1;\nconst two = 2;\n' });
    const catalog = await open({ a: written });
    let reads = 0;
    const locatedTouches = catalog.locatedTouches.bind(catalog);
    catalog.locatedTouches = (...args) => {
      reads++;
      return locatedTouches(...args);
    };
    const found = async (text: string): Promise<string[]> => brief(await lineOrigins(catalog, file(), { text }));
    assert.deepEqual(await found('const one = 1;\nconst two = 2;'), [`1-2 ${entryId(2)} exact`]);
    const [before, line] = [reads, `${entryId(2)} exact`];
    assert.deepEqual(await found('// x\nconst one = 1;\nconst two = 2;'), [`2-3 ${line}`]);
    assert.deepEqual(await found('const one = 1;\nconst xtwo = 2;'), [`1-1 ${line}`]);
    assert.equal(reads, before);
    writeFileSync(at('a'), written.tool('edit', { path: 'a.ts', oldText: 'const two', newText: 'const three' }).text());
    await catalog.refresh();
    assert.deepEqual(await found('const one = 1;\nconst three = 2;'), [`1-1 ${line}`, `2-2 ${entryId(4)} exact`]);
  });

  it('follow typing where the text before the first edit is only in the file', async () => {
    const catalog = await open({ a: here().tool('edit', { path: 'a.ts', edits: [{ oldText: 'const b', newText: 'const sea' }] }) });
    const found = async (text: string): Promise<string[]> => brief(await lineOrigins(catalog, file(), { text }));
    assert.deepEqual(await found('const a = 1;'), []);
    assert.deepEqual(await found('const a = 1;\nconst sea = 2;'), [`2-2 ${entryId(2)} exact`]);
    assert.deepEqual(await found('const z = 1;\nlet y = 3;\nconst sea = 2;'), [`3-3 ${entryId(2)} exact`]);
  });

  it('count a call once where forks have copies, as the oldest session’s', async () => {
    await project.write('a.ts', 'const one = 1;\n');
    const call = (header: object): SessionBuilder =>
      session({ cwd: project.path, ...header })
        .user('w')
        .tool('write', { path: 'a.ts', content: 'const one = 1;\n' }, 'done', { timestamp: '2026-01-02T10:00:05.000Z' });
    const catalog = await open({ b: call({ timestamp: '2026-01-03T10:00:00.000Z' }), z: call({ timestamp: '2026-01-01T10:00:00.000Z' }) });
    assert.deepEqual(
      (await lineOrigins(catalog, file())).map(({ path }) => path),
      [at('z')],
    );
  });

  it('apply a call once where forks have copies', async () => {
    const copy = (header: object): SessionBuilder =>
      session({ cwd: project.path, ...header })
        .tool('write', { path: 'a.ts', content: 'const one = 1;\n' })
        .tool('edit', { path: 'a.ts', oldText: 'one', newText: 'one, one' });
    const catalog = await open({ a: copy({ id: 'a' }), b: copy({ id: 'b' }) });
    await project.write('a.ts', 'const one, one = 1;\n');
    assert.deepEqual(await fileAt(catalog, file(), { path: at('a'), entryId: entryId(3) }), { text: 'const one, one = 1;\n', exact: true });
  });

  it('are likely at most for calls without a result', async () => {
    await project.write('a.ts', 'const one = 1;\n');
    const call = { type: 'toolCall', id: 'c', name: 'write', arguments: { path: 'a.ts', content: 'const one = 1;\n' } };
    assert.deepEqual(brief(await lineOrigins(await open({ a: here().assistant([call]) }), file())), [`1-1 ${entryId(2)} likely`]);
  });

  it('are of the calls for this file alone', async () => {
    await project.write('a.ts', 'const one = 1;\nconst two = 2;\n');
    const call = (path: string, content: string): object => ({ type: 'toolCall', id: path, name: 'write', arguments: { path, content } });
    const result = (toolCallId: string): Record<string, unknown> => ({ role: 'toolResult', toolCallId, content: 'done' });
    const both = here().assistant([call('a.ts', 'const one = 1;\n'), call('b.ts', 'const two = 2;\n')]);
    const catalog = await open({ a: both.message(result('a.ts')).message(result('b.ts')) });
    assert.deepEqual(brief(await lineOrigins(catalog, file())), [`1-1 ${entryId(2)} exact`]);
  });

  it('ignore calls that failed', async () => {
    await project.write('a.ts', 'const one = 1;\n');
    const catalog = await open({
      a: here().tool('write', { path: 'a.ts', content: 'const one = 1;\n' }, 'no', { message: { isError: true } }),
    });
    assert.deepEqual(await lineOrigins(catalog, file()), []);
  });

  it('are never a person’s committed lines, even if an agent writes the whole file', async () => {
    await project.write('a.ts', 'const person = 1;\n');
    git('09:00:00', 'init', '-q');
    git('09:00:00', 'add', '.');
    git('09:00:00', 'commit', '-qm', 'x');
    await project.write('a.ts', 'const person = 1;\nconst agent = 2;\n');
    const catalog = await open({ a: here().tool('write', { path: 'a.ts', content: 'const person = 1;\nconst agent = 2;\n' }) });
    assert.deepEqual(
      (await lineOrigins(catalog, file())).map(({ from }) => from),
      [2],
    );
    assert.deepEqual(
      (await lineOrigins(catalog, file(), { git: false })).map(({ from }) => from),
      [1],
    );
  });

  it('run none of the programs that a repository’s configuration names', async () => {
    await project.write('a.ts', 'const person = 1;\n');
    git('09:00:00', 'init', '-q');
    git('09:00:00', 'add', '.');
    git('09:00:00', 'commit', '-qm', 'x');
    // Only for a signed commit would a program check the signature.
    const commit = execFileSync('git', ['-C', project.path, 'cat-file', 'commit', 'HEAD'], { encoding: 'utf8' });
    const signed = commit.replace('\n\n', '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\n');
    const hash = execFileSync('git', ['-C', project.path, 'hash-object', '-t', 'commit', '-w', '--stdin'], {
      input: signed,
      encoding: 'utf8',
    });
    git('09:00:00', 'update-ref', 'HEAD', hash.trim());
    const trap = join(project.path, 'trap');
    writeFileSync(trap, `#!/bin/sh\ntouch '${join(project.path, 'ran')}'\n`, { mode: 0o755 });
    for (const key of ['core.fsmonitor', 'diff.external', 'core.pager', 'gpg.program', 'diff.x.textconv', 'core.sshCommand'])
      git('09:00:00', 'config', key, trap);
    git('09:00:00', 'config', 'log.showSignature', 'true');
    await project.write('.gitattributes', '*.ts diff=x filter=x\n');
    const catalog = await open({ a: here().tool('write', { path: 'a.ts', content: 'const person = 1;\nconst agent = 2;\n' }) });
    const origins = await lineOrigins(catalog, file(), { text: 'const person = 1;\nconst agent = 2;\n' });
    assert.deepEqual(
      origins.map(({ from }) => from),
      [2],
    );
    assert.throws(() => execFileSync('ls', [join(project.path, 'ran')], { stdio: 'ignore' }));
  });

  it('follow a file that was renamed', async () => {
    await project.write('old.ts', 'const person = 1;\nconst more = 2;\nconst agent = 3;\n');
    git('09:00:00', 'init', '-q');
    git('09:00:00', 'add', '.');
    git('09:00:00', 'commit', '-qm', 'x');
    renameSync(join(project.path, 'old.ts'), file());
    git('11:00:00', 'add', '-A');
    git('11:00:00', 'commit', '-qm', 'y');
    const catalog = await open({
      a: here().tool('write', { path: 'old.ts', content: 'const agent = 3;\nconst agents = 4;\n' }),
    });
    assert.deepEqual(
      (await lineOrigins(catalog, file(), { text: 'const agents = 4;\n' })).map(({ from }) => from),
      [1],
    );
  });

  it('follow a file that a session moved, without what became of its former name', async () => {
    await project.write('a.ts', 'const one = 1;\nconst three = 3;\n');
    const move = ['*** Begin Patch', '*** Update File: old.ts', '*** Move to: a.ts', '@@', '-const two = 2;', '+const three = 3;'];
    const moved = here()
      .tool('write', { path: 'old.ts', content: 'const one = 1;\nconst two = 2;\n' })
      .tool('apply_patch', { input: move.join('\n') })
      .tool('write', { path: 'old.ts', content: 'const other = 1;\n' });
    const catalog = await open({ a: moved });
    assert.deepEqual(brief(await lineOrigins(catalog, file())), [`1-1 ${entryId(2)} exact`, `2-2 ${entryId(4)} exact`]);
    assert.deepEqual(await fileAt(catalog, file(), { path: at('a'), entryId: entryId(4) }), {
      text: 'const one = 1;\nconst three = 3;\n',
      exact: true,
    });
    const before = await fileBefore(catalog, file(), { path: at('a'), entryId: entryId(4) });
    assert.deepEqual(before, { text: 'const one = 1;\nconst two = 2;\n', exact: true });
  });

  it('ask the disk nothing about a former name that may lead to a server', async () => {
    const former = '/net/server/old.ts';
    await project.write('a.ts', 'const one = 1;\nconst three = 3;\n');
    const move = ['*** Begin Patch', `*** Update File: ${former}`, `*** Move to: ${file()}`, '@@', '-const two = 2;', '+const three = 3;'];
    const moved = here()
      .tool('write', { path: former, content: 'const one = 1;\nconst two = 2;\n' })
      .tool('apply_patch', { input: move.join('\n') });
    const catalog = await open({ a: moved });
    const asked: string[] = [];
    for (const name of ['realpath', 'lstat', 'stat'] as const) {
      const call = disk[name] as (path: string, ...rest: unknown[]) => Promise<unknown>;
      mock.method(disk, name, (path: string, ...rest: unknown[]) => {
        asked.push(path);
        return call(path, ...rest);
      });
    }
    try {
      assert.deepEqual(brief(await lineOrigins(catalog, file())), [`1-1 ${entryId(2)} exact`, `2-2 ${entryId(4)} exact`]);
    } finally {
      mock.restoreAll();
    }
    assert.ok(asked.includes(file()), 'calls are seen');
    assert.deepEqual(
      asked.filter((path) => path.startsWith('/net')),
      [],
    );
  });

  it('are none for files in no session and for files that are gone', async () => {
    const catalog = await open({ a: here().tool('write', { path: 'a.ts', content: 'const one = 1;\n' }) });
    assert.deepEqual(await lineOrigins(catalog, file()), []);
    assert.deepEqual(await lineOrigins(catalog, await project.write('b.ts', 'x')), []);
  });

  it('are none for edits whose text is found nowhere, and for what a deletion removed', async () => {
    await project.write('a.ts', 'const person = 1;\n');
    const nowhere = here().tool('edit', { path: 'a.ts', oldText: 'const missing = 1;', newText: 'const other = 2;' });
    assert.deepEqual(await lineOrigins(await open({ a: nowhere }), file()), []);
    const patch = '*** Begin Patch\n*** Delete File: a.ts\n*** End Patch';
    const deleted = here().tool('write', { path: 'a.ts', content: 'const agent = 1;\n' }).tool('apply_patch', { input: patch });
    const catalog = await open({ a: deleted });
    assert.deepEqual(await lineOrigins(catalog, file()), []);
    assert.deepEqual(await fileAt(catalog, file(), { path: at('a'), entryId: entryId(2) }), { text: 'const agent = 1;\n', exact: true });
    assert.equal(await fileAt(catalog, file(), { path: at('a'), entryId: entryId(4) }), undefined, 'it isn’t there');
  });

  it('are refused with a sentence for what is no text, and for files that are too large', async () => {
    const catalog = await open({});
    await assert.rejects(lineOrigins(catalog, await project.write('b', 'a\0b')), { code: 'invalid', message: /this file isn’t text/ });
    const large = await project.write('c', '');
    truncateSync(large, 100_000_000);
    await assert.rejects(lineOrigins(catalog, large), {
      code: 'invalid',
      message: /too large to read/,
    });
    await assert.rejects(lineOrigins(catalog, file(), { text: '\n'.repeat(300_000) }), { code: 'invalid', message: /too large/ });
  });

  it('are found in patches that name their files in a text', async () => {
    await project.write('a.ts', 'const one = 1;\nconst two = 2;\n');
    const patch = '[a.ts#A1B2]\nPUT 2.=2:\n+const two = 2;';
    const builder = session({ cwd: project.path, titleSource: 'auto' }).user('w');
    builder.tool('edit', { input: patch }, 'Updated', {
      message: { details: { path: 'a.ts', diff: ' 1|const one = 1;\n-2|const old = 2;\n+2|const two = 2;' } },
    });
    const catalog = await open({ a: builder });
    assert.deepEqual(brief(await lineOrigins(catalog, file())), [`2-2 ${entryId(2)} exact`]);
    assert.deepEqual(await catalog.touching(file()), [{ path: at('a'), entryId: entryId(2), kind: 'write' }]);
  });

  it('are those of oh-my-pi’s patches that quote the text, and of cells’ code', async () => {
    await project.write('a.ts', 'const größe = 9;\nconst two = 2;\n');
    const input = '*** Edit File: a.ts\n*** Find\nconst größe = 4;\n*** Replace\nconst größe = 9;\n';
    const builder = session({ cwd: project.path, titleSource: 'auto' })
      .user('w')
      .tool('edit', { input }, 'Applied')
      .tool('eval', { language: 'js', code: "await tool.write({ path: 'a.ts', content: 'const two = 2;\\n' })" });
    const catalog = await open({ a: builder });
    assert.deepEqual(
      (await catalog.touching(file())).map((touch) => touch.entryId),
      [entryId(2), entryId(4)],
    );
    assert.deepEqual(brief(await lineOrigins(catalog, file())), [`1-1 ${entryId(2)} likely`, `2-2 ${entryId(4)} likely`]);
  });

  it('stay with the writer of lines that a patch cut and pasted, in the file and from another file', async () => {
    const rope = join(project.path, 'rope.ts');
    await project.write('a.ts', 'const deck = 1;\nconst knots = "größer";\nconst typed = 3;\nconst moved = 4;\nconst last = 5;\n');
    await project.write('rope.ts', 'const rope = 1;\n');
    const builder = session({ cwd: project.path, titleSource: 'auto' })
      .user('w')
      .tool('write', { path: 'rope.ts', content: 'const rope = 1;\nconst knots = "größer";\n' })
      .tool('write', { path: 'a.ts', content: 'const moved = 4;\nconst deck = 1;\nconst last = 5;\n' })
      .tool(
        'edit',
        {
          input:
            '[rope.ts#C3D4]\nCUT 2.=2 @knots\n[a.ts#E5F6]\nPUT >2 @knots\nPUT >2:\n+const typed = 3;\nCUT 1.=1 @moved\nPUT >2 @moved\n',
        },
        'Applied',
        {
          message: {
            details: {
              perFileResults: [
                { path: 'rope.ts', diff: ' 1|const rope = 1;\n-2|const knots = "größer";' },
                {
                  path: 'a.ts',
                  diff: '-1|const moved = 4;\n 2|const deck = 1;\n+2|const knots = "größer";\n+3|const typed = 3;\n+4|const moved = 4;\n 3|const last = 5;',
                },
              ],
            },
          },
        },
      );
    const catalog = await open({ a: builder });
    assert.deepEqual(
      (await lineOrigins(catalog, file())).map(({ from, to, entryId: id }) => [from, to, id]),
      [
        [1, 1, entryId(4)],
        [2, 2, entryId(2)],
        [3, 3, entryId(6)],
        [4, 5, entryId(4)],
      ],
    );
    assert.deepEqual(brief(await lineOrigins(catalog, rope)), [`1-1 ${entryId(2)} exact`]);
  });

  it('name the prompt on their own branch, even if it has no words', async () => {
    await project.write('a.ts', 'const one = 1;\nconst two = 2;\nconst three = 3;\n');
    const add = (line: string): object => ({ path: 'a.ts', oldText: '', newText: line });
    const builder = session({ cwd: project.path })
      .tool('write', { path: 'a.ts', content: 'const one = 1;\n' })
      .user('go on', { id: 'first' })
      .user('?', { id: 'other', parentId: entryId(2) })
      .tool('edit', { ...add(''), oldText: 'const one = 1;', newText: 'const one = 1;\nconst two = 2;' })
      .branchFrom('first')
      .tool('edit', { ...add(''), oldText: 'const two = 2;', newText: 'const two = 2;\nconst three = 3;' });
    const origins = await lineOrigins(await open({ a: builder }), file());
    assert.deepEqual(
      origins.map(({ promptId }) => promptId),
      [undefined, 'other', 'first'],
    );
  });

  it('are those of a session that grew since, and of one whose last line is torn', async () => {
    await project.write('a.ts', 'const one = 1;\nconst two = 2;\n');
    const builder = here().tool('write', { path: 'a.ts', content: 'const one = 1;\n' });
    const catalog = await open({ a: builder });
    assert.deepEqual(
      (await lineOrigins(catalog, file())).map(({ from, to }) => [from, to]),
      [[1, 1]],
    );
    builder.tool('edit', { path: 'a.ts', oldText: 'const one = 1;', newText: 'const one = 1;\nconst two = 2;' });
    writeFileSync(at('a'), `${builder.text()}{"type":"message","id":"torn","message":{"role":"assis`);
    await catalog.refresh();
    assert.deepEqual(
      (await lineOrigins(catalog, file())).map(({ from, to }) => [from, to]),
      [
        [1, 1],
        [2, 2],
      ],
    );
  });

  it('are none in a session that was rewritten or deleted since', async () => {
    await project.write('a.ts', 'const one = 1;\n');
    const builder = (): SessionBuilder => here().tool('write', { path: 'a.ts', content: 'const one = 1;\n' });
    const catalog = await open({ a: builder(), b: session({ cwd: project.path }).tool('read', { path: 'a.ts' }) });
    writeFileSync(at('a'), here().user('nothing').text());
    assert.deepEqual(await lineOrigins(catalog, file()), []);
    const other = await open({ a: builder() });
    writeFileSync(at('a'), builder().text().replaceAll(entryId(2), 'another1'));
    assert.deepEqual(await lineOrigins(other, file()), []);
    rmSync(at('a'));
    assert.deepEqual(await lineOrigins(other, file()), []);
  });

  it('end with the signal', async () => {
    await project.write('a.ts', 'const one = 1;\n');
    const catalog = await open({ a: here().tool('write', { path: 'a.ts', content: 'const one = 1;\n' }) });
    await assert.rejects(lineOrigins(catalog, file(), { signal: AbortSignal.abort(new Error('enough')) }), /enough/);
  });

  it('aren’t found quickly if there is too much to read', async () => {
    const text = `const one = 1;\n${'x'.repeat(1_600_000)}`;
    const builder = here()
      .tool('write', { path: 'a.ts', content: text })
      .tool('write', { path: 'a.ts', content: `${text}\n` });
    const catalog = await open({ a: builder });
    const options = { text: 'const one = 1;' };
    await assert.rejects(lineOrigins(catalog, file(), { ...options, isQuick: true }), TooManyChanges);
    assert.deepEqual(brief(await lineOrigins(catalog, file(), options)), [`1-1 ${entryId(2)} exact`]);
    assert.deepEqual(brief(await lineOrigins(catalog, file(), { ...options, isQuick: true })), [`1-1 ${entryId(2)} exact`]);
  });

  it('are those of generated sessions', async () => {
    const score = new OriginScore();
    const history = fileHistory({
      seed: 7,
      steps: 60,
      sessions: 6,
      initialLines: 150,
      forms: EDIT_FORMS.filter((form) => !['plain', 'hashline', 'envelope'].includes(form)),
    });
    mkdirSync(join(project.path, 'src'));
    const path = join(project.path, 'src/app.ts');
    writeFileSync(path, history.text);
    const catalog = await open(sessionsOf(history, project.path));
    const origins = await lineOrigins(catalog, path);
    score.add(history.truth, (line) => {
      const origin = origins.find(({ from, to }) => from <= line + 1 && to > line);
      return origin && { author: origin.entryId, certainty: origin.certainty };
    });
    assert.ok(score.precision >= 0.99 && score.recall >= 0.9 && score.claimedOfHuman <= 0.01, score.toString());
    assert.deepEqual(await lineOrigins(catalog, path), origins);
  });

  describe('in earlier texts', () => {
    it('are those after an entry, of all sessions up to its time', async () => {
      const builder = here().tool('write', { path: 'a.ts', content: 'const one = 1;\r\nconst two = 2;\r\n' });
      builder
        .tool('edit', { path: 'a.ts', oldText: 'const two = 2;', newText: 'const three = 3;' })
        .tool('bash', { command: 'sed' })
        .user('so');
      const catalog = await open({ a: builder });
      const text = (id: number): Promise<unknown> => fileAt(catalog, file(), { path: at('a'), entryId: entryId(id) });
      assert.equal(await text(1), undefined);
      assert.deepEqual(await text(2), { text: 'const one = 1;\r\nconst two = 2;\r\n', exact: true });
      const after = 'const one = 1;\r\nconst three = 3;\r\n';
      assert.deepEqual(
        [await text(4), await text(8)],
        [4, 8].map(() => ({ text: after, exact: false })),
      );
      await project.write('a.ts', after);
      assert.deepEqual(
        [await text(4), await text(8)],
        [4, 8].map(() => ({ text: after, exact: true })),
        'the disk proves it',
      );
      await assert.rejects(text(99), { code: 'unknown-entry' });
    });

    it('have the commits of a file whose folder is gone', async () => {
      mkdirSync(join(project.path, 'sub'));
      const path = await project.write('sub/a.ts', 'const person = 1;\nconst old = 2;\n');
      git('09:00:00', 'init', '-q');
      git('09:00:00', 'add', '.');
      git('09:00:00', 'commit', '-qm', 'x');
      const catalog = await open({ a: here().tool('edit', { path: 'sub/a.ts', oldText: 'const old = 2;', newText: 'const agent = 2;' }) });
      rmSync(dirname(path), { recursive: true });
      const ref = { path: at('a'), entryId: entryId(2) };
      assert.deepEqual(await fileAt(catalog, path, ref), { text: 'const person = 1;\nconst agent = 2;\n', exact: false });
      assert.equal(await fileAt(catalog, join(await project.write('file', ''), 'b.ts'), ref), undefined, 'below a file');
    });
  });
});
