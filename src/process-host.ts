import type { CommandHost } from './cli/command-run.ts';

/** This process as the host of a run. What the shortest commands do without is loaded when it is asked for. */
export const processHost = (): CommandHost => ({
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  processes: {
    pid: process.pid,
    isRunning: (pid) => {
      try {
        return process.kill(pid, 0);
      } catch (error) {
        // What belongs to somebody else may not be asked, but it is there.
        return (error as NodeJS.ErrnoException).code !== 'ESRCH';
      }
    },
  },
  clock: {
    now: Date.now,
    monotonic: () => performance.now(),
    sleep: (milliseconds, signal) =>
      process.getBuiltinModule('node:timers/promises').setTimeout(milliseconds, undefined, { signal }),
  },
  onSignal: (signals, listener) => {
    const stopWatching = onLostParent(listener);
    const heard = () => {
      stopWatching();
      listener();
    };
    // Each stack of a workspace listens: that many listeners are no leak, which Node would warn of.
    process.setMaxListeners(0);
    for (const signal of signals) process.on(signal, heard);
    return () => {
      stopWatching();
      for (const signal of signals) process.off(signal, heard);
    };
  },
  exit: (code) => process.exit(code),
  engine: {
    version: process.versions.node,
    starting: () => setBudget(800_000),
    started: () => setBudget(66 * 1024),
  },
});

/**
 * npm hands a signal to the shell that it runs us in, and that shell ends without telling us: that it is gone is all there is to see.
 * Elsewhere a parent may go, and a run in the background goes on. Gives back how to stop watching.
 */
function onLostParent(listener: () => void): () => void {
  if (process.env.npm_execpath === undefined) return () => {};
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    listener();
  }, 250).unref();
  return () => clearInterval(timer);
}

/**
 * Has V8 wait longer before it optimizes a function: most of a run is over before that pays, and the optimizer, which works beside
 * it, takes a third of the processor's time. Only V8 of Node 20: newer ones have other flags, and a compiler in between.
 */
function setBudget(bytes: number): void {
  if (!process.versions.v8.startsWith('11.')) return;
  process.getBuiltinModule('node:v8').setFlagsFromString(`--interrupt-budget=${bytes}`);
}
