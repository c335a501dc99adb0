import { type AllowOptions, readAllowances } from '../config/sources/allowances.ts';
import { memoryIn } from '../config/sources/memory.ts';
import { openSources, type Sources } from '../config/sources/sources.ts';
import { originText, type SourceRequest } from '../config/sources/verdict.ts';
import { type Tracking, trackingBy } from '../git/tracking.ts';
import { Problems } from '../model/diagnostic.ts';
import { cleanLine } from '../report/clean.ts';
import { home } from './home.ts';
import { type Host, inCi } from './host.ts';
import { chosenLedger } from './ledger-choice.ts';
import type { Terminal } from './terminal.ts';

interface SourceOptions extends AllowOptions {
  tokenFile?: string;
  allowCommands?: boolean;
  ledger?: string;
  twin?: boolean;
  /** Files of saved plans that this run reads or writes. */
  plans?: string[];
}

/** More than that nobody reads before saying yes. */
const mostAsked = 20;

/**
 * Everything that a configuration may read in this run. `terminal` is there if somebody can be asked; without it nobody is. Throws
 * `Problems` for invalid allowances. `tracking`: which files git tracks, where `cwd` is no work tree.
 */
export function sourcesFor(
  options: SourceOptions,
  host: Pick<Host, 'env' | 'cwd'>,
  terminal?: Terminal,
  tracking: Tracking = trackingBy(host.env),
): Sources {
  const { env, cwd } = host;
  if (options.allowCommands)
    throw new Problems(
      'allow/commands',
      '--allow-commands let the YAML run any program; it was replaced by --allow-command',
      {
        hint: "allow each command: --allow-command 'op read op://deploy/*'; a `*` at the end of an argument matches any ending; `trueup validate` prints the flags",
      },
    );
  const allowances = readAllowances(options, env);
  if (Array.isArray(allowances)) throw new Problems(allowances);
  const own = [home, options.tokenFile, chosenLedger(options, { env }), ...(options.plans ?? [])];
  return openSources({
    env,
    cwd,
    allowances,
    tracking,
    reserved: own.filter((file) => file !== undefined),
    memory: memoryIn(env),
    ...(terminal?.canAsk && !inCi({ env }) ? asking(terminal) : {}),
  });
}

/** Asks for all that is new at once, and says where the answer is kept. */
const asking = (terminal: Terminal) => ({
  ask: async (wanted: { asked: SourceRequest; flag: string }[]) => {
    // The errors name all of them, with their flags.
    if (wanted.length > mostAsked) return false;
    const lines = wanted.map(({ asked }) => `  ${lineOf(asked)}`);
    terminal.err(`\nThe configuration wants to read from new sources:\n${lines.join('\n')}`);
    return (await terminal.ask('Always allow this on this machine? Type `yes` to continue: ')) === 'yes';
  },
  onRemembered: (place: string | undefined) =>
    terminal.err(
      place === undefined
        ? 'There is nowhere outside the repository to remember this, so you will be asked again next time.'
        : `Remembered in ${place}; delete that file to be asked again.`,
    ),
});

/** `secret database: env DATABASE_URL (trueup.yaml:3)` */
function lineOf({ use, name, origin, at }: SourceRequest): string {
  const shown = use === 'variable' ? ', WHICH IS SHOWN IN PLANS' : '';
  return cleanLine(`${use} ${name}: ${originText(origin)}${shown} (${at.file}:${at.line})`);
}
