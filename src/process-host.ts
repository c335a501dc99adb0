import type { Signal } from './host.ts';
import type { CommandHost } from './terminal/command-run.ts';

/**
 * Returns this process as the host of a command: everything that the command needs from its surroundings, which tests replace. Modules of
 * Node.js that the shortest commands do not need are loaded when they are used. `engine`: V8 optimizes less while a configuration is
 * loaded, and again once a session is connected, because most commands end before the optimizer pays.
 */
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
    isRunning: isProcessRunning,
  },
  clock: {
    now: Date.now,
    monotonic: () => performance.now(),
    sleep: (milliseconds, signal) =>
      process.getBuiltinModule('node:timers/promises').setTimeout(milliseconds, undefined, { signal }),
  },
  onSignal: listenToProcess,
  exit: (code) => process.exit(code),
  engine: {
    version: process.versions.node,
    starting: () => {
      delayOptimization(12);
      growHeapSlowly();
    },
    started: () => delayOptimization(1),
    connecting: keepWasmUnoptimized,
  },
});

/** True if there is a process with this id. Used to notice that a lock is of a process that has ended. */
function isProcessRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process of another user must not be signalled, but it is running.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * Calls `listener` at each of these signals to this process, and when a run under npm loses its parent. Returns a function which stops
 * this.
 */
function listenToProcess(signals: Signal[], listener: () => void): () => void {
  const stopWatching = onLostParent(listener);
  const onceHeard = () => {
    stopWatching();
    listener();
  };
  // Each stack of a workspace adds listeners. Node.js would warn that so many listeners are a leak.
  process.setMaxListeners(0);
  for (const signal of signals) process.on(signal, onceHeard);
  return () => {
    stopWatching();
    for (const signal of signals) process.off(signal, onceHeard);
  };
}

/**
 * Calls `listener` when the parent process of a run under npm ends. npm passes a signal to its shell, which ends without passing it on to
 * this process, so the lost parent is the only sign of Ctrl-C. Without npm nothing is watched, because a run in the background may outlive
 * its parent. Returns a function which stops watching.
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
 * Sets how much work a function does before V8 optimizes it, as a multiple (`factor`) of V8's own threshold. A high value makes runs with
 * large configurations faster: the optimizer takes a third of the processor time of `validate` with 3,000 variables, and a quarter to a
 * third of that of `plan`. Small runs take the same. Each version of V8 has its own flag, and versions without a known one keep their
 * threshold: 11 is that of Node.js 20, 12.4 of 22.
 */
function delayOptimization(factor: number): void {
  const { v8: version } = process.versions;
  const v8 = process.getBuiltinModule('node:v8');
  // The default values of these flags.
  const interruptBudget = 66 * 1024;
  const invocationCount = 3000;
  if (version.startsWith('11.')) v8.setFlagsFromString(`--interrupt-budget=${factor * interruptBudget}`);
  else if (version.startsWith('12.4.'))
    v8.setFlagsFromString(`--invocation-count-for-turbofan=${factor * invocationCount}`);
}

/** The used memory in bytes from which a heap is large: that of a configuration of about 60,000 resources. */
const largeHeap = 256 * 1024 * 1024;

/** The used memory in bytes up to which a heap is small: that of a configuration of about 2,000 resources. */
const smallHeap = 32 * 1024 * 1024;

/**
 * Sets by how much the heap may grow before V8 collects garbage again, according to its present size. V8 lets it quadruple.
 *
 *   | heap   | growth | reason                                                                                                |
 *   | small  | 200 %  | a plan of 1,000 resources ends before its second full collection                                      |
 *   | other  | 100 %  | 224 instead of 260 MiB at the peak for 10,000 unchanged resources, for up to 4 % more processor time  |
 *   | large  | 30 %   | an apply of 100,000 resources would have as much garbage as data at its peak; takes another 5 %       |
 *
 * Called before files are read, because V8 decides at each collection how large the heap may be at the next one, and the files of 100,000
 * resources fill it once; again when they are read; and when their resources show how large the heap will be.
 */
function growHeapSlowly(): void {
  const { heapUsed } = process.memoryUsage();
  const percentUnlessLarge = heapUsed > smallHeap ? 100 : 200;
  const percent = heapUsed >= largeHeap ? 30 : percentUnlessLarge;
  process.getBuiltinModule('node:v8').setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/**
 * Keeps V8 from optimizing WebAssembly. The only WebAssembly is undici's parser of responses: V8 would compile it a second time after one
 * or two responses, and that takes more processor time than loading the program. Even 30,000 responses do not make up for that.
 */
function keepWasmUnoptimized(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--wasm-tiering-budget=1000000000');
}
