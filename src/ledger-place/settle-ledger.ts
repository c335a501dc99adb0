/*
 * Decides where the ledger of a stack is, before anything opens it. The first of these counts:
 *
 *   1. `--ledger`, then TRUEUP_LEDGER: the operator decides
 *   2. `ledger:` in the header of the configuration, then in trueup.workspace.yaml, if it may be used
 *   3. a ledger of the stack that the repository already has: a file in `.trueup/ledger`, or `refs/trueup/STACK` at origin
 *   4. a new file, `.trueup/ledger/STACK.json`
 */
import { resolve } from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import type { Host } from '../host.ts';
import { type Diagnostic, raise, warning } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import {
  decidedByOperator,
  type LedgerChoice,
  operatorLedgerPlace,
  type RepositoryLedger,
  type SettledLedgerChoice,
} from '../stores/ledger-choice.ts';
import { createLedgerReader } from '../stores/open-ledger.ts';
import { findOwnLedger, type LedgerSearchPort, shortenPath } from './find-own-ledger.ts';
import { judgeDeclaredPlace, type LedgerOwner } from './judge-declared-place.ts';

/**
 * Returns the options with the place of the ledger that the repository names: by `ledger:` in the YAML, else by a ledger that is already
 * there. Everything that opens a ledger demands this, so each command calls it once its configuration is read. Settled options stay, and
 * none is looked for if `--ledger`, TRUEUP_LEDGER or the twin (the local imitation of the platform) decides. May ask the person at the
 * terminal whether a place of the YAML is allowed. Throws `Problems` if it is not.
 */
export async function settleLedger<O extends LedgerChoice>(
  options: O,
  owner: LedgerOwner,
  port: LedgerSearchPort,
): Promise<O & SettledLedgerChoice> {
  const { host } = port.run;
  const { stack } = owner.configuration.desired;
  if ('repositoryLedger' in options) return options as O & SettledLedgerChoice;
  if (options.twin || operatorLedgerPlace(options, host) !== undefined) return decidedByOperator(options);
  const declared = await readDeclaredPlace(owner, host);
  const hasNoName = stack === '';
  if (declared || hasNoName) return { ...options, repositoryLedger: declared };
  return { ...options, ...(await findOwnLedger(stack, port)) };
}

/** Returns the place that `ledger:` names, if it may be used; undefined without `ledger:`. Throws `Problems` if it may not. */
async function readDeclaredPlace(owner: LedgerOwner, { cwd }: Host): Promise<RepositoryLedger | undefined> {
  const { ledger } = owner.configuration;
  if (!ledger) return undefined;
  const { refusal, path } = await judgeDeclaredPlace(ledger, owner);
  if (refusal) raise(refusal);
  const settledPlace = path === undefined ? ledger.place : await shortenPath(path, cwd);
  return { place: settledPlace, origin: ledger.origin, at: ledger.at };
}

/**
 * Returns the warning that TRUEUP_LEDGER names another place than the YAML, so that the reviewer of a change of `ledger:` sees that it has
 * no effect. Empty if they agree, if one of them names none, or if `--ledger` or `--twin` decides.
 */
export function warnOfOtherPlace(
  { ledger }: Pick<Configuration, 'ledger'>,
  options: LedgerChoice,
  { cwd, env }: Host,
): Diagnostic[] {
  const { TRUEUP_LEDGER: place = '' } = env;
  if (!ledger || options.twin || options.ledger !== undefined || place === '') return [];
  const isSame = place === ledger.place || resolve(cwd, place) === resolve(ledger.folder, ledger.place);
  if (isSame) return [];
  const message = 'TRUEUP_LEDGER decides where the ledger is, and `ledger:` names another place';
  return [
    warning('ledger/overridden', message, {
      at: ledger.at,
      hint: 'write the same place in both, or drop one',
    }),
  ];
}

/**
 * Returns a function to read the ledger of the stack in the current folder, for commands such as `get` that work without a stack but use
 * its ledger if there is one. The place is decided when the ledger is read, since most of these commands never do.
 */
export const createOwnLedgerReader =
  (options: LedgerChoice, owner: LedgerOwner, port: LedgerSearchPort) =>
  async (): Promise<Ledger | undefined> => {
    const choice = await settleLedger(options, owner, port);
    return createLedgerReader(owner.configuration.desired.stack, choice, port.run.host)();
  };
