/**
 * The wrappers that programs put around what a person says, as a table. FORMAT section 2, user messages. No group is
 * repeated without a limit: V8 would overflow its stack on long texts.
 */

export interface WrapperRule {
  /** The texts that `start` may begin with. Compared first, because the first uses of an expression take longer than those of all others. */
  readonly begins: readonly [string, ...string[]];
  /** Matches the beginning of a wrapper. The group `name` has its name. */
  readonly start: RegExp;
  /** Matches the end; without it, the wrapper ends where `start` does. A wrapper without its end isn't one. */
  readonly end?: RegExp;
  /** A job's name stands for the whole message, because its text was written once and long before. */
  readonly isJob?: true;
  /** The person called the wrapper by its name. */
  readonly isCall?: true;
}

const DATE = String.raw`\d{4,6}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?(?:Z| [A-Z][\w+:/-]{0,40})?`;
/** The places where OpenClaw talks to people. */
const CHANNEL =
  'BlueBubbles|Discord|Feishu|Google Chat|IRC|LINE|Lark|Matrix|Mattermost|Microsoft Teams|MSTeams|Nextcloud Talk|Nostr|QQ|Signal|Slack|Synology Chat|Telegram|Tlon|Twitch|WebChat|WeChat|WhatsApp|Zalo|iMessage|qqbot';
const FENCE_END = /\n```[ \t]*(?=\n|$)/g;

/** The wrappers that programs put before a person's text, in any order. The rules with the most informative names come last. */
export const WRAPPER_RULES: readonly WrapperRule[] = [
  // OpenClaw: the time.
  { begins: ['['], start: new RegExp(String.raw`\[(?<name>[A-Z][a-z]{2} ${DATE})\](?=\s|$)`, 'y') },
  // OpenClaw: the channel, the sender and the time.
  { begins: ['['], start: new RegExp(String.raw`\[(?<name>${CHANNEL}) [^[\]\n]{1,300} ${DATE}\](?=\s|$)`, 'y') },
  // OpenClaw: earlier messages of a group, as text.
  {
    begins: ['Conversation context (untrusted, '],
    start: /(?<name>Conversation context) \(untrusted, [^)\n]{1,200}\):\n(?=#\d)/y,
    end: /\n\n(?!#\d)|$/g,
  },
  {
    begins: ['[Chat messages since your last reply'],
    start: /\[(?<name>Chat messages since your last reply) - for context\]\n/y,
    end: /\n\[Current message - respond to this\]\n(?:User: )?/g,
  },
  { begins: ['[Quoted message begins]'], start: /\[(?<name>Quoted message) begins\]\n/y, end: /\n\[Quoted message ends\]/g },
  // OpenClaw: messages that waited. The first one stands for all.
  {
    begins: ['[Queued '],
    start: /\[(?<name>Queued (?:announce )?messages while agent was busy)\]\n\n---\nQueued #1(?: \([^)\n]{1,200}\))?\n/y,
  },
  // OpenClaw: a file that came with the message, and how to answer with one.
  {
    begins: ['[media attached'],
    start: /\[media attached(?: \d{1,3}\/\d{1,3})?: (?:[^\]\n(|]{0,1000}[/\\])?(?<name>[^\]\n(|/\\]{1,200}) \([^\]\n]{0,2000}\]/y,
  },
  { begins: ['[media attached: '], start: /\[(?<name>media attached): \d{1,3} files\](?=\n|$)/y },
  { begins: ['[Image]'], start: /\[(?<name>Image)\]\nUser text:\n/y },
  { begins: ['To send an image back, '], start: /(?<name>To send an image back), prefer the message tool[^\n]{0,2000}/y },
  // OpenClaw: the sender, the place, and earlier messages.
  {
    begins: [
      'Conversation info (',
      'Sender (',
      'Thread starter (',
      'Replied message (',
      'Forwarded message context (',
      'Chat history since last reply (',
    ],
    start:
      /(?<name>Conversation info|Sender|Thread starter|Replied message|Forwarded message context|Chat history since last reply) \(untrusted(?: metadata|, for context)\):\n```json(?=\n)/y,
    end: FENCE_END,
  },
  // Codex: what its extensions of editors add before the request.
  {
    begins: ['# '],
    start: /# (?<name>[^\n]{1,100}?):[ \t]*\r?\n/y,
    end: /\n## My request for Codex:[ \t]*/g,
  },
  // Claude Code: the same, from its extensions.
  {
    begins: ['<ide_'],
    start: /<(?<name>ide_(?:opened_file|selection|diagnostics))>/y,
    end: /<\/ide_(?:opened_file|selection|diagnostics)>/g,
  },
  { begins: ['<system-reminder>'], start: /<(?<name>system-reminder)>/y, end: /<\/system-reminder>/g },
  // pi: a file that the command line named.
  { begins: ['<file name="'], start: /<file name="(?:[^"\n]*[/\\])?(?<name>[^"\n/\\]{1,300})"[^>\n]{0,1000}>/y, end: /<\/file>/g },
  // OpenClaw: a message of another session, and one that a subagent or a job ended.
  {
    begins: ['[Inter-session message] '],
    start: /\[(?<name>Inter-session message)\] [^\n]{0,2000}\n(?:This content was routed by OpenClaw [^\n]{0,2000})?/y,
  },
  {
    begins: ['System: ['],
    start: new RegExp(String.raw`System: \[${DATE}\] (?<name>GatewayRestart):\n\{\n`, 'y'),
    end: /\n\}(?=\n|$)/g,
  },
  // OpenClaw: what happened since the last message.
  {
    begins: ['System: [', 'System (untrusted): ['],
    start: new RegExp(String.raw`System(?: \(untrusted\))?: \[(?:[A-Z][a-z]{2} )?${DATE}\] ?(?<name>[^\n]*)`, 'y'),
    end: /\n(?!System(?: \(untrusted\))?: )|$/g,
  },
  // OpenClaw: the first prompt of a session that a command began.
  {
    begins: ['A new session was started via '],
    start:
      /(?<name>A new session was started via \/new or \/reset)(?:\u2026|\.(?=$| (?:Begin|Execute|Follow|Greet|If|Read|Run|Say|Start|Then|Use)\b))/y,
    end: /\n\n|$/g,
  },
  // OpenClaw: the task of a subagent.
  { begins: ['[Subagent Context] '], start: /\[(?<name>Subagent Context)\] /y, end: /\n\[Subagent Task\]:?[ \t]*(?=\S|\n|$)/g },
  // OpenClaw: a reminder that the person set.
  { begins: ['A scheduled reminder '], start: /A (?<name>scheduled reminder) has been triggered\. The reminder content is:\n/y },
  // OpenClaw: the end of a subagent or a job, which its task describes best.
  {
    begins: ['OpenClaw runtime context (internal):', '<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>'],
    start:
      /(?:<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\n)?OpenClaw runtime context \(internal\):\n(?:(?!task: )[^\n]{0,500}\n){0,12}task: (?<name>[^\n]{1,500})/y,
    end: /<<<END_OPENCLAW_INTERNAL_CONTEXT>>>|$/g,
  },
  // pi.
  { begins: ['<skill name="'], start: /<skill name="(?<name>[^"\n]{1,200})" location="[^"\n]{0,4096}">/y, end: /<\/skill>/g, isCall: true },
  // OpenClaw: the prompt of a scheduled job.
  { begins: ['[cron:'], start: /\[cron:\w{1,40}(?:-\w{1,40}){1,8} (?<name>(?:[^[\]\n]|\[[^[\]\n]{0,300}\]){1,300})\]/y, isJob: true },
];

/** The characters that wrappers begin with. Nearly all other texts are excluded by their first character, without trying the rules. */
export const WRAPPER_BEGINNINGS = [...new Set(WRAPPER_RULES.flatMap(({ begins }) => begins.map((text) => text.charAt(0))))].join('');

/** Elements that may also follow the person's text. */
export const TRAILING_ELEMENTS = ['file', 'system-reminder'] as const;

/** A note at the end of a message. */
interface TrailingNote {
  /** A part of each such note. Looked for first, as with `WrapperRule.begins`. */
  readonly part: string;
  /** Matches the note. Ends at the end of the text. */
  readonly note: RegExp;
}

/** Notes that programs put at the end of a message. */
export const TRAILING_NOTES: readonly TrailingNote[] = [
  // OpenClaw: the message's ID, the time, what to do with a reminder, the order to begin.
  { part: '[message_id: ', note: /\[message_id: [\w.:@-]{1,200}\]$/ },
  {
    part: '\nCurrent time: ',
    note: /\nCurrent time: [A-Z][a-z]{2,9}, [^\n]{1,100} \([\w/+-]{1,60}\)(?: \/ [\d :-]{10,20}UTC)?$/,
  },
  { part: ' reminder ', note: /\n(?:Please relay this reminder to the user|Handle this reminder internally\.)[^\n]{0,200}$/ },
  { part: '\nBegin. ', note: /\nBegin\. Execute the assigned task to completion\.$/ },
];
