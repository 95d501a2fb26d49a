/** Entry point of all worker threads. */
import { parentPort, workerData } from 'node:worker_threads';
import { CatalogWriter } from './catalogWriter';
import { runScanThread } from './scan/scanThread';
import { runSearchWorker } from './searchWorker';
import type { IndexRequest, WorkerData } from './protocol/workerProtocol';

// The client that starts a thread gives it this data.
const threadData = workerData as WorkerData;
const port = parentPort;

if ('reader' in threadData) runScanThread(threadData.reader, threadData.pulse);
else if (!port) throw new Error('This module is the entry point of worker threads.');
else if ('database' in threadData) runSearchWorker(port, threadData);
else {
  const writer = new CatalogWriter(threadData, (response) => port.postMessage(response));
  let work = Promise.resolve();
  port.on('message', (request: IndexRequest) => {
    work = work.then(() => writer.serve(request));
  });
}
