/** Runs the newest pi as a person does, with a model of ours on this machine in place of a provider. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { uncounted } from '../fixtures/children';
import { home } from '../fixtures/environment';
import { NEWEST_COMMAND } from './piPackage';

/** One answer of the model: the fields of a `delta` in the chat completions API, and the reason why it ended. */
export interface ModelAnswer {
  readonly delta: object;
  readonly reason: 'stop' | 'tool_calls';
}

/** An answer that calls a tool. */
export const callsTool = (name: string, args: object, id = 'call_1'): ModelAnswer => ({
  delta: { tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }] },
  reason: 'tool_calls',
});

/** Returns the model's answer to a request, whose last message is given as JSON. */
export type AnswerModel = (lastMessage: string) => ModelAnswer;

/** The tokens that each answer of the model has used. */
export const TOKENS = { input: 12, output: 3 };

/** Lets pi answer prompts in a session, with the folder as the home of the person. Returns the path of the session. */
export async function runNewestPi(
  folder: string,
  prompts: readonly string[],
  answer: AnswerModel,
  more: readonly string[] = [],
): Promise<string> {
  const server = await startModel(answer);
  try {
    const agent = join(folder, '.pi', 'agent');
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
    const args = ['--offline', '--print', '--provider', 'harbour', '--model', 'tide', ...more, ...prompts];
    const child = spawn(process.execPath, [NEWEST_COMMAND, ...args], {
      cwd: folder,
      env: { ...uncounted(), ...home(folder), PI_SUBAGENTS_TEMP_ROOT: join(folder, 'temporary') },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`pi ended with ${String(code)}`);
    const sessions = join(agent, 'sessions');
    const [project = ''] = await readdir(sessions);
    const name = (await readdir(join(sessions, project))).find((each) => each.endsWith('.jsonl'));
    if (name === undefined) throw new Error('pi wrote no session');
    return join(sessions, project, name);
  } finally {
    server.close();
  }
}

async function startModel(answer: AnswerModel): Promise<Server> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { delta, reason } = answer(JSON.stringify((body as { messages: unknown[] }).messages.at(-1)));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const choice of [
        { index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null },
        { index: 0, delta: {}, finish_reason: reason },
      ])
        response.write(`data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', model: 'tide', choices: [choice] })}\n\n`);
      const usage = { prompt_tokens: TOKENS.input, completion_tokens: TOKENS.output, total_tokens: TOKENS.input + TOKENS.output };
      response.write(`data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', model: 'tide', choices: [], usage })}\n\n`);
      response.end('data: [DONE]\n\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
