/** The converter for each program. */
import type { Stamp } from '../write/sessionNames';
import { createClaudeConverter } from './claude/claudeConverter';
import { createCodexConverter } from './codex/codexConverter';
import { EntryIds, type Converter } from './converter';
import type { ForeignProgram } from './foreignFormat';
import type { OmissionList } from './omissions';

/** @param omissions receives what has no place in format 3 */
export function createForeignConverter(program: ForeignProgram, stamp: Stamp, omissions: OmissionList): Converter {
  const tools = { stamp, omissions, ids: new EntryIds(stamp) };
  return program === 'codex' ? createCodexConverter(tools) : createClaudeConverter(tools);
}
