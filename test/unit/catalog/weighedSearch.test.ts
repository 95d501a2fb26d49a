import assert from 'node:assert/strict';
import { session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

const SESSIONS = {
  tests: session({ id: 'a0000000-0000-7000-8000-000000000001' })
    .user('The checkout test is flaky on slow machines')
    .assistant('The clock was mocked too late. I freeze it before the cart is built.'),
  invoices: session({ id: 'a0000000-0000-7000-8000-000000000002' })
    .user('Exporting invoices breaks on umlauts')
    .assistant('The exporter now writes a byte order mark.')
    .user('Write the changelog')
    .assistant('Done.'),
  japanese: session({ id: 'a0000000-0000-7000-8000-000000000003' }).user('在庫画面の並べ替えが遅い').assistant('索引を追加しました'),
};

describe('Questions that only some entries fit', () => {
  const test = testCatalog();

  it('find the entries with most of the weight, which name the missing words', async () => {
    const catalog = await test.open(SESSIONS);
    const found = async (query: string): Promise<string[]> =>
      (await catalog.search(query, { weighed: true })).map(({ path, entryId }) => `${path.split('/').pop() ?? ''} ${entryId}`);
    assert.equal((await found('How did we fix the flakiness of the checkout tests the last time?'))[0], 'tests.jsonl e0000001');
    assert.equal((await found('Which tweak made the invoice exporter cope with an umlaut?'))[0], 'invoices.jsonl e0000001');
    assert.equal((await found('在庫画面の並べ替えはどう直した?'))[0], 'japanese.jsonl e0000001');
    const [hit] = await catalog.search('why was checkout so flaky on slow boxes machines', { weighed: true });
    assert.ok(hit?.missing && !hit.missing.includes('checkout'));
    assert.match(hit.snippet.slice(hit.marks[0]?.[0]), /^checkout/);
  });

  it('find nothing that never happened, or that has the words apart', async () => {
    const catalog = await test.open(SESSIONS);
    for (const query of [
      'Did we ever move the checkout to Kubernetes?',
      'How did we fix umlauts in the checkout test?',
      'What did we try last time?',
      'why was it fixed',
      '结账页面为什么很慢?',
      `"flaky checkout" ${'x'.repeat(20_000)}`,
    ])
      assert.deepEqual(await catalog.search(query, { weighed: true }), [], query);
  });

  it('find what is asked for in other words in other languages, and nothing that never happened', async () => {
    const catalog = await test.open({
      german: session({ id: 'a0000000-0000-7000-8000-000000000007' }).user('Die Heizkurve der Wärmepumpe springt nachts'),
      spanish: session({ id: 'a0000000-0000-7000-8000-000000000008' }).user('El buscador pierde los acentos al ordenar ciudades'),
      russian: session({ id: 'a0000000-0000-7000-8000-000000000009' }).user('Загрузчик путает обложки альбомов'),
      korean: session({ id: 'a0000000-0000-7000-8000-000000000010' }).user('지도 화면의 확대가 느려졌어'),
      chinese: session({ id: 'a0000000-0000-7000-8000-000000000011' }).user('会员积分在退货时丢失'),
      english: session({ id: 'a0000000-0000-7000-8000-000000000012' }).user('The terminal regenerates icons at the end').assistant('Done.'),
    });
    const found = async (query: string): Promise<string[]> =>
      (await catalog.search(query, { weighed: true })).map(({ path }) => path.split('/').pop() ?? '');
    assert.deepEqual(await found('Weißt du noch, weshalb die Wärmepumpe ständig mit der Heizkurve spann und wer das merkte?'), [
      'german.jsonl',
    ]);
    assert.deepEqual(await found('¿Te acuerdas de cómo terminó el lío de los acentos que faltaban en las ciudades?'), ['spanish.jsonl']);
    assert.deepEqual(await found('Помнишь, чем закончилась возня с обложками, которые портил загрузчик?'), ['russian.jsonl']);
    assert.deepEqual(await found('지도를 보다가 확대하면 버벅거리던 거 기억나?'), ['korean.jsonl']);
    assert.deepEqual(await found('还记得退货以后积分不见了吗?当初怎么查出来的?'), ['chinese.jsonl']);
    for (const query of [
      'Wann haben wir die Wärmepumpe auf Erdgas umgestellt?',
      '¿Por qué quitamos los acentos del teclado?',
      'Как мы перевели загрузчик на докер?',
      '지도 화면의 색상을 누가 바꾸자고 제안했지?',
      '会员头像上传失败是怎么解决的?',
    ])
      assert.deepEqual(await found(query), [], query);
  });

  it('mean a verb with its particle, and not the verb alone, if sessions write it as one word', async () => {
    const catalog = await test.open({
      login: session({ id: 'a0000000-0000-7000-8000-000000000004' }).user('The login form forgets the locale').assistant('Restored.'),
      apart: session({ id: 'a0000000-0000-7000-8000-000000000005' }).user('People cannot log in from kiosks').assistant('Restored.'),
      logs: session({ id: 'a0000000-0000-7000-8000-000000000006' })
        .user('Look at the logs that are in the folder')
        .assistant('The barcode scanner shows stale prices.'),
    });
    const found = async (query: string): Promise<string[]> =>
      (await catalog.search(query, { weighed: true })).map(({ path, entryId }) => `${path.split('/').pop() ?? ''} ${entryId}`);
    assert.deepEqual(await found('How did we fix stale prices in logging in?'), []);
    assert.deepEqual(await found('Which locale was forgotten when logging in?'), ['login.jsonl e0000001']);
    assert.deepEqual(await found('What about kiosks and logging in?'), ['apart.jsonl e0000001']);
  });

  it('are only for those who ask for them, and keep to the filters', async () => {
    const catalog = await test.open(SESSIONS);
    const query = 'flaky checkout tests and how we fixed them';
    assert.deepEqual(await catalog.search(query), []);
    assert.deepEqual(await catalog.search(query, { weighed: true, project: '/elsewhere' }), []);
    assert.ok((await catalog.search(query, { weighed: true, roles: ['user'] })).every(({ role }) => role === 'user'));
    assert.equal((await catalog.search(query, { weighed: true, limit: 1 })).length, 1);
  });
});
