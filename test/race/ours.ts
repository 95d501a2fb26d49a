/**
 * One of our processes in the race: `node ours.js <storage> <root> <log> <name> <seed> <operations>`. It performs one
 * operation at a time and logs each before and after it, so that the process can be killed at any time.
 */
import { appendFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readSession } from '../../src/core/files/read/sessionFile';
import { createWriter } from '../../src/core/files/write/sessionWriter';
import { openWrites } from '../../src/core/files/history/writes';
import { SessionError } from '../../src/core/format/entry/problem';
import { numbers } from '../fixtures/random';
import type { OperationRecord } from './judge';

const [storage = '', root = '', log = '', name = '', seed = '0', operations = '1'] = process.argv.slice(2);
const next = numbers(Number(seed));
const oneOf = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
const record = (entry: OperationRecord): void => appendFileSync(log, `${JSON.stringify(entry)}\n`);

type Outcome = Pick<OperationRecord, 'ids' | 'made' | 'concurrent'>;

async function run(): Promise<void> {
  const writes = await openWrites({
    folder: storage,
    writer: createWriter({ locksDir: join(storage, 'windows') }),
    roots: () => [{ path: root, dialect: 'pi', flat: true }],
    onProblem: () => undefined,
  });
  const { writer, queue } = writes;
  await writes.recover();
  for (let n = 0; n < Number(operations); n++) {
    const file = oneOf((await readdir(root)).filter((one) => /^talk-\w+\.jsonl$/.test(one)));
    const path = join(root, file);
    const operation = oneOf(['label', 'label', 'label', 'rename', 'rename', 'branch', 'undo', 'queue', 'fork'] as const);
    const force = next() < 0.7;
    const text = `${name}-${String(n)}`;
    const turn = next();
    const target = async (): Promise<string> => {
      const { entries } = await readSession(path);
      return entries[Math.floor(turn * entries.length)]!.id;
    };
    const work = async (): Promise<Outcome> => {
      switch (operation) {
        case 'label':
          return submitted(await writer.submit(path, { kind: 'label', entryId: await target(), label: text }, { force }));
        case 'rename':
          return submitted(await writer.submit(path, { kind: 'rename', name: text }, { force }));
        case 'branch':
          return submitted(await writer.submit(path, { kind: 'branch', entryId: await target(), summary: text }, { force }));
        case 'undo':
          await writes.undo({ force });
          return {};
        case 'queue':
          await queue.enqueue(path, { kind: 'label', entryId: await target(), label: text });
          return { ids: (await queue.settle(path, writer)).written.map(({ entryId }) => entryId) };
        case 'fork':
          return { made: (await writer.forkSession(path)).path };
      }
    };
    record({ n, operation, file, text, force });
    const outcome = await work().catch((error: unknown): Pick<OperationRecord, 'refused' | 'why'> => {
      if (error instanceof SessionError) return { refused: error.code, why: error.message };
      return { refused: 'bug', why: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    });
    record({ n, operation, file, text, force, ended: true, ...outcome });
  }
}

const submitted = ({ entryId, concurrent }: { readonly entryId: string; readonly concurrent?: true }): Outcome => ({
  ids: [entryId],
  ...(concurrent ? { concurrent } : {}),
});

void run();
