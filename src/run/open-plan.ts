import { isVerified, notVerified } from '../ledger/proof.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import { type PlanSource, readOnly } from '../model/plan.ts';
import type { Desired } from '../model/resource.ts';
import { concerning, gathered, leftOut } from '../plan/gathered.ts';
import type { PlanOptions } from '../plan/input.ts';
import { sharedWith } from '../plan/shared.ts';
import { type PlannedRun, planRun } from './plan-run.ts';
import type { Session } from './session.ts';
import { standardSettle } from './unsettled.ts';

export interface OpenPlanOptions extends Omit<PlanOptions, 'protected'> {
  /** How long the account's lists may take to show a write, in milliseconds. Default: a minute. */
  settle?: number;
  /** This is the plan of a pull request, which should not be given secrets. */
  review?: boolean;
  /** Collections that could not be read are a warning, and the rest is planned. */
  allowIncomplete?: boolean;
  /** How many requests of the session are not this plan's. Default: none. */
  sentBefore?: number;
}

export interface Planned extends PlannedRun {
  /** The configuration's resources; none where the stack is destroyed. */
  desired: Desired;
  /** The digest of the saved plan that this is, if it was approved as one; the ledger remembers whose work was done. */
  digest?: string;
}

/** Reads the account, with a client that cannot write, and plans. Problems are in the plan's diagnostics. */
export async function openPlan(session: Session, options: OpenPlanOptions = {}): Promise<Planned> {
  const { kinds, key, ledger } = session;
  const {
    settle = standardSettle * 1000,
    review,
    allowIncomplete = false,
    sentBefore = 0,
    ...rest
  } = options;
  const desired = rest.destroy ? { ...session.desired, resources: new Map() } : session.desired;
  const doubt = doubtOf(session);
  const run = await planRun({
    desired,
    ledger,
    kinds,
    send: readOnly(session.connection.send),
    secrets: session.secrets,
    facts: session.owner.facts,
    key,
    ...(doubt ? { unverified: doubt.message } : {}),
    now: session.clock.now(),
    settle,
    options: {
      ...rest,
      protected: [...session.desired.resources.values()]
        .filter(({ meta }) => meta.protect)
        .map(({ address }) => address),
    },
  });
  const all = [
    ...session.diagnostics,
    ...(doubt ? [{ ...doubt, severity: 'warning' as const }] : []),
    ...run.diagnostics,
    ...sharedWith(run.plan.changes, await session.others, kinds),
  ];
  const relevant = concerning(all, run.plan, desired);
  const sources = comparedSources(session.origins, ledger);
  return {
    ...run,
    desired,
    plan: {
      ...run.plan,
      account: session.account,
      diagnostics: gathered(review ? leftOut(relevant) : relevant).map((one) =>
        allowIncomplete ? asWarning(one) : one,
      ),
      reads: session.sent() - sentBefore,
      // To destroy, nothing is read.
      ...(rest.destroy || sources.length === 0 ? {} : { sources }),
    },
  };
}

/**
 * As `openPlan`; where an earlier run may have created what the plan would create, it waits until the lists show all, and plans again.
 */
export async function openSettledPlan(session: Session, options: OpenPlanOptions = {}): Promise<Planned> {
  for (;;) {
    const planned = await openPlan(session, options);
    if (planned.settlesIn === undefined) return planned;
    const seconds = Math.ceil(planned.settlesIn / 1000);
    session.say(`Waiting ${seconds} s: the account may not show yet what the last run created.`);
    await session.clock.sleep(planned.settlesIn + 1);
  }
}

/** Says why the ledger is not verified. Without a key, it is believed as it is. */
function doubtOf({ key, store }: Session): Diagnostic | undefined {
  const proof = store.proof();
  return key && proof && !isVerified(proof) ? notVerified(proof, key) : undefined;
}

/** An incomplete read is an error, unless the user goes on with the rest. */
const asWarning = (one: Diagnostic): Diagnostic =>
  one.code === 'observe/incomplete' ? { ...one, severity: 'warning' } : one;

/** Compares the sources of secrets and variables, by name, with those that the ledger remembers of the last apply. */
function comparedSources(
  sources: ReadonlyMap<string, string>,
  { sources: known = {} }: Pick<Ledger, 'sources'>,
): PlanSource[] {
  return [...sources].sort(byName).map(([name, source]): PlanSource => {
    const before = Object.hasOwn(known, name) ? known[name] : undefined;
    if (before === source) return { name, source };
    return before === undefined ? { name, source, since: 'new' } : { name, source, since: 'changed', before };
  });
}

const byName = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : 1);
