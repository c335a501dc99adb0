import { type AllowOptions, readAllowances } from '../../config/sources/allowances.ts';
import { openPermissionMemory } from '../../config/sources/memory.ts';
import { openSources, type Sources } from '../../config/sources/sources.ts';
import { originText, type SourceRequest } from '../../config/sources/verdict.ts';
import { openTracking, type Tracking } from '../../git/tracking.ts';
import { Problems } from '../../model/diagnostic.ts';
import { cleanLine } from '../../report/clean.ts';
import { type Host, inCi, type Port } from '../host.ts';
import { homeFolder } from './home-folder.ts';
import { chosenLedgerFile } from './ledger-choice.ts';

interface SessionSourceOptions extends AllowOptions {
  tokenFile?: string;
  ledger?: string;
  twin?: boolean;
  /** Files of saved plans that this run reads or writes. */
  plans?: string[];
}

/** The most sources to ask about at once: nobody reads more before answering. */
const mostAsked = 20;

/**
 * Everything that a configuration may read in this run. `port` is there if somebody can be asked; without it nobody is. Throws
 * `Problems` for invalid allowances. `tracking`: which files git tracks, where `cwd` is no work tree.
 */
export function sourcesFor(
  options: SessionSourceOptions,
  host: Pick<Host, 'env' | 'cwd'>,
  port?: Port,
  tracking: Tracking = openTracking(host.env),
): Sources {
  const { env, cwd } = host;
  const allowances = readAllowances(options, env);
  if (Array.isArray(allowances)) throw new Problems(allowances);
  const ownFiles = [
    homeFolder,
    options.tokenFile,
    chosenLedgerFile(options, { env }),
    ...(options.plans ?? []),
  ];
  return openSources({
    env,
    cwd,
    allowances,
    tracking,
    reserved: ownFiles.filter((file) => file !== undefined),
    memory: openPermissionMemory(env),
    ...(port?.canAsk && !inCi({ env }) ? asking(port) : {}),
  });
}

/** Asks about all new sources at once, and says where the answer is kept. */
const asking = (port: Port) => ({
  ask: async (wanted: { asked: SourceRequest; flag: string }[]) => {
    // The errors name all of them, with their flags.
    if (wanted.length > mostAsked) return false;
    const lines = wanted.map(({ asked }) => `  ${formatSourceRequest(asked)}`);
    port.say(`\nThe configuration wants to read from new sources:\n${lines.join('\n')}`);
    return (await port.ask('Always allow this on this machine? Type `yes` to continue: ')) === 'yes';
  },
  onRemembered: (place: string | undefined) =>
    port.say(
      place === undefined
        ? 'There is nowhere outside the repository to remember this, so you will be asked again next time.'
        : `Remembered in ${place}; delete that file to be asked again.`,
    ),
});

/** `secret database: env DATABASE_URL (trueup.yaml:3)` */
function formatSourceRequest({ use, name, origin, at }: SourceRequest): string {
  const shown = use === 'variable' ? ', WHICH IS SHOWN IN PLANS' : '';
  return cleanLine(`${use} ${name}: ${originText(origin)}${shown} (${at.file}:${at.line})`);
}
