// npm run bench:memory [-- quick]: recall over branches, and the time of a search in 10,000 sessions. Writes test/bench/MEMORY.md. Needs
// the output of `node esbuild.mjs --tests`. With `quick` it prints the recall of one seed and writes nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { makeStores } from '../stores.mjs';

const here = import.meta.dirname;
const load = createRequire(join(resolve(here, '..', '..', '..', 'out'), 'index.js'));
const { runTools, runPlain, Store } = load('./test/bench/memory/run.js');
const { KINDS } = load('./test/bench/memory/stories.js');

// Ranking was made with the first ones, and with 101 to 103.
const SEEDS = { tuned: [1, 2, 3], 'held out': [401, 402, 403] };
const percent = (part, whole) => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;
const rightOf = (verdicts) => verdicts.filter(({ isRight }) => isRight).length;

async function runAll(run, seeds) {
  const verdicts = [];
  for (const seed of seeds) verdicts.push(...(await run(seed)).verdicts);
  return verdicts;
}

if (process.argv[2] === 'quick') {
  const { sessions, verdicts } = await runTools(1);
  console.log(`${sessions} sessions, ${verdicts.length} questions, ${percent(rightOf(verdicts), verdicts.length)} right`);
  for (const { question } of verdicts.filter(({ isRight }) => !isRight)) console.log(`${question.kind}: ${question.text}`);
  process.exit();
}

const columns = {};
for (const [name, seeds] of Object.entries(SEEDS)) columns[`Tools, ${name}`] = await runAll((seed) => runTools(seed), seeds);
columns['Full text'] = await runAll((seed) => runPlain(seed, 'lines'), SEEDS['held out']);
columns['List of sessions'] = await runAll((seed) => runPlain(seed, 'list'), SEEDS['held out']);

const names = Object.keys(columns);
const row = (title, value) => `| ${title} | ${names.map((name) => value(columns[name])).join(' | ')} |`;
const table = [
  `| | ${names.join(' | ')} |`,
  `| --- |${' ---: |'.repeat(names.length)}`,
  row('**Right**', (all) => `**${percent(rightOf(all), all.length)}**`),
  ...KINDS.map((kind) =>
    row(kind, (all) => {
      const of = all.filter(({ question }) => question.kind === kind);
      return percent(rightOf(of), of.length);
    }),
  ),
  row('Left branches given as if active', (all) => all.filter(({ isDead }) => isDead).length),
  row('Hits for what never happened', (all) => all.filter(({ isInvented }) => isInvented).length),
  row('Calls per question', (all) => (all.reduce((sum, { calls }) => sum + calls, 0) / all.length).toFixed(2)),
  row('Tokens of the longest answer', (all) => Math.round(Math.max(...all.map(({ tokens }) => tokens)))),
];

const folder = mkdtempSync(join(tmpdir(), 'session-tree-recall-'));
const many = makeStores(process.env.BENCH_FOLDER ?? join(tmpdir(), 'session-tree-bench'), ['many10000']).many10000;
const store = await Store.open(folder, 201, [many]);
const times = [];
const used = process.cpuUsage();
for (const { text } of store.questions) {
  const before = performance.now();
  await store.ask('search_sessions', { query: text });
  times.push(performance.now() - before);
}
const { user, system } = process.cpuUsage(used);
const work = `${((user + system) / 1000 / times.length).toFixed(0)} ms`;
await store.close();
rmSync(folder, { recursive: true, force: true });
times.sort((a, b) => a - b);
const at = (part) => `${times[Math.floor(part * (times.length - 1))].toFixed(0)} ms`;

writeFileSync(
  join(here, '..', 'MEMORY.md'),
  `# Recall over branches

\`npm run bench:memory\` writes this page. It asks 200 questions about a generated store of sessions, for each seed: about facts that were said only on a branch that was left, which of two attempts was kept, the last of several fixes, decisions before a compaction, words that only calls and results have, subagents, the command that fixed an error, the middle of a turn of 80 steps, ten languages, other forms of words, and things that never happened. Questions have other words than the sessions; ranking was made with the seeds of the first column, and one rule with three others; none of these is in the second.

The strategy is fixed and has no model: \`search_sessions\` with the question as it is, then \`branch_digest\` of the first hit if the fact wasn’t there. An answer is right if a text of at most 1,000 tokens has the fact, and says rightly whether its branch is active or left and what replaced it; or if nothing is found of what never happened. *Full text* are the lines of the files with the most words of the question; *list of sessions* are the sessions that have all words, as pi’s list finds them. Both have the bytes of two answers.

${table.join('\n')}

**Time**: \`search_sessions\` with these questions in an open index of ${(10_000).toLocaleString('en')} more sessions takes ${at(0.5)} at the median and ${at(0.95)} at the 95th percentile, and ${work} of processor time on average (load of the machine: ${loadavg()[0].toFixed(1)} with ${String(availableParallelism())} cores).
`,
);
process.exit();
