// Measures the processor time of the tasks on a page's main thread. Unlike clock time, it doesn't grow with other load
// on the machine.

/**
 * Starts measuring.
 * @returns a function that stops and returns the milliseconds of each task, and how many of them were V8's collections of
 * its whole heap. A page shares that heap with the pages of the same thread, so in VS Code most of it is the editor's.
 */
export async function watchTasks(cdp) {
  const threads = new Map();
  const mains = new Set();
  const eventsOf = (thread) => {
    if (!threads.has(thread)) threads.set(thread, { tasks: [], collections: [] });
    return threads.get(thread);
  };
  cdp.on('Tracing.dataCollected', ({ value }) => {
    for (const { ph, name, pid, tid, ts, dur = 0, tdur = 0, args } of value) {
      const thread = `${pid}/${tid}`;
      if (ph === 'M' && name === 'thread_name' && args.name === 'CrRendererMain') mains.add(thread);
      if (ph !== 'X') continue;
      if (name === 'ThreadControllerImpl::RunTask') eventsOf(thread).tasks.push({ from: ts, to: ts + dur, time: tdur / 1000 });
      if (name === 'MajorGC') eventsOf(thread).collections.push({ at: ts, time: tdur / 1000 });
    }
  });
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'v8'], recordMode: 'recordUntilFull', traceBufferSizeInKb: 400_000 },
  });
  return async () => {
    const ended = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
    await cdp.send('Tracing.end');
    await ended;
    // The renderer that did the work.
    const [busiest] = [...mains].map(eventsOf).sort((a, b) => sum(b.tasks) - sum(a.tasks));
    const { tasks = [], collections = [] } = busiest ?? {};
    return tasks.map(({ from, to, time }) => ({ time, collecting: sum(collections.filter(({ at }) => from <= at && at < to)) }));
  };
}

const sum = (events) => events.reduce((all, { time }) => all + time, 0);
