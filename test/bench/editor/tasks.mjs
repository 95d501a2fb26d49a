// What the tasks of a page's main thread took of the processor: other than by the clock, that does not grow with what else the machine does.

/** Begins to look. @returns what ends it, and answers with the milliseconds of each task. */
export async function watchTasks(cdp) {
  const tasks = new Map();
  const mains = new Set();
  const timesOf = (thread) => {
    if (!tasks.has(thread)) tasks.set(thread, []);
    return tasks.get(thread);
  };
  cdp.on('Tracing.dataCollected', ({ value }) => {
    for (const { ph, name, pid, tid, tdur, args } of value) {
      const thread = `${pid}/${tid}`;
      if (ph === 'M' && name === 'thread_name' && args.name === 'CrRendererMain') mains.add(thread);
      if (ph === 'X' && name === 'ThreadControllerImpl::RunTask') timesOf(thread).push((tdur ?? 0) / 1000);
    }
  });
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'], recordMode: 'recordUntilFull', traceBufferSizeInKb: 400_000 },
  });
  return async () => {
    const ended = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
    await cdp.send('Tracing.end');
    await ended;
    // The one renderer that does the work.
    return [...mains].map(timesOf).sort((a, b) => sum(b) - sum(a))[0] ?? [];
  };
}

const sum = (values) => values.reduce((all, value) => all + value, 0);
