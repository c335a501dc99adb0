/*
 * Fills an empty twin with everything that a plan has observed:
 *
 *   1. Declare the observed objects (`declareLive`), plan that on the twin, and apply it: with the planner and the applier of every run, so that no
 *      code for single kinds is needed. Objects that the planner or the twin refuses are left out with everything that needs them.
 *   2. Give the objects the ids and times of the observed ones (`realIdentities`), because the plan and the ledger name them by these.
 *
 * Nothing here proves that the twin then equals the account: `findNotModelled` does.
 */
import type { Kinds } from '../kind/kind.ts';
import { type Address, isWithinAny } from '../model/address.ts';
import type { LedgerKey } from '../model/digest.ts';
import { emptyLedger, type Ledger } from '../model/ledger.ts';
import { readOnly } from '../model/request.ts';
import { type Desired, type Live, permissions } from '../model/resource.ts';
import { observe } from '../observe/observe.ts';
import { createRefresh } from '../observe/refresh.ts';
import { execute } from '../run/execute.ts';
import { type PlannedRun, planRun } from '../run/plan-run.ts';
import { declareLive } from './live-to-desired.ts';
import type { RehearsalTwin } from './open-twin.ts';
import { findRealIdentities, withRealIdentities } from './real-identities.ts';

/** What filling a twin needs of the run. */
export interface FillOptions {
  live: Live;
  kinds: Kinds;
  key: LedgerKey | undefined;
  clock: { now(): number };
  parallelism: number;
}

/**
 * Fills a twin with the objects of a live account. Returns the objects that are not in it, each with the reason. Never throws for an object that the twin
 * refuses.
 */
export async function fillTwin(
  rehearsalTwin: RehearsalTwin,
  options: FillOptions,
): Promise<ReadonlyMap<Address, string>> {
  const { twin } = rehearsalTwin;
  const { live, kinds, key } = options;
  const { desired, secrets, undeclared } = declareLive(live, kinds);
  for (const secret of secrets.values()) rehearsalTwin.masking.addSecret(secret);
  const leftOut = new Map(undeclared);
  const run = await planFill(desired, { ...options, secrets, rehearsalTwin, leftOut });
  const ledger = await applyFill(run, { ...options, rehearsalTwin, leftOut });
  const filled = await observe(run.input.desired, ledger, kinds, rehearsalTwin.connection.send, {
    facts: rehearsalTwin.owner.facts,
    key,
  });
  twin.restoreAccount(withRealIdentities(twin.copyAccount(), findRealIdentities(live, filled)));
  return leftOut;
}

interface FillContext extends FillOptions {
  rehearsalTwin: RehearsalTwin;
  /** Collects the objects that are left out, with reasons. */
  leftOut: Map<Address, string>;
}

/**
 * Plans the creation of all objects on the twin. Objects that the planner refuses are left out with everything in them, and the rest is planned again,
 * until nothing is refused.
 */
async function planFill(
  desired: Desired,
  { rehearsalTwin, kinds, key, clock, secrets, leftOut }: FillContext & { secrets: FillSecrets },
): Promise<PlannedRun> {
  const { connection, owner, twin } = rehearsalTwin;
  let resources = desired.resources;
  for (;;) {
    const run = await planRun({
      desired: { ...desired, resources },
      ledger: emptyLedger(twin.url, owner.id, desired.stack),
      kinds,
      send: readOnly(connection.send),
      secrets,
      facts: owner.facts,
      key,
      isWritingRun: true,
      now: clock.now(),
      settle: 0,
      options: { allow: permissions, ignoreDrafts: true },
    });
    const refused = new Map(
      run.diagnostics.flatMap(({ severity, address, message }) =>
        severity === 'error' ? [[address ?? '', message] as const] : [],
      ),
    );
    if (refused.size === 0) return run;
    const remaining = [...resources].filter(
      ([address]) => !refused.has(address) && !isWithinAny(address, refused),
    );
    // A refusal that names no object of ours would be repeated for ever.
    const isStuck = remaining.length === resources.size;
    const accepted = isStuck ? [] : remaining;
    const acceptedAddresses = new Set(accepted.map(([address]) => address));
    for (const address of resources.keys())
      if (!acceptedAddresses.has(address))
        leftOut.set(
          address,
          refused.get(address) ?? (isStuck ? [...refused.values()][0]! : 'its parent is not in the twin'),
        );
    resources = new Map(accepted);
  }
}

type FillSecrets = ReturnType<typeof declareLive>['secrets'];

/** Applies the plan of the fill to the twin. Returns the ledger, which has the ids that the twin made. */
async function applyFill(
  { plan, live, ledger, moves, input, aliases }: PlannedRun,
  { rehearsalTwin, kinds, key, clock, parallelism, leftOut }: FillContext,
): Promise<Ledger> {
  const { connection, masking } = rehearsalTwin;
  const result = await execute({
    plan,
    live,
    ledger,
    moves,
    kinds,
    secrets: input.secrets,
    masking,
    key,
    inputs: [],
    send: connection.send,
    quota: connection,
    parallelism,
    onEvent: () => {},
    save: async () => {},
    deliver: async () => {},
    now: clock.now,
    refresh: createRefresh({ ...input, send: readOnly(connection.send), aliases, before: live }),
  });
  const { failed, skipped, postponed } = result.outcome;
  for (const { address, error } of failed) leftOut.set(address, (error as Error).message);
  for (const { address, reason } of skipped) leftOut.set(address, `it needs ${reason}`);
  for (const { address } of postponed) leftOut.set(address, 'a rate limit of the twin');
  return result.ledger;
}
