/*
 * The result of a rehearsal, as plain data without secrets.
 *
 * Terms
 *   fill          the objects that the twin got from the observed account, before the plan is applied to it
 *   not modelled  an object of the account that the twin does not have, or has with other fields. Nothing is claimed about changes that concern it
 *   rehearsed     a change that was applied to the twin
 */
import type { Address } from './address.ts';
import type { SideEffect } from './change.ts';
import type { WayReport } from './way.ts';

/**
 * The verdicts about a plan:
 *   green    the twin accepts it, and everything that was checked is right
 *   fails    it would fail: the twin refuses a request, or a check found something wrong
 *   unknown  nothing failed, but the twin does not model a part that the plan concerns
 */
export const rehearsalVerdicts = ['green', 'fails', 'unknown'] as const;

/** The verdict about a plan; see `rehearsalVerdicts`. */
export type RehearsalVerdict = (typeof rehearsalVerdicts)[number];

/**
 * How the twin's rules are known, strongest first: from the documentation of the platform, from its published or observed answers, or only
 * inferred. The platform may differ from the twin in rules that are only inferred.
 */
export const ruleBases = ['documented', 'measured', 'inferred'] as const;

/** How a rule of the twin is known; see `ruleBases`. */
export type RuleBasis = (typeof ruleBases)[number];

/** A request of the plan that the twin refused, with the rule in the words of its error. */
export interface RefusedChange {
  address: Address;
  kind: string;
  /** The message of the error, with its request. Secrets are masked. */
  message: string;
  /** The status and the code of the answer, if it was one. */
  status?: number | undefined;
  code?: string | undefined;
  /** The id of the rule that it breaks, if the twin names one, and where that rule was found. */
  rule?: string | undefined;
  source?: string | undefined;
  /** How the rule is known. */
  basis: RuleBasis;
}

/** An object or a change that the twin does not model. */
export interface NotModelled {
  kind: string;
  address: Address;
  /** Why, with secrets masked. */
  reason: string;
  /**
   * True if the plan changes it, something in it, or something that depends on it or shares its list. Otherwise the verdict does not depend
   * on it.
   */
  isConcerned: boolean;
}

/** A change in the twin's account that the plan does not contain. */
export interface UndeclaredChange extends Pick<SideEffect, 'address' | 'kind' | 'type'> {
  /** True if the plan changes the object: the platform then has changed a further field of it. Otherwise the verdict is `fails`. */
  isConsequence: boolean;
}

/** A crash after which the next run does not reach the same account. */
export interface CrashFailure {
  /** The number of steps that the killed run made. */
  point: number;
  /** The last step: a request, or a write of the ledger. */
  step: string;
  reason: string;
}

/**
 * The tried crashes of a run: after a number of its steps (requests and writes of the ledger) the run is killed, and the next one has to
 * finish.
 */
export interface CrashPoints {
  /** The number of steps of the run. */
  total: number;
  tried: number;
  failures: CrashFailure[];
}

/** A documented rate limit, with the requests of an apply that count towards it. */
export interface LimitUse {
  /** The purpose of these requests: `DNS record creations`. */
  what: string;
  requests: number;
  /** How many requests the platform allows in a window, and its length in seconds. */
  allowed: number;
  window: number;
}

/** How long an apply takes under the documented rate limits, by the requests that the twin got. */
export interface RehearsedDuration {
  seconds: number;
  /** The limits that count some of these requests; first the most used one, as a part of what it allows. */
  limits: LimitUse[];
}

/** A reason why the twin's second plan is refused. The changes that it would still make are unknown. */
export interface SecondPlanError {
  /** The object in question; undefined for a reason that concerns the whole plan. */
  address?: Address | undefined;
  /** With secrets masked. */
  message: string;
}

/** The rehearsal of one plan. */
export interface Rehearsal {
  verdict: RehearsalVerdict;
  /** The numbers of changes, as people count them, that were applied to the twin, and of those that were left out. */
  changes: { rehearsed: number; unknown: number };
  /** How the rules of each changed kind are known; the verdict is only as good as the weakest. */
  kinds: { kind: string; basis: RuleBasis }[];
  refused: RefusedChange[];
  /** Changes that were not tried because they need a refused one. */
  skipped: Address[];
  /** The addresses that a second plan on the twin would still change; undefined if the apply did not end. */
  remaining: Address[] | undefined;
  /** Why the second plan on the twin is refused; empty if it is not, or if there is none. */
  secondPlanErrors: SecondPlanError[];
  /** Changes in the twin's account that the plan does not contain. */
  undeclared: UndeclaredChange[];
  notModelled: NotModelled[];
  /** Whether killed runs recover; undefined if that was not tried, because the apply did not do everything or there was nothing to do. */
  crashes?: CrashPoints | undefined;
  /** The names of secrets whose values are not available here. The twin got placeholders. */
  placeholders: string[];
  /** What visitors meet during the apply; undefined if it did not do everything, or if it changes nothing that visitors meet. */
  visitors?: WayReport | undefined;
  /** The number of requests that the twin answered while the plan was applied, reads included. */
  requests: number;
  /** Its duration in the account, where rate limits hold. Undefined if the apply did not do everything. */
  duration?: RehearsedDuration | undefined;
}
