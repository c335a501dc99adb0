import { readOnly } from '../http/read-only.ts';
import { isVerified, notVerified } from '../ledger/proof.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired } from '../model/resource.ts';
import { concerning } from '../plan/concerning.ts';
import { gathered } from '../plan/gathered.ts';
import type { PlanOptions } from '../plan/input.ts';
import { leftOut } from '../plan/left-out.ts';
import { sharedWith } from '../plan/shared.ts';
import { comparedSources } from '../plan/sources.ts';
import { standardSettle } from '../plan/unsettled.ts';
import { currentPullRequest } from './actions-run.ts';
import type { Host } from './host.ts';
import type { PlanningOptions } from './options.ts';
import { type PlannedRun, planRun } from './plan-run.ts';
import type { Session } from './session.ts';

export interface Planned extends PlannedRun {
  /** What was wanted: nothing, where the stack is destroyed. */
  desired: Desired;
  /** Of the saved plan that this is, if it was approved as one; the ledger remembers whose work was done. */
  digest?: string;
}

interface Mode extends Pick<PlanOptions, 'destroy' | 'unattended'> {
  /** Whether this is the plan of a pull request, which should not be given secrets. Default: as the environment says. */
  review?: boolean;
  /** How many requests of the session are not this plan's. Default: none. */
  before?: number;
}

/** Reads the account, with a client that cannot write, and plans. */
export async function planSession(
  session: Session,
  options: PlanningOptions,
  { review = isReview(session.host), before = 0, ...mode }: Mode = {},
): Promise<Planned> {
  const { configuration, kinds, connection, owner, secrets, key, store } = session;
  const proof = store.proof();
  // Without a key it is believed for what it shows.
  const doubt = key && proof && !isVerified(proof) ? notVerified(proof, key) : undefined;
  const desired = mode.destroy ? { ...configuration.desired, resources: new Map() } : configuration.desired;
  const run = await planRun({
    desired,
    ledger: session.ledger,
    kinds,
    send: readOnly(connection.send),
    secrets,
    facts: owner.facts,
    key,
    ...(doubt ? { unverified: doubt.message } : {}),
    now: session.host.clock.now(),
    settle: options.twin ? 0 : (options.settle ?? standardSettle) * 1000,
    options: {
      ...planOptions(options, mode),
      protected: [...configuration.desired.resources.values()]
        .filter(({ meta }) => meta.protect)
        .map(({ address }) => address),
    },
  });
  const sources = comparedSources(session.origins, session.ledger);
  const quiet = review ? leftOut : (diagnostics: Diagnostic[]) => diagnostics;
  const all = [
    ...session.diagnostics,
    ...(doubt ? [{ ...doubt, severity: 'warning' as const }] : []),
    ...run.diagnostics,
    ...sharedWith(run.plan.changes, await session.others, kinds),
  ];
  return {
    ...run,
    desired,
    plan: {
      ...run.plan,
      account: session.account,
      diagnostics: settled(gathered(quiet(concerning(all, run.plan, desired))), options),
      reads: session.sent() - before,
      // To destroy, nothing is read.
      ...(mode.destroy || sources.length === 0 ? {} : { sources }),
    },
  };
}

/** As `planSession`; where an earlier run may have created what the plan would create, it is planned again once the lists show all. */
export async function planSettled(
  session: Session,
  options: PlanningOptions,
  mode: Mode = {},
): Promise<Planned> {
  for (;;) {
    const planned = await planSession(session, options, mode);
    if (planned.settlesIn === undefined) return planned;
    const seconds = Math.ceil(planned.settlesIn / 1000);
    session.say(`Waiting ${seconds} s: the account may not show yet what the last run created.`);
    await session.host.clock.sleep(planned.settlesIn + 1);
  }
}

const isReview = (host: Host) =>
  currentPullRequest(host) !== undefined || Boolean(host.env.CI_MERGE_REQUEST_IID);

function planOptions(
  options: PlanningOptions,
  mode: Pick<PlanOptions, 'destroy' | 'unattended'>,
): PlanOptions {
  return {
    ...mode,
    ...(options.target ? { targets: options.target } : {}),
    ...(options.exclude ? { excludes: options.exclude } : {}),
    ...(options.delete ? { deletions: options.delete } : {}),
    ...(options.maxDeletions === undefined ? {} : { maxDeletions: options.maxDeletions }),
    ...(options.sendUnverified ? { sendUnverified: options.sendUnverified } : {}),
    ignoreDrafts: options.ignoreDraft ?? false,
    adoptRenamed: options.adoptRenamed ?? false,
    fewerInputs: options.fewerInputs ?? false,
    overwriteConflicts: options.overwriteConflicts ?? false,
  };
}

/** An incomplete read is an error, unless the user goes on with the rest. */
const settled = (diagnostics: Diagnostic[], { allowIncomplete }: PlanningOptions): Diagnostic[] =>
  diagnostics.map((d) =>
    allowIncomplete && d.code === 'observe/incomplete' ? { ...d, severity: 'warning' } : d,
  );

/** Whether applying the plan would do anything, be it only to the ledger. */
export const isEmpty = ({ changes, operations }: Plan): boolean =>
  operations.length === 0 && changes.every(({ action }) => action === 'noop');
