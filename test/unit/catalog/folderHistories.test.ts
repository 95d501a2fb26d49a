import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { filesAt } from '../../../src/core/index';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { fastImport, folderHistory, HISTORY_KINDS } from '../../fixtures/folderHistory';

const SEEDS = Number(process.env['HISTORIES'] ?? 2);
const POINTS = 15;

describe('The files after an entry, in generated histories', () => {
  const project = testFolder();
  const store = testCatalog();

  for (const kind of HISTORY_KINDS) {
    it(`are the true ones wherever they’re exact, and where edits determine them: ${kind}`, async () => {
      const count = { all: 0, exact: 0, right: 0, determined: 0, determinedRight: 0, determinedExact: 0 };
      const wrong: string[] = [];
      const missed: string[] = [];
      for (let seed = 1; seed <= SEEDS; seed++) {
        const history = folderHistory(kind, seed, 120, project.path);
        for (const [name, text] of history.disk) writeFileSync(`${project.path}/${name}`, text);
        if (history.commits.length > 0) {
          execFileSync('git', ['-C', project.path, 'init', '-q', '-b', 'main']);
          execFileSync('git', ['-C', project.path, 'fast-import', '--quiet'], { input: fastImport(history) });
        }
        const catalog = await store.open(history.sessions);
        const { points } = history;
        for (let n = 0; n < POINTS; n++) {
          const point = points[Math.floor((n * points.length) / POINTS)];
          if (!point) continue;
          const files = await filesAt(catalog, { path: store.path(point.name), entryId: point.entryId });
          for (const { file, text, certainty, reason } of files) {
            const name = relative(project.path, file);
            const isRight = certainty !== 'unknown' && text === point.truth.get(name);
            const where = `${kind} seed ${String(seed)}, ${point.name} ${point.entryId}, ${name}: ${certainty} ${JSON.stringify(text)}, not ${JSON.stringify(point.truth.get(name))}; ${String(reason)}`;
            count.all++;
            if (certainty === 'exact') {
              count.exact++;
              assert.equal(reason, undefined);
              if (!isRight) wrong.push(where);
            } else assert.match(reason ?? '', /^[A-Z][^\n]{10,398}\.$/);
            if (isRight) count.right++;
            if (!point.determined.has(name)) continue;
            count.determined++;
            if (isRight) count.determinedRight++;
            else missed.push(where);
            if (certainty === 'exact') count.determinedExact++;
          }
        }
        await catalog.close();
        rmSync(store.root, { recursive: true });
        rmSync(store.cacheDir, { recursive: true });
        rmSync(`${project.path}/.git`, { recursive: true, force: true });
        for (const name of history.disk.keys()) rmSync(`${project.path}/${name}`);
      }
      if (process.env['HISTORIES'] !== undefined) {
        console.log(JSON.stringify(count), `${String(wrong.length)} wrong`);
        console.log([...wrong, ...missed].slice(0, Number(process.env['SHOW'] ?? 0)).join('\n'));
      }
      assert.equal(wrong.length, 0, wrong.slice(0, 5).join('\n'));
      assert.ok(count.determinedRight >= count.determined * 0.99, `${JSON.stringify(count)}\n${missed.slice(0, 5).join('\n')}`);
    }).timeout(120_000);
  }
});
