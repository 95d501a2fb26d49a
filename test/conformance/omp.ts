/** Asks the real oh-my-pi about sessions, in a process of its own: its code expects to be a whole program. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { startChildWith, uncounted, type Child } from '../fixtures/children';
import { home, withEnvironment } from '../fixtures/environment';

/** A session as oh-my-pi reads it. */
export interface OmpAnswer {
  readonly ids: readonly string[];
  readonly leafId: string | null;
  readonly name: string | null;
  readonly roots: readonly string[];
  readonly nodes: readonly { readonly id: string; readonly label: string | null; readonly children: readonly string[] }[];
  /** The path to each entry. */
  readonly branches: readonly (readonly string[])[];
  /** The context at each entry, and before the first one. */
  readonly contexts: readonly {
    readonly id: string | null;
    readonly messages: readonly unknown[];
    readonly thinkingLevel: string;
    readonly models: Readonly<Record<string, string>>;
    readonly injectedTtsrRules: readonly string[];
    readonly mode: string;
  }[];
  readonly totals: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly cost: number;
  };
}

/** A row of its list. */
export interface OmpListed {
  readonly path: string;
  readonly id: string;
  readonly cwd: string;
  readonly title?: string;
  readonly parentSessionPath?: string;
  readonly created: string;
  readonly messageCount: number;
  readonly firstMessage: string;
}

export interface Omp {
  /** @param path a copy, since opening may write */
  read(path: string): Promise<OmpAnswer>;
  list(folder: string): Promise<readonly OmpListed[]>;
  end(): Promise<void>;
}

/** @param homeFolder its home folder */
export async function startOmp(homeFolder: string): Promise<Omp> {
  const installed = resolve('test', 'host', 'node_modules', '.omp-18.3.4', '.complete');
  if (!existsSync(installed))
    throw new Error('oh-my-pi is missing. Run "node test/host/installOmp.mjs", or "npm run test:unit", which does.');
  let child!: Child;
  await withEnvironment(home(homeFolder), async () => {
    // With cached code of oh-my-pi's bundle, Node 24 ends with a segmentation fault.
    child = await startChildWith({ ...uncounted(), NODE_COMPILE_CACHE: undefined }, 'ompChild');
  });
  const ask = async (path: string): Promise<{ read?: OmpAnswer; listed?: OmpListed[] }> => {
    child.say(path);
    const answer = JSON.parse(await child.heard()) as { read?: OmpAnswer; listed?: OmpListed[]; error?: string };
    if (answer.error !== undefined) throw new Error(`oh-my-pi: ${answer.error}`);
    return answer;
  };
  return {
    read: async (path) => (await ask(path)).read!,
    list: async (folder) => (await ask(folder)).listed!,
    end: () => child.end(),
  };
}
