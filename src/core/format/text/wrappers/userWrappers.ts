/**
 * The wrappers that programs put around what a person says, as a table. FORMAT section 2, user messages. No group is
 * repeated without a limit: V8 would overflow its stack on long texts.
 */
import { CHANNEL_NOTES, CHANNEL_RULES, DATE } from './channelWrappers';
import type { TrailingNote, WrapperRule } from './wrapperRule';

/** The name of a message that OpenClaw sends by itself at intervals. */
export const HEARTBEAT = 'Heartbeat';

/** The wrappers that programs put before a person's text, in any order. The rules with the most informative names come last. */
export const WRAPPER_RULES: readonly WrapperRule[] = [
  // OpenClaw: the time.
  { begins: ['['], start: new RegExp(String.raw`\[(?<name>[A-Z][a-z]{2} ${DATE})\](?=\s|$)`, 'y') },
  // OpenClaw: earlier messages of a group.
  {
    begins: ['[Chat messages since your last reply'],
    start: /\[(?<name>Chat messages since your last reply) - for context\]\n/y,
    end: /\n\[Current message - respond to this\]\n(?:User: )?/g,
  },
  { begins: ['[Quoted message begins]'], start: /\[(?<name>Quoted message) begins\]\n/y, end: /\n\[Quoted message ends\]/g },
  // OpenClaw: follows a quotation or a history.
  { begins: ['[Current message'], start: /\[(?<name>Current message)(?: - respond to this)?\]\n/y },
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
  { begins: ['[Audio]', '[Video]'], start: /\[(?<name>Audio|Video)\]\n(?:User text|Transcript):\n/y },
  { begins: ['<media:'], start: /<(?<name>media:\w{1,20})>(?:\nTranscript:\n|(?=\s|$))/y },
  { begins: ['To send an image back, '], start: /(?<name>To send an image back), prefer the message tool[^\n]{0,2000}/y },
  // Codex: what its extensions of editors add before the request.
  {
    begins: ['# '],
    start: /# (?<name>[^\n]{1,100}?):[ \t]*\r?\n/y,
    end: /\n## My request for Codex:[ \t]*/g,
  },
  { begins: ['## My '], start: /## (?<name>My request for Codex):[ \t]*/y },
  // Codex: what it adds itself. Its own sessions have that apart from what the person said.
  {
    begins: ['# AGENTS.md '],
    start: /# (?<name>AGENTS\.md instructions) for [^\n]{1,4096}\n\s{0,10}<INSTRUCTIONS>/y,
    end: /<\/INSTRUCTIONS>/g,
  },
  {
    begins: ['<environment_context>', '<user_instructions>'],
    start: /<(?<name>environment_context|user_instructions)>/y,
    end: /<\/(?:environment_context|user_instructions)>/g,
  },
  // Claude Code: the same, from its extensions.
  {
    begins: ['<ide_'],
    start: /<(?<name>ide_(?:opened_file|selection|diagnostics))>/y,
    end: /<\/ide_(?:opened_file|selection|diagnostics)>/g,
  },
  ...CHANNEL_RULES,
  // Claude Code. The file or the result in a reminder may have one of its own, in the text or in a JSON string.
  {
    begins: ['<system-reminder>'],
    start: /<(?<name>system-reminder)>/y,
    end: /<\/system-reminder>/g,
    inner: /(?:\n|\\n)<system-reminder>(?:\n|\\n)/g,
  },
  // Commands that a program handles itself.
  {
    begins: ['/'],
    start:
      /(?<name>\/(?:clear|compact|config|context|cost|exit|help|log(?:in|out)|new|quit|reset|status|(?:effort|mode|model|resume|think|usage|verbose)(?: \S{1,80})?))\s{0,10}$/y,
  },
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
  // OpenClaw: a command that ended. What it was is in the message of the system before it.
  { begins: ['An async command you '], start: /An (?<name>async command) you ran earlier has completed\. The result is /y, end: /$/g },
  // OpenClaw: what it says when it continues, saves or announces by itself.
  { begins: ['Note: The previous '], start: /Note: The (?<name>previous agent run was aborted)[^\n]{0,300}/y },
  { begins: ['Continue where '], start: /(?<name>Continue where you left off)\. The previous model attempt failed or timed out\./y },
  {
    begins: ['Pre-compaction memory ', 'Agent-to-agent announce '],
    start: /(?<name>Pre-compaction memory flush|Agent-to-agent announce step)\./y,
    end: /$/g,
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
  { begins: ['[OpenClaw '], start: /\[(?<name>OpenClaw (?!heartbeat)[^[\]\n]{1,80})\](?=\n|$)/y },
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
  // OpenClaw: nobody asked. The agent looks by itself, every half an hour, whether there is something to do.
  {
    begins: ['Read HEARTBEAT.md ', 'Follow the heartbeat ', 'Run the following periodic tasks', '[OpenClaw heartbeat'],
    start:
      /(?<name>Read HEARTBEAT\.md if it exists(?: \([^)\n]{1,100}\))?\. (?:Follow|Consider)|Follow the heartbeat monitor scratch context|Run the following periodic tasks(?: \([^)\n]{1,100}\))?:\n|\[OpenClaw heartbeat[^\]\n]{0,80}\])/y,
    end: /$/g,
    as: HEARTBEAT,
  },
  // pi.
  { begins: ['<skill name="'], start: /<skill name="(?<name>[^"\n]{1,200})" location="[^"\n]{0,4096}">/y, end: /<\/skill>/g, isCall: true },
  // OpenClaw: the prompt of a scheduled job, which may have no name.
  { begins: ['[cron:'], start: /\[(?<name>cron):\w{1,40}(?:-\w{1,40}){1,8}\](?=\s{1,10}\S)/y },
  { begins: ['[cron:'], start: /\[cron:\w{1,40}(?:-\w{1,40}){1,8} (?<name>(?:[^[\]\n]|\[[^[\]\n]{0,300}\]){1,300})\]/y, isJob: true },
];

/** The end of a prompt that a person configured for a heartbeat, before the time. */
export const CUSTOM_HEARTBEAT = /\b(?:[Rr]eply|[Rr]espond|[Aa]nswer|[Rr]eturn|[Ss]ay)\b[^\n?]{0,40}\bHEARTBEAT_OK\b[^\n?]{0,100}$/;

/** The characters that wrappers begin with. Nearly all other texts are excluded by their first character, without trying the rules. */
export const WRAPPER_BEGINNINGS = [...new Set(WRAPPER_RULES.flatMap(({ begins }) => begins.map((text) => text.charAt(0))))].join('');

/** Elements that may also follow the person's text. */
export const TRAILING_ELEMENTS = ['file', 'system-reminder'] as const;

/** Notes that programs put at the end of a message. */
export const TRAILING_NOTES: readonly TrailingNote[] = [
  ...CHANNEL_NOTES,
  // OpenClaw: the time, what to do with a reminder, the order to begin.
  {
    part: '\nCurrent time: ',
    note: /\nCurrent time: [A-Z][a-z]{2,9}, [^\n]{1,100} \([\w/+-]{1,60}\)(?: \/ [\d :-]{10,20}UTC)?$/,
  },
  { part: ' reminder ', note: /\n(?:Please relay this reminder to the user|Handle this reminder internally\.)[^\n]{0,200}$/ },
  { part: '\nBegin. ', note: /\nBegin\. Execute the assigned task to completion\.$/ },
];
