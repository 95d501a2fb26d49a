import { currentSessions, listSessions } from '../../memory/answers/listSessions';
import type { SessionAnswer } from '../../memory/answers/values';
import { numberOption, type Answer, type Call, type Options } from '../command';
import { defined } from '../../core/index';
import { line, type Paint } from '../output';
import { limitsOf, localTime } from './shared';

/** Lists sessions, newest first. */
export async function list({ memory, paint }: Call, _args: readonly string[], options: Options): Promise<Answer> {
  const request = { ...limitsOf(options), ...defined({ limit: numberOption(options, 'limit') }) };
  const { sessions, total } = await (options['redact'] === false
    ? memory.current().then(() => listSessions(memory, { ...request, redact: false }))
    : currentSessions(memory, request, options['json'] === true));
  return {
    json: { sessions, total },
    lines: sessions.map((session) => sessionLine(session, paint)),
    found: sessions.length > 0,
    ...(sessions.length === 0 ? { note: 'No session was found. “session-tree doctor” names the folders that are read.' } : {}),
  };
}

function sessionLine({ ref, modified, messages, title, project, problem }: SessionAnswer, paint: Paint): string {
  const count = messages === undefined ? '' : `${String(messages)} ${messages === 1 ? 'message' : 'messages'}`;
  return [
    paint('dim', localTime(modified)),
    paint('cyan', line(ref)),
    problem === undefined ? paint('bold', line(title)) : paint('red', line(problem)),
    paint('dim', [count, line(project)].filter((part) => part !== '').join(' · ')),
  ].join('  ');
}
