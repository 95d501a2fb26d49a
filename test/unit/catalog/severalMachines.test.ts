import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lineOrigins, SessionStore, type Root, type StoreChange } from '../../../src/core/index';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

/** The lines of a session, which two builders make the same. */
const base = (cwd: string, id = 'the-same'): SessionBuilder =>
  session({ id, cwd }).user('paint the door').tool('write', { path: 'door.txt', content: 'The door is red now.\n' });

describe('Sessions of several machines', () => {
  const test = testCatalog();
  const here = (): string => join(test.root, 'here');
  const laptop = (): string => join(test.root, 'laptop');
  const pc = (): string => join(test.root, 'pc');
  const wsl = (): string => join(test.root, 'wsl');
  const project = (): string => join(test.root, 'code');
  const roots = (): Root[] => [
    { path: here(), dialect: 'pi', flat: false },
    { path: laptop(), dialect: 'pi', flat: false, machine: 'laptop', map: { '/home/b/code': project() }, readOnly: true },
    { path: pc(), dialect: 'pi', flat: false, machine: 'pc', map: { 'C:\\code': project() } },
    { path: wsl(), dialect: 'pi', flat: false, machine: 'wsl', map: { '\\\\wsl$\\Ubuntu\\home\\b\\code': project() } },
  ];
  const put = (root: string, name: string, lines: { text(): string }): string => {
    const path = join(root, 'p', `${name}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines.text());
    return path;
  };
  const open = () => test.open({}, { roots: roots() });
  beforeEach(() => [here(), laptop(), pc(), wsl(), project()].forEach((folder) => mkdirSync(folder, { recursive: true })));

  it('are of one project, and have the name of their machine', async () => {
    put(here(), 'a', session({ id: 'a', cwd: project() }).user('x'));
    put(laptop(), 'b', session({ id: 'b', cwd: '/home/b/code' }).user('x'));
    put(pc(), 'c', session({ id: 'c', cwd: 'c:\\Code' }).user('x'));
    put(pc(), 'd', session({ id: 'd', cwd: 'D:\\other' }).user('x'));
    const catalog = await open();
    const rows = await catalog.sessions();
    assert.deepEqual((await catalog.folders()).sort(), ['D:\\other', project()].sort());
    assert.deepEqual(
      new Set(rows.map(({ cwd, machine = '', writable }) => `${cwd} ${machine} ${writable}`)),
      new Set([`${project()}  true`, `${project()} laptop false`, `${project()} pc true`, 'D:\\other pc true']),
    );
  });

  it('are found by the project’s folder on this machine', async () => {
    put(laptop(), 'b', session({ id: 'b', cwd: '/home/b/code/inner' }).user('word'));
    put(pc(), 'c', session({ id: 'c', cwd: 'C:\\code' }).user('word'));
    const catalog = await open();
    assert.equal((await catalog.search('word', { project: project() })).length, 2);
    assert.equal((await catalog.search('word', { project: '/home/b/code' })).length, 0);
  });

  it('appear once, as the longest copy, in lists, searches, totals and touched files', async () => {
    const copy = put(here(), 'a', base(project()));
    const single = await (await open()).usage({ by: 'day' });
    const longest = put(laptop(), 'a', base(project()));
    appendFileSync(longest, '{"type":"custom","id":"end00001","parentId":null,"timestamp":"2026-01-01T00:01:00.000Z","customType":"x"}\n');
    const catalog = await open();
    const rows = await catalog.sessions();
    assert.deepEqual(
      rows.map(({ path, machine, copies }) => ({ path, machine, copies })),
      [{ path: longest, machine: 'laptop', copies: [{ path: copy }] }],
    );
    assert.deepEqual(
      (await catalog.search('door')).map(({ path }) => path).filter((path) => path !== longest),
      [],
    );
    assert.deepEqual(await catalog.usage({ by: 'day' }), single);
    assert.deepEqual(new Set((await catalog.touching(join(project(), 'door.txt'))).map(({ path }) => path)), new Set([longest]));
  });

  it('don’t have the folder that only a copy names', async () => {
    put(here(), 'a', base('/home/b/code'));
    appendFileSync(put(laptop(), 'a', base('/home/b/code')), session().user('more').text().split('\n')[1]! + '\n');
    assert.deepEqual(await (await open()).folders(), [project()]);
  });

  it('that were continued differently are both listed, and what they have in common counts once', async () => {
    const shared = base(project()).text();
    const one = put(here(), 'a', base(project()).user('paint it green please').assistant('green'));
    const usageOfOne = await (await open()).usage({ by: 'day' });
    const other = put(laptop(), 'a', base(project()).user('nevermore'));
    assert.ok(readFileSync(other, 'utf8').startsWith(shared) && readFileSync(one, 'utf8').startsWith(shared));
    const catalog = await open();
    assert.deepEqual(
      (await catalog.sessions()).map(({ path, divergedFrom }) => [path, divergedFrom]).sort(),
      [
        [one, undefined],
        [other, one],
      ].sort(),
    );
    assert.deepEqual(await catalog.usage({ by: 'day' }), usageOfOne);
    assert.equal((await catalog.search('paint the door')).length, 1);
    assert.equal((await catalog.search('nevermore')).length, 1);
  });

  it('that were continued differently have the new totals after one of them has changed', async () => {
    const one = put(here(), 'a', base(project()).user('paint it green please'.repeat(100)).assistant('green'));
    const other = put(laptop(), 'a', base(project()).user('nevermore').assistant('done'));
    const catalog = await open();
    const sumOf = async (): Promise<number> => (await catalog.usage({ by: 'day' })).reduce((sum, { output }) => sum + output, 0);
    const first = await sumOf();
    const more = base(project()).user('nevermore').assistant('done').assistant('and more').text();
    appendFileSync(other, more.trimEnd().split('\n').at(-1)! + '\n');
    await catalog.refresh();
    assert.ok((await sumOf()) > first);
    // The entry that the longest copy gets, too, isn't counted twice.
    const counted = await sumOf();
    appendFileSync(
      one,
      more
        .trimEnd()
        .split('\n')
        .at(-1)!
        .replace(/"parentId":"[^"]*"/, '"parentId":null') + '\n',
    );
    await catalog.refresh();
    assert.equal(await sumOf(), counted);
  });

  for (const [machine, root, cwd] of [
    ['another machine', laptop, '/home/b/code'],
    ['a machine with Windows', pc, 'C:\\code'],
    ['a machine with Windows whose program writes the drive in another case', pc, 'c:\\Code'],
    ['Windows with the folder of a Linux in it', wsl, '\\\\wsl$\\Ubuntu\\home\\b\\code'],
    ['Windows with that folder by its newer name', wsl, '\\\\WSL.localhost\\Ubuntu\\home\\b\\code'],
  ] as const)
    it(`of ${machine} are origins of lines here`, async () => {
      const path = put(root(), 'a', base(cwd));
      writeFileSync(join(project(), 'door.txt'), 'The door is red now.\n');
      const catalog = await open();
      assert.deepEqual(
        (await catalog.touching(join(project(), 'door.txt'))).map((touch) => [touch.path, touch.kind]),
        [[path, 'write']],
      );
      const origins = await lineOrigins(catalog, join(project(), 'door.txt'), { git: false });
      assert.deepEqual(
        origins.map((origin) => [origin.from, origin.to, origin.path]),
        [[1, 1, path]],
      );
    });

  it('mean their own files by paths that are mapped elsewhere', async () => {
    put(laptop(), 'a', session({ cwd: '/home/b/code' }).tool('write', { path: '/home/b/code/door.txt', content: 'x' }));
    const catalog = await open();
    assert.equal((await catalog.touching('/home/b/code/door.txt')).length, 0);
    assert.equal((await catalog.touching(join(project(), 'door.txt'))).length, 1);
  });

  describe('in the store', () => {
    const openStore = () => {
      const changes: StoreChange[] = [];
      let current = roots();
      const store = new SessionStore({
        roots: () => current,
        onProblem: () => undefined,
        onChange: (change) => changes.push(change),
      });
      return { store, changes, setRoots: (next: Root[]) => (current = next) };
    };

    it('have the copy that they belong to, from one refresh to the next', async () => {
      const copy = put(here(), 'a', base(project()));
      const longest = put(laptop(), 'a', base(project()).user('more'));
      const { store, changes } = openStore();
      await store.refresh();
      assert.deepEqual(store.files().get(copy)?.copyOf, { path: longest, hasDiverged: false });
      assert.equal(store.files().get(longest)?.copyOf, undefined);
      changes.splice(0);
      appendFileSync(
        copy,
        '{"type":"custom","id":"here0001","parentId":null,"timestamp":"2026-01-01T00:01:00.000Z","customType":"x"}\n'.repeat(9),
      );
      await store.refresh([copy]);
      assert.equal(store.files().get(copy)?.copyOf, undefined);
      assert.deepEqual(store.files().get(longest)?.copyOf, { path: copy, hasDiverged: true });
      assert.ok(changes.some(({ changed }) => changed.has(longest)));
    });

    it('have new folders as soon as the setting has a new map', async () => {
      const path = put(laptop(), 'a', session({ cwd: '/home/b/code' }).user('x'));
      const { store, setRoots } = openStore();
      await store.refresh();
      const row = () => {
        const file = store.files().get(path);
        return file?.kind === 'session' ? file.summary : assert.fail();
      };
      assert.deepEqual([row().cwd, row().machine, row().isProtected, row().writable], [project(), 'laptop', true, false]);
      setRoots([{ path: laptop(), dialect: 'pi', flat: false, map: { '/home/b': '/elsewhere' } }]);
      await store.refresh();
      assert.deepEqual([row().cwd, row().machine, row().isProtected, row().writable], ['/elsewhere/code', undefined, undefined, true]);
    });
  });
});
