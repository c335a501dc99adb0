import { Readable } from 'node:stream';
import { type Host, interruptedCode } from '../host.ts';
import type { WorkerContext } from './worker-context.ts';

/** Variables of the worker's own, kept from the run. */
const ofWorker = ['TRUEUP_FLEET', 'TRUEUP_COMMENT_TOKEN', 'GITHUB_TOKEN'];

/**
 * A host for the run of one job: in its checkout, with the worker's environment, as in CI. What it says is kept. `isReview`: the job plans
 * a pull request.
 */
export function createJobHost({ port, runCommand, stopping }: WorkerContext, cwd: string, isReview = false) {
  const { host } = port.run;
  const texts = { out: '', err: '' };
  let leave: (code: number) => void = () => {};
  const left = new Promise<number>((done) => {
    leave = done;
  });
  const listeners = new Set<() => void>();
  const output = {
    out: (text: string) => {
      texts.out += text;
    },
    err: (text: string) => {
      texts.err += text;
    },
  };
  const member: Host = {
    ...host,
    stdin: Readable.from([]),
    env: {
      ...Object.fromEntries(Object.entries(host.env).filter(([name]) => !ofWorker.includes(name))),
      CI: 'true',
    },
    cwd,
    isReview,
    onSignal: (_, listener) => {
      const ownListener = () => listener();
      listeners.add(ownListener);
      return () => void listeners.delete(ownListener);
    },
    exit: (code) => leave(code),
    engine: { ...host.engine, starting: () => {}, started: () => {} },
  };
  return {
    host: member,
    /** Returns what its commands printed so far: their reports. */
    out: () => texts.out,
    /** Returns what its commands said so far. */
    err: () => texts.err,
    /** Runs the command line. `stops`: a signal to the worker stops it, as one of its own would. */
    async run(argv: string[], stops: boolean): Promise<number> {
      const tell = () => {
        for (const listener of [...listeners]) listener();
        // Not far enough to have anything to give back.
        if (listeners.size === 0) leave(interruptedCode);
      };
      if (stops) stopping.add(tell);
      try {
        return await Promise.race([runCommand(argv, member, output), left]);
      } finally {
        stopping.delete(tell);
      }
    },
  };
}
