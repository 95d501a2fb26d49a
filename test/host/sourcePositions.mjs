// Names the sources in stack traces of built files. Node's own flag would read the source map of each loaded file in each
// process and thread, whether a test fails or not.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';

const project = join(import.meta.dirname, '..', '..');
const out = join(project, 'out') + sep;
const MAP = /\/\/# sourceMappingURL=(?:data:application\/json;base64,([\w+/=]+)|(.+))\s*$/;

/**
 * Replaces the positions in built files by those in the sources, relative to the project. Other positions stay.
 * @param {string} trace
 */
export function withSourcePositions(trace) {
  const maps = new Map();
  return trace.replaceAll(/([^\s()]+\.js):(\d+):(\d+)/g, (position, name, line, column) => {
    // mocha names files relative to the project.
    const path = resolve(project, name);
    if (!path.startsWith(out)) return position;
    if (!maps.has(path)) maps.set(path, sourceMapOf(path));
    const { fileName, lineNumber, columnNumber } = maps.get(path)?.findOrigin(Number(line), Number(column)) ?? {};
    if (fileName === undefined) return position;
    return `${relative(project, resolve(dirname(path), fileName))}:${lineNumber}:${columnNumber}`;
  });
}

/** @param {string} path of a file that was loaded */
function sourceMapOf(path) {
  const [, inline, name] = MAP.exec(readFileSync(path, 'utf8')) ?? [];
  if (inline) return new SourceMap(JSON.parse(Buffer.from(inline, 'base64').toString()));
  return name && new SourceMap(JSON.parse(readFileSync(join(dirname(path), name), 'utf8')));
}
