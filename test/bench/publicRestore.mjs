// npm run bench:restore -- <repository>: restores the files of a public repository that has its own sessions among its files
// to ten points, and compares them with the commits right after. Needs the output of `node esbuild.mjs --tests`.
// `VERBOSE=1` lists what differs.
import { join, relative } from 'node:path';
import { core, publicRepository } from './publicRepository.mjs';

const { openCatalog, filesAt, planRestore } = core;

const POINTS = 10;
/** Milliseconds from a point to its commit; later commits may have much that no session did. */
const SOON = 10 * 60 * 1000;
const { folder, project, root, edits, sessions, git, moveGit, remove } = publicRepository();

/** Returns the commits of files that the sessions touched, the oldest first. */
function commits() {
  const list = git('log', '--no-merges', '--format=%H %ct %an', 'HEAD', '--', ...edits.keys())
    .split('\n')
    .filter(Boolean);
  return list
    .map((line) => /^(?<hash>\S+) (?<seconds>\d+) (?<author>.*)$/.exec(line).groups)
    .map(({ hash, seconds, author }) => ({ hash, author, time: Number(seconds) * 1000 }))
    .sort((a, b) => a.time - b.time);
}

/** Returns the prompts and results of all sessions in order of time. The state after an answer is that after its results. */
async function entries(catalog) {
  const all = [];
  for (const { path } of await catalog.sessions()) {
    for (const { id, role, messageTime, time } of (await catalog.session(path)).entries) {
      if (role === 'user' || role === 'toolResult') all.push({ path, entryId: id, time: messageTime ?? time });
    }
  }
  return all.sort((a, b) => a.time - b.time);
}

/** Returns the file's text in a commit; `undefined` if it isn't there. */
const blob = (commit, file) => (git('ls-tree', commit, '--', file) === '' ? undefined : git('cat-file', 'blob', `${commit}:${file}`));

/** Returns the file's text in the commit after a point and whether it says something about the point. */
function truthOf(file, { ref, commit }) {
  const times = git('log', '--format=%H %ct', commit.hash, '--', file).split('\n').filter(Boolean);
  const before = times.map((line) => ({ hash: line.slice(0, 40), time: Number(line.slice(41)) * 1000 }));
  // Somebody committed a change of it after the point, before the commit.
  const isOthers = before.some(({ hash, time }) => hash !== commit.hash && time > ref.time);
  const edited = Math.max(...(edits.get(file) ?? []).filter((time) => time <= ref.time));
  // The commit left it out.
  const isUncommitted = edited > Math.max(...before.map(({ time }) => time));
  return { text: blob(commit.hash, file), counts: !isOthers && !isUncommitted, isOwn: sessions.get(ref.path).has(file) };
}

const WRITTEN = new Set(['write', 'create', 'delete']);

/** Compares all states and plans. @param prepare is called before each point */
async function measure(catalog, points, title, prepare = () => undefined) {
  const newScore = () => ({ exact: 0, exactRight: 0, likely: 0, likelyRight: 0, unknown: 0 });
  const own = newScore();
  const others = newScore();
  const plans = { written: 0, right: 0 };
  for (const point of points) {
    prepare(point);
    for (const { file, text, certainty, reason = '' } of await filesAt(catalog, point.ref)) {
      const truth = point.truths.get(relative(project, file));
      if (!truth?.counts) continue;
      const states = truth.isOwn ? own : others;
      states[certainty]++;
      if (certainty === 'unknown') continue;
      if (text === truth.text) states[`${certainty}Right`]++;
      else if (process.env.VERBOSE) {
        const where = `${certainty} ${relative(project, file)} before ${point.commit.hash.slice(0, 8)}`;
        console.log(`${where}: ${text?.length} characters, not ${truth.text?.length}. ${reason}`);
      }
    }
    for (const { file, action, text } of (await planRestore(catalog, point.ref, { include: 'likely' })).files) {
      const truth = point.truths.get(relative(project, file));
      if (!truth?.counts) continue;
      if (WRITTEN.has(action)) {
        plans.written++;
        if (text === truth.text) plans.right++;
      } else plans[action] = (plans[action] ?? 0) + 1;
    }
  }
  console.log(`${title}\n  files of the point’s session: ${JSON.stringify(own)}`);
  console.log(`  files that only another session touched: ${JSON.stringify(others)}\n  plans: ${JSON.stringify(plans)}`);
}

try {
  const catalog = await openCatalog({ roots: [root], cacheDir: join(folder, 'cache') });
  await catalog.refresh();
  const all = await entries(catalog);
  const branch = git('rev-parse', 'HEAD').trim();
  const list = commits();
  const soon = list.flatMap((commit) => {
    const ref = all.findLast(({ time }) => time < commit.time);
    return ref && commit.time - ref.time <= SOON ? [{ ref, commit }] : [];
  });
  const authors = new Set(soon.map(({ commit }) => commit.author));
  console.log(`${soon.length} commits while the sessions ran, by ${[...authors].join(', ')}`);
  // Of several commits after one entry, the first one.
  const first = soon.filter(({ ref }, at) => soon[at - 1]?.ref !== ref);
  const points = Array.from({ length: Math.min(POINTS, first.length) }, (_, n) => first[Math.floor((n * first.length) / POINTS)]);
  for (const point of points) point.truths = new Map([...edits.keys()].map((file) => [file, truthOf(file, point)]));
  const counted = points.map(({ truths }) => [...truths.values()].filter(({ counts }) => counts).length);
  console.log(`${points.length} points with ${edits.size} files each, of which ${counted.join(', ')} count`);
  const disks = [
    ['the last of the ten commits', points.at(-1).commit.hash],
    ['the newest commit', branch],
  ];
  for (const [name, commit] of disks) {
    git('checkout', '-q', '--detach', commit);
    await measure(catalog, points, `${name} on the disk, with all commits`);
    // The commit that's compared, and all later ones, aren't known then.
    const setBack = (point) => git('update-ref', '--no-deref', 'HEAD', `${point.commit.hash}^`);
    await measure(catalog, points, `${name} on the disk, with the commits up to the point`, setBack);
    git('update-ref', '--no-deref', 'HEAD', commit);
    moveGit(join(folder, 'git'));
    await measure(catalog, points, `${name} on the disk, without commits`);
    moveGit(join(project, '.git'));
  }
  await catalog.close();
} finally {
  remove();
}
