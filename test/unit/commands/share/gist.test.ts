import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGist, DEFAULT_VIEWER, viewerLink } from '../../../../src/commands/share/gist';
import { isRefusal } from '../../../fixtures/refusals';

const ID = '0123456789abcdef0123456789abcdef';

describe('A secret gist', () => {
  let server: Server;
  let answer: RequestListener;
  const requests: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  const { signal } = new AbortController();

  beforeEach(async () => {
    requests.length = 0;
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { method, url, headers } = request;
        requests.push({ method, url, headers, body: Buffer.concat(parts).toString('utf8') });
        answer(request, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const api = (): string => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const create = (given: AbortSignal = signal) =>
    createGist({ token: 'a token', page: '<p>“page”</p>', description: 'Session: a', signal: given, api: api() });
  const answers = (status: number, body: unknown): void => {
    answer = (_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

  it('is created by one request, with the page under the name that viewers look for', async () => {
    answers(201, { id: ID, html_url: 'https://evil.example' });
    assert.deepEqual(await create(), { id: ID, url: `https://gist.github.com/${ID}` });
    assert.equal(requests.length, 1);
    const [{ method, url, headers, body }] = requests as [(typeof requests)[0]];
    assert.deepEqual(
      [method, url, headers.authorization, headers.accept],
      ['POST', '/gists', 'Bearer a token', 'application/vnd.github+json'],
    );
    assert.deepEqual(JSON.parse(body), {
      description: 'Session: a',
      public: false,
      files: { 'session.html': { content: '<p>“page”</p>' } },
    });
  });

  it('is refused in one sentence each', async () => {
    for (const [status, message, code, words] of [
      [401, 'Bad credentials', 'permission', /didn’t accept the sign-in.*nothing was shared/],
      [403, 'rate limit', 'permission', /doesn’t let this account.*nothing was shared: rate limit/],
      [404, 'Not Found', 'permission', /doesn’t let this account/],
      [422, 'too big', 'invalid', /refused the gist, so nothing was shared.*too big/],
      [500, undefined, 'invalid', /couldn’t create the gist: 500/],
      [201, undefined, 'invalid', /didn’t return a gist/],
    ] as const) {
      answers(status, { message });
      await assert.rejects(create(), isRefusal(code, words), String(status));
    }
    answers(201, { id: '../../x' });
    await assert.rejects(create(), isRefusal('invalid', /didn’t return a gist/));
    answer = (_, response) => response.writeHead(502).end('<html>');
    await assert.rejects(create(), isRefusal('invalid', /couldn’t create the gist: 502/));
    answer = (_, response) => response.writeHead(201).end('{"id":');
    await assert.rejects(create(), isRefusal('not-found', /couldn’t be reached/));
  });

  it('isn’t created over a redirect, which would get the token', async () => {
    answer = (request, response) => response.writeHead(request.url === '/gists' ? 307 : 201, { location: '/elsewhere' }).end('{}');
    await assert.rejects(create(), isRefusal('not-found', /couldn’t be reached/));
    assert.deepEqual(
      requests.map(({ url }) => url),
      ['/gists'],
    );
  });

  it('isn’t created without a network, or after the upload was canceled', async () => {
    const controller = new AbortController();
    answer = () => controller.abort(new Error('stop'));
    await assert.rejects(create(controller.signal), /stop/);
    const gone = api();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await assert.rejects(
      createGist({ token: '', page: '', description: '', signal, api: gone }),
      isRefusal('not-found', /couldn’t be reached \(.*ECONNREFUSED.*\).*Look at gist\.github\.com/),
    );
  });

  it('is displayed by the viewer of the setting, if that is an address', () => {
    const standard = DEFAULT_VIEWER.replace('{id}', ID);
    assert.equal(standard, `https://pi.dev/session/#${ID}`);
    assert.equal(viewerLink('https://viewer.example/?{id}', ID), `https://viewer.example/?${ID}`);
    for (const other of [undefined, 1, '', 'https://viewer.example', 'http://viewer.example/{id}', 'javascript:{id}', '{id}'])
      assert.equal(viewerLink(other, ID), standard, String(other));
  });
});
