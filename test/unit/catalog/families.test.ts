import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findRoots, type Catalog } from '../../../src/core/index';
import { listFiles } from '../../../src/core/files/locate/listFiles';
import { entryId, session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

/** A name as pi gives it to a session. */
const NAME = '2026-01-02T10-00-00-000Z_01a1fa45-0000-7000-8000-000000000001';
/** A log as it is beside subagents' sessions: lines without a header. */
const LOG = '{"type":"agent_start"}\n{"type":"message_end"}\n';

describe('Sessions of subagents', () => {
  const store = testCatalog();

  /** Writes a file below the only project's folder. */
  const put = (path: string, text: string): string => {
    const file = join(store.root, 'p', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const putSession = (path: string, id: string, header: Record<string, unknown> = {}): string =>
    put(
      path,
      session({ id, ...header })
        .user(`Prompt of ${id}`)
        .text(),
    );

  async function parents(catalog: Catalog): Promise<Record<string, string>> {
    const rows = await catalog.sessions();
    const idOf = new Map(rows.map(({ path, id }) => [path, id]));
    return Object.fromEntries(
      rows.map(({ id, path, parentPath }) => [id || path, parentPath === undefined ? 'top' : idOf.get(parentPath)!]),
    );
  }

  it('are rows below their parents, as each extension of pi places them', async () => {
    putSession(`${NAME}.jsonl`, 'parent');
    // nicobailon/pi-subagents: runs, runs in the background, nested runs, and copies of the parent's branch.
    putSession(`${NAME}/run1/run-0/session.jsonl`, 'run');
    putSession(`${NAME}/run1/run-0/session/run2/run-0/session.jsonl`, 'nested run');
    putSession(`${NAME}/async-7/parallel-1/${NAME}.jsonl`, 'parallel');
    putSession(`${NAME}/forks/${NAME}.jsonl`, 'fork', { parentSession: join(store.root, 'p', `${NAME}.jsonl`) });
    // gotgenes/pi-packages: the parent by its id.
    putSession(`${NAME}/tasks/${NAME}.jsonl`, 'task', { parentSession: 'parent' });
    // oh-my-pi: in the folder itself, and an advisor's one level deeper.
    putSession(`${NAME}/0-Explore.jsonl`, 'explore');
    putSession(`${NAME}/0-Explore/__advisor.jsonl`, 'advisor');
    // Files that are no sessions: logs, one of which has the name of a folder, and outputs.
    put(`${NAME}/run1/events.jsonl`, LOG);
    put(`${NAME}/run1/run-0/0-Explore.output`, 'text');
    put(`${NAME}/run1/run-0/empty.jsonl`, '');
    put(`${NAME}/log.jsonl`, LOG);
    putSession(`${NAME}/log/run/session.jsonl`, 'behind a log');
    const catalog = await store.open();
    const expected = {
      parent: 'top',
      run: 'parent',
      'nested run': 'run',
      parallel: 'parent',
      fork: 'parent',
      task: 'parent',
      explore: 'parent',
      advisor: 'explore',
      'behind a log': 'parent',
    };
    assert.deepEqual(await parents(catalog), expected);
    const { changed, problems } = await catalog.refresh();
    assert.deepEqual([changed, problems], [[], []], 'files that are no sessions are no problems, and aren’t read again');
    await catalog.close();
    const again = await store.openOnly({ background: false });
    assert.deepEqual(await parents(again), expected, 'the stored rows');
    await again.refresh();
    assert.deepEqual(await parents(again), expected);
    assert.deepEqual((await again.search('Prompt nested')).length, 1);
  });

  it('are searched to a depth of six folders below the nearest session', async () => {
    putSession('s.jsonl', 'parent');
    putSession('s/1/2/3/4/5/6/deep.jsonl', 'deep');
    putSession('s/1/2/3/4/5/6/deep/1/2/3/4/5/6/deeper.jsonl', 'deeper');
    putSession('s/1/2/3/4/5/6/7/x.jsonl', 'too deep');
    // Folders that aren't named like a session have none.
    putSession('other/x.jsonl', 'other');
    assert.deepEqual(await parents(await store.open()), { parent: 'top', deep: 'parent', deeper: 'deep' });
  });

  it('are at the top if their parent is gone', async () => {
    putSession(`${NAME}/run1/run-0/session.jsonl`, 'run');
    putSession(`${NAME}/run1/run-0/session/a/b/session.jsonl`, 'nested run');
    assert.deepEqual(await parents(await store.open()), { run: 'top', 'nested run': 'run' });
  });

  it('come, grow and go one by one', async () => {
    const parent = putSession('s.jsonl', 'parent');
    const catalog = await store.open();
    const first = putSession('s/run1/run-0/session.jsonl', 'first');
    assert.deepEqual((await catalog.refresh([first])).changed, [first]);
    assert.deepEqual(await parents(catalog), { parent: 'top', first: 'parent' });
    // A folder is reported before the files in it.
    const second = putSession('s/run2/run-0/session.jsonl', 'second');
    const nested = putSession('s/run2/run-0/session/x/session.jsonl', 'nested');
    assert.deepEqual(new Set((await catalog.refresh([join(dirname(parent), 's', 'run2')])).changed), new Set([second, nested]));
    assert.deepEqual(await parents(catalog), { parent: 'top', first: 'parent', second: 'parent', nested: 'second' });
    appendFileSync(
      first,
      session(null)
        .assistant('done', { parentId: entryId(1), id: 'f1' })
        .text(),
    );
    assert.deepEqual((await catalog.refresh([first])).changed, [first]);
    rmSync(join(dirname(parent), 's', 'run2'), { recursive: true });
    await catalog.refresh([join(dirname(parent), 's', 'run2')]);
    assert.deepEqual(await parents(catalog), { parent: 'top', first: 'parent' });
    const log = put('s/run1/events.jsonl', LOG);
    await catalog.refresh([log]);
    assert.deepEqual(await parents(catalog), { parent: 'top', first: 'parent' });
    // The log turns out to be a session.
    writeFileSync(log, session({ id: 'late' }).user('hi').text());
    await catalog.refresh([log]);
    assert.deepEqual(await parents(catalog), { parent: 'top', first: 'parent', late: 'parent' });
  });

  it('don’t follow links out of their folder, and wait for no pipe', async function () {
    if (process.platform === 'win32') this.skip();
    putSession('s.jsonl', 'parent');
    putSession('s/run/session.jsonl', 'run');
    symlinkSync('..', join(store.root, 'p', 's', 'run', 'up'));
    symlinkSync('/', join(store.root, 'p', 's', 'root'));
    execFileSync('mkfifo', [join(store.root, 'p', 's', 'run', 'pipe.jsonl')]);
    const catalog = await store.open();
    assert.deepEqual(await parents(catalog), { parent: 'top', run: 'parent' });
  });

  /** A parent whose subagents were called at given seconds, and answered ten seconds later. */
  const caller = (
    calls: readonly { readonly at: number; readonly tool?: string; readonly details?: unknown; readonly isOpen?: true }[],
  ): string => {
    const time = (seconds: number): string => new Date(Date.parse('2026-01-02T10:01:00.000Z') + seconds * 1000).toISOString();
    const builder = session({ id: 'parent' }).user('go', { id: 'parent-root' });
    for (const [index, { at, tool = 'Agent', details, isOpen }] of calls.entries()) {
      const id = `call-${String(index)}`;
      builder.assistant([{ type: 'toolCall', id, name: tool, arguments: {} }], { timestamp: time(at), message: { stopReason: 'toolUse' } });
      const result = {
        role: 'toolResult',
        toolCallId: id,
        toolName: tool,
        content: [{ type: 'text', text: 'done' }],
        isError: false,
        details,
      };
      if (!isOpen) builder.message(result, { timestamp: time(at + 10) });
    }
    return builder.text();
  };
  const putChild = (name: string, seconds: number, parentSession: string, root = `root of ${name}`): string => {
    const timestamp = new Date(Date.parse('2026-01-02T10:01:00.000Z') + seconds * 1000).toISOString();
    return put(`${name}.jsonl`, session({ id: name, timestamp, parentSession }).user('x', { id: root }).text());
  };

  it('may be in the ordinary folder, and differ from forks by the calls of their parent', async () => {
    const parent = put(
      'parent.jsonl',
      caller([
        { at: 0 },
        { at: 100, tool: 'bash' },
        { at: 200, details: { results: [{ agent: 'scout', sessionFile: join(store.root, 'p', 'named.jsonl') }] } },
        { at: 250, tool: 'task', details: { results: [{ id: 'Reviewer', agent: 'task', agentSource: 'bundled' }, { id: 'no agent' }] } },
        { at: 300, tool: 'mcp__spawn_agent', isOpen: true },
      ]),
    );
    putChild('Reviewer', -5, parent);
    putChild('no agent', -5, parent);
    putChild('during', 5, parent);
    putChild('by id', 5, 'parent');
    putChild('copied', 5, parent, 'parent-root');
    putChild('before', -5, parent);
    putChild('after', 15, parent);
    putChild('other tool', 105, parent);
    putChild('named', 9000, parent, 'parent-root');
    putChild('running', 301, parent);
    putChild('elsewhere', 5, '/nowhere.jsonl');
    putChild('below', 302, join(store.root, 'p', 'running.jsonl'));
    const expected = {
      parent: 'top',
      during: 'parent',
      'by id': 'parent',
      copied: 'top',
      before: 'top',
      after: 'top',
      'other tool': 'top',
      named: 'parent',
      Reviewer: 'parent',
      'no agent': 'top',
      running: 'parent',
      elsewhere: 'top',
      below: 'top',
    };
    const catalog = await store.open();
    assert.deepEqual(await parents(catalog), expected);
    // The running call ends, and another one begins; only what was appended is read.
    appendFileSync(
      parent,
      session(null)
        .message(
          { role: 'toolResult', toolCallId: 'call-4', toolName: 'mcp__spawn_agent', content: [], isError: false },
          { id: 'end', parentId: 'parent-root', timestamp: '2026-01-02T10:06:00.500Z' },
        )
        .text(),
    );
    await catalog.refresh([parent]);
    assert.deepEqual(await parents(catalog), { ...expected, running: 'top' });
    await catalog.close();
    const again = await store.openOnly();
    assert.deepEqual(await parents(again), { ...expected, running: 'top' }, 'the stored rows');
  });

  it('are found in the folders beside “sessions”, below the parent that they name', async () => {
    const parent = putSession('parent.jsonl', 'parent');
    const home = join(store.root, '..', 'home');
    const agent = join(home, '.pi', 'agent');
    for (const [path, id, header] of [
      ['subagent-sessions/2026-01-02_x.jsonl', 'flat', {}],
      ['subagent-sessions/2026-01-02_y.jsonl', 'flat child', { parentSession: parent }],
      ['subagent-sessions/parent/2026-01-02_z.jsonl', 'by folder', {}],
      ['subagent-sessions/parent/2026-01-02_z/run/session.jsonl', 'nested', {}],
      ['sessions-subagents/--work-demo--/2026-01-02_w.jsonl', 'base', { parentSession: parent }],
    ] as const) {
      mkdirSync(dirname(join(agent, path)), { recursive: true });
      writeFileSync(
        join(agent, path),
        session({ id, ...header })
          .user('x')
          .text(),
      );
    }
    const roots = await findRoots({ env: {}, home, added: [{ path: store.root, dialect: 'pi', flat: false }] });
    const catalog = await store.open({}, { roots });
    assert.deepEqual(await parents(catalog), {
      parent: 'top',
      flat: 'top',
      'flat child': 'parent',
      'by folder': 'parent',
      nested: 'by folder',
      base: 'parent',
    });
  });

  it('are at the top if they name each other in a circle', async () => {
    const root = join(store.root, '..', 'subagent-sessions');
    mkdirSync(root, { recursive: true });
    for (const [id, parentSession] of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['d', 'a'],
    ] as const)
      writeFileSync(join(root, `${id}.jsonl`), session({ id, parentSession }).user('x').text());
    const catalog = await store.open({}, { roots: [{ path: root, dialect: 'pi', flat: true, ofSubagents: true }] });
    assert.deepEqual(await parents(catalog), { a: 'top', b: 'top', c: 'top', d: 'top' });
  });

  it('have a limit of their own, which hides no other session', async () => {
    putSession('a.jsonl', 'a');
    putSession('b.jsonl', 'b');
    for (let run = 0; run < 60; run++) putSession(`a/${String(run)}/session.jsonl`, `run ${String(run)}`);
    putSession('b/run/session.jsonl', 'child of b');
    const problems: unknown[] = [];
    const root = { path: store.root, dialect: 'pi' as const, flat: false };
    const { files, failed } = await listFiles([root], (path, error) => problems.push([path, String(error)]), 70);
    const names = files.map(({ path }) => path.slice(store.root.length + 3));
    assert.ok(['a.jsonl', 'b.jsonl', 'b/run/session.jsonl'].every((name) => names.includes(name)));
    assert.ok(names.length < 60, String(names.length));
    assert.deepEqual(failed, [join(store.root, 'p', 'a')]);
    assert.match(String(problems), /subagents has too many files and folders, so only the first 70 /);
    assert.equal(problems.length, 1);
  });
});
