// Tells from a profile what the extension host did in its longest tasks.
import { readFile } from 'node:fs/promises';

/** Functions printed for each task. */
const SHOWN = 8;

/**
 * Prints the functions that took most of each long task, with the functions that they called.
 * @param {{ to: number, used: number }[]} tasks their ends in microseconds, and their processor time in milliseconds
 */
export async function printPauses(file, tasks) {
  const { nodes, samples, timeDeltas, startTime } = JSON.parse(await readFile(file, 'utf8'));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const child of node.children ?? []) byId.get(child).parent = node;
  let time = startTime;
  const moments = samples.map((id, index) => ({ node: byId.get(id), at: (time += timeDeltas[index]), taken: timeDeltas[index + 1] ?? 0 }));
  for (const { to, used } of tasks) {
    const times = new Map();
    for (const { node, at, taken } of moments) {
      if (at < to - used * 1000 || at > to) continue;
      const seen = new Set();
      for (let one = node; one?.parent; one = one.parent) seen.add(nameOf(one));
      for (const name of seen) times.set(name, (times.get(name) ?? 0) + taken / 1000);
    }
    const largest = [...times].sort((a, b) => b[1] - a[1]).slice(0, SHOWN);
    console.log(
      `${used.toFixed(1)} ms at ${Math.round((to - startTime) / 1000)}: ${largest.map(([name, taken]) => `${name} ${taken.toFixed(1)}`).join(', ')}`,
    );
  }
}

const nameOf = ({ callFrame: { functionName, url, lineNumber } }) =>
  url === '' ? functionName : `${functionName || '(anonymous)'} (${url.split('/').at(-1)}:${lineNumber + 1})`;
