/** Runs the newest pi as a person does, with a model of ours on this machine in place of a provider. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { uncounted } from '../fixtures/children';
import { home } from '../fixtures/environment';
import { startModel, type AnswerModel } from './modelStub';
import { NEWEST_COMMAND } from './piPackage';

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
