/** Reads from this machine who uses it. */
import { homedir, hostname, userInfo } from 'node:os';
import { homeOfPath, type Person } from '../../format/redact/personalData';
import type { SessionHeader } from '../../format/entry/entry';

/** Returns the data of this machine's user, and of the one whose folders a session's header names. */
export function personOf({ cwd, parentSession }: Pick<SessionHeader, 'cwd' | 'parentSession'>): Person {
  const others = [cwd, parentSession ?? ''].flatMap((path) => homeOfPath(path) ?? []);
  const host = hostname();
  return {
    homes: [homedir(), ...others.map(({ home }) => home)],
    users: [userName(), ...others.map(({ user }) => user)],
    hosts: [host, host.split('.')[0] ?? ''],
  };
}

/** The system has no name for some users, for instance in containers. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
