/** A call of a tool by an agent: its answer, and the line of the record. */
import type { Memory } from '../memory';
import { answerTool, type ToolAnswer, type ToolName } from './tools';

/**
 * Never rejects because of the question.
 *
 * @param client the program that asks, as it names itself
 * @param onError is called if the call can't be recorded
 */
export async function lookUp(
  memory: Memory,
  client: string,
  tool: ToolName,
  input: Readonly<Record<string, unknown>>,
  onError: (error: unknown, doing: string) => void,
): Promise<ToolAnswer> {
  const answer = await answerTool(memory, tool, input);
  await memory
    .record({ client, tool, input, bytes: Buffer.byteLength(answer.text), isRefused: answer.isError })
    .catch((error: unknown) => onError(error, 'recording a look-up'));
  return answer;
}
