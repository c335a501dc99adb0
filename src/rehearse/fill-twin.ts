/*
 * Fills an empty twin with everything that a plan has observed, so that the plan can be applied to the twin instead of the account.
 *
 *   1. Declare the observed objects as a configuration (`declareLive`).
 *   2. Plan that configuration on the twin, and apply it. The planner and the applier are those of every run, so no code for single kinds
 *      is needed.
 *   3. Replace the ids and times that the twin made by the observed ones (`findRealIdentities`), because the plan and the ledger name
 *      objects by these.
 *
 * An object that the planner or the twin refuses is left out with everything that needs it. Nothing here proves that the twin then equals
 * the account: `findNotModelled` compares them.
 */
import type { Kinds } from '../kind/kind.ts';
import { type Address, isWithinAny } from '../model/address.ts';
import type { LedgerKey } from '../model/digest.ts';
import { emptyLedger, type Ledger } from '../model/ledger.ts';
import { readOnly } from '../model/request.ts';
import { type Live, permissions } from '../model/resource.ts';
import { observe } from '../observe/observe.ts';
import { execute } from '../run/execute.ts';
import { optionsWithoutSession } from '../run/execute-options.ts';
import { type PlannedRun, planRun } from '../run/plan-run.ts';
import { type DeclaredLive, declareLive } from './live-to-desired.ts';
import type { RehearsalTwin } from './open-twin.ts';
import { findRealIdentities, withRealIdentities } from './real-identities.ts';
import type { TwinSecrets } from './twin-secrets.ts';

/** What filling a twin needs of the run. */
export interface FillOptions {
  live: Live;
  /** The secrets of these objects that the account certainly has, also those that this plan did not read. */
  twinSecrets: TwinSecrets;
  kinds: Kinds;
  key: LedgerKey;
  clock: { now(): number };
  parallelism: number;
}

/** The objects that are not in the twin, each with the reason. */
type LeftOutReasons = ReadonlyMap<Address, string>;

/**
 * Fills an empty twin (the simulated account of `plan --rehearse`) with the objects of a live account, and returns those that it had to
 * leave out. Declares the objects, applies that, and then replaces the ids that the twin made by the real ones, because the plan and the
 * ledger name objects by these. Never throws for an object that the twin refuses.
 */
export async function fillTwin(rehearsalTwin: RehearsalTwin, options: FillOptions): Promise<LeftOutReasons> {
  const { twin, masking, connection, owner } = rehearsalTwin;
  const { live, twinSecrets, kinds, key } = options;
  const declared = declareLive(live, kinds, twinSecrets);
  for (const secret of declared.secrets.values()) masking.addSecret(secret);
  const planned = await planFill(rehearsalTwin, declared, options);
  const applied = await applyFill(rehearsalTwin, planned.run, options);
  const { desired } = planned.run.input;
  const { facts } = owner;
  const filled = await observe(desired, applied.ledger, kinds, connection.send, { facts, key });
  twin.restoreAccount(withRealIdentities(twin.copyAccount(), findRealIdentities(live, filled)));
  return new Map([...declared.undeclared, ...planned.leftOut, ...applied.leftOut]);
}

/**
 * Plans the creation of all declared objects on an empty twin (the simulated account of a rehearsal). Objects that the planner refuses are
 * left out with everything in them, and the remaining ones are planned again, until nothing is refused.
 */
async function planFill(
  { twin, connection, owner }: RehearsalTwin,
  { desired, secrets }: DeclaredLive,
  { kinds, key, clock }: FillOptions,
): Promise<{ run: PlannedRun; leftOut: LeftOutReasons }> {
  const leftOut = new Map<Address, string>();
  let { resources } = desired;
  for (;;) {
    const run = await planRun({
      desired: { ...desired, resources },
      ledger: emptyLedger(twin.url, owner.id, desired.stack),
      kinds,
      send: readOnly(connection.send),
      secrets,
      facts: owner.facts,
      key,
      now: clock.now(),
      // The lists of the twin show each write at once.
      settle: 0,
      options: { allow: permissions, ignoreDrafts: true },
    });
    const refused = findRefusedObjects(run, resources);
    if (refused.size === 0) return { run, leftOut };
    for (const [address, reason] of refused) leftOut.set(address, reason);
    resources = new Map([...resources].filter(([address]) => !refused.has(address)));
  }
}

/**
 * Returns the declared objects that must be left out because of the errors of a plan: those that an error names, and everything in them.
 * The plan is made again without them. An error about no declared object would come back each time, so it refuses all of them.
 */
function findRefusedObjects(
  { diagnostics }: PlannedRun,
  declared: ReadonlyMap<Address, unknown>,
): LeftOutReasons {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const reasons = new Map(errors.map(({ address = '', message }) => [address, message]));
  const [firstReason] = reasons.values();
  if (firstReason === undefined) return new Map();
  const refused = [...declared.keys()].filter((address) => isWithinAny(address, reasons));
  return refused.length > 0
    ? new Map(refused.map((address) => [address, reasons.get(address) ?? 'its parent is not in the twin']))
    : new Map([...declared.keys()].map((address) => [address, firstReason]));
}

/**
 * Applies the plan that fills a twin (the simulated account of a rehearsal). Returns the ledger with the ids that the twin made, and the
 * objects that the twin refused, with reasons.
 */
async function applyFill(
  { connection, masking }: RehearsalTwin,
  run: PlannedRun,
  { clock, parallelism }: FillOptions,
): Promise<{ ledger: Ledger; leftOut: LeftOutReasons }> {
  const { ledger, outcome } = await execute({
    ...optionsWithoutSession(run, connection),
    masking,
    parallelism,
    deliver: async () => {},
    now: clock.now,
  });
  const leftOut = new Map([
    ...outcome.failed.map(({ address, error }) => [address, (error as Error).message] as const),
    ...outcome.skipped.map(({ address, reason }) => [address, `it needs ${reason}`] as const),
    ...outcome.postponed.map(({ address }) => [address, 'a rate limit of the twin'] as const),
  ]);
  return { ledger, leftOut };
}
