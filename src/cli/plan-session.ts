import { readOnly } from '../http/read-only.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import type { Live } from '../model/resource.ts';
import { observe } from '../observe/observe.ts';
import { concerning } from '../plan/concerning.ts';
import { gathered } from '../plan/gathered.ts';
import type { PlanOptions } from '../plan/input.ts';
import { plan } from '../plan/plan.ts';
import { rebase } from '../plan/rebase.ts';
import { missingKey } from './missing-key.ts';
import type { PlanningOptions } from './options.ts';
import type { Session } from './session.ts';

export interface Planned {
  plan: Plan;
  live: Live;
  /** The ledger as the configuration calls things now. */
  ledger: Ledger;
  /** Of the saved plan that this is, if it was approved as one; the ledger remembers whose work was done. */
  digest?: string;
}

/** Reads the account, with a client that cannot write, and plans. */
export async function planSession(
  session: Session,
  options: PlanningOptions,
  mode: Pick<PlanOptions, 'destroy' | 'unattended'> = {},
): Promise<Planned> {
  const { configuration, kinds, connection, owner, secrets, key } = session;
  const desired = mode.destroy ? { ...configuration.desired, resources: new Map() } : configuration.desired;
  const { ledger, aliases, diagnostics } = rebase(session.ledger, desired, {
    adoptRenamed: options.adoptRenamed ?? false,
    kinds,
  });
  const live = await observe(desired, ledger, kinds, readOnly(connection.send), { aliases, key });
  const made = plan({
    desired,
    live,
    ledger,
    kinds,
    secrets,
    facts: owner.facts,
    key,
    now: Date.now(),
    options: {
      ...planOptions(options, mode),
      protected: [...configuration.desired.resources.values()]
        .filter(({ meta }) => meta.protect)
        .map(({ address }) => address),
    },
  });
  const keyless = missingKey(made, session);
  const all = [
    ...session.diagnostics,
    ...diagnostics,
    ...made.diagnostics,
    ...(keyless ? [{ ...keyless, severity: 'warning' as const }] : []),
  ];
  return {
    plan: {
      ...made,
      diagnostics: settled(gathered(concerning(all, made, desired)), options),
    },
    live,
    ledger,
  };
}

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
