// Measures the processor time of the tasks on a page's main thread. Unlike clock time, it doesn't grow with other load
// on the machine.

const CATEGORIES = ['toplevel', 'v8'];
/** These slow the page down, and say what a task did. */
const DETAILS = ['devtools.timeline', 'disabled-by-default-v8.gc', 'blink', 'cc'];

/**
 * Starts measuring.
 * @param {boolean} isDetailed true to find out what each task did, which takes time itself
 * @returns a function that stops and returns the milliseconds of each task, how many of them were V8's collections of
 * its whole heap and of its new objects, and what else it did. A page shares that heap with the pages of the same
 * thread, so in VS Code most of it is the editor's.
 */
export async function watchTasks(cdp, isDetailed = false) {
  const threads = new Map();
  const mains = new Set();
  const eventsOf = (thread) => {
    if (!threads.has(thread)) threads.set(thread, { tasks: [], collections: [], others: [] });
    return threads.get(thread);
  };
  cdp.on('Tracing.dataCollected', ({ value }) => {
    for (const { ph, name, pid, tid, ts, dur = 0, tdur = 0, args } of value) {
      const thread = `${pid}/${tid}`;
      if (ph === 'M' && name === 'thread_name' && args.name === 'CrRendererMain') mains.add(thread);
      if (ph !== 'X') continue;
      const event = { name, from: ts, to: ts + dur, time: tdur / 1000, args };
      if (name === 'ThreadControllerImpl::RunTask') eventsOf(thread).tasks.push(event);
      else {
        if (name === 'MajorGC') eventsOf(thread).collections.push(event);
        if (isDetailed) eventsOf(thread).others.push(event);
      }
    }
  });
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: [...CATEGORIES, ...(isDetailed ? DETAILS : [])],
      recordMode: 'recordUntilFull',
      traceBufferSizeInKb: 400_000,
    },
  });
  return async () => {
    const ended = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
    await cdp.send('Tracing.end');
    await ended;
    await cdp.detach();
    // The renderer that did the work.
    const [busiest] = [...mains].map(eventsOf).sort((a, b) => sum(b.tasks) - sum(a.tasks));
    const { tasks = [], collections = [], others = [] } = busiest ?? {};
    return tasks.map((task) => ({
      time: task.time,
      collecting: sum(within(collections, task)),
      ...(isDetailed && task.time > 15 ? { parts: selfTimes(within(others, task)) } : {}),
    }));
  };
}

const within = (events, { from, to }) => events.filter((event) => from <= event.from && event.from < to);
const sum = (events) => events.reduce((all, { time }) => all + time, 0);

/** Returns the milliseconds of the events with the longest times of their own, with their names. */
function selfTimes(events) {
  const own = new Map();
  const open = [];
  for (const event of events.sort((a, b) => a.from - b.from || b.to - a.to)) {
    while (open.length > 0 && open.at(-1).to <= event.from) open.pop();
    const name = nameOf(event);
    own.set(name, (own.get(name) ?? 0) + event.time);
    const parent = open.at(-1);
    if (parent) own.set(parent.name, own.get(parent.name) - event.time);
    open.push({ name, to: event.to });
  }
  return [...own].filter(([, time]) => time > 0.5).sort((a, b) => b[1] - a[1]);
}

/** A function's name says where it's from. */
function nameOf({ name, args }) {
  const { functionName, url } = args?.data ?? {};
  return name === 'FunctionCall'
    ? `${name} ${functionName ?? ''} ${String(url ?? '')
        .split('/')
        .at(-1)}`
    : name;
}
