import { Readable, Writable } from 'node:stream';
import type { CommandHost } from './command-run.ts';
import { exitCodes } from './exit-codes.ts';
import type { Workshop } from './workshop.ts';

/** Variables of the worker's own, kept from the run. */
const ofWorker = ['TRUEUP_FLEET', 'TRUEUP_COMMENT_TOKEN', 'GITHUB_TOKEN'];

/**
 * A host for the run of one job: in its checkout, with the worker's environment, as in CI. What it says is kept. `isReview`: the job plans
 * a pull request.
 */
export function jobHost({ host, again, stopping }: Workshop, cwd: string, isReview = false) {
  const [out, err] = [kept(), kept()];
  let leave: (code: number) => void = () => {};
  const left = new Promise<number>((done) => {
    leave = done;
  });
  const listeners = new Set<() => void>();
  const member: CommandHost = {
    ...host,
    stdin: Readable.from([]),
    stdout: out.stream,
    stderr: err.stream,
    env: {
      ...Object.fromEntries(Object.entries(host.env).filter(([name]) => !ofWorker.includes(name))),
      CI: 'true',
    },
    cwd,
    isReview,
    onSignal: (_, listener) => {
      const one = () => listener();
      listeners.add(one);
      return () => void listeners.delete(one);
    },
    exit: (code) => leave(code),
    engine: { ...host.engine, starting: () => {}, started: () => {} },
  };
  return {
    host: member,
    out: out.text,
    err: err.text,
    /** Runs the command line. `stops`: a signal to the worker stops it, as one of its own would. */
    async run(argv: string[], stops: boolean): Promise<number> {
      const tell = () => {
        for (const listener of [...listeners]) listener();
        // Not far enough to have anything to give back.
        if (listeners.size === 0) leave(exitCodes.interrupted);
      };
      if (stops) stopping.add(tell);
      try {
        return await Promise.race([again(argv, member), left]);
      } finally {
        stopping.delete(tell);
      }
    },
  };
}

/** A stream that keeps what is written to it, and is no terminal. */
function kept() {
  const parts: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      parts.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => parts.join('') };
}
