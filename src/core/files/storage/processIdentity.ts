/** Checks if a process is still running: by its id alone, or by an identity that a record keeps of it. */
import { hostname } from 'node:os';
import { isNumber, isObjectOf, isText } from '../../format/values/checks';
import { isCount } from '../../format/values/jsonValues';
import { errorCode } from '../io/fileErrors';

/** True if a process of this machine has this id, including processes of other users. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** True for the id of a single process. Ids below one address groups of processes, including this process's own. */
const isProcessId = (value: unknown): value is number => isCount(value) && value > 0;

/** Milliseconds since `time`, or until it: a time in the future means that the clock has been set back since. */
export const ageOf = (time: number, now = Date.now()): number => Math.abs(now - time);

/** Identifies the process that began an operation, so that the next start recognizes the records of an ended process. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time of the process, in milliseconds since 1970; process ids are reused. */
  readonly began: number;
  readonly machine: string;
  /** Start time of the operation, in milliseconds since 1970. */
  readonly since: number;
}

export const currentProcess = (): ProcessIdentity => ({
  pid: process.pid,
  began: performance.timeOrigin,
  machine: hostname(),
  since: Date.now(),
});

/** Milliseconds: no operation on one file takes longer. Also covers a machine that has just been renamed. */
const REMOTE_TIMEOUT_MS = 60 * 60 * 1000;

/** True if the process may still be at work. For other machines only the elapsed time decides. */
export function mayBeRunning({ pid, began, machine, since }: ProcessIdentity): boolean {
  if (machine !== hostname()) return ageOf(since) < REMOTE_TIMEOUT_MS;
  return pid === process.pid ? began === performance.timeOrigin : isProcessRunning(pid);
}

export const isProcessIdentity = isObjectOf<ProcessIdentity>({ pid: isProcessId, began: isNumber, machine: isText, since: isNumber });
