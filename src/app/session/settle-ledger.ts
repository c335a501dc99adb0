/*
 * Decides where the ledger of a stack is, before anything opens it. The first of these counts:
 *
 *   1. `--ledger`, then TRUEUP_LEDGER: the operator decides
 *   2. `ledger:` in the header of the configuration, then in trueup.workspace.yaml, if it may be used
 *   3. `.trueup/ledger/STACK.json`
 */
import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import { findWorkspaceFolder } from '../../config/find-workspace.ts';
import { load } from '../../config/load.ts';
import type { Sources } from '../../config/sources/sources.ts';
import { type SourceRequest, toRefusal } from '../../config/sources/verdict.ts';
import { readWorkspace } from '../../config/workspace.ts';
import type { Host } from '../../host.ts';
import type { Provider } from '../../kind/provider.ts';
import { raise } from '../../model/diagnostic.ts';
import type { Ledger } from '../../model/ledger.ts';
import {
  decidedByOperator,
  type LedgerChoice,
  operatorLedgerPlace,
  type RepositoryLedger,
  type SettledLedgerChoice,
} from '../../stores/ledger-choice.ts';
import { createLedgerReader } from '../../stores/open-ledger.ts';
import type { Port } from '../port.ts';
import type { StackOptions } from '../stack-options.ts';
import { createLoadOptions, createSources } from './load-configuration.ts';

/** A configuration that may name the place of its ledger, and the sources that decide whether it may. */
interface LedgerOwner {
  configuration: Pick<Configuration, 'ledger' | 'writtenStack'>;
  sources: Sources;
}

/** Finds the stack that the options name, for the commands of `trueup ledger`. `choice`: the options with the place of its ledger. */
export type FindStack = <O extends StackOptions>(
  options: O,
) => Promise<{ stack: string; choice: O & SettledLedgerChoice }>;

/**
 * Returns the options with the place of the ledger that the repository names. Everything that opens a ledger demands this, so each command calls it
 * once its configuration is read. Options that are settled stay as they are. May ask the person at the terminal whether a place of the YAML is allowed. Throws `Problems` if it is not.
 */
export async function settleLedger<O extends LedgerChoice>(
  options: O,
  owner: LedgerOwner,
  { run: { host } }: Pick<Port, 'run'>,
): Promise<O & SettledLedgerChoice> {
  if ('repositoryLedger' in options) return options as O & SettledLedgerChoice;
  if (options.twin || operatorLedgerPlace(options, host) !== undefined) return decidedByOperator(options);
  return { ...options, repositoryLedger: await readDeclaredPlace(owner, host) };
}

/** Returns the place that `ledger:` names, if it may be used; undefined without `ledger:`. Throws `Problems` if it may not. */
async function readDeclaredPlace(
  { configuration: { ledger, writtenStack }, sources }: LedgerOwner,
  { cwd }: Host,
): Promise<RepositoryLedger | undefined> {
  if (!ledger) return undefined;
  const { place, origin, folder, at } = ledger;
  const request: SourceRequest = { use: 'ledger', name: 'place', origin: { ledger: place }, folder, at };
  const [verdict] = await sources.judge([request], writtenStack);
  const refusal = toRefusal(request, verdict!);
  if (refusal) raise(refusal);
  const { path } = verdict!;
  return { place: path === undefined ? place : await shortenPath(path, cwd), origin, at };
}

/** Returns a path as people write it in a folder. It stays absolute if links lead to the folder, because `..` would then mean another one. */
async function shortenPath(path: string, folder: string): Promise<string> {
  const realFolder = await realpath(folder);
  const shortPath = relative(realFolder, path);
  return realFolder !== folder && shortPath.startsWith('..') ? path : shortPath;
}

/**
 * Returns a function to read the ledger of the stack in the current folder, for commands such as `get` that work without a stack but use its ledger
 * if there is one. The place is decided when the ledger is read, since most of these commands never do.
 */
export const createOwnLedgerReader =
  (
    options: LedgerChoice,
    owner: LedgerOwner & { configuration: Pick<Configuration, 'desired'> },
    port: Pick<Port, 'run'>,
  ) =>
  async (): Promise<Ledger | undefined> => {
    const choice = await settleLedger(options, owner, port);
    return createLedgerReader(owner.configuration.desired.stack, choice, port.run.host)();
  };

/**
 * Returns the options with the place of the ledgers that the current folder names, for commands such as `ledger retire` about a stack that has no
 * configuration any more. `stack`: its name. Errors of the configuration in the folder are ignored. Throws `Problems` if the place may not be used.
 */
export async function settleLedgerOfFolder<O extends LedgerChoice>(
  stack: string,
  options: O,
  provider: Provider,
  port: Pick<Port, 'run'>,
): Promise<O & SettledLedgerChoice> {
  const { host } = port.run;
  const sources = createSources({}, host);
  const { ledger } = await load({ ...createLoadOptions(provider, {}, port.run), sources });
  const workspace = findWorkspaceFolder(host.cwd);
  const ledgerOfWorkspace = workspace === undefined ? undefined : (await readWorkspace(workspace)).ledger;
  const configuration = { ledger: ledger ?? ledgerOfWorkspace, writtenStack: stack };
  return settleLedger(options, { configuration, sources }, port);
}
