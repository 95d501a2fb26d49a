// Writes sessions of one exact shape: each line has the same keys in the same order, and tool results make up about
// nine tenths of the bytes.
/** Writes the lines of a session of about `size` bytes. `write` receives each with its line break. */
export function writePlainSession(speech, { seed, size, resultBytes, cwd, start, write }) {
  const { words } = speech;
  let [count, written, parentId] = [0, 0, null];
  const line = (value) => {
    const text = `${JSON.stringify(value)}\n`;
    written += text.length;
    write(text);
  };
  const time = () => start + count * 3000;
  const message = (message) => {
    count++;
    const id = (seed * 0x1000000 + count).toString(16).slice(-8).padStart(8, '0');
    line({ type: 'message', id, parentId, timestamp: new Date(time()).toISOString(), message: { ...message, timestamp: time() } });
    parentId = id;
  };
  const assistant = (content, stopReason) => {
    const usage = {
      input: 4,
      output: 120,
      cacheRead: 9000,
      cacheWrite: 400,
      totalTokens: 9524,
      cost: { input: 0.000012, output: 0.0018, cacheRead: 0.0027, cacheWrite: 0.0015, total: 0.006012 },
    };
    message({
      role: 'assistant',
      content,
      api: 'anthropic-messages',
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      usage,
      stopReason,
    });
  };
  line({
    type: 'session',
    version: 3,
    id: `019b7d2c-0000-7000-8000-${seed.toString(16).padStart(12, '0')}`,
    timestamp: new Date(start).toISOString(),
    cwd,
  });
  while (written < size) {
    message({ role: 'user', content: [{ type: 'text', text: `Please look at ${speech.text(18)}.` }] });
    for (let turn = 0; turn < 3; turn++) {
      const toolCallId = `call_${seed}_${count}`;
      assistant(
        [
          { type: 'text', text: speech.text(12) },
          {
            type: 'toolCall',
            id: toolCallId,
            name: 'read',
            arguments: { path: `src/${words[Math.floor(speech.random() * 40)]}/module${Math.floor(speech.random() * 97)}.ts` },
          },
        ],
        'toolUse',
      );
      const bytes = Math.floor(resultBytes * (0.2 + speech.random() * 1.6));
      message({
        role: 'toolResult',
        toolCallId,
        toolName: 'read',
        content: [{ type: 'text', text: speech.result(bytes) }],
        isError: false,
      });
    }
    assistant([{ type: 'text', text: `**Done.** ${speech.text(40)}.\n\n- ${speech.text(12)}\n- ${speech.text(12)}` }], 'stop');
  }
}
