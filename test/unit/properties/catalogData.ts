/** The catalog's data for a file, to compare ways of reading it. */
import { LineTable, toolsOfLines } from '../../../src/core/catalog/encoding/lineTable';
import { bytesOfText, textCount, lineOfText } from '../../../src/core/catalog/index/lineWords';
import { scanSession, type ScanBuffers } from '../../../src/core/catalog/index/scanSession';
import { decodeTouches } from '../../../src/core/catalog/encoding/touchTable';
import type { Dialect } from '../../../src/core/format/entry/dialect';
import { sessionValues } from '../../fixtures/shape';

/** Returns the catalog's data for a file as plain values. */
export function catalogData(path: string, dialect: Dialect, room: ScanBuffers): unknown {
  const {
    index: { words, lines, touches, usage, ...rest },
    session: read,
    checksum: mark,
  } = scanSession(path, { dialect, buffers: room, check: () => undefined });
  return {
    ...rest,
    mark,
    session: sessionValues(read),
    words: Array.from({ length: textCount(words) }, (_, index) => [
      lineOfText(words, index),
      Buffer.from(bytesOfText(words, index)).toString().split(/\s+/).filter(Boolean),
    ]),
    lines: new LineTable(lines).all(),
    tools: new Set(toolsOfLines(lines)),
    touches: (JSON.parse(touches.paths) as string[]).map((file) => [file, [...decodeTouches(touches, (one) => one === file)]]),
    usage: new Set(usage.map((fact) => JSON.stringify(fact, ['day', 'model', 'input', 'output', 'cacheRead', 'cacheWrite', 'cost']))),
  };
}
