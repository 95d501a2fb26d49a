/** Prompts that a person chooses in their program: each is a sentence with an answer of a tool behind it. */
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import type { Memory } from '../memory/memory';
import { lookUp } from '../memory/tools/lookUp';
import type { ToolName } from '../memory/tools/tools';

/** The schema of one text. */
const oneText = <Name extends string>(name: Name, description: string) =>
  fromJsonSchema<Record<Name, string>>({
    type: 'object',
    properties: { [name]: { type: 'string', minLength: 1, maxLength: 8192, description } },
    required: [name],
  });

/** @param client returns the name of the program that asks @param onError is called if a call can't be recorded */
export function registerPrompts(server: McpServer, memory: Memory, client: () => string, onError: (error: unknown) => void): void {
  const message = async (sentence: string, tool: ToolName, args: Readonly<Record<string, unknown>>) => {
    const answer = await lookUp(memory, client(), tool, args, onError);
    return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text: `${sentence}\n\n${answer.text}` } }] };
  };
  server.registerPrompt(
    'continue_from_branch',
    {
      title: 'Continue from this branch',
      description: 'Go on with the work of a recorded branch, knowing what was asked, done and left on it.',
      argsSchema: oneText('ref', 'a session or an entry of the branch, by its reference or path'),
    },
    ({ ref }) =>
      message(
        'Continue the work of the recorded branch below. Check what of it the files have now before you change them; read_branch has its messages.',
        'branch_digest',
        { session: ref },
      ),
  );
  server.registerPrompt(
    'what_did_we_try',
    {
      title: 'What did we try?',
      description: 'Find the attempts at something in recorded sessions: what was kept, what was left, and why.',
      argsSchema: oneText('topic', 'a problem, an error message or a question'),
    },
    ({ topic }) =>
      message(
        'Tell me from the recorded sessions below what was tried, what of it was left and why, and what was kept. Use branch_digest for each branch that matters. Don’t report as done what was left.',
        'search_sessions',
        { query: topic },
      ),
  );
}
