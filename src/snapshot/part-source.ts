import type { LedgerStore } from '../ledger/ledger-store.ts';
import type { Sealed } from '../model/sealed.ts';
import type { Planned } from '../run/open-plan.ts';
import type { OtherStacks } from '../run/other-stacks.ts';
import type { PlannedRun } from '../run/plan-run.ts';
import type { RunSession } from '../run/session.ts';

/** The members of a session that the part of a snapshot is made from. */
export interface PartSource
  extends Pick<
    RunSession,
    | 'account'
    | 'areOthersUnknown'
    | 'desired'
    | 'diagnostics'
    | 'isSecretOfRun'
    | 'key'
    | 'kinds'
    | 'ledger'
    | 'origins'
    | 'owner'
    | 'secrets'
  > {
  store: Pick<LedgerStore, 'place' | 'proof'>;
  otherStacks: Pick<OtherStacks, 'readAll' | 'countReadWithoutIndex'>;
  clock: { now(): number };
  sources?: { unusedFlags(): string[] };
}

/** The members of a plan that the part of a snapshot is made from. */
export interface PlannedState extends Pick<PlannedRun, 'live' | 'input'>, Pick<Planned, 'statedSecrets'> {
  /** The secrets of the other stacks of the command. This plan does not hide them. */
  secretsOfOthers?: readonly Sealed[];
}
