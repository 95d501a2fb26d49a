// Generates stores from a seed: the same seed gives the same bytes.
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { writePlainSession } from './plainSession.mjs';
import { writeRealSession } from './realSession.mjs';
import { Speech, vocabulary } from './speech.mjs';

const START = Date.parse('2026-01-02T08:00:00.000Z');

/** The size of a session, and of a typical tool result, are in bytes. */
const STORES = {
  // 482 MB: 200 sessions of some weeks.
  large: { session: writePlainSession, files: 200, size: 2.41e6, resultBytes: 6800 },
  // One very long session.
  single: { session: writePlainSession, files: 1, size: 101e6, resultBytes: 6800 },
  // Years of short sessions.
  small: { session: writePlainSession, files: 2700, size: 20e3, resultBytes: 6800 },
  // The same with lines as real programs write them.
  realLarge: { session: writeRealSession, files: 200, size: 2.41e6, resultBytes: 2400 },
  realSingle: { session: writeRealSession, files: 1, size: 101e6, resultBytes: 2400, program: 'pi' },
  realSmall: { session: writeRealSession, files: 2700, size: 20e3, resultBytes: 800 },
  // Very many short sessions. Not part of `bench:pi`. Those of `bench:many` have one request and about 7 KB.
  many5000: { session: writePlainSession, files: 5000, size: 200, resultBytes: 1000 },
  many10000: { session: writePlainSession, files: 10_000, size: 200, resultBytes: 1000 },
  many50000: { session: writePlainSession, files: 50_000, size: 200, resultBytes: 1000 },
  realMany: { session: writeRealSession, files: 50_000, size: 3e3, resultBytes: 300, turns: 2, hasPrompt: false },
};

/** The stores that `bench:pi` uses. */
export const COMPARED_STORES = ['large', 'single', 'small', 'realLarge', 'realSingle', 'realSmall'];

/** Bytes of lines that are written at once. */
const PENDING_BYTES = 1 << 20;

function writeFile(path, write) {
  const file = openSync(path, 'w');
  let pending = '';
  write((line) => {
    pending += line;
    if (pending.length < PENDING_BYTES) return;
    writeSync(file, pending);
    pending = '';
  });
  writeSync(file, pending);
  closeSync(file);
}

/** Writes the named stores that don't exist yet. Returns the path of each. */
export function makeStores(folder, names = COMPARED_STORES) {
  const words = vocabulary();
  return Object.fromEntries(
    names.map((name) => {
      const { session, files, ...options } = STORES[name];
      const root = join(folder, name);
      if (!existsSync(join(root, 'complete'))) {
        for (let seed = 1; seed <= files; seed++) {
          const cwd = `/work/project${seed % 12}`;
          const project = join(root, `--work-project${seed % 12}--`);
          mkdirSync(project, { recursive: true });
          const path = join(project, `2026-01-02T08-00-00-000Z_${seed.toString(16).padStart(12, '0')}.jsonl`);
          writeFile(path, (write) => session(new Speech(words, seed), { ...options, seed, cwd, start: START + seed * 60_000, write }));
        }
        writeFileSync(join(root, 'complete'), '');
      }
      return [name, root];
    }),
  );
}
