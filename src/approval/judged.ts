import { canonical } from '../model/digest.ts';
import type { SavedPlan } from './saved-plan.ts';

/** What a run says of the machine that it runs on, and not of the plan: it may be applied on another one. */
const ofTheMachine = new Set(['ledger/ephemeral']);

type Judged = Omit<SavedPlan, 'key' | 'salt' | 'seal' | 'checksum'>;

/**
 * What of a plan has to be the same for it to be the approved one. Where in the files something stands is no part of it, so that
 * comments may come and go; nor what is nobody's business here: the account may have more of it by now. A team may be renamed, too.
 */
export function judged(plan: Judged): unknown {
  const {
    changes,
    diagnostics,
    sources = [],
    unmanaged: _,
    unlisted: ______,
    account: __,
    ...rest
  } = plan as SavedPlan;
  const { key: ___, seal: ____, checksum: _____, generation: _______, ...compared } = rest;
  return {
    ...compared,
    changes: changes.map(unplaced),
    // Not what the ledger remembered of them.
    sources: sources.map(({ name, source }) => [name, source]),
    diagnostics: diagnostics.filter(({ code }) => !ofTheMachine.has(code)).map(unplaced),
  };
}

/** Without its place. */
export function unplaced<T extends { at?: unknown; related?: { message: string }[] }>(one: T): unknown {
  const { at: _, related, ...rest } = one;
  return related ? { ...rest, related: related.map(({ message }) => ({ message })) } : rest;
}

/** Whether two parts of plans are the same; the order of members does not matter. */
export const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);
