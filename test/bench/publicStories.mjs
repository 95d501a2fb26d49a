// npm run bench:stories -- <repository>: tells ten commits of a public repository that has its own sessions among its files, and
// checks each fact of the texts against the sessions and Git. Needs the output of `node esbuild.mjs --tests`. `VERBOSE=1` lists
// what differs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { core, publicRepository } from './publicRepository.mjs';

const { openCatalog, changeStory } = core;

const COMMITS = 10;
const { folder, project, root, edits, git, remove } = publicRepository();
const score = {};

/** Counts a fact, and whether it's right. */
function check(fact, isRight, detail) {
  const counts = (score[fact] ??= { right: 0, of: 0 });
  counts.of++;
  if (isRight) counts.right++;
  else if (process.env.VERBOSE) console.log(`${fact}: ${detail()}`);
}

/** Returns the letters and digits of a text, without the marks of Markdown. */
const letters = (text) => text.replace(/&(?:lt|gt|amp);|[^\p{L}\p{N}]/gu, '');
const textOf = (content) =>
  typeof content === 'string'
    ? content
    : content
        .filter(({ type }) => type === 'text')
        .map(({ text }) => text)
        .join('\n');
const sectionOf = (markdown, title) =>
  markdown
    .split(`## ${title}\n\n`)[1]
    ?.split('\n\n## ')[0]
    .split('\n')
    .filter((line) => /^(?:-|\d+\.) /.test(line)) ?? [];

/** Reads a session's messages without the extension's code. */
function messagesOf(path) {
  const entries = readFileSync(path, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
  return entries.flatMap(({ type, message }) => (type === 'message' ? [message] : []));
}

/** Returns each run of a command with its outcome. */
function runsOf(messages) {
  const results = new Map(messages.filter(({ role }) => role === 'toolResult').map((one) => [one.toolCallId, one]));
  return messages.flatMap(({ content }) =>
    (Array.isArray(content) ? content : [])
      .filter(({ type, name }) => type === 'toolCall' && name === 'bash')
      .map(({ id, arguments: { command } }) => ({ command: String(command), failed: results.get(id)?.isError === true })),
  );
}

/** Returns the dollars of a prompt's turn. */
function costAfter(messages, at) {
  let sum = 0;
  for (let next = at + 1; next < messages.length && messages[next].role !== 'user'; next++) sum += messages[next].usage?.cost?.total ?? 0;
  return sum;
}

function checkStory(commit, { markdown, sessions }) {
  const bySession = sessions.map(({ path }) => messagesOf(path));
  const all = bySession.flat();
  let last = -1;
  let cost = 0;
  for (const line of sectionOf(markdown, 'What was asked')) {
    const told = letters(line.replace(/^\d+\. /, ''));
    const at = all.findIndex(({ role, content }, index) => index > last && role === 'user' && letters(textOf(content)).startsWith(told));
    check('prompts, verbatim and in order', at >= 0, () => line);
    if (at < 0) continue;
    last = at;
    cost += costAfter(all, at);
  }
  const changed = git('diff', '--numstat', '--no-renames', `${commit}^`, commit).split('\n').filter(Boolean);
  const files = new Map(changed.map((line) => line.split('\t')).map(([added, , file]) => [file, Number(added) || 0]));
  const told = sectionOf(markdown, 'What changed');
  for (const line of told) {
    const [, file, facts] = /^- `+ ?(.*?) ?`+: (.*)$/.exec(line) ?? [];
    check('files', files.has(file), () => line);
    const lines = [...(facts ?? '').matchAll(/(\d+) lines?\b/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    const blamed = facts === 'deleted' ? 0 : git('blame', '--porcelain', '-s', commit, '--', file).split('\n');
    const own = blamed === 0 ? 0 : blamed.filter((one) => one.startsWith(commit)).length;
    check('added or changed lines of a file, by git blame', lines === own, () => `${line} (${own})`);
  }
  check('all files are named', told.length >= Math.min(files.size, 100), () => `${commit} ${told.length} of ${files.size}`);
  const runs = runsOf(all);
  for (const line of sectionOf(markdown, 'Checks')) {
    const [, command, outcome] = /^- `+ ?(.*?) ?`+: (passed|failed)$/.exec(line) ?? [];
    const sought = letters(command ?? '?');
    // The text leaves out a folder before the command, and the end of long commands.
    const run =
      runs.findLast((one) => letters(one.command).endsWith(sought)) ?? runs.findLast((one) => letters(one.command).includes(sought));
    check('checks and how they ended', run !== undefined && run.failed === (outcome === 'failed'), () => `${line} ${JSON.stringify(run)}`);
  }
  const models = new Set(all.filter(({ role }) => role === 'assistant').map(({ provider, model }) => `${provider}/${model}`));
  for (const line of sectionOf(markdown, 'Models and cost')) {
    const [, dollars] = /^- \$([\d.,]+) for/.exec(line) ?? [];
    if (dollars === undefined) check('models', models.has(line.replaceAll(/^- `|`$/g, '')), () => line);
    else check('cost', Math.abs(Number(dollars.replaceAll(',', '')) - cost) < 0.006, () => `${line} ${cost}`);
  }
}

try {
  const catalog = await openCatalog({ roots: [root], cacheDir: join(folder, 'cache') });
  await catalog.refresh();
  const times = [...edits.values()].flat();
  const [first, end] = [Math.min(...times), Math.max(...times) + 24 * 3600 * 1000];
  const commits = git('log', '--no-merges', '--reverse', '--format=%H %ct', 'HEAD', '--', ...edits.keys())
    .split('\n')
    .filter((line) => Number(line.slice(41)) * 1000 >= first && Number(line.slice(41)) * 1000 <= end)
    .map((line) => line.slice(0, 40));
  let told = 0;
  // Spread over the time.
  const step = Math.max(1, Math.floor(commits.length / (4 * COMMITS)));
  for (let at = 0; at < commits.length && told < COMMITS; at += step) {
    const commit = commits[at];
    const story = await changeStory(catalog, { repository: project, from: `${commit}^`, to: commit, redact: false });
    if (story.sessions.length === 0) continue;
    told++;
    checkStory(commit, story);
    console.log(`${commit.slice(0, 8)}: ${story.markdown.split('\n', 1)[0]}`);
  }
  console.log(`${told} of ${commits.length} commits while the sessions ran`);
  for (const [fact, { right, of }] of Object.entries(score)) console.log(`  ${fact}: ${right} of ${of}`);
  await catalog.close();
} finally {
  remove();
}
