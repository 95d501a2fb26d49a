import assert from 'node:assert/strict';
import { parseRootSetting } from '../../../src/core/files/locate/parseRootSetting';
import { mapPath, unmapPath } from '../../../src/core/files/locate/paths/mapPath';

describe('The setting of session folders', () => {
  const parse = (...items: unknown[]) => {
    const { roots, problems } = parseRootSetting(items, '/home/me', '/work');
    return { roots, problems: problems.map(({ message }) => message) };
  };
  const plain = { dialect: 'pi', flat: false };

  it('takes paths, and objects with a machine, a map and protection', () => {
    const { roots, problems } = parse('~/a', {
      path: 'b',
      dialect: 'omp',
      flat: true,
      machine: 'laptop',
      map: { 'C:\\code': '~/code', '/srv': '/mnt/srv' },
      readOnly: true,
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(roots, [
      { path: '/home/me/a', ...plain },
      {
        path: '/work/b',
        dialect: 'omp',
        flat: true,
        machine: 'laptop',
        map: { 'C:\\code': '/home/me/code', '/srv': '/mnt/srv' },
        readOnly: true,
      },
    ]);
  });

  it('leaves out what it can’t use, and says which folder and value it is', () => {
    const { roots, problems } = parse(7, { path: '' }, { path: '/a', dialect: 'vim', flat: 'yes', machine: '\n', map: 3 });
    assert.deepEqual(roots, [{ path: '/a', ...plain }]);
    assert.equal(problems.length, 6);
    for (const name of ['dialect', 'flat', 'machine', 'map'])
      assert.ok(
        problems.some((text) => text.includes(`“${name}”`) && text.includes('/a')),
        name,
      );
  });

  it('reads a setting that isn’t a list as empty, and says so', () => {
    const { roots, problems } = parseRootSetting({ path: '/a', readOnly: true }, '/home/me', '/work');
    assert.deepEqual(roots, []);
    assert.match(problems.map(({ message }) => message).join(), /must be a list, so it’s ignored, “readOnly” included/);
    assert.deepEqual(parseRootSetting(undefined, '/home/me', '/work'), { roots: [], problems: [] });
  });

  it('protects a folder whose readOnly it doesn’t understand', () => {
    const { roots, problems } = parse({ path: '/a', readOnly: 'yes' });
    assert.deepEqual([roots[0]?.readOnly, problems.length], [true, 1]);
    assert.equal(parse({ path: '/a', readOnly: false }).roots[0]?.readOnly, undefined);
  });

  it('takes the name of a machine as one line without links, icons and control characters', () => {
    const name = (machine: string): string | undefined => parse({ path: '/a', machine }).roots[0]?.machine;
    assert.equal(name(' my\n\u001b[31mbox\u202e '), 'my box⟦RLO⟧');
    assert.ok(!name('$(trash) [x](command:y)')?.includes('$('));
    assert.ok(!name('$(trash) [x](command:y)')?.includes(']('));
    assert.equal(name('x'.repeat(61)), undefined);
  });

  for (const map of [
    { '/a': '..' },
    { '/a': '/b/../../c' },
    { '/a': '~/../x' },
    { a: '/b' },
    { '/a': 'b' },
    { '/a/..': '/b' },
    { '/a': 'C:\\b' },
    { '/a': '//server/share' },
    { '/a': 1 },
    { '': '/b' },
    { '/a\0': '/b' },
    [],
  ])
    it(`refuses the map ${JSON.stringify(map)}`, () => {
      const { roots, problems } = parse({ path: '/r', map });
      assert.equal(roots[0]?.map, undefined);
      assert.equal(problems.length, 1);
    });
});

describe('Paths of another machine', () => {
  const map = { '/home/b': '/home/a', '/home/b/work': '/srv/work', 'C:\\Users\\b': '/home/a', '\\\\nas\\share': '/mnt/share' };

  for (const [path, here] of [
    ['/home/b', '/home/a'],
    ['/home/b/x/y', '/home/a/x/y'],
    ['/home/b/work/x', '/srv/work/x'],
    ['/home/bob', '/home/bob'],
    ['/home/b/../c', '/home/b/../c'],
    ['/home/b/x/../../../etc', '/home/b/x/../../../etc'],
    ['/HOME/B', '/HOME/B'],
    ['C:\\Users\\b\\x\\y', '/home/a/x/y'],
    ['c:/users/B/X', '/home/a/X'],
    ['C:\\Users\\bob', 'C:\\Users\\bob'],
    ['C:\\Users\\b\\..\\..\\Windows', 'C:\\Users\\b\\..\\..\\Windows'],
    ['\\\\NAS\\share\\p', '/mnt/share/p'],
    ['', ''],
    ['x', 'x'],
  ] as const)
    it(`maps ${JSON.stringify(path)}`, () => assert.equal(mapPath(path, map), here));

  it('maps to a machine with the paths of Windows', () => {
    assert.equal(mapPath('/home/b/x/y', { '/home/b': 'D:\\code' }), 'D:\\code\\x\\y');
    assert.equal(mapPath('/x', { '/': '/mnt' }), '/mnt/x');
    for (const path of ['/home/b/..\\..\\Windows\\x', '/home/b/x/..\\..\\..\\x'])
      assert.equal(mapPath(path, { '/home/b': 'C:\\code' }), path);
  });

  it('maps the files of a Linux in Windows by both of their names, in both directions', () => {
    const wsl = { '\\\\wsl$\\Ubuntu\\home\\b': '/home/a' };
    for (const host of ['\\\\wsl$', '\\\\wsl.localhost', '\\\\WSL.LOCALHOST'])
      assert.equal(mapPath(`${host}\\Ubuntu\\home\\b\\x`, wsl), '/home/a/x');
    assert.equal(mapPath('\\\\wsl$\\Debian\\home\\b\\x', wsl), '\\\\wsl$\\Debian\\home\\b\\x');
    const here = { '/home/b': '\\\\wsl.localhost\\Ubuntu\\home\\b' };
    assert.equal(mapPath('/home/b/x', here), '\\\\wsl.localhost\\Ubuntu\\home\\b\\x');
    assert.deepEqual(unmapPath('\\\\wsl$\\Ubuntu\\home\\b\\x', here), ['/home/b/x']);
  });

  it('finds the other names of a path here, and none that lead elsewhere', () => {
    assert.deepEqual(unmapPath('/home/a/x/y', map), ['/home/b/x/y', 'C:\\Users\\b\\x\\y']);
    assert.deepEqual(unmapPath('/home/a/work/x', map), ['C:\\Users\\b\\work\\x']);
    assert.deepEqual(unmapPath('/elsewhere', map), []);
    assert.deepEqual(unmapPath('/home/a', undefined), []);
  });
});
