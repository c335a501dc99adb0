import type { Address } from './address.ts';

/** The answer to a question about a configuration. `unknown`: the answer depends on something that no source states, or that the view lacks. */
export type Verdict = 'yes' | 'no' | 'unknown';

/** A request of a visitor, for `trueup trace`. */
export interface VisitorRequest {
  method: string;
  url: URL;
  ip?: string | undefined;
  /** Two letters, upper case. */
  country?: string | undefined;
  /** Values by lower-case names. */
  headers: ReadonlyMap<string, string>;
  /** True if the visitor sends no other headers and cookies. Otherwise those that are not in `headers` are unknown. */
  hasAllHeaders?: true;
  /** What only the platform knows about a real request, by the names of the platform: `geo_city`. For requests that are made up as examples. */
  attributes?: ReadonlyMap<string, string>;
}

/** A rule, redirect or route that was compared with a request. */
export interface TraceStep {
  address: Address;
  /** What the step is: `firewall rule`. */
  type: string;
  matches: Verdict;
  /** Its conditions, each as a text: `path starts with "/admin"`. Values of secrets are never in it. */
  conditions: readonly { text: string; verdict: Verdict; why?: string }[];
  /** Its effect on a request that matches: `deny`, `redirect to https://example.com/ (308)`. */
  effect: string;
}

/** What happens to a request, as far as the view tells. */
export interface Trace {
  /** In the order of the platform, where it is known. A step after one that decides is left out. */
  steps: readonly TraceStep[];
  /** The end of the request, if no doubt is true: `denied by projects/web/firewall/rules/a`, `served by projects/web`. */
  outcome: string;
  /** Why the end may be another one: a rule that could have decided is unknown, for example. Empty if the outcome is certain. */
  doubts: readonly string[];
}
