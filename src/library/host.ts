import { Readable } from 'node:stream';
import type { Port } from '../app/port.ts';
import { type Host, isInCi } from '../host.ts';
import { withoutCommands } from '../model/runner-commands.ts';
import { processHost } from '../process-host.ts';
import { type Style, styleFor, useUnicode } from '../report/style.ts';
import { escapeHidden } from '../report/text.ts';
import type { Surroundings } from './surface.ts';

/** Returns the style of the texts that the library returns: plain lines without colours, as in a log. */
export const textStyle = ({ env }: Pick<Host, 'env'>): Style =>
  styleFor({ color: false, width: 100, isLog: true, unicode: useUnicode(env) });

/**
 * Returns the port of a run inside of another program. Its messages go to `say`, and there is no person to answer questions. It sends no commands to a
 * CI runner, because the output belongs to the other program.
 */
export const portFor = (host: Host, { say = () => {} }: Surroundings): Port => ({
  run: { host },
  say: (text) => {
    if (text !== '') say(withoutCommands(escapeHidden(text), isInCi(host)).trimEnd());
  },
  canAsk: false,
  ask: async () => '',
  toRunner: () => {},
});

/** Returns the host of a run inside of another program. The run ignores signals, because the program handles them, and must not end the process. */
export function hostFor({ cwd, env }: Surroundings): Host {
  const host = processHost();
  return {
    stdin: Readable.from([]),
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
