// Runs tests in processes that are reused for several mutations.
import { join } from 'node:path';
import { spawnBound } from '../../host/processes.mjs';

const project = join(import.meta.dirname, '..', '..', '..');

/** Gives each worker its next task once it has finished one. */
export async function share(workers, work, doIt) {
  const queue = work.values();
  const workAll = async (worker) => {
    for (const piece of queue) await doIt(worker, piece);
  };
  await Promise.all(workers.map(workAll));
}

/** Runs tests in a process, and in a new one after that had to be ended. */
export class Worker {
  #node;
  #preload;
  #env;
  #process;

  /**
   * @param {string} node
   * @param {string} preload a module that is loaded before everything else
   * @param {NodeJS.ProcessEnv} [env] more for the process
   */
  constructor(node, preload, env = {}) {
    this.#node = node;
    this.#preload = preload;
    this.#env = { ...process.env, ...env };
  }

  /** @returns {Promise<{ failure?: string, title?: string, endless?: boolean, times?: [string, number][] }>} */
  async run(job, limit) {
    // The memory limit ends mutations that grow without end.
    this.#process ??= spawnBound(
      this.#node,
      ['--max-old-space-size=1024', '--import', this.#preload, join(import.meta.dirname, 'worker.mjs')],
      { cwd: project, env: this.#env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
    );
    const running = this.#process;
    const { child, ended } = running;
    let timer;
    try {
      return await Promise.race([
        new Promise((resolve) => {
          child.once('message', resolve);
          child.send(job);
        }),
        ended.then(({ why }) => this.#gone(running, { failure: `the process of the tests ended: ${why}` })),
        new Promise((resolve) => (timer = setTimeout(() => resolve(this.#gone(running, { endless: true })), limit))),
      ]);
    } finally {
      clearTimeout(timer);
      child.removeAllListeners('message');
    }
  }

  #gone(running, answer) {
    if (this.#process === running) this.end();
    return answer;
  }

  end() {
    this.#process?.kill();
    this.#process = undefined;
  }
}
