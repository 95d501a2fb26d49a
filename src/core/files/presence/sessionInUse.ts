/** The refusal to change a session that another program or another window uses. */
import { SessionError, type MessageArgs } from '../../format/entry/problem';

export class SessionInUseError extends SessionError {
  /** The session in use, which may be a subagent's session. */
  readonly path: string;
  /** @param template a sentence that ends in an offer to fork instead, and in `{path}` */
  constructor(code: 'live' | 'unsure', template: string, args: MessageArgs & { readonly path: string }, options?: ErrorOptions) {
    super(code, template, args, options);
    this.path = args.path;
  }
}
