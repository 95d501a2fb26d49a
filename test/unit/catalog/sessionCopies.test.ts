import assert from 'node:assert/strict';
import { appendFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { haveSameBytes } from '../../../src/core/catalog/copies/haveSameBytes';
import { SessionCopies } from '../../../src/core/catalog/copies/sessionCopies';
import type { Dialect } from '../../../src/core/format/entry/dialect';
import { yieldToEventLoop } from '../../../src/core/files/concurrency/eventLoop';
import { titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { sessionFileVersion } from '../../../src/core/files/read/versions/findFileVersion';
import { testFolder } from '../../fixtures/folder';

describe('Copies of a session on several machines', () => {
  const folder = testFolder();
  /** The ranges of bytes that were compared. */
  let compared: string[];
  let copies: SessionCopies;
  let changes: string[][];

  beforeEach(() => {
    compared = [];
    changes = [];
    copies = new SessionCopies((a, b, dialect, from, to) => {
      compared.push(`${from}-${to}`);
      return haveSameBytes(a, b, dialect, from, to);
    });
    copies.onChange((paths) => changes.push([...paths].sort()));
  });

  const at = (name: string): string => join(folder.path, name);
  const put = async (name: string, text: string | Buffer): Promise<void> => writeFile(at(name), text);
  /** Passes on a file as it is now. The machine is the part of its name before the dot, unless that's `here`. */
  const offer = async (name: string, id = 's', dialect: Dialect = 'pi'): Promise<void> => {
    const machine = name.split('.')[0];
    copies.set({
      path: at(name),
      id,
      dialect,
      machine: machine === 'here' ? undefined : machine,
      version: await sessionFileVersion(at(name)),
    });
  };
  const offerAll = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) await offer(name);
    await copies.update();
  };
  const owner = (name: string): unknown => {
    const found = copies.ownerOf(at(name));
    return found && [found.path.slice(folder.path.length + 1), found.hasDiverged];
  };

  it('belong to the longest file', async () => {
    await put('here.1', 'one\n');
    await put('laptop.1', 'one\ntwo\n');
    await put('desktop.1', 'one\ntwo\nthree\n');
    await offerAll('here.1', 'laptop.1', 'desktop.1');
    assert.deepEqual([owner('here.1'), owner('laptop.1'), owner('desktop.1')], [['desktop.1', false], ['desktop.1', false], undefined]);
    assert.deepEqual(changes, [[at('here.1'), at('laptop.1')]]);
  });

  it('of equal length belong to that of this machine', async () => {
    await put('a.1', 'one\n');
    await put('here.1', 'one\n');
    await offerAll('a.1', 'here.1');
    assert.deepEqual([owner('a.1'), owner('here.1')], [['here.1', false], undefined]);
  });

  it('have diverged if each has something of its own', async () => {
    await put('here.1', 'one\ntwo\n');
    await put('laptop.1', 'one\nthree\n');
    await put('desktop.1', 'one\n');
    await offerAll('here.1', 'laptop.1', 'desktop.1');
    assert.deepEqual([owner('here.1'), owner('laptop.1'), owner('desktop.1')], [['laptop.1', true], undefined, ['laptop.1', false]]);
  });

  it('are all below the longest one, also those of a file that has diverged', async () => {
    await put('a.1', 'one\nthree\nfour\n');
    await put('b.1', 'one\ntwo\n');
    await put('c.1', 'one\ntwo\n'.slice(0, -1));
    await offerAll('a.1', 'b.1', 'c.1');
    assert.deepEqual(
      [owner('b.1'), owner('c.1')],
      [
        ['a.1', true],
        ['a.1', false],
      ],
    );
  });

  it('are of two machines, have one id, and are of one program', async () => {
    await put('here.1', 'one\n');
    await put('here.2', 'one\ntwo\n');
    await put('laptop.1', 'one\ntwo\n');
    await offer('here.1');
    await offer('here.2');
    await offer('laptop.1', 'other');
    await copies.update();
    assert.deepEqual(copies.all(), []);
    await offer('laptop.1', 's', 'gsd');
    await copies.update();
    assert.deepEqual(copies.all(), []);
    assert.deepEqual(compared, []);
  });

  it('that grow are compared from shortly before they ended', async () => {
    const start = 'x'.repeat(10_000);
    await put('here.1', start);
    await put('laptop.1', `${start}two\nthree\n`);
    await offerAll('here.1', 'laptop.1');
    await appendFile(at('here.1'), 'two\n');
    await offerAll('here.1');
    assert.deepEqual(
      [owner('here.1'), compared],
      [
        ['laptop.1', false],
        ['0-10000', '5904-10004'],
      ],
    );
    await appendFile(at('laptop.1'), 'four\n');
    await offerAll('laptop.1');
    assert.deepEqual([owner('here.1'), compared.slice(2)], [['laptop.1', false], ['5908-10004']]);
    await appendFile(at('here.1'), 'other\n');
    await offerAll('here.1');
    assert.deepEqual(owner('here.1'), ['laptop.1', true]);
    await appendFile(at('here.1'), 'more\n');
    await offerAll('here.1', 'laptop.1');
    assert.equal(compared.length, 5, 'the longer file is the other one now');
  });

  it('aren’t hidden by a longer file that no longer has their lines, because another one was copied over it', async () => {
    await put('here.1', 'one\ntwo\n');
    await put('laptop.1', 'one\ntwo\nthree\n');
    await offerAll('here.1', 'laptop.1');
    assert.deepEqual(owner('here.1'), ['laptop.1', false]);
    await put('laptop.1', 'one\nother\nand another one\n');
    await offerAll('laptop.1');
    assert.deepEqual(owner('here.1'), ['laptop.1', true]);
  });

  it('that are replaced are compared again, as a synchronization leaves them', async () => {
    const start = 'x'.repeat(10_000);
    await put('here.1', `${start}one\ntwo\n`);
    await put('laptop.1', `${start}one\n`);
    await offerAll('here.1', 'laptop.1');
    await put('new', `y${start.slice(1)}one\ntw`);
    await rename(at('new'), at('laptop.1'));
    await offerAll('laptop.1');
    assert.deepEqual([owner('laptop.1'), compared.at(-1)], [['here.1', true], '0-10006']);
  });

  it('become sessions of their own when the other file is gone', async () => {
    await put('here.1', 'one\n');
    await put('laptop.1', 'one\ntwo\n');
    await offerAll('here.1', 'laptop.1');
    copies.delete(at('laptop.1'));
    await copies.update();
    assert.equal(owner('here.1'), undefined);
    assert.deepEqual(changes, [[at('here.1')], [at('here.1')]]);
  });

  it('become sessions of their own when another session is written in their place', async () => {
    await put('here.1', 'one\n');
    await put('laptop.1', 'one\ntwo\n');
    await offerAll('here.1', 'laptop.1');
    await put('here.1', 'other\n');
    await offer('here.1', 'other');
    await copies.update();
    assert.deepEqual([owner('here.1'), copies.all()], [undefined, []]);
    assert.deepEqual(changes, [[at('here.1')], [at('here.1')]]);
  });

  it('that go while they are compared, and come back as another session, are none', async () => {
    await put('here.1', 'one\n');
    await put('laptop.1', 'one\ntwo\n');
    const comparing = offerAll('here.1', 'laptop.1');
    while (compared.length === 0) await yieldToEventLoop();
    copies.delete(at('here.1'));
    await comparing;
    await offer('here.1', 'other');
    await copies.update();
    assert.deepEqual([owner('here.1'), copies.all(), changes], [undefined, [], []]);
  });

  it('that can’t be read keep a row', async () => {
    await put('here.1', 'one\n');
    await put('laptop.1', 'one\ntwo\n');
    await offer('here.1');
    await offer('laptop.1');
    await rm(at('laptop.1'));
    await copies.update();
    assert.deepEqual(owner('here.1'), ['laptop.1', true]);
  });

  it('of oh-my-pi may have different titles', async () => {
    const slot = (title: string): string => titleSlotLine({ title, updatedAt: '2026-01-01T00:00:00.000Z' });
    await put('here.1', `${slot('a')}one\n`);
    await put('laptop.1', `${slot('b')}one\ntwo\n`);
    for (const name of ['here.1', 'laptop.1']) await offer(name, 's', 'omp');
    await copies.update();
    assert.deepEqual(owner('here.1'), ['laptop.1', false]);
  });

  it('are compared in parts, to the last byte', async () => {
    const long = Buffer.alloc(2.5 * 1024 * 1024, 'x');
    await put('here.1', long);
    await put('laptop.1', Buffer.concat([long, long]));
    await offerAll('here.1', 'laptop.1');
    assert.deepEqual(owner('here.1'), ['laptop.1', false]);
    long[long.length - 1] = 0;
    await put('here.1', long);
    assert.equal(await haveSameBytes(at('here.1'), at('laptop.1'), 'pi', 0, long.length), false);
  });

  it('are compared up to a number', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `m${n}.1`);
    for (const name of names) await put(name, `${name}\n`);
    await offerAll(...names);
    assert.ok(compared.length <= (32 * 31) / 2);
  });
});
