/** Reads from this machine who uses it. */
import { homedir, hostname, userInfo } from 'node:os';
import { homeOfPath, type Person } from '../../format/redact/detectors/personalData';
import type { SessionHeader } from '../../format/entry/entry';

/** Returns the data of this machine's user, and of the users whose folders are named in the headers of sessions. */
export function personOf(headers: readonly Pick<SessionHeader, 'cwd' | 'parentSession'>[]): Person {
  const paths = new Set(headers.flatMap(({ cwd, parentSession }) => [cwd, parentSession ?? '']));
  const others = [...paths].flatMap((path) => homeOfPath(path) ?? []);
  const host = hostname();
  return {
    homes: [...new Set([homedir(), ...others.map(({ home }) => home)])],
    users: [...new Set([userName(), ...others.map(({ user }) => user)])],
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
