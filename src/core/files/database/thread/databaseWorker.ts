/** The thread of `DatabaseThread`. SQLite can't be interrupted. */
import { parentPort, workerData } from 'node:worker_threads';
import { isObject } from '../../../format/values/jsonValues';
import { Pulse } from '../../concurrency/pulse';
import { serializeError } from '../../concurrency/threadErrors';
import { DatabaseReader } from './databaseReader';
import type { DatabaseThreadData, ThreadRequest, ThreadResponse } from './databaseThread';

if (!parentPort) throw new Error('This module runs in a thread.');
const port = parentPort;
// `DatabaseThread` starts the thread with this data.
const threadData = workerData as DatabaseThreadData;
const reader = new DatabaseReader(new Pulse(threadData.pulse));

/** Serves a request. Others are served in its pauses. */
async function serve({ id, method, params }: ThreadRequest): Promise<void> {
  try {
    // The types of the parameters are those of the method; see `DatabaseThread.request`.
    const call = reader[method] as (...values: readonly unknown[]) => Promise<unknown>;
    const result: unknown = await Reflect.apply(call, reader, params);
    port.postMessage({ id, result } satisfies ThreadResponse, transferable(result));
  } catch (error) {
    port.postMessage({ id, error: serializeError(error) } satisfies ThreadResponse);
  }
}

/** Returns the memory of bytes, which is passed on without a copy. */
function transferable(result: unknown): ArrayBuffer[] {
  const bytes = isObject(result) && 'bytes' in result ? result.bytes : result;
  return bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
}

port.on('message', (request: ThreadRequest) => void serve(request));
