import type { Address } from './address.ts';
import type { Operation } from './plan.ts';
import type { ActionOutcome, PlannedAction } from './planned-action.ts';

/** The events that the applier reports to its one callback while it works. */
export type ApplyEvent =
  | { type: 'started'; operation: Operation }
  /** `ids`: those that its objects have by now, as far as they may be shown. */
  | { type: 'succeeded'; operation: Operation; ids?: Record<Address, string> }
  | { type: 'failed'; operation: Operation; error: unknown }
  | { type: 'skipped'; operation: Operation; reason: string }
  /** Put off to a later run, with what depends on it. */
  | { type: 'left'; operation: Operation; rateLimit: RateLimit }
  /** All requests of a rate bucket wait; `again`: the request failed for this reason, and is repeated afterwards. */
  | { type: 'waiting'; seconds: number; reason: string; again?: true };

/** Reported when an action that follows the changes is sent, and again with its outcome. */
export interface ActionEvent {
  action: PlannedAction;
  /** Absent when it begins. */
  outcome?: ActionOutcome;
}

/** A rate bucket that asks for a longer wait than is allowed. */
export interface RateLimit {
  bucket: string;
  /** When it takes calls again, in milliseconds since 1970. */
  until: number;
}

/**
 * The outcome of an apply, by address. An address is in one list only: `failed` before `postponed` before `skipped` before
 * `done`.
 */
export interface Outcome {
  /** Changes that were carried out, including those that only the ledger records (adopt, forget, release). */
  done: Address[];
  failed: { address: Address; error: unknown }[];
  /**
   * Not done, or only in part, because of a rate limit. The next run does them, with the changes that depend on them.
   */
  postponed: { address: Address; rateLimit: RateLimit }[];
  /** `reason`: the address whose failure it depends on, or that the run was stopped. */
  skipped: { address: Address; reason: string }[];
  /** Done, but another writer changed the same object between our last read and our write: that change may be lost. */
  overwritten: Address[];
  /** The user asked to stop (Ctrl-C). */
  interrupted: boolean;
  /** The outcomes of the actions that followed. */
  actions?: ActionOutcome[];
}

/**
 * Returns how a run ended, in the word that its record has. `not finished`: nothing failed, but a rate limit left changes, or an action
 * could not be sent yet (`owed`), so that repeating the apply completes it. `failed`: something failed, or was skipped because of that.
 */
export function runEndOf({
  failed,
  postponed,
  skipped,
  interrupted,
  actions = [],
}: Outcome): 'interrupted' | 'failed' | 'not finished' | 'done' {
  const hasAction = (...results: string[]) => actions.some(({ result }) => results.includes(result));
  if (interrupted) return 'interrupted';
  if (failed.length > 0 || skipped.length > 0 || hasAction('refused', 'unknown')) return 'failed';
  return postponed.length > 0 || hasAction('owed') ? 'not finished' : 'done';
}

/** One object that a run waits for. */
export interface Wait {
  address: Address;
  why: string;
  minutes: number;
}

/** The course of the wait for one object; each but `waiting` ends it. */
export type WaitEvent =
  /** Sent at first, and whenever the reason changes. */
  | ({ type: 'waiting' } & Wait)
  /** `milliseconds`: how long it took. */
  | { type: 'ready'; address: Address; milliseconds: number }
  /** Waiting will not make it ready. */
  | { type: 'failed'; address: Address; why: string }
  /** The object is gone. */
  | { type: 'gone'; address: Address }
  /** Its time is over. */
  | ({ type: 'over' } & Wait);
