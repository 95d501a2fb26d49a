// npm run bench:public -- <repository>: checks line origins against a public repository that has its own sessions among
// its files, such as a clone of badlogic/pi-mono. What `git blame` says is the control. Nothing of the repository is
// kept, and none of its programs run. Needs the output of `node esbuild.mjs --tests`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { core, publicRepository } from './publicRepository.mjs';

const { openCatalog, lineOrigins } = core;

const BOT = /\[bot\]$|^mom$/;
const { folder, project, root, edits, git, remove } = publicRepository();

/** Returns the commit of each line: its author and time. */
function blame(commit, file) {
  const known = new Map();
  const lines = [];
  let hash;
  for (const line of git('blame', '--line-porcelain', commit, '--', file).split('\n')) {
    const header = /^([0-9a-f]{40}) \d+ \d+/.exec(line);
    if (header) known.set((hash = header[1]), known.get(hash) ?? { hash });
    else if (line.startsWith('author ')) known.get(hash).author = line.slice(7);
    else if (line.startsWith('committer-time ')) known.get(hash).time = Number(line.slice(15)) * 1000;
    else if (line.startsWith('\t')) lines.push(known.get(hash));
  }
  return lines;
}

/** Returns the file's commits, the oldest first. */
const commitsOf = (file, end) =>
  git('log', '--reverse', '--format=%H %ct', end, '--', file)
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ hash: line.slice(0, 40), time: Number(line.slice(41)) * 1000 }));

const newScore = () => ({
  files: 0,
  exact: 0,
  right: 0,
  likely: 0,
  likelyRight: 0,
  window: 0,
  found: 0,
  others: 0,
  claimed: 0,
  bots: 0,
  botsClaimed: 0,
});

function addLines(score, lines, origins, commits, times) {
  score.files++;
  // Commits from the first edit to the one after the last edit may have the session's work, and a person's.
  const first = Math.min(...times);
  const last = commits.find(({ time }) => time >= Math.max(...times))?.time ?? Infinity;
  for (const [index, { hash, time, author }] of lines.entries()) {
    const origin = origins.find(({ from, to }) => from <= index + 1 && to > index);
    const isInWindow = time >= first && time <= last;
    // The line was committed after the edit, with the first commit after it.
    const isRight = origin !== undefined && isInWindow && commits.find((commit) => commit.time >= origin.time)?.hash === hash;
    if (origin?.certainty === 'exact') {
      score.exact++;
      if (isRight) score.right++;
    } else if (origin) {
      score.likely++;
      if (isRight) score.likelyRight++;
    }
    score[isInWindow ? 'window' : 'others']++;
    if (origin) score[isInWindow ? 'found' : 'claimed']++;
    if (BOT.test(author)) {
      score.bots++;
      if (origin) score.botsClaimed++;
    }
  }
}

function print(title, { files, exact, right, likely, likelyRight, window, found, others, claimed, bots, botsClaimed }) {
  const of = (part, all) => `${part} of ${all}${all > 0 ? ` (${((100 * part) / all).toFixed(1)} %)` : ''}`;
  console.log(
    [
      `${title}: ${files} files`,
      `exact lines committed right after the edit: ${of(right, exact)}; likely ones: ${of(likelyRight, likely)}`,
      `lines committed while the sessions ran that are claimed: ${of(found, window)}`,
      `all other lines that are claimed: ${of(claimed, others)}; those of bots: ${of(botsClaimed, bots)}`,
    ].join('\n  '),
  );
}

try {
  const branch = git('rev-parse', 'HEAD').trim();
  const catalog = await openCatalog({ roots: [root], cacheDir: join(folder, 'cache') });
  await catalog.refresh();
  const scores = { after: newScore(), now: newScore() };
  for (const [file, times] of edits) {
    const commits = commitsOf(file, branch);
    const after = commits.find(({ time }) => time >= Math.max(...times));
    for (const [which, commit] of [
      ['after', after?.hash],
      ['now', branch],
    ]) {
      if (commit === undefined) continue;
      git('checkout', '-q', '--detach', commit);
      let text;
      try {
        text = readFileSync(join(project, file), 'utf8');
      } catch {
        // The file isn't in this commit.
        continue;
      }
      const origins = await lineOrigins(catalog, join(project, file), { text });
      addLines(scores[which], blame(commit, file), origins, commits, times);
    }
  }
  const count = (await catalog.sessions()).length;
  const calls = [...edits.values()].reduce((sum, times) => sum + times.length, 0);
  console.log(
    `${count} sessions with ${calls} edits and writes of ${edits.size} files, ${git('rev-list', '--count', branch).trim()} commits`,
  );
  print('At the first commit after the last edit', scores.after);
  print('At the newest commit', scores.now);
  await catalog.close();
} finally {
  remove();
}
