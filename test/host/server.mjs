// Starts and stops VS Code's server.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Starts VS Code's server on a free loopback port (or the given one) and waits until it listens.
 * @param {object} options
 * @param {{ node: string, vscode: string }} options.host what installHost() answered
 * @param {string} options.data its data folder; user settings are in data/User/settings.json
 * @param {NodeJS.ProcessEnv} options.env reaches the extension host
 * @param {string} [options.token] the connection token; without one anybody on this machine can open it, so only in tests
 * @param {number} [options.port]
 * @param {(text: string) => void} [options.onOutput]
 * @returns {Promise<{ origin: string, ended: Promise<string>, stop: () => Promise<void> }>}
 *   `ended` settles with the reason when the server ends, wanted or not
 */
export async function startServer({ host, data, env, token, port = 0, onOutput = () => {} }) {
  const child = spawn(
    host.node,
    [
      join(host.vscode, 'out', 'server-main.js'),
      ...['--host', '127.0.0.1', '--port', String(port), '--server-data-dir', data, '--telemetry-level', 'off'],
      ...(token ? ['--connection-token', token] : ['--without-connection-token']),
      // Without the smoke test driver the address can't name an extension under development.
      ...['--accept-server-license-terms', '--enable-smoke-test-driver'],
    ],
    // A group of its own, so that stop() reaches the extension hosts and terminals too.
    { env, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' },
  );
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`VS Code's server ended (${signal ?? `exit code ${code}`})`));
  });
  const kill = () => killGroup(child);
  process.once('exit', kill);
  void ended.then(() => process.off('exit', kill));
  const stop = async () => {
    kill();
    await ended;
  };

  let output = '';
  const listening = new Promise((resolve) => {
    const read = (chunk) => {
      const text = String(chunk);
      onOutput(text);
      output += text;
      const found = /Extension host agent listening on (\d+)/.exec(output);
      if (found) resolve(Number(found[1]));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  });
  const first = await Promise.race([listening, ended, new Promise((resolve) => setTimeout(resolve, 60_000, 'no answer after 60 seconds').unref())]);
  if (typeof first !== 'number') {
    await stop();
    throw new Error(`VS Code's server did not start: ${first}\n${output.trim()}`);
  }
  return { origin: `http://127.0.0.1:${first}`, ended, stop };
}

function killGroup(child) {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
