// The real pi in the editor's terminals, with a model of ours.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { startModel, type AnswerModel, type ModelAnswer } from '../conformance/modelStub';
import { atEnd, changeSetting } from './replacements';

/** Its program. */
export const PI = resolve('test', 'host', 'node_modules', '.pi-1.5.2', 'dist', 'bundle', 'cli.js');
const MODELS = join(homedir(), '.pi', 'agent', 'models.json');

/** A model's answer that ends the turn. */
export const lastWords = (content: string): ModelAnswer => ({ delta: { content }, reason: 'stop' });

/**
 * Lets pi start with a model that gives these answers, until the test ends.
 *
 * @param program its arguments for Node, as the setting has them
 */
export async function usePi(answer: AnswerModel, program: readonly string[] = [PI]): Promise<void> {
  const server = await startModel(answer);
  atEnd(() => server.close());
  const { port } = server.address() as AddressInfo;
  const model = { id: 'tide', name: 'Tide', reasoning: false, input: ['text'], contextWindow: 128_000, maxTokens: 8_000 };
  const provider = { baseUrl: `http://127.0.0.1:${String(port)}/v1`, apiKey: 'none', api: 'openai-completions', models: [model] };
  await mkdir(dirname(MODELS), { recursive: true });
  atEnd(() => rm(MODELS, { force: true }));
  await writeFile(MODELS, JSON.stringify({ providers: { harbour: provider } }));
  await changeSetting('sessionTree.programs', {
    pi: [process.execPath, ...program, '--offline', '--provider', 'harbour', '--model', 'tide'],
  });
}
