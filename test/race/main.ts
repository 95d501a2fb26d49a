/** Runs one race and prints its outcome: `node main.js [--minutes N] [--seed N] [--bun path --omp folder]`. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { race } from './race';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string' },
    bun: { type: 'string' },
    omp: { type: 'string' },
    quiet: { type: 'boolean', default: false },
  },
});

void (async () => {
  const seed = Number(values.seed ?? Date.now() % 1e9);
  const minutes = Number(values.minutes);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'race-')));
  console.log(`Seed ${String(seed)}, ${String(minutes)} minutes, in ${folder}`);
  const { outcomes, agentLines, killed, stopped, failures, damaged } = await race({
    folder,
    seed,
    operations: Infinity,
    time: minutes * 60_000,
    ...(values.bun === undefined || values.omp === undefined ? {} : { omp: { bun: values.bun, source: values.omp } }),
    onProgress: (text) => values.quiet || console.log(text),
  });
  console.log(
    `\nThe agents wrote ${String(agentLines)} lines. Ours were killed ${String(killed)} times and stopped ${String(stopped)} times.\n`,
  );
  for (const [what, ends] of [...outcomes].sort())
    console.log(`  ${what.padEnd(24)} ${[...ends].map(([end, count]) => `${String(count)} ${end}`).join(', ')}`);
  for (const why of damaged) console.log(`  damaged: ${why}`);
  for (const why of new Set(failures)) console.log(`  oh-my-pi: ${why}`);
  console.log('\nNo line is lost, glued or cut off, and every reported result was true.');
  await rm(folder, { recursive: true });
})().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
