/**
 * The results of patches as Codex records them: the event `patch_apply_end` with the changes of each file
 * (codex-rs/protocol/src/protocol.rs, `FileChange`).
 */
import { asString, isObject, type JsonObject } from '../../values/jsonValues';

/** Returns the patch that made the changes; `undefined` if the event names none. */
export function patchOf(event: JsonObject): string | undefined {
  const changes = isObject(event['changes']) ? Object.entries(event['changes']) : [];
  const sections = changes.flatMap(([path, change]) => (isObject(change) && isName(path) ? sectionOf(path, change) : []));
  return sections.length === 0 ? undefined : ['*** Begin Patch', ...sections, '*** End Patch'].join('\n');
}

const isName = (path: string): boolean => path !== '' && !/[\r\n]/.test(path);

/** A change has its kind as `type`; in older versions as the key of the rest. */
function sectionOf(path: string, change: JsonObject): string[] {
  const kind = asString(change['type']) ?? Object.keys(change)[0] ?? '';
  const parts = isObject(change[kind]) ? change[kind] : change;
  const moved = asString(parts['move_path']);
  switch (kind) {
    case 'add':
      return [`*** Add File: ${path}`, ...linesOf(parts['content']).map((line) => `+${line}`)];
    case 'delete':
      return [`*** Delete File: ${path}`];
    case 'update':
      return [
        `*** Update File: ${path}`,
        ...(moved !== undefined && isName(moved) ? [`*** Move to: ${moved}`] : []),
        ...linesOf(parts['unified_diff']).flatMap(hunkLine),
      ];
    default:
      return [];
  }
}

/** A hunk of such a patch has no line numbers. */
function hunkLine(line: string): string[] {
  if (line.startsWith('@@')) return ['@@'];
  return /^[-+ ]/.test(line) && !/^(?:---|\+\+\+) /.test(line) ? [line] : [];
}

const linesOf = (text: unknown): string[] => (typeof text === 'string' && text !== '' ? text.replace(/\n$/, '').split('\n') : []);
