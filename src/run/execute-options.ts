import type { Address } from '../model/address.ts';
import type { ApplyEvent, Outcome } from '../model/event.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Quota } from '../model/plan.ts';
import { readOnly, type Send } from '../model/request.ts';
import type { CollectionId, Live, SecretTo } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import type { FileContent } from '../model/value.ts';
import { createRefresh, type LedgerProgress } from '../observe/refresh.ts';
import type { CheckCanary } from './check-first-change.ts';
import type { PlannedRun } from './plan-run.ts';
import type { RecorderOptions } from './recorder.ts';

/** What carrying out a plan needs: the plan with its ledger, and access to the account, the ledger's store and the user. */
export interface ExecuteOptions extends RecorderOptions {
  send: Send;
  /** Reserves room in rate limits for objects that are deleted and created again. Default: none is reserved. */
  quota?: Quota;
  /** The most operations that run at once. */
  parallelism: number;
  /** The content of files, by the values of the fields that name them. Default: none. */
  contents?: ReadonlyMap<string, FileContent> | undefined;
  onEvent(event: ApplyEvent): void;
  /** Stores the ledger as it is now: on the disk of this machine or, with `everywhere`, wherever it is kept. */
  save(ledger: Ledger, how: LedgerSaveOptions): Promise<void>;
  /** Reads these collections again. `ledgerNow`: the members of the ledger that the run has changed so far. */
  refresh(collections: CollectionId[], ledgerNow?: LedgerProgress): Promise<Live>;
  /** Called with the outcome, before the ledger is stored for the last time. */
  onOutcome?(outcome: Outcome): void;
  /** Delivers a secret that the platform shows only once. If that fails, the object stays tainted. */
  deliver?(destination: SecretTo, secret: Sealed, address: Address): Promise<void>;
  /** Checks that the account kept the canary of the plan, once it is done. Without it, no canary is tried first. */
  checkCanary?: CheckCanary | undefined;
  /** Once aborted, requests in flight are finished and nothing new is started. */
  stop?: AbortSignal;
}

/**
 * Returns the options of `execute` that follow from a plan without a session. Its ledger is only in memory, so nothing is stored, and no
 * event is shown. Used by tests, and to fill the twin (the local imitation of the platform) in which a rehearsal applies the plan.
 */
export const optionsWithoutSession = (
  { plan, live, ledger, moves, aliases, input }: PlannedRun,
  connection: { send: Send } & Quota,
): Omit<ExecuteOptions, 'masking' | 'parallelism' | 'now'> => ({
  plan,
  live,
  ledger,
  moves,
  kinds: input.kinds,
  secrets: input.secrets,
  key: input.key,
  inputs: input.desired.inputs,
  contents: input.desired.contents,
  send: connection.send,
  quota: connection,
  onEvent: () => {},
  save: async () => {},
  refresh: createRefresh({ ...input, send: readOnly(connection.send), aliases, before: live }),
});

interface LedgerSaveOptions {
  /** The addresses whose entries have changed since the ledger was stored last. */
  touched: Address[];
  everywhere?: boolean;
}
