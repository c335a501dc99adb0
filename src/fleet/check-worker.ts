import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { type Host, resolvePath } from '../host.ts';
import { raise } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { describeSystemError } from '../model/system-error.ts';
import { isLedgerFile, type LedgerChoice } from '../stores/ledger-choice.ts';
import { findEnvironmentKey } from '../stores/open-ledger.ts';

/**
 * Returns the key of the worker. Throws `Problems` if a worker for pull requests has one, or another worker has none: plans of pull
 * requests run code that was not reviewed, so they must not run beside the key.
 */
export async function requireFittingKey(
  { plansOnly }: { plansOnly?: boolean },
  host: Host,
): Promise<LedgerKey | undefined> {
  const key = await findEnvironmentKey(host);
  if (plansOnly && key)
    raise('fleet/key', 'a worker with --plans-only must not have a key, and this one has one', {
      hint: 'remove TRUEUP_LEDGER_KEY from its environment, or drop --plans-only for a worker of the protected branch',
    });
  if (!plansOnly && !key)
    raise('fleet/key', 'this worker has no key', {
      hint: 'set TRUEUP_LEDGER_KEY to plan and apply the protected branch, or pass --plans-only to plan pull requests without a key',
    });
  return key;
}

/**
 * Throws `Problems` if the ledgers of a fleet worker would be files in the checkouts of its jobs: a checkout is deleted after its job, and the
 * next worker would find no ledger.
 */
export function refuseLedgersInCheckouts(options: LedgerChoice, host: Host): void {
  const ledger = options.ledger ?? host.env.TRUEUP_LEDGER;
  if (!isLedgerFile(options, host) || (ledger && isAbsolute(ledger))) return;
  raise('fleet/ledger', "the ledgers would be in this worker's checkouts, which are deleted after each job", {
    hint: 'use a place that all workers share: --ledger git or the URL of a store (or TRUEUP_LEDGER)',
  });
}

/**
 * Reads the text of the file of `fleet work --file`, which lists the repositories that the worker may run jobs for. Throws `Problems` if it
 * cannot be read.
 */
export async function readRepositoriesFile(path: string, host: Host): Promise<string> {
  return readFile(resolvePath(host, path), 'utf8').catch((error: Error) => {
    raise('fleet/file', `${path} cannot be read: ${describeSystemError(error)}`, {
      hint: "it lists this worker's repositories; see docs/guides/fleet.md",
    });
  });
}
