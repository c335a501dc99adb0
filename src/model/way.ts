/*
 * What visitors meet while an apply changes an account request by request, as plain data for reports. Terms:
 *
 *   state          the account at one moment: before the apply, or after one of its requests
 *   way            the states of an apply in order: the first is before it, the last is after it
 *   part           a part of the platform that answers requests on its own, such as the firewall of a project
 *   verdict        what a part does with a request of a visitor
 *   third verdict  a verdict in a state on the way that the part gives neither before the apply nor after it
 */
import type { Address } from './address.ts';

/** The parts that are judged. Each is judged on its own: see `MixedParts` for requests that concern several of them. */
export type PartType = 'firewall' | 'bulk redirects' | 'routes' | 'host' | 'protection';

/** A part of the platform in one state of the way. */
export interface PartState {
  type: PartType;
  /** The object that has the part: `projects/web/firewall`, `projects/web`. For a host, the host itself. */
  part: string;
  /** The index of the state in the way. It is never the first or the last. */
  state: number;
}

/** A request of a visitor that was made up as an example. Values that may be credentials are replaced. */
export interface ExampleRequest {
  method: string;
  url: string;
  ip?: string | undefined;
  country?: string | undefined;
  /** Values by lower-case names. */
  headers?: Record<string, string> | undefined;
  /** What only the platform knows about a request, by the names of the platform: `geo_city`. */
  attributes?: Record<string, string> | undefined;
}

/** A request that meets a third verdict. The words of the verdicts are those of `trueup trace`. */
export interface ThirdVerdict extends PartState {
  /** An example: the request that was evaluated in all three states. */
  request: ExampleRequest;
  before: string;
  during: string;
  after: string;
  /** The rules, redirects and routes that decide in one of the three states. */
  rules: readonly Address[];
}

/** A part in a state for which it is not decided whether a request meets a third verdict. */
export interface UndecidedState extends PartState {
  /** The reason, as a clause: `the order of IP entries for one address is not documented`. */
  why: string;
  /** The rules, redirects and routes in question. */
  rules: readonly Address[];
}

/**
 * Parts of one project, some in their state before the apply and others in that after it: together they may answer a request in a third
 * way.
 */
export interface MixedParts {
  project: Address;
  types: readonly PartType[];
  /** The index of the first such state. */
  state: number;
}

/** A DNS name that has an answer before and after the apply, and none in a state on the way. */
export interface UnansweredName {
  name: string;
  /** The record type: `A`. */
  type: string;
  state: number;
  rules: readonly Address[];
}

/** The judgement of the way of an apply. */
export interface WayJudgement {
  /** The number of parts that the apply changes. */
  partCount: number;
  /** The number of states of these parts that were compared with the first and the last state. */
  stateCount: number;
  thirds: readonly ThirdVerdict[];
  undecided: readonly UndecidedState[];
  mixed: readonly MixedParts[];
  unanswered: readonly UnansweredName[];
}

/** The judgement of a rehearsed apply. */
export interface WayReport extends WayJudgement {
  /** The requests that led to the states: that of state 1 first. */
  requests: readonly string[];
  /** Collections that could not be read in some state: `dnsRecord of domains/example.com`. Nothing is claimed about these. */
  unread: readonly string[];
}
