/** A model of ours on this machine in place of a provider, which answers the chat completions API. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';

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

/** Returns the model's answer to a request, whose last and first messages are given as JSON. The first one has the system prompt. */
export type AnswerModel = (lastMessage: string, firstMessage: string) => ModelAnswer;

/** The tokens that each answer of the model has used. */
export const TOKENS = { input: 12, output: 3 };

/** Starts the model on a free port. */
export async function startModel(answer: AnswerModel): Promise<Server> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { messages } = body as { messages: unknown[] };
      const { delta, reason } = answer(JSON.stringify(messages.at(-1)), JSON.stringify(messages[0]));
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
