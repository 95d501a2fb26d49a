import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { exportSession, findSecrets, readSession, type ExportResult, type Finding, type RedactOptions } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { everyField } from '../../fixtures/everyField';
import { ENCODED, IN_CONTEXT, LOOKALIKES, MORE_IN_CONTEXT, TOKENS } from '../../fixtures/plantedSecrets';
import { ON_A_LINE, UP_TO_DELIMITER } from '../../fixtures/secretFormats';

describe('An export leaves out', () => {
  const folder = testFolder();
  let exports = 0;
  const found = async (text: string): Promise<Finding[]> => {
    const source = await readSession(await folder.write('b.jsonl', text));
    const findings: Finding[] = [];
    for await (const finding of findSecrets(source)) findings.push(finding);
    return findings;
  };
  const exported = async (text: string, redact: true | RedactOptions = true): Promise<ExportResult & { text: string }> => {
    const source = await readSession(await folder.write('a.jsonl', text));
    const target = join(folder.path, `out-${String(exports++)}.jsonl`);
    const result = await exportSession(source, { format: 'jsonl', target, redact });
    return { ...result, text: await readFile(result.path, 'utf8') };
  };
  const contentOf = ({ text }: { text: string }): unknown =>
    text
      .split('\n')
      .flatMap((line) =>
        line.includes('"role":"user"') ? [(JSON.parse(line) as { message: { content: unknown } }).message.content] : [],
      )[0];
  /** Returns what becomes of a message of the person. */
  const message = async (content: unknown, redact?: true | RedactOptions): Promise<unknown> =>
    contentOf(await exported(session().user(content).text(), redact));

  it('planted secrets of every kind in every field of every kind of entry', async function () {
    this.timeout(20_000);
    const kinds = [
      ...Object.values(TOKENS).map((make) => () => {
        const secret = make();
        return [`see ${secret} there`, secret] as const;
      }),
      ...Object.values({ ...IN_CONTEXT, ...MORE_IN_CONTEXT, ...ENCODED, ...ON_A_LINE, ...UP_TO_DELIMITER }),
    ];
    let count = 0;
    const built = Array.from({ length: 12 }, (_, round) => {
      const planted: string[] = [];
      const text = everyField(() => {
        const [whole, secret] = (kinds[(count++ + round) % kinds.length] ?? kinds[0]!)();
        planted.push(secret);
        return whole;
      }).text();
      return { text, planted };
    });
    const missed: string[] = [];
    for (const { text, planted } of built) {
      const result = await exported(text);
      const strings = JSON.stringify(
        result.text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as unknown),
      );
      for (const secret of planted) {
        const written = JSON.stringify(secret).slice(1, -1);
        // The frame of a key may stay.
        const end = JSON.stringify(secret.replace(/\n-----END.*$/, ''))
          .slice(1, -1)
          .slice(-10);
        if (strings.includes(written) || strings.includes(end)) missed.push(secret);
        assert.ok(
          !result.redacted.some(({ excerpt, field }) => excerpt.includes(secret) || field.includes(secret)),
          'an excerpt holds a secret',
        );
      }
    }
    assert.deepEqual(missed, []);
    assert.ok(count > 500, String(count));
  });

  it('at most one of twenty harmless texts', async () => {
    const builder = session();
    for (const text of LOOKALIKES) builder.user(text);
    const { redacted, text } = await exported(builder.text());
    const changed = text
      .trimEnd()
      .split('\n')
      .slice(1)
      .filter((line, index) => (JSON.parse(line) as { message: { content: string } }).message.content !== LOOKALIKES[index]);
    assert.ok(changed.length <= LOOKALIKES.length / 20, changed.join('\n'));
    assert.equal(redacted.length, changed.length);
  });

  it('a secret wherever it is, under one name', async () => {
    const password = ['Tr0ub', '4dor', 'x9'].join('');
    const token = TOKENS['ghp']!();
    const built = session().user(`password = "${password}"`).assistant(`I used ${password} and ${token}.`).user(`${token}, ${password}`);
    const { text, redacted } = await exported(built.text());
    assert.ok(!text.includes(password) && !text.includes(token));
    assert.equal(text.split('[redacted:password-1]').length, 4);
    assert.equal(text.split('[redacted:github-token-1]').length, 3);
    assert.deepEqual(
      redacted.map(({ placeholder, field }) => [placeholder, field]),
      [
        ['[redacted:password-1]', 'message.content'],
        ['[redacted:password-1]', 'message.content[0].text'],
        ['[redacted:github-token-1]', 'message.content[0].text'],
        ['[redacted:github-token-1]', 'message.content'],
        ['[redacted:password-1]', 'message.content'],
      ],
    );
  });

  it('a secret under one name however it’s written', async () => {
    const password = ['Tr0ub@4dor', '+x9/7ö'].join('');
    const quoted = ['c0rrect"h', 'orse\\b4ttery'].join('');
    const encoded = encodeURIComponent(password);
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const built = session()
      .entry('custom', { customType: 't', data: { DB_PASSWORD: password, ADMIN_PASSWORD: quoted } })
      .user(`postgres://app:${encoded}@db.corp/x and redirect=${encodeURIComponent(`?password=${encoded}`)} or ${encoded}`)
      .user(`It is Tr0ub&#64;4dor+x9/7ö, or Tr0ub\\u00404dor+x9\\/7ö, in ${base64(`HOST=db\nDB_PASSWORD=${password}\n`)}`)
      .user(`${password}, ${quoted}, and in JSON ${JSON.stringify(quoted)} or ${JSON.stringify(JSON.stringify(quoted))}`);
    const { text, redacted } = await exported(built.text());
    assert.deepEqual([...new Set(redacted.map(({ placeholder }) => placeholder))], ['[redacted:password-1]', '[redacted:password-2]']);
    assert.ok(!/4dor|orse|b4ttery/.test(text), text);
    for (const trace of [base64(password), encoded, 'HOST']) assert.ok(!text.includes(trace), trace);

    // The Base64 alone says that it's a password, and which.
    for (const credentials of [`jane:${password}`, `${password.slice(0, 14)}:`, `${password.slice(0, 14)}:x-oauth-basic`]) {
      const secret = credentials.replace(/^jane:|:.*$/g, '');
      const plain = secret.replace('ö', '');
      const basic = `Authorization: Basic ${base64(credentials.replace('ö', ''))}`;
      const answer = await exported(session().user(basic).user(`I typed ${plain} twice`).text());
      assert.ok(!answer.text.includes(plain), answer.text);
      assert.equal(new Set(answer.redacted.map(({ placeholder }) => placeholder)).size, 1, credentials);
    }
  });

  it('a secret in the name of a session’s file, as a parent has it', async () => {
    const password = ['Tr0ub', '4dorx9'].join('');
    for (const name of [`password=${password}`, `password%3D${password}`, `password%253D${password}`]) {
      const parentSession = `/sessions/--work--/${name}.jsonl`;
      const { text } = await exported(session({ parentSession }).user('x').text());
      assert.ok(!text.includes(password), text.split('\n')[0]);
    }
  });

  it('a person’s data under one name however it’s written', async () => {
    const content =
      '/home/janedoe/a, %2Fhome%2Fjanedoe%2Fb, --home-janedoe-c--, C:\\Home\\janedoe\\d, Janedoe and JANEDOE, A@corp.io, a@corp.io';
    const { redacted } = await exported(session({ cwd: '/home/janedoe/app' }).user(content).text());
    assert.deepEqual([...new Set(redacted.map(({ placeholder }) => placeholder))].sort(), [
      '[redacted:email-1]',
      '[redacted:home-1]',
      '[redacted:user-1]',
    ]);
  });

  it('secrets that escapes of JSON divide, in JSON in a text, in keys, and in a member that is there twice', async () => {
    const token = TOKENS['ghp']!();
    const escaped = `${token.slice(0, 6)}\\u${token.charCodeAt(6).toString(16).padStart(4, '0')}${token.slice(7)}`;
    const nested = JSON.stringify({ env: `{"deploy":"x ${escaped}"}` });
    const lines = [
      session().text().trimEnd(),
      `{"type":"message","id":"a","parentId":null,"timestamp":"","message":{"role":"user","content":"${escaped}"}}`,
      `{"type":"custom","id":"b","parentId":"a","timestamp":"","customType":"t","data":${JSON.stringify(nested)}}`,
      `{"type":"custom","id":"c","parentId":"b","timestamp":"","customType":"t","data":"${token}","data":{"${token}":1}}`,
    ];
    const { text, redacted } = await exported(`${lines.join('\n')}\n`);
    assert.ok(!text.includes(token.slice(8, 30)), text);
    assert.equal(redacted.length, 4);
    assert.equal(redacted.at(-1)!.field, 'data["[redacted:github-token-1]"]');
  });

  it('values of names of secrets', async () => {
    const secret = ['s3cr', '3tv4l'].join('');
    const data = {
      env: [{ name: 'DB_PASSWORD', value: secret }],
      apiKey: `k9${secret}`,
      nested: { client_secret: [`z8${secret}`] },
      parameters: [JSON.stringify({ Name: 'A_PASSWORD', Value: `a1${secret}` }), { Value: `b2${secret}`, Name: 'B_PASSWORD' }],
      headers: [{ value: `token ${secret.split('').reverse().join('')}c3d4e5`, name: 'Authorization' }],
    };
    const { text } = await exported(session().entry('custom', { customType: 't', data }).text());
    assert.ok(!text.includes(secret) && !text.includes('c3d4e5'), text);
    assert.ok(!/[ab][12]s3/.test(text), text);
  });

  it('the person’s folder, name and addresses, each unless it is switched off', async () => {
    const content =
      '/home/janedoe/app, C:\\Users\\janedoe\\x, --home-janedoe-app--, janedoe said; jane@corp.example.io, git@github.com:a/b, a@example.com';
    const built = session({ cwd: '/home/janedoe/app' }).user(content).text();
    const all = await exported(built);
    assert.ok(!/janedoe|jane@/.test(all.text), all.text);
    assert.ok(String(contentOf(all)).endsWith('git@github.com:a/b, a@example.com'));
    assert.ok(String(contentOf(all)).startsWith('[redacted:home-1]/app'));
    const most = await exported(built, { home: false, email: false });
    assert.ok(String(contentOf(most)).includes('jane@corp.example.io'));
    assert.equal((await exported(built, { home: false, user: false, email: false, host: false })).redacted.length, 0);
    assert.equal(await message(`in ${homedir()}/x`), `in [redacted:home-1]/x`);
  });

  it('home folders of others, and machines in prompts, unless their names are common words', async () => {
    const texts = {
      '/home/bob/x, C:\\Users\\Bob Smith\\x, /mnt/c/Users/bob/x, /home/page.html':
        '[redacted:home-1]/x, [redacted:home-2]\\x, /mnt/c[redacted:home-3]/x, /home/page.html',
      'bob@thinkpad:~/app$ ls; root@localhost:~# ls': 'bob@[redacted:host-1]:~/app$ ls; root@localhost:~# ls',
      'jane%40corp.io, jane@münchen.de, jane@firma.rs, icon@main.ts':
        '[redacted:email-1], [redacted:email-2], [redacted:email-3], icon@main.ts',
    };
    for (const [text, expected] of Object.entries(texts)) assert.equal(await message(text), expected);
  });

  it('Base64 in lines whose breaks are written as escapes', async () => {
    const base64 = Buffer.from(`# settings\nexport GITHUB_TOKEN=${TOKENS['ghp']!()}\n`).toString('base64');
    const lines = base64.replaceAll(/.{60}/g, String.raw`$&\n`);
    assert.equal(await message(`cut "content":"${lines}", `), 'cut "content":"[redacted:github-token-1]", ');
  });

  it('a name only as a word of its own', async () => {
    const content = 'josé, josef, xjos, jos2; jos, jos_backup';
    const { text } = await exported(session({ cwd: '/home/jos/app' }).user(content).text());
    assert.equal(contentOf({ text }), 'josé, josef, xjos, jos2; [redacted:user-1], [redacted:user-1]_backup');
  });

  it('a word after the name of a password only if it was chosen', async () => {
    const text = session().user('use password mthdky915 to log in, or password reset').text();
    const findings = await found(text);
    assert.deepEqual(
      findings.map(({ rule, uncertain, kept }) => [rule, uncertain, kept]),
      [['password', true, true]],
    );
    assert.equal(contentOf(await exported(text, { also: true })), 'use password [redacted:password-1] to log in, or password reset');
  });

  it('a UUID with the name of a token only if it was chosen, unless the name is more specific, and no times', async () => {
    const [token, secret] = ['7f3e2a10-5b6c-4d8e-9f01-23456789abcd', '0b9c1d2e-3f40-4a5b-8c6d-7e8f90a1b2c3'];
    const text = session()
      .user(`token: "${token}", access_token: "${secret}", so ${token} and ${secret}`)
      .user(JSON.stringify({ nextPageToken: token, clientSecret: secret, secret: '2024-05-06T07:08:09.123Z' }))
      .text();
    const findings = (await found(text)).map(({ uncertain, placeholder, kept }) => [placeholder, uncertain, kept]);
    assert.deepEqual(findings, [
      ['[redacted:secret-1]', true, true],
      ['[redacted:secret-2]', undefined, undefined],
      ['[redacted:secret-2]', undefined, undefined],
      ['[redacted:secret-1]', true, true],
      ['[redacted:secret-2]', undefined, undefined],
    ]);
    assert.ok(!(await exported(text)).text.includes(secret));
    assert.ok((await exported(text)).text.includes('2024-05-06T07:08:09.123Z'));
    assert.ok(!(await exported(text, { also: true })).text.includes(token), 'what was chosen is left where no name is beside it');
  });

  it('no id, signature, hash of a blob, or image', async () => {
    const image = `iVBORw0KGgo${'Ab3+'.repeat(200)}`;
    const built = session()
      .user([{ type: 'image', data: image, mimeType: 'image/png' }])
      .assistant([{ type: 'text', text: 'x', textSignature: 'aB3_'.repeat(50) }])
      .user([{ type: 'image', data: `blob:sha256:${'0a'.repeat(32)}`, mimeType: 'image/png' }])
      .text();
    const { text, redacted } = await exported(built);
    assert.deepEqual(redacted, []);
    assert.deepEqual(text.split('\n').slice(1), built.split('\n').slice(1));
  });

  it('no type or id of an entry, even if a password is the same', async () => {
    const built = session()
      .user('password: "custom_message", password: "e0000001", password: "k9-branch_summary"')
      .entry('custom_message', { customType: 't', content: 'x', display: true })
      .text();
    const lines = (await exported(built)).text.split('\n').slice(1, 3);
    const entries = lines.map((line) => JSON.parse(line) as { type: string; id: string; parentId: string | null });
    assert.equal(String(lines[0]).split('[redacted:password-').length, 4);
    assert.deepEqual(
      entries.map(({ type, id, parentId }) => [type, id, parentId]),
      [
        ['message', 'e0000001', null],
        ['custom_message', 'e0000002', 'e0000001'],
      ],
    );
  });

  it('no names in the Base64 of a document by chance, but addresses', async () => {
    const pdf = (text: string): string =>
      Buffer.from(`%PDF-1.4\n${'1 0 obj '.repeat(8)}\x01\x02 ${text} \x03`, 'latin1').toString('base64');
    const built = (text: string): string => session({ cwd: '/home/jos/app' }).user(pdf(text)).text();
    assert.equal(contentOf(await exported(built('Jos a@b.io'))), pdf('Jos a@b.io'));
    assert.equal(contentOf(await exported(built('jane@corp.io'))), '[redacted:email-1]');
  });

  it('no code that looks like an address, a folder or a secret', async () => {
    const texts = [
      'patches/express@4.18.1.patch, lib@1.0.0-SNAPSHOT.jar',
      'this@MainActivity.finish; return@forEach.also',
      'q@k.transpose(-2, -1)',
      'systemctl status getty@tty1.service',
      'password: Uint8Array',
      'password: base64',
      'password = sha256(input)',
      'token = generateToken256Bits()',
      'const password = hash256(input1)',
      'router.get("/home/dashboard")',
      'cat password | sha256sum',
      'const fields = ["password", "username2"];',
    ];
    for (const text of texts) assert.equal(await message(text), text);
    assert.equal(await message('DB_PASSWORD=hash256(input1)'), 'DB_PASSWORD=[redacted:password-1]');
  });

  it('a value up to its delimiter, with the signs that are in it', async () => {
    const [random, password] = [['aB3dE5fG7h', 'I9jK1lM3nO5pQ'].join(''), ['s3iling', 'b0at'].join('')];
    const texts = {
      [`-H "Authorization: Bearer 4711|${random}!x~y" -v`]: '-H "Authorization: Bearer [redacted:authorization-1]" -v',
      [`X-Api-Key: ${random}:tail%x, next`]: 'X-Api-Key: [redacted:secret-1], next',
      [`https://x.io/?access_token=${random}!~&page=2`]: 'https://x.io/?access_token=[redacted:secret-1]&page=2',
      [`amqp://jan:${password}/x@mq.corp.net/v`]: 'amqp://jan:[redacted:password-1]@mq.corp.net/v',
      ['client_secret=' + ['Xk3-b9', 'qT-z4R', 'mn2'].join('_') + ' x']: 'client_secret=[redacted:secret-1] x',
      [`psk=${password}`]: 'psk=[redacted:password-1]',
      [`password: "it's${password}", x`]: 'password: "[redacted:password-1]", x',
      [`so {\\"password\\":\\"${password}\\\\\\"x\\",\\"user\\":1}`]: 'so {\\"password\\":\\"[redacted:password-1]\\",\\"user\\":1}',
      [`DB_PASSWORD=a(${password});b`]: 'DB_PASSWORD=[redacted:password-1]',
      [`Server=db;User Id=sa;Password=a(${password}){b;Database=x`]: 'Server=db;User Id=sa;Password=[redacted:password-1];Database=x',
      [`user=jan&password=${password}&x=1`]: 'user=jan&password=[redacted:password-1]&x=1',
      [`cut {"password":"${password}`]: 'cut {"password":"[redacted:password-1]',
    };
    for (const [text, expected] of Object.entries(texts)) assert.equal(await message(text), expected);
  });

  it('a password of letters alone in a variable of a shell, and no word about passwords there', async () => {
    const password = ['correct', 'horse'].join('');
    for (const text of [
      `DB_PASSWORD=${password}`,
      `export DB_PASSWORD=${password}`,
      `set -e\n  DB_PASSWORD="${password}"\necho`,
      `docker run -e DB_PASSWORD=${password} postgres`,
      `docker run -e DB_PASSWORD='${password}' postgres`,
    ])
      for (const one of [password, 'seagull'])
        assert.equal(await message(text.replace(password, one)), text.replace(password, '[redacted:password-1]'), text);
    for (const text of [
      'DB_PASSWORD=postgres',
      'DB_PASSWORD=changeme',
      `db password=${password}`,
      'DB_PASSWORD=hello',
      'APP_KEY=gentlehorse',
    ])
      assert.equal(await message(text), text);
  });

  it('a text that only one place calls a token in all others, too, if no address has it', async () => {
    const token = ['ZqPbwXr5Ki2m', 'LtkVn8cdEfGhJsb'].join('');
    const text = session()
      .user(JSON.stringify({ action: 'get', token }))
      .user(`then ${token} again`)
      .text();
    assert.ok(!(await exported(text)).text.includes(token));
    const addressed = session()
      .user(JSON.stringify({ action: 'get', token }))
      .user(`then ${token} of https://boats.feishu.cn/wiki/${token}`)
      .text();
    assert.ok((await exported(addressed)).text.includes(`then ${token} of https`));
  });

  it('a random text behind a sign or in an address, or a phrase in quotes, only if it was chosen', async () => {
    const random = ['qL8vT2xZ', 'p0RkY7mW', 'c4NsB9dH', 'j3Fg'].join('');
    for (const [before, after] of [
      ['X=', ''],
      ['https://corp.net/in/', '/run'],
      ['https://corp.net/?v=', '&x=1'],
      ['got ', '!tail~x9 back'],
    ]) {
      const text = session().user(`${before}${random}${after}`).text();
      assert.deepEqual(
        (await found(text)).map(({ rule, kept }) => [rule, kept]),
        [['long-random-text', true]],
      );
      const chosen = String(contentOf(await exported(text, { also: true })));
      assert.equal(chosen, `${before}[redacted:long-random-text-1]${after?.replace('!tail~x9', '')}`);
    }
    assert.deepEqual(
      (await found(session().user('password: "it is 4711 sails"').text())).map(({ rule, uncertain }) => [rule, uncertain]),
      [['password', true]],
    );
  });

  it('no ids of documents, which names and addresses show, unless they were chosen', async () => {
    const [node, object, parent] = [
      ['ZqPbwXr5Ki2m', 'LtkVn8cdEfGhJsb'],
      ['HtRcdYs7Lq4p', 'NwkXv2beFgJmKzd'],
      ['BwMdqTz3Vn9k', 'JrxLc6fhPgSyQea'],
    ].map((parts) => parts.join(''));
    const text = session()
      .user(`Where is the plan? https://boats.feishu.cn/wiki/${String(node)}`)
      .assistant([{ type: 'toolCall', id: 'c1', name: 'wiki', arguments: { action: 'get', token: node } }])
      .message({
        role: 'toolResult',
        toolCallId: 'c1',
        toolName: 'wiki',
        content: [
          {
            type: 'text',
            text: JSON.stringify({ node: { node_token: node, obj_token: object, parent_node_token: parent, obj_type: 'docx' } }),
          },
        ],
      })
      .assistant(`https://boats.feishu.cn/docx/${String(object)}`)
      .text();
    const { text: kept, redacted } = await exported(text);
    assert.deepEqual(redacted, []);
    assert.deepEqual(kept.split('\n').slice(1), text.split('\n').slice(1));
    const { text: chosen } = await exported(text, { also: true });
    for (const id of [node, object, parent]) assert.ok(!chosen.includes(String(id)), chosen);
    // Without an address, a text that is only called a token is one.
    assert.equal(await message(JSON.stringify({ action: 'get', token: node })), '{"action":"get","token":"[redacted:secret-1]"}');
    assert.equal(
      await message(`access_token: "${String(node)}", see https://x.io/wiki/${String(node)}`),
      'access_token: "[redacted:secret-1]", see https://x.io/wiki/[redacted:secret-1]',
    );
  });

  it('no code on one line with names of secrets', async () => {
    for (const text of [
      '{"model":"m","max_output_tokens":30000});const a=b.c(d1);return e2({"temperature":1});var q="x"',
      'r={max_tokens:4096,token:r1};i2.a(function(t){return t.token||n9(t)}),s3.b=1',
      'api_key: db-credentials-v12',
      'signing_key = order-service-account-2024',
      'const o={password:e1,remember:n};fetch("/x",{headers:{authorization:o.token2abc}})',
      'if(e.password!==t.confirmPassword1)throw Error("x");e.next()',
    ])
      assert.equal(await message(text), text);
    for (const code of [');init()', ';return.x', '}),next.a'])
      assert.equal(await message(`o.password=t4k3n1${code}`), `o.password=[redacted:password-1]${code}`);
  });

  it('words of code that are names, only in home folders', async () => {
    const { text } = await exported(session({ cwd: '/home/max/app' }).user('Math.max(1) in /home/max/app').text());
    assert.equal(contentOf({ text }), 'Math.max(1) in [redacted:home-1]/app');
  });

  it('nothing because of a comment that switches rules off', async () => {
    assert.equal(await message(`// secretlint-disable\n${TOKENS['ghp']!()}`), '// secretlint-disable\n[redacted:github-token-1]');
  });

  it('long random texts only if they were chosen', async () => {
    const random = ['qL8vT2xZ', 'p0RkY7mW', 'c4NsB9dH', 'j3Fg'].join('');
    const text = session().user(`it prints ${random} here`).text();
    const findings = await found(text);
    const keys = findings.map(({ key }) => key);
    assert.ok(keys[0] !== undefined && !random.includes(keys[0]));
    assert.deepEqual(findings, [
      {
        entryId: 'e0000001',
        field: 'message.content',
        rule: 'long-random-text',
        excerpt: 'it prints [redacted:long-random-text-1] here',
        placeholder: '[redacted:long-random-text-1]',
        key: keys[0],
        uncertain: true,
        kept: true,
      },
    ]);
    assert.deepEqual((await exported(text)).redacted, []);
    assert.equal(contentOf(await exported(text, { also: keys })), 'it prints [redacted:long-random-text-1] here');
    assert.equal((await exported(text, { also: true })).redacted.length, 1);
  });

  it('metadata of images, unless nothing is redacted', async () => {
    const segment = (marker: number, text: string): Buffer =>
      Buffer.from(`\xff${String.fromCharCode(marker)}\0${String.fromCharCode(text.length + 2)}${text}`, 'latin1');
    const [start, end] = [Buffer.from('ffd8', 'hex'), Buffer.from('ffd9', 'hex')];
    const picture = [segment(0xe0, 'JFIF\0'.padEnd(60, 'x')), segment(0xda, 'scan')];
    const image = {
      type: 'image',
      mimeType: 'image/jpeg',
      data: Buffer.concat([start, segment(0xe1, 'Exif: at home'), ...picture, end]).toString('base64'),
    };
    const text = session().user([image]).text();
    const stripped = [{ ...image, data: Buffer.concat([start, ...picture, end]).toString('base64') }];
    assert.deepEqual(contentOf(await exported(text)), stripped);
    const target = join(folder.path, 'as-it-is.jsonl');
    await exportSession(await readSession(await folder.write('c.jsonl', text)), { format: 'jsonl', target, redact: false });
    assert.deepEqual(contentOf({ text: await readFile(target, 'utf8') }), [image]);
  });

  it('the neighbors of a secret in its excerpt, in case that a rule cut it too short', async () => {
    const secret = TOKENS['ghp']!();
    const findings = await found(session().user(`see pre+${secret}+rest/of=it there, and /srv/jane/shop`).text());
    const excerpts = findings.map(({ rule, excerpt }) => [rule, excerpt]);
    assert.deepEqual(
      excerpts.filter(([rule]) => rule === 'github-token'),
      [['github-token', 'see …[redacted:github-token-1]… there, and /srv/jane…']],
    );
  });

  it('words of one’s own, in any case, with a star for a part of a word', async () => {
    const words = ['ACME-*', 'Blue Whale', 'no', 'a*b*c', '(.*)+$'];
    assert.equal(
      await message('acme-7/x and no blue whale, a-b-c', { words }),
      '[redacted:own-1] and no [redacted:own-2], [redacted:own-3]',
    );
    assert.equal(await message('x-acme-y-1 acme-y 1, key acme 1', { words: ['*acme*1'] }), '[redacted:own-1] acme-y 1, key acme 1');
  });

  it('nothing that was chosen to stay', async () => {
    const token = TOKENS['ghp']!();
    const content = `${token} a@corp.io`;
    const keep = (await found(session().user(content).text())).flatMap(({ rule, key }) => (rule === 'email' ? [key] : []));
    assert.equal(await message(content, { keep }), '[redacted:github-token-1] a@corp.io');
  });

  it('the same secrets that were reviewed, whatever is left out and stands in the title', async () => {
    const tokens = Array.from({ length: 4 }, () => TOKENS['ghp']!());
    const [one = '', two = '', three = '', four = ''] = tokens;
    const builder = session()
      .user(one)
      .user(`a ${two}`)
      .user(`b ${three}`)
      .user(`c ${four}`)
      .entry('session_info', { name: `x ${four}` });
    const source = await readSession(await folder.write('a.jsonl', builder.text()));
    const findings = await found(builder.text());
    for (const name of ['markdown-it.js', 'page.js', 'page.css', 'export.css']) await folder.write(name, '/**/');
    for (const [kept, placeholder] of [two, three, four].map((token, index) => [token, `[redacted:github-token-${String(index + 2)}]`]))
      for (const format of ['html', 'markdown', 'jsonl'] as const)
        for (const leaveOut of [[], ['e0000001']]) {
          const keep = findings.flatMap((finding) => (finding.placeholder === placeholder ? [finding.key] : []));
          const target = join(folder.path, `out-${String(exports++)}`);
          await exportSession(source, { format, target, leaveOut, redact: { keep }, pageFolder: folder.path });
          const text = await readFile(target, 'utf8');
          assert.deepEqual(
            tokens.filter((token) => text.includes(token)),
            [kept],
            `${format} ${leaveOut.join()}`,
          );
        }
  });

  it('a secret that only an entry which is left out calls one', async () => {
    const password = ['Tr0ub', '4dor', 'x9'].join('');
    const source = await readSession(
      await folder.write('a.jsonl', session().user(`password = "${password}"`).assistant(`I used ${password}.`).text()),
    );
    const target = join(folder.path, 'out.jsonl');
    await exportSession(source, { format: 'jsonl', target, leaveOut: ['e0000001'] });
    assert.match(await readFile(target, 'utf8'), /I used \[redacted:password-1\]\./);
  });

  it('a secret in a text of megabytes, without keeping the event loop', async function () {
    this.timeout(20_000);
    const token = TOKENS['ghp']!();
    // Of the processor, which nothing else on the machine adds to.
    const used = (): number => process.threadCpuUsage().user / 1000;
    let longest = 0;
    let last = used();
    const timer = setInterval(() => {
      const now = used();
      longest = Math.max(longest, now - last);
      last = now;
    }, 1);
    try {
      // The secret lies across the end of a piece.
      const text = `${'word '.repeat(52_426)}${token} ${'word '.repeat(300_000)}`;
      assert.ok(!String(await message(text)).includes(token));
    } finally {
      clearInterval(timer);
    }
    assert.ok(longest < 500, `${String(longest)} ms`);
  });
});
