import type { Address } from './address.ts';

/**
 * The answer to a question about a configuration. `unknown`: the answer depends on something that no source states, or that the view lacks.
 */
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
  /**
   * What only the platform knows about a real request, by the names of the platform: `geo_city`. For requests that are made up as examples.
   */
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

/**
 * The words for what happens to a request, in tests. `answer`: a route answers itself, such as a rewrite. `unserved`: no project serves the
 * host.
 */
export const requestVerdicts = [
  'serve',
  'deny',
  'challenge',
  'rate_limit',
  'redirect',
  'answer',
  'unserved',
] as const;

/** What happens to a request, as data to compare with an expected result. */
export interface RequestAnswer {
  /** Undefined if it is not known at all. */
  verdict: (typeof requestVerdicts)[number] | undefined;
  /** The rule, IP entry, redirect or route that decides; undefined if none does. For `serve`, the rule that let the request through. */
  rule?: { address: Address; name: string } | undefined;
  /** The project that serves the host. */
  project?: Address | undefined;
  /** The URL that the request is redirected to; undefined if it is not redirected, or if the URL is not known. */
  redirect?: string | undefined;
  status?: number | undefined;
  /** Why the result may be another one, in the words of `trueup trace`. Empty if it is certain. */
  doubts: readonly string[];
}

/** The records of a DNS name, to compare them with an expected answer. */
export interface NameAnswer {
  /** The content of each record as a zone file writes it: `10 mail.example.com`. Hosts have no dot at their end. */
  answer: readonly string[];
  /** Why the answer may be another one. Empty if it is certain. */
  doubts: readonly string[];
}
