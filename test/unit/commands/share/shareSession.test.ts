import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type * as shareModule from './registerShare';
import type { CommandDeps } from '../../../../src/commands/handler/commandDeps';
import { readSession } from '../../../../src/core/index';
import { session } from '../../../fixtures/build';
import { fakeEditor, type FakeEditor } from '../../../fixtures/fakeEditor';
import { testFolder } from '../../../fixtures/folder';
import { loadWithVscode } from '../../../fixtures/loadWithVscode';
import { TOKENS } from '../../../fixtures/plantedSecrets';
import { until } from '../../../fixtures/until';

const MODULE = join(__dirname, 'registerShare.js');
const ID = 'abcdef0123456789abcdef0123456789';

/** The most bytes of a gist in these tests. */
const MAX_BYTES = 1_000_000;

describe('Share Session as Gist', () => {
  const folder = testFolder();
  const token = TOKENS['ghp']!();
  let editor: FakeEditor;
  let server: Server;
  let path: string;
  let status: number;
  let run: (...args: unknown[]) => Promise<unknown>;
  /** Steps in their order: the sign-in, the question, and the request. */
  let steps: string[];
  let bodies: string[];
  let details: string[];
  let choice: string | undefined;
  let signIn: () => Promise<unknown>;

  beforeEach(async () => {
    editor = fakeEditor();
    [steps, bodies, details, choice, status] = [[], [], [], 'Share', 201];
    signIn = () => Promise.resolve({ accessToken: 'a token', account: { label: 'jane' } });
    server = createServer((request, response) => {
      steps.push('request');
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(status).end(JSON.stringify({ id: ID, message: 'no' }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    for (const name of ['markdown-it.js', 'page.js', 'page.css', 'export.css']) await folder.write(name, '/* page */');
    path = await folder.write('a.jsonl', session().user(`use ${token}`).assistant('private thoughts').text());
    const { messages } = editor;
    Object.assign(editor.api.window, {
      withProgress: (_: unknown, task: (progress: object, token: object) => unknown) =>
        task({ report: () => undefined }, { onCancellationRequested: () => undefined }),
      showWarningMessage: (text: string, options: { detail?: string }, ...actions: string[]) => {
        if (typeof options === 'object') {
          steps.push('question');
          details.push(options.detail ?? '');
          return Promise.resolve(actions.find((action) => action === choice));
        }
        messages.push([text, options, ...actions].filter((part) => typeof part === 'string'));
        return Promise.resolve(undefined);
      },
    });
    Object.assign(editor.api, {
      authentication: {
        getSession: (...args: unknown[]) => {
          steps.push(`sign in ${JSON.stringify(args)}`);
          return signIn();
        },
      },
    });
    const deps = {
      session: (from: string) => readSession(from),
      summary: () => undefined,
      selection: () => [],
      activeRef: () => undefined,
      log: { info: () => undefined, error: (error: unknown) => assert.fail(String(error)) },
    } as unknown as CommandDeps;
    const { shareCommands, commandCallback, createNotifier } = loadWithVscode(MODULE, editor.api) as typeof shareModule;
    const notifier = createNotifier(deps);
    const api = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const handler = shareCommands(deps, notifier, { pageFolder: folder.path, api, maxBytes: MAX_BYTES })['sessionTree.shareSession'];
    run = commandCallback(deps, notifier, handler);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const review = async (): Promise<{ accepted: { fire(value: undefined): void }; hide(): void }> => {
    await until(() => editor.picks.length > 0 && editor.picks[0]!.items.length > 0);
    return editor.picks[0] as unknown as { accepted: { fire(value: undefined): void }; hide(): void };
  };
  const shared = async (): Promise<void> => {
    const running = run({ row: 'session', path });
    (await review()).accepted.fire(undefined);
    await running;
  };

  it('sends what was reviewed, after a sign-in and a question that says who can see it', async () => {
    await shared();
    assert.deepEqual(steps, ['sign in ["github",["gist"],{"createIfNone":true}]', 'question', 'request']);
    const [detail = ''] = details;
    assert.match(detail, /“use \[redacted:github-token-1\]” .* gist of jane: \d+ KB.*Texts replaced: 1\./);
    assert.match(detail, /Anyone with the link can see it.*\nYou can delete it on gist\.github\.com/);
    const { files } = JSON.parse(bodies[0]!) as { files: Record<string, { content: string }> };
    const page = files['session.html']!.content;
    assert.ok(page.includes('private thoughts') && page.includes('[redacted:github-token-1]') && !bodies[0]!.includes(token));
    const message = [`Shared as a secret gist: https://pi.dev/session/#${ID}`, 'Copy Link', 'Open', 'Show on GitHub'];
    assert.deepEqual(editor.messages, [message]);
  });

  it('sends nothing without the last yes, a sign-in, or a review', async () => {
    choice = undefined;
    await shared();
    assert.deepEqual([steps.at(-1), bodies, editor.messages], ['question', [], []]);
    editor.picks.length = 0;
    signIn = () => Promise.reject(new Error('User did not consent to login.'));
    await shared();
    assert.deepEqual([steps.at(-1)?.startsWith('sign in'), bodies, editor.messages], [true, [], []]);
    editor.picks.length = 0;
    steps.length = 0;
    const running = run({ row: 'session', path });
    (await review()).hide();
    await running;
    assert.deepEqual([steps, bodies], [[], []]);
    signIn = () => Promise.reject(new Error('offline'));
    editor.picks.length = 0;
    await shared();
    assert.deepEqual([bodies, editor.messages], [[], [['Signing in to GitHub failed: offline']]]);
  });

  it('is refused in untrusted workspaces, also if that changes meanwhile, and to other extensions', async () => {
    editor.api.workspace.isTrusted = false;
    await run({ row: 'session', path });
    assert.deepEqual([steps, editor.messages.length], [[], 1]);
    editor.api.workspace.isTrusted = true;
    signIn = () => {
      editor.api.workspace.isTrusted = false;
      return Promise.resolve({ accessToken: 'a token', account: { label: 'jane' } });
    };
    await shared();
    assert.deepEqual([bodies, editor.messages.at(-1)], [[], ['Sessions can’t be shared from untrusted workspaces.']]);
    await assert.rejects(run({ path }), { code: 'invalid' });
  });

  it('says why GitHub refused, and offers another sign-in', async () => {
    status = 401;
    await shared();
    assert.deepEqual(editor.messages, [['GitHub didn’t accept the sign-in, so nothing was shared. Sign in again.', 'Sign In Again']]);
  });

  it('refuses what a gist can’t show, before it signs in', async () => {
    path = await folder.write('b.jsonl', session().user('jane@corp.example.io').assistant('x'.repeat(MAX_BYTES)).text());
    await shared();
    assert.deepEqual([steps, editor.messages.length], [[], 1]);
    assert.match(editor.messages[0]![0]!, /larger than 1 MB\. Choose one branch/);
  });
});
