import { type AllowOptions, readAllowances } from '../../config/sources/allowances.ts';
import { openPermissionMemory } from '../../config/sources/memory.ts';
import { openSources, type Sources } from '../../config/sources/sources.ts';
import { originText, type SourceRequest } from '../../config/sources/verdict.ts';
import { openTracking, type Tracking } from '../../git/tracking.ts';
import { type Host, isInCi } from '../../host.ts';
import { raise } from '../../model/diagnostic.ts';
import { cleanLine } from '../../report/text.ts';
import { homeFolder } from '../../stores/home-folder.ts';
import { chosenLedgerFile } from '../../stores/ledger-choice.ts';
import type { Port } from '../port.ts';

/** The options that decide what a configuration may read. */
interface SessionSourceOptions extends AllowOptions {
  tokenFile?: string;
  ledger?: string;
  twin?: boolean;
  /** Files of saved plans that this run reads or writes. */
  plans?: string[];
}

/** The largest number of sources in one question. A longer list would be accepted without being read. */
const maxSourcesPerQuestion = 20;

/**
 * Creates the sources of a run, which decide what its configuration may read: environment variables, files and commands. Files of trueup itself,
 * such as the key and the ledger, can never be read. `port`: asks the user about new sources; absent if this run must not ask. `tracking`: tells
 * which files git tracks, if `cwd` is not a work tree. Throws `Problems` for invalid `--allow-*` flags.
 */
export function createSources(
  options: SessionSourceOptions,
  host: Pick<Host, 'env' | 'cwd'>,
  port?: Port,
  tracking: Tracking = openTracking(host.env),
): Sources {
  const { env, cwd } = host;
  const allowances = readAllowances(options, env);
  if (Array.isArray(allowances)) raise(allowances);
  const reservedFiles = [
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
    reserved: reservedFiles.filter((file) => file !== undefined),
    memory: openPermissionMemory(env),
    ...(port?.canAsk && !isInCi({ env }) && createPrompt(port)),
  });
}

/**
 * Returns the handlers that ask the user once about all new sources (environment variables, files, commands) that a configuration wants to read,
 * and say where the answer is stored, so that the configuration of a pull request cannot read secrets of the machine unnoticed.
 */
const createPrompt = (port: Port) => ({
  ask: async (requests: { asked: SourceRequest; flag: string }[]) => {
    // Without a question, the errors list all of them with their flags.
    if (requests.length > maxSourcesPerQuestion) return false;
    const lines = requests.map(({ asked }) => `  ${formatSourceRequest(asked)}`);
    port.say(`\nThe configuration wants to read from new sources:\n${lines.join('\n')}`);
    return (await port.ask('Always allow this on this machine? Type `yes` to continue: ')) === 'yes';
  },
  onRemembered: (memoryFile: string | undefined) =>
    port.say(
      memoryFile === undefined
        ? 'There is nowhere outside the repository to remember this, so you will be asked again next time.'
        : `Remembered in ${memoryFile}; delete that file to be asked again.`,
    ),
});

/** Formats a request for the question: `secret database: env DATABASE_URL (trueup.yaml:3)`. */
function formatSourceRequest({ use, name, origin, at: { file, line } }: SourceRequest): string {
  const publicity = use === 'variable' ? ', AND PLANS SHOW ITS VALUE' : '';
  return cleanLine(`${use} ${name}: ${originText(origin)}${publicity} (${file}:${line})`);
}
