// Measures the processor time of the tasks on a page's main thread. Unlike clock time, it doesn't grow with other load
// on the machine.

/** Starts measuring. @returns a function that stops and returns the milliseconds of each task */
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
    // The renderer that did the work.
    return [...mains].map(timesOf).sort((a, b) => sum(b) - sum(a))[0] ?? [];
  };
}

const sum = (values) => values.reduce((all, value) => all + value, 0);
