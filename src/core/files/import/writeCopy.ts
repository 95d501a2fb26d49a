/** Writes the planned copy of a session as a new file. */
import { join } from 'node:path';
import { defined } from '../../format/values/defined';
import { DIALECT_FACTS } from '../../format/entry/dialect';
import { withoutOpenclawKeys, type CopyNote, type CopyPlan } from '../../format/import/planCopy';
import type { Session } from '../../format/session/session';
import { sessionFileName } from '../../format/write/sessionNames';
import type { FileDigest } from '../io/atomicFile';
import type { Disk } from '../io/disk';
import { writePlan } from '../write/forkSession';

/** An imported or recovered session. */
export interface CopiedSession {
  /** Path of the new file. */
  readonly path: string;
  /** The name of the program that wrote the original. */
  readonly program: string;
  /** The parts that were left out or changed; also in the last line of the new file. */
  readonly notes: readonly CopyNote[];
  /** Digest of the new file. */
  readonly written: FileDigest;
}

/** @throws {SessionError} `changed`, `damaged`, `permission` or `no-space`; then there's no new file */
export async function writeCopy(session: Session, plan: CopyPlan, folder: string, disk: Disk | undefined): Promise<CopiedSession> {
  const { timestamp, id } = plan.header;
  const path = join(folder, sessionFileName(plan.dialect, String(timestamp), String(id)));
  const written = await writePlan(path, session, plan, {
    dialect: plan.dialect,
    ...defined({ disk, name: session.name }),
    mode: 0o600,
    ...(plan.dialect === session.dialect ? {} : { change: withoutOpenclawKeys }),
  });
  return { path, program: DIALECT_FACTS[session.dialect].label, notes: plan.notes, written };
}
