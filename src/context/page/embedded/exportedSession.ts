/** Reads the session that is embedded in an exported page. */
import { defined } from '../../../core/format/values/defined';
import { isObject } from '../../../core/format/values/jsonValues';
import { EXPORT_INFO_ID, type ExportInfo } from '../../../core/format/export/exportInfo';
import { DATA_BLOCK_SELECTOR, extractLine } from '../../../core/format/export/htmlData';
import { openLines, type TextSession } from '../../../core/format/session/read/textSession';
import type { SessionSource } from '../../snapshot/sessionSource';

export interface ExportedSession extends TextSession {
  readonly source: SessionSource;
}

export function readExportInfo(): ExportInfo {
  const info: unknown = JSON.parse(document.getElementById(EXPORT_INFO_ID)?.textContent ?? '{}');
  return { title: '', ...(isObject(info) ? info : {}) };
}

/** @throws {SessionError} `not-a-session` if the lines have no header. */
export function readExportedSession({ dialect, leafId }: ExportInfo): ExportedSession {
  // Each block begins and ends with a line break.
  const blocks = [...document.querySelectorAll(DATA_BLOCK_SELECTOR)].map(({ textContent }) => textContent.split('\n').slice(1, -1));
  const lines = blocks.flat().map(extractLine);
  const facts = leafId == null ? undefined : { leafId, marks: {}, ...defined({ dialect }) };
  const opened = openLines([...lines, ''], { path: '', home: '', ...defined({ rootDialect: dialect, facts }) });
  return { ...opened, source: sourceOf(opened) };
}

const sourceOf = ({ body }: TextSession): SessionSource => ({
  bodies: (_session, ids) => new Promise((resolve) => resolve(ids.map(body))),
  blob: () => Promise.resolve(undefined),
  blobStart: () => Promise.resolve(undefined),
  home: '',
  yield: nextTask,
  // Doesn't yield: a print needs all articles before the browser takes its picture.
  yielder: () => ({ yieldIfDue: () => Promise.resolve() }),
});

/** Resolves in a separate task. Unlike after `setTimeout`, the browser adds no pause. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
