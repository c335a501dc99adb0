import type { Address } from '../model/address.ts';
import { type Diagnostic, warning } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Move } from '../model/move.ts';
import type { Plan, Send } from '../model/plan.ts';
import type { Live } from '../model/resource.ts';
import { observe } from '../observe/observe.ts';
import type { PlanInput } from '../plan/input.ts';
import { plan } from '../plan/plan.ts';
import { rebase, rebaseFound } from '../plan/rebase.ts';
import { resume } from './resume.ts';
import { isSettled, unsettled } from './unsettled.ts';

export interface PlannedRun {
  plan: Plan;
  live: Live;
  /** The ledger as the configuration calls things now, and with what an interrupted run has left. */
  ledger: Ledger;
  /** How it got its names: the kept ledger follows when the renames are done. */
  moves: Move[];
  /** Natural addresses whose objects are meant by another address. */
  aliases: ReadonlyMap<Address, Address>;
  /** All problems, those of the plan included. */
  diagnostics: Diagnostic[];
  /** All that the plan was made of. */
  input: PlanInput;
  /** In how many milliseconds the account shows what an earlier run may have created, where the plan depends on it. */
  settlesIn?: number;
}

export interface PlanRunOptions extends Omit<PlanInput, 'live' | 'resumed' | 'claims'> {
  /** Reads; it is never asked to write. */
  send: Send;
  /** How long lists may take to show a write, in milliseconds. */
  settle: number;
}

/** Reads the account and plans: what is called otherwise now and what an interrupted run has left is followed up first. */
export async function planRun(given: PlanRunOptions): Promise<PlannedRun> {
  const { send, settle, ...rest } = given;
  const { desired, kinds, key, now, options } = rest;
  const rebased = rebase(rest.ledger, desired, { adoptRenamed: options?.adoptRenamed ?? false, kinds });
  const observed = await observe(desired, rebased.ledger, kinds, send, { aliases: rebased.aliases, key });
  const { moves, ...followed } = rebaseFound(rebased, observed, kinds);
  const { ledger, live, resumed, ...found } = resume(followed.ledger, observed, {
    kinds,
    key,
    isSettled: isSettled(followed.ledger, now, settle),
  });
  const input: PlanInput = { ...rest, ledger, live, resumed };
  const made = plan(input);
  const early = unsettled(made, ledger, now, settle);
  const { diagnostics } = made;
  return {
    plan: made,
    live,
    ledger,
    moves,
    aliases: rebased.aliases,
    input,
    diagnostics: [
      ...rebased.diagnostics,
      ...found.diagnostics,
      ...diagnostics,
      ...(early.length > 0 ? [tooEarly(early)] : []),
    ],
    ...(early.length > 0 ? { settlesIn: Date.parse(ledger.lastWrite!) + settle - now } : {}),
  };
}

/** Lists that are behind would have it created twice. */
const tooEarly = (addresses: Address[]) =>
  warning(
    'plan/unsettled',
    `${addresses[0]}${addresses.length > 1 ? ` and ${addresses.length - 1} more` : ''}: a run sent this a moment ago, and the account does not show it yet`,
    { hint: 'apply waits until the lists have settled before it creates anything twice' },
  );
