// Starts and stops VS Code's server.
import { join } from 'node:path';
import { spawnBound } from './processes.mjs';

/** Milliseconds within which the server must listen. */
const patience = 60_000;

/**
 * Starts VS Code's server on a free loopback port (or the given one) and waits until it listens.
 * @param {object} options
 * @param {{ node: string, vscode: string }} options.host the result of installHost()
 * @param {string} options.data its data folder; user settings are in data/User/settings.json
 * @param {NodeJS.ProcessEnv} options.env reaches the extension host
 * @param {string} [options.token] the connection token; only tests may omit it, because every user of this machine can
 *   then connect
 * @param {number} [options.port]
 * @param {(text: string) => void} [options.onOutput]
 * @returns {Promise<{ origin: string, ended: Promise<string>, stop: () => Promise<void> }>} `ended` resolves to the
 *   reason when the server ends, intended or not
 */
export async function startServer({ host, data, env, token, port = 0, onOutput = () => {} }) {
  const { child, ended, kill } = spawnBound(
    host.node,
    [
      join(host.vscode, 'out', 'server-main.js'),
      ...[
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
        '--server-data-dir',
        data,
        '--telemetry-level',
        'off',
        '--accept-server-license-terms',
      ],
      ...(token ? ['--connection-token', token] : ['--without-connection-token']),
    ],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const stop = async () => {
    kill();
    await ended;
  };

  let output = '';
  let timer;
  const first = await new Promise((resolve) => {
    const read = (chunk) => {
      onOutput(String(chunk));
      if (timer === undefined) return;
      output += chunk;
      const found = /Extension host agent listening on (\d+)/.exec(output);
      if (found) resolve(Number(found[1]));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    timer = setTimeout(resolve, patience, `it did not listen after ${patience / 1000} seconds`);
    void ended.then(({ why }) => resolve(why));
  });
  clearTimeout(timer);
  timer = undefined;
  if (typeof first !== 'number') {
    await stop();
    throw new Error(`VS Code's server did not start: ${first}\n${output.trim()}`);
  }
  return { origin: `http://127.0.0.1:${first}`, ended: ended.then(({ why }) => `VS Code's server ended: ${why}`), stop };
}
