import { Readable, Writable } from 'node:stream';
import type { Host } from '../cli/host.ts';
import { type Terminal, terminalFor } from '../cli/terminal.ts';
import { processHost } from '../process-host.ts';
import type { Surroundings } from './surface.ts';

/** The terminal of a run that speaks only to `say`. It is not the log of a CI runner, which is told secrets in order to hide them. */
export const listenerOf = (host: Host): Terminal => ({
  ...terminalFor({ host, exitCode: 0 }, { color: false }),
  toRunner: () => {},
});

/** The host of a run inside of somebody else's program, which keeps its own signals and its own end. */
export function hostFor({ cwd, env, say }: Surroundings): Host {
  const host = processHost();
  const sink = (tell?: (text: string) => void) =>
    new Writable({
      write(chunk, _, done) {
        tell?.(String(chunk).trimEnd());
        done();
      },
    });
  return {
    stdin: Readable.from([]),
    stdout: sink(),
    stderr: sink(say),
    env: env ?? host.env,
    cwd: cwd ?? host.cwd,
    processes: host.processes,
    clock: host.clock,
    onSignal: () => () => {},
    exit: (code) => {
      throw new Error(`the run ended with ${code}`);
    },
    engine: { ...host.engine, starting: () => {}, started: () => {} },
  };
}
