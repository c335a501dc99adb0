import type { Command } from 'commander';
import { createPlanOptions } from '../app/planning/plan-options.ts';
import { type LoadedConfiguration, loadForRun } from '../app/session/load-configuration.ts';
import { openSession } from '../app/session/open-session.ts';
import type { StackOptions } from '../app/stack-options.ts';
import {
  type FieldOrigin,
  findFieldOrigins,
  formatFieldOrigins,
  isAsked,
  readFieldOrigins,
} from '../history/blame.ts';
import { openHistory } from '../history/read-history.ts';
import type { RunRecord } from '../history/record.ts';
import type { Provider } from '../kind/provider.ts';
import { settleLedger } from '../ledger-place/settle-ledger.ts';
import type { Address } from '../model/address.ts';
import { raise } from '../model/diagnostic.ts';
import { jsonText } from '../report/show.ts';
import { cleanLine } from '../report/text.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { sayDiagnostics, type Terminal, terminalFor } from '../terminal/terminal.ts';
import { problemsCode } from './exit-codes.ts';
import { sayDoubts } from './log.ts';
import { withAccount } from './options.ts';

interface BlameOptions extends StackOptions {
  json?: boolean;
}

/** Declares `trueup blame`, which shows for each field of an object who set its value, and when. */
export function blameCommand(command: Command, provider: Provider, run: CommandRun): void {
  withAccount(command)
    .argument(
      '<address>',
      'a resource, such as `projects/web`; a variable without a target means all its targets',
    )
    .option('--json', 'as JSON')
    .action((address: string, options: BlameOptions) =>
      showFieldOrigins(address, provider, options, terminalFor(run, options)),
    );
}

/**
 * Runs `trueup blame`: shows who set each field of an object, and when. Without a token, only the history says which values were set.
 * Throws `Problems` for an unknown address.
 */
async function showFieldOrigins(
  address: Address,
  provider: Provider,
  options: BlameOptions,
  terminal: Terminal,
): Promise<void> {
  const { host } = terminal.run;
  const loaded = await loadForRun(provider, options, terminal);
  const { stack } = loaded.configuration.desired;
  const history = await openHistory(stack, await settleLedger(options, loaded, terminal), host);
  sayDoubts(history, terminal);
  const { records } = history;
  const hasAccount = options.twin || options.tokenFile !== undefined || host.env.TRUEUP_TOKEN?.trim();
  const { origins, isKnown } = hasAccount
    ? await originsInAccount(address, provider, loaded, records, options, terminal)
    : originsInHistory(address, loaded, records, terminal);
  if (!isKnown)
    raise('blame/unknown', `unknown address ${address}: it is neither in the history nor in this stack`, {
      hint: '`trueup ledger list` shows what this stack owns',
    });
  if (options.json) terminal.out(jsonText({ formatVersion: '1.0', stack, fields: origins }));
  else if (origins.length > 0) terminal.out(formatFieldOrigins(origins, terminal.outStyle));
  else terminal.out(cleanLine(`${address} has no fields that a run or somebody else has set.`));
}

/** The origins of the fields at an address. `isKnown`: the history, the account, the ledger or the configuration has it, as far as they were read. */
interface Origins {
  origins: FieldOrigin[];
  isKnown: boolean;
}

/**
 * Finds for `trueup blame` who set the values that the account has now, of the object at the address `asked` or, for a variable, of all its
 * targets. `isKnown`: false if the address is neither in the account nor in the records, so it may be misspelled. Sets the exit code if a
 * part of the account could not be read.
 */
async function originsInAccount(
  asked: Address,
  provider: Provider,
  loaded: LoadedConfiguration,
  records: readonly RunRecord[],
  options: BlameOptions,
  terminal: Terminal,
): Promise<Origins> {
  const session = await openSession(provider, options, terminal, { loaded });
  try {
    const planOptions = createPlanOptions(options, session.host);
    const { origins, addresses, problems } = await readFieldOrigins(session, asked, records, planOptions);
    sayDiagnostics(problems, terminal);
    terminal.run.exitCode = problemsCode(problems);
    const knownAddresses = [...recordedAddresses(records), ...addresses];
    return { origins, isKnown: knownAddresses.some((address) => isAsked(address, asked)) };
  } finally {
    await session.close();
  }
}

/**
 * Finds for `trueup blame` which runs set the values of fields, from the history alone, because there is no token to read the account. Says
 * that the account may have other values by now. `isKnown`: false if neither history nor configuration has the address.
 */
function originsInHistory(
  asked: Address,
  { configuration }: LoadedConfiguration,
  records: readonly RunRecord[],
  terminal: Terminal,
): Origins {
  terminal.say(
    'No token, so the account was not read: these are the values that runs set, which may have changed since.',
  );
  const knownAddresses = [...recordedAddresses(records), ...configuration.desired.resources.keys()];
  const addresses = new Set(knownAddresses.filter((address) => isAsked(address, asked)));
  const origins = [...addresses].flatMap((address) => findFieldOrigins(address, records, undefined));
  return { origins, isKnown: addresses.size > 0 };
}

/** Returns the addresses that any recorded run has changed, each once, among which `trueup blame` looks for the address of the user. */
const recordedAddresses = (records: readonly RunRecord[]): Address[] => {
  const changes = records.flatMap(({ details }) => details?.changes ?? []);
  return [...new Set(changes.map(({ address }) => address))];
};
