// Writes sessions as pi, oh-my-pi and OpenClaw write them: system prompts, hidden messages, branches, compactions,
// labels, errors, signatures, several alphabets. The same seed gives the same bytes.
import { callOf, PROVIDERS, requestOf, resultLength, systemMessage, textOf, usageOf } from './lines.mjs';

/** Shares in percent: OpenClaw has the most files in public places, pi is the program that this extension is for. */
const PROGRAMS = [
  ...Array(40).fill('openclaw'),
  ...Array(42).fill('pi'),
  ...Array(12).fill('omp'),
  // pi before it wrote `totalTokens`.
  ...Array(6).fill('old'),
];
/** The share of OpenClaw's files that another program rewrote, with spaces after `:` and `,`. */
const SPACED = 0.1;

/** Returns JSON as Python writes it. Line breaks are only between values; in strings they're escaped. */
const spaced = (value) => JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, '');

/** A session that is being written. The methods are the parts of it that other generators replace. */
export class RealSession {
  constructor(speech, { seed, resultBytes, cwd, program, start, write, turns = 8, hasPrompt = program === 'pi' }) {
    Object.assign(this, { speech, seed, resultBytes, cwd, program, write, turns, hasPrompt });
    this.isOpenClaw = program === 'openclaw';
    this.stringify = this.isOpenClaw && speech.chance(SPACED) ? spaced : JSON.stringify;
    this.time = start;
    this.parentId = null;
    this.written = 0;
    /** Ids of requests, to branch from. */
    this.requests = [];
    this.useModel();
  }

  useModel() {
    this.source = this.program === 'pi' && this.speech.chance(0.5) ? PROVIDERS[0] : this.speech.pick(PROVIDERS);
    this.model = this.speech.pick(this.source.models);
  }

  line(value) {
    const text = `${this.stringify(value)}\n`;
    this.written += text.length;
    this.write(text);
  }

  /** Writes an entry. OpenClaw's own types have their fields before the id. */
  entry(type, fields) {
    const { parentId } = this;
    const id = this.speech.hex(8);
    const timestamp = new Date((this.time += 1 + this.speech.integer(9000))).toISOString();
    this.line(
      this.isOpenClaw && type.startsWith('custom')
        ? { type, ...fields, id, parentId, timestamp }
        : { type, id, parentId, timestamp, ...fields },
    );
    this.parentId = id;
    return id;
  }

  message(message, last = {}) {
    return this.entry('message', { message: { ...message, timestamp: this.time, ...last } });
  }

  begin() {
    const { speech, program, source, model, isOpenClaw } = this;
    this.line({
      type: 'session',
      version: 3,
      id: `019b7d2c-0000-7000-8000-${this.seed.toString(16).padStart(12, '0')}`,
      timestamp: new Date(this.time).toISOString(),
      cwd: this.cwd,
      ...(program === 'omp' ? { title: speech.text(5), titleSource: 'auto' } : {}),
    });
    this.entry(
      'model_change',
      program === 'omp' ? { model: `${source.provider}/${model}`, role: 'default' } : { provider: source.provider, modelId: model },
    );
    this.entry('thinking_level_change', { thinkingLevel: 'high' });
    if (isOpenClaw)
      this.entry('custom', {
        customType: 'model-snapshot',
        data: { timestamp: this.time, provider: source.provider, modelApi: source.api, modelId: model },
      });
    if (this.hasPrompt) this.message(systemMessage(speech, this.cwd));
    // Few sessions have a name.
    if (program === 'pi' && this.seed % 100 === 7) this.entry('session_info', { name: speech.text(4) });
  }

  /** OpenClaw's hidden lines are a third of all lines. */
  hiddenLine() {
    const { speech } = this;
    if (speech.chance(0.5))
      this.entry('custom', {
        customType: 'openclaw:prompt-error',
        data: { timestamp: this.time, runId: speech.hex(32), model: this.model, error: speech.text(8) },
      });
    else
      this.entry('custom_message', {
        customType: 'openclaw.runtime-context',
        content: `Conversation info (untrusted metadata):\n${speech.text(40)}`,
        display: speech.chance(0.03),
        details: { source: 'openclaw-runtime-context', id: speech.hex(24) },
      });
  }

  answer(content, stopReason, errorMessage) {
    const { speech, source, model, program } = this;
    const { api, provider, stopReasonFirst } = source;
    const about = { api, provider, model, usage: usageOf(speech, source, program) };
    const last = {
      ...(provider === 'openai-codex' ? { responseId: `resp_${speech.hex(50)}` } : {}),
      ...(speech.chance(0.02) ? { responseModel: `${model}-2026-01-01` } : {}),
      ...(program === 'omp' ? { duration: speech.integer(30_000), ttft: speech.integer(3000) } : {}),
      ...(errorMessage ? { errorMessage } : {}),
      ...(this.isOpenClaw && speech.chance(0.05) ? { idempotencyKey: speech.hex(32) } : {}),
    };
    this.message({ role: 'assistant', content, ...(stopReasonFirst ? { stopReason, ...about } : { ...about, stopReason }) }, last);
  }

  thinking() {
    const { speech, source } = this;
    if (!source.thinkingSignature || !speech.chance(0.5)) return [];
    const thinking = source.provider === 'anthropic' ? textOf(speech, 20 + speech.integer(120)) : '';
    return [{ type: 'thinking', thinking, thinkingSignature: source.thinkingSignature(speech) }];
  }

  text(words) {
    const { speech, source } = this;
    return { type: 'text', text: textOf(speech, words), ...(source.textSignature ? { textSignature: source.textSignature(speech) } : {}) };
  }

  /** The model calls tools, and each call has its result. */
  turn() {
    const { speech, source, isOpenClaw } = this;
    const calls = Array.from({ length: speech.chance(0.2) ? 2 : 1 }, () => ({
      id: source.callId(speech),
      ...callOf(speech, isOpenClaw, this.cwd),
    }));
    const blocks = calls.map(({ id, name, arguments: given }) => ({
      type: 'toolCall',
      id,
      name,
      arguments: given,
      ...(source.thoughtSignature ? { thoughtSignature: source.thoughtSignature(speech) } : {}),
    }));
    this.answer([...this.thinking(), ...(speech.chance(0.4) ? [this.text(20)] : []), ...blocks], 'toolUse');
    for (const { id, name, result, details } of calls) {
      const isError = result === undefined && speech.chance(0.04);
      this.message({
        role: 'toolResult',
        toolCallId: id,
        toolName: name,
        content: [{ type: 'text', text: isError ? `Error: ${speech.text(12)}` : (result ?? this.output()) }],
        ...(details ? { details } : {}),
        isError,
      });
    }
  }

  output() {
    const { speech } = this;
    const text = speech.result(resultLength(speech, this.resultBytes));
    return speech.chance(0.2) ? `${speech.foreignText(60)}\n\u001b[32m✓\u001b[0m ${text}` : text;
  }

  /** Returns the blocks of a request. */
  request() {
    return [{ type: 'text', text: requestOf(this.speech, this.isOpenClaw) }];
  }

  /** Returns the last answer to a request. */
  lastAnswer() {
    return this.text(20 + this.speech.integer(150));
  }

  /** One request and all that follows until the next one. */
  exchange() {
    const { speech } = this;
    if (this.requests.length > 3 && speech.chance(0.02)) this.branch();
    if (speech.chance(0.02) && this.written > 200_000) this.compact();
    if (this.program === 'pi' && speech.chance(0.02)) this.useModel();
    this.requests.push(this.message({ role: 'user', content: this.request() }));
    const turns = 1 + speech.integer(this.turns);
    for (let turn = 0; turn < turns; turn++) {
      if (this.isOpenClaw) for (let hidden = speech.integer(3); hidden > 0; hidden--) this.hiddenLine();
      this.turn();
    }
    if (speech.chance(0.04))
      this.answer([], 'error', `429 ${JSON.stringify({ error: { type: 'rate_limit_error', message: speech.text(12) } })}`);
    this.answer([...this.thinking(), this.lastAnswer()], 'stop');
    if (speech.chance(0.03)) this.entry('label', { targetId: speech.pick(this.requests), label: speech.word() });
    if (speech.chance(0.02))
      this.message({
        role: 'bashExecution',
        command: `git ${speech.word()}`,
        output: speech.result(800),
        exitCode: 0,
        cancelled: false,
        truncated: false,
      });
  }

  /** The person goes back to an earlier request, mostly with a summary of the branch that is left. */
  branch() {
    const fromId = this.parentId;
    this.parentId = this.speech.pick(this.requests.slice(-20));
    if (this.speech.chance(0.7))
      this.entry('branch_summary', { fromId, summary: textOf(this.speech, 150), details: { readFiles: [], modifiedFiles: [] } });
  }

  compact() {
    this.entry('compaction', {
      summary: textOf(this.speech, 400),
      firstKeptEntryId: this.requests.at(-1),
      tokensBefore: 150_000 + this.speech.integer(40_000),
      details: { readFiles: [`${this.cwd}/src/index.ts`], modifiedFiles: [] },
    });
  }
}

/**
 * Writes the lines of a session of about `size` bytes. `write` receives each with its line break. `turns`: the most turns
 * after a request; `hasPrompt`: true to begin with the system prompt, which most of pi's sessions do.
 */
export function writeRealSession(speech, { size, program = PROGRAMS[speech.integer(PROGRAMS.length)], ...options }) {
  const session = new RealSession(speech, { ...options, program });
  session.begin();
  while (session.written < size) session.exchange();
}
