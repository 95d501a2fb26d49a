/** Entry point of all worker threads. */
import { parentPort, workerData } from 'node:worker_threads';
import { CatalogWriter } from './catalogWriter';
import { runScanThread } from './scanThread';
import { runSearchWorker } from './searchWorker';
import type { IndexRequest, WorkerData } from './workerProtocol';

const threadData = workerData as WorkerData;

if ('reader' in threadData) runScanThread(threadData.reader);
else if ('answering' in threadData) runSearchWorker(parentPort!, threadData);
else {
  const writer = new CatalogWriter(threadData, (response) => parentPort!.postMessage(response));
  let work = Promise.resolve();
  parentPort!.on('message', (request: IndexRequest) => {
    work = work.then(() => writer.serve(request));
  });
}
