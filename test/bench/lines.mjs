// The parts of a line in the shapes that real programs write them, with the frequencies that hundreds of public sessions
// showed: usage and signatures by provider, wrappers around what the person says, tool calls and their results.
/** The shape of each provider's answers. */
export const PROVIDERS = [
  {
    provider: 'anthropic',
    api: 'anthropic-messages',
    models: ['claude-sonnet-4-5', 'claude-opus-4-5'],
    callId: (speech) => `toolu_01${speech.base64(22).replace(/[+/]/g, 'x')}`,
    thinkingSignature: (speech) => speech.base64(400 + speech.integer(4600)),
  },
  {
    provider: 'openai-codex',
    api: 'openai-responses',
    models: ['gpt-5.1-codex', 'gpt-5.2'],
    callId: (speech) => `call_${speech.hex(24)}|fc_${speech.hex(50)}`,
    // The signature of OpenAI's reasoning is JSON in a string.
    thinkingSignature: (speech) =>
      JSON.stringify({
        id: `rs_${speech.hex(50)}`,
        type: 'reasoning',
        encrypted_content: `gAAAA${speech.base64(400 + speech.integer(3000))}`,
        summary: [],
      }),
    textSignature: (speech) => JSON.stringify({ v: 1, id: `msg_${speech.hex(50)}`, phase: 'commentary' }),
  },
  {
    provider: 'google',
    api: 'google-generative-ai',
    models: ['gemini-3-pro-preview'],
    callId: (speech) => `read_${speech.integer(2 ** 40)}_${speech.integer(20)}`,
    thoughtSignature: (speech) => speech.base64(500 + speech.integer(1500)),
  },
  {
    provider: 'ollama',
    api: 'openai-completions',
    models: ['qwen3-coder:30b'],
    callId: (speech) => `call_${speech.hex(8)}`,
    stopReasonFirst: true,
  },
];

/** Dollars as the programs compute them: many have as many digits as a number can. */
const dollars = (tokens, perMillion) => (perMillion / 1_000_000) * tokens;

/** Returns the usage as the program writes that of the provider: the keys and their order differ. */
export function usageOf(speech, { provider }, program) {
  const [input, output, cacheRead, cacheWrite] = [speech.integer(40), speech.integer(900), speech.integer(150_000), speech.integer(4000)];
  const totalTokens = input + output + cacheRead + cacheWrite;
  const cost = {
    input: dollars(input, 3),
    output: dollars(output, 15),
    cacheRead: dollars(cacheRead, 0.3),
    cacheWrite: dollars(cacheWrite, 3.75),
  };
  cost.total = cost.input + cost.output + cost.cacheRead + cost.cacheWrite;
  const tokens = { input, output, cacheRead, cacheWrite };
  if (program === 'old') return { ...tokens, cost };
  if (program === 'omp') return { ...tokens, totalTokens, reasoningTokens: speech.integer(output + 1), cost };
  if (provider === 'ollama') return { ...tokens, totalTokens, cost: { ...cost, totalFromProvider: cost.total } };
  if (provider !== 'anthropic') return { ...tokens, reasoning: speech.integer(output + 1), totalTokens, cost };
  return { ...tokens, totalTokens, cost, cacheWrite1h: 0, ...(speech.chance(0.1) ? { reasoning: speech.integer(output + 1) } : {}) };
}

/** A fifth of the texts is in another alphabet. */
export const textOf = (speech, words) => (speech.chance(0.2) ? speech.foreignText(words) : speech.text(words));

/** Returns what the person says. Six of ten messages begin with a wrapper. */
export function requestOf(speech, isOpenClaw) {
  const text = `${textOf(speech, 4 + speech.integer(60))}`;
  if (!speech.chance(0.6)) return text;
  if (!isOpenClaw)
    return speech.chance(0.5)
      ? `<skill name="review" location="/home/dev/.pi/skills/review/SKILL.md">\n# Review\n\n${speech.text(300)}\n</skill>\n\n${text}`
      : `<system-reminder>\n${speech.text(40)}\n</system-reminder>\n${text}`;
  return speech.pick([
    () =>
      `Sender (untrusted metadata):\n\`\`\`json\n{\n  "label": "Ann (${speech.integer(1e9)})",\n  "id": "${speech.integer(1e9)}"\n}\n\`\`\`\n\n${text}`,
    () =>
      `Conversation info (untrusted metadata):\n\`\`\`json\n{\n  "message_id": "${speech.hex(12)}",\n  "sender": "Ann"\n}\n\`\`\`\n\n${text}`,
    () => `[cron:${speech.hex(8)}-${speech.hex(4)}-4${speech.hex(3)}-a${speech.hex(3)}-${speech.hex(12)} nightly report] ${text}`,
    () => `[Tue 2026-05-05 09:41 GMT+8] ${text}`,
    () => `System: [2026-05-05 09:41:12] ${speech.text(8)}\n\n${text}`,
    () => `A new session was started via /new or /reset. ${speech.text(40)}`,
  ])();
}

const TOOLS = {
  pi: ['read', 'read', 'read', 'bash', 'bash', 'bash', 'edit', 'write', 'grep', 'find', 'ls'],
  openclaw: ['exec', 'exec', 'exec', 'read', 'read', 'edit', 'write', 'browser', 'process', 'find'],
};

/** Returns the arguments of a call, and what its result has beside its content. */
const CALLS = {
  read: (speech, path) => ({ arguments: { path, ...(speech.chance(0.3) ? { offset: speech.integer(900), limit: 200 } : {}) } }),
  bash: (speech, _, cwd) => ({
    arguments: {
      command: `${speech.chance(0.64) ? `cd ${cwd} && ` : ''}npm run ${speech.word()} -- --grep "${speech.text(3)}" 2>&1 | tail -40`,
      timeout: 120,
    },
    details: speech.chance(0.2)
      ? { truncation: { truncated: true, totalLines: 4000, outputLines: 2000 }, fullOutputPath: `/tmp/pi-bash-${speech.hex(16)}.log` }
      : undefined,
  }),
  edit: (speech, path) => {
    const [oldText, newText] = [speech.result(100 + speech.integer(600)), speech.result(100 + speech.integer(600))];
    const diff = [...oldText.split('\n').map((line, at) => `-${at} ${line}`), ...newText.split('\n').map((line, at) => `+${at} ${line}`)];
    return {
      arguments: { path, edits: [{ oldText, newText }] },
      result: `Successfully replaced 1 block(s) in ${path}.`,
      details: { diff: diff.join('\n'), firstChangedLine: 12 },
    };
  },
  write: (speech, path) => {
    const content = speech.result(500 + speech.integer(6000));
    return { arguments: { path, content }, result: `Successfully wrote ${content.length} bytes to ${path}` };
  },
  grep: (speech, path) => ({ arguments: { pattern: speech.word(), path, glob: '**/*.ts' }, details: { matchLimitReached: 100 } }),
  find: (speech, path) => ({ arguments: { pattern: `**/${speech.word()}*`, path } }),
  ls: (speech, path) => ({ arguments: { path } }),
  exec: (speech, _, cwd) => ({
    arguments: { command: `${speech.chance(0.64) ? `cd ${cwd} && ` : ''}python3 scripts/${speech.word()}.py --since "${speech.text(2)}"` },
    details: { status: 'completed', exitCode: 0, durationMs: speech.integer(9000), aggregated: speech.result(speech.integer(2000)), cwd },
  }),
  browser: (speech) => ({
    arguments: { action: 'open', url: `https://example.com/${speech.word()}?q=${speech.word()}` },
    details: { ok: true },
  }),
  process: (speech) => ({
    arguments: { action: 'poll', sessionId: speech.word() },
    details: { status: 'running', sessionId: speech.word() },
  }),
};

/** Returns a call with the details of its result. 63 % of the paths begin with the session's own folder. */
export function callOf(speech, isOpenClaw, cwd) {
  const name = speech.pick(TOOLS[isOpenClaw ? 'openclaw' : 'pi']);
  const path = `${speech.chance(0.63) ? `${cwd}/` : ''}src/${speech.words[speech.integer(40)]}/module${speech.integer(97)}.ts`;
  return { name, ...CALLS[name](speech, path, cwd) };
}

/** Returns the length of a result in bytes: most are short, few are long. */
export const resultLength = (speech, typical) => Math.floor(typical * 8 ** (2 * speech.random() - 1));

/** Returns pi's first message: the system prompt in sections, and the tools with their schemas. */
export function systemMessage(speech, cwd) {
  const tool = (name) => ({
    name,
    description: speech.text(60),
    parameters: {
      type: 'object',
      required: ['path'],
      properties: Object.fromEntries(['path', 'offset', 'limit'].map((key) => [key, { type: 'string', description: speech.text(12) }])),
    },
  });
  return {
    role: 'system',
    content: '',
    sections: {
      preamble: speech.text(400),
      tools: speech.text(200),
      guidelines: speech.text(900),
      cwd: `Current working directory: ${cwd}`,
    },
    toolsAdded: ['read', 'bash', 'edit', 'write', 'grep', 'find', 'ls'].map(tool),
  };
}
