import assert from 'node:assert/strict';
import { ReadPacer } from '../../../src/documents/readPacer';

describe('ReadPacer', () => {
  let pacer: ReadPacer;
  beforeEach(() => {
    pacer = new ReadPacer();
  });
  afterEach(() => pacer.dispose());

  const scheduled = (key: string): Promise<number> => new Promise((resolve) => pacer.schedule(key, () => resolve(performance.now())));

  it('waits one millisecond for each 5,000 bytes that were read', async () => {
    const start = performance.now();
    pacer.recordRead('a', 250_000);
    const other = await scheduled('b');
    const ran = await scheduled('a');
    // Node's timers count from the last turn of the event loop, which may be up to a millisecond ago.
    assert.ok(ran - start >= 49, `${ran - start} ms`);
    assert.ok(other <= ran);
  });

  it('runs once for several changes during a pause', async () => {
    let runs = 0;
    pacer.recordRead('a', 50_000);
    const first = scheduled('a');
    for (let i = 0; i < 10; i++) pacer.schedule('a', () => runs++);
    await first;
    await scheduled('a');
    assert.equal(runs, 0);
  });

  it('keeps nothing of a read once its pause is over', async () => {
    for (let i = 0; i < 100; i++) pacer.recordRead(String(i), 5000);
    const size = (): number => pacer.size;
    assert.equal(size(), 100);
    const limit = performance.now() + 10_000;
    while (size() > 0 && performance.now() < limit) await scheduled('other');
    assert.equal(size(), 0);
  });

  it('forgets what was scheduled when the document is closed', async () => {
    let ran = false;
    pacer.recordRead('a', 5000);
    pacer.schedule('a', () => (ran = true));
    pacer.forget('a');
    assert.equal(pacer.size, 0);
    pacer.recordRead('b', 50_000);
    await scheduled('b');
    assert.equal(ran, false);
  });
});
