import assert from 'node:assert/strict';
import { findRoots } from '../../../src/core/files/locate/findRoots';
import { TimeoutProbe } from '../../../src/watch/timeoutProbe';
import { testFolder } from '../../fixtures/folder';

describe('paths that may never answer', () => {
  const folder = testFolder();
  let probe: TimeoutProbe;
  let news: () => void;
  let reported: Promise<void>;
  const nextNews = (): void => {
    reported = new Promise((resolve) => (news = resolve));
  };
  beforeEach(() => {
    nextNews();
    probe = new TimeoutProbe(() => news(), { wait: 250, silent: 1000 });
  });
  afterEach(() => probe.dispose());

  /** A disk whose results the test controls. */
  function hung() {
    let answer!: (value: string) => void;
    let callCount = 0;
    const access = <T>(): Promise<T> => {
      callCount++;
      return new Promise<T>((resolve) => (answer = resolve as (value: string) => void));
    };
    return { access, answer: (value: string) => answer(value), callCount: () => callCount };
  }

  it('are waited for if they answer in time', async () => {
    assert.equal(await probe.run('/a', (path) => Promise.resolve(`real ${path}`)), 'real /a');
    await assert.rejects(
      probe.run('/a', () => Promise.reject(new Error('gone'))),
      { message: 'gone' },
    );
    assert.equal(probe.isPending('/a'), false);
  });

  it('block no caller, get no second call, and are reported when they are silent and when they answer', async () => {
    const disk = hung();
    await Promise.all([
      assert.rejects(probe.run('/m', disk.access), { code: 'ETIMEDOUT' }),
      assert.rejects(probe.run('/m', disk.access), { code: 'ETIMEDOUT' }),
    ]);
    assert.deepEqual([probe.isPending('/m'), probe.isSilent('/m')], [true, false]);
    await reported;
    assert.equal(probe.isSilent('/m'), true);
    await assert.rejects(probe.run('/m', disk.access), { code: 'ETIMEDOUT' });
    assert.equal(disk.callCount(), 1);
    nextNews();
    disk.answer('/m');
    await reported;
    assert.deepEqual([probe.isPending('/m'), probe.isSilent('/m')], [false, false]);
    assert.equal(await probe.run('/m', (path) => Promise.resolve(path)), '/m');
  });

  it('do not delay the roots that answer', async () => {
    const disk = hung();
    const silent = `${folder.path}/mount`;
    const added = [
      { path: silent, dialect: 'pi', flat: false },
      { path: `${folder.path}/other`, dialect: 'pi', flat: false },
    ] as const;
    const access = <T>(path: string, how: (path: string) => Promise<T>): Promise<T> =>
      probe.run(path, path === silent ? () => disk.access<T>() : how);
    const found = await findRoots({ env: {}, home: folder.path, added, access });
    assert.deepEqual(
      found.slice(0, 2).map(({ path }) => path),
      [silent, `${folder.path}/other`],
    );
    assert.deepEqual(
      found.filter(({ path }) => probe.isPending(path)).map(({ path }) => path),
      [silent],
    );
  });
});
