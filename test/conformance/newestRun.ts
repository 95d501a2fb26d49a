/** Runs the newest pi as a person does, with a model of ours on this machine in place of a provider. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { uncounted } from '../fixtures/children';
import { home } from '../fixtures/environment';
import { NEWEST_COMMAND } from './piPackage';

/** One answer of the model: the fields of a `delta` in the chat completions API, and the reason why it ended. */
export interface ModelAnswer {
  readonly delta: object;
  readonly reason: 'stop' | 'tool_calls';
}

/** An answer that calls a tool. */
export const callsTool = (name: string, args: object): ModelAnswer => ({
  delta: { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } }] },
  reason: 'tool_calls',
});

/** Lets pi answer a prompt, with these answers of the model in turn. Returns the path of the session. */
export async function runNewestPi(folder: string, prompt: string, answers: readonly ModelAnswer[]): Promise<string> {
  const server = await startModel([...answers]);
  try {
    const agent = join(folder, '.pi', 'agent');
    const sessions = join(folder, 'sessions');
    await mkdir(agent, { recursive: true });
    const { port } = server.address() as AddressInfo;
    const model = {
      id: 'tide',
      name: 'Tide',
      reasoning: false,
      input: ['text'],
      cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 128_000,
      maxTokens: 8_000,
    };
    const provider = { baseUrl: `http://127.0.0.1:${String(port)}/v1`, apiKey: 'none', api: 'openai-completions', models: [model] };
    await writeFile(join(agent, 'models.json'), JSON.stringify({ providers: { harbour: provider } }));
    const args = [
      '--offline',
      '--print',
      '--provider',
      'harbour',
      '--model',
      'tide',
      '--tools',
      '+codemode',
      '--session-dir',
      sessions,
      prompt,
    ];
    const child = spawn(process.execPath, [NEWEST_COMMAND, ...args], {
      cwd: folder,
      env: { ...uncounted(), ...home(folder) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`pi ended with ${String(code)}`);
    const [name] = await readdir(sessions);
    if (name === undefined) throw new Error('pi wrote no session');
    return join(sessions, name);
  } finally {
    server.close();
  }
}

/** Starts a server that answers each request with the next answer. */
async function startModel(answers: ModelAnswer[]): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { delta, reason } = answers.shift() ?? { delta: { content: 'nothing more' }, reason: 'stop' };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const choice of [
        { index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null },
        { index: 0, delta: {}, finish_reason: reason },
      ])
        response.write(`data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', model: 'tide', choices: [choice] })}\n\n`);
      const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
      response.write(`data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', model: 'tide', choices: [], usage })}\n\n`);
      response.end('data: [DONE]\n\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
