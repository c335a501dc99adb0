import type { Endpoint } from '../model/request.ts';

/** What a token can be limited to, widest first: everything of its user, one team, or one project of a team. */
export type TokenScope = 'user' | 'team' | 'project';

/**
 * The published form of a JSON value, in short notation. A text has a letter for each allowed type: `s` text, `n` number, `b` boolean, `0`
 * null; `?` alone allows everything. An array with one form is a list; with several forms, a value has one of them. An object has its
 * members by name, `name?` for one that may be missing, and `*` for members with free names, such as the keys of a map.
 */
export type AnswerShape = string | AnswerShape[] | { [member: string]: AnswerShape };

/** Facts about a platform's answers and tokens, with their sources, for `trueup doctor` and `trueup permissions`. */
export interface Evidence {
  facts: readonly Fact[];
  /** Rules of the twin that are no facts of their own: the published form of requests, and rate limits by name. */
  furtherRules: readonly NamedRule[];
  /** What the twin does although no source confirms it. */
  assumptions: readonly Assumption[];
  /** The kinds that a report of `trueup doctor` about a real account has confirmed. */
  confirmedKinds: readonly string[];
  /** The published answers to reads that kinds use, by operation: `GET /v1/env`. */
  shapes: Readonly<Record<string, AnswerShape>>;
  /** The operations whose answers come in pages that the connection follows. */
  paged: ReadonlySet<string>;
  tokens: TokenRules;
}

/** The rights that tokens of a platform have, and the reads that describe the token in use. */
export interface TokenRules {
  /** Reads the token in use itself, and its user. */
  reads: Record<'token' | 'user', `GET /${string}`>;
  /** The kind that a token of the narrowest scope is limited to. */
  limitedTo: string;
  /** Returns the scopes of tokens that may call an operation, given as an endpoint of a kind. */
  reachOf(endpoint: Endpoint): readonly TokenScope[];
  /** The roles in a team that change nothing. */
  readOnlyRoles: readonly string[];
  /** The roles in a team that may change everything. */
  fullRoles: readonly string[];
  /** Decodes the answers to `reads`. A member is undefined if the answer does not show it. */
  decode(answers: { token?: unknown; user?: unknown; team?: unknown }): TokenFacts;
}

/** Scope, role and end of the token in use, as far as the platform shows them. No member is a name or an id. */
export interface TokenFacts {
  scope?: TokenScope;
  /** The time when it expires, in milliseconds; null if it never does. */
  expiresAt?: number | null;
  /** The role of its user in the team. */
  role?: string;
  /** True if its user has no personal account that can be used. */
  lacksPersonalAccount?: boolean;
}

/**
 * How well a fact about the platform is supported, strongest first: by its documentation, by measurements of others, by the code of its
 * clients, by inference.
 */
export type Confidence = 'documented' | 'measured' | 'read' | 'inferred';

/** A rule that a refusal of the twin can name, besides the facts. */
export type NamedRule = Pick<Fact, 'id' | 'statement' | 'source' | 'confidence'>;

/** A behaviour of the twin that no source confirms, so that the platform may behave in another way. */
export interface Assumption {
  /** A stable name, such as `hostDot`. */
  id: string;
  /** One sentence about the behaviour, in plain words. */
  statement: string;
  /** The kinds that it concerns. */
  kinds: readonly string[];
}

/** What one answer shows about a fact; undefined if it shows nothing. */
export type FactVerdict = 'confirmed' | 'contradicted' | undefined;

/** An answer of the platform to a read, as checks of facts see it. */
export interface ObservedAnswer {
  /** Method and path as in the API catalog, such as `GET /v1/env`. */
  operation: string;
  /** The query parameters that were sent. */
  query: Readonly<Record<string, string>>;
  status: number;
  /** Headers by their names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The parsed body; undefined if it was not JSON. */
  body: unknown;
}

/** A request of a recording and the answer of the platform. `body` is the answer. */
export interface RecordedExchange extends ObservedAnswer {
  /** The values in the path, by the names of the catalog. */
  params: Readonly<Record<string, string>>;
  /** The parsed body of the request; undefined if it has none. */
  sent: unknown;
}

/** A sourced statement about the platform that kinds, twin and `trueup doctor` rely on. */
export interface Fact {
  /** A stable name, such as `PF19`, which reports of `trueup doctor` use. */
  id: string;
  /** The heading under which facts are listed. Facts about rate limits have the area `limits`. */
  area: string;
  /** One or two sentences in plain words. */
  statement: string;
  /** Where it was found: issues of repositories, files of clients, titles of documentation pages. */
  source: string;
  confidence: Confidence;
  /** The report about a real account that contradicts it, if there is one. Rules that rest on it are then only inferred. */
  contradictedBy?: string;
  /** The kinds whose behaviour depends on it. */
  kinds: readonly string[];
  /** The operations it is about, as in the API catalog: `PATCH /v9/projects/{idOrName}`. */
  operations: readonly string[];
  /** Judges an answer to one of its operations. Absent if no read shows whether the fact holds. */
  answer?(observed: ObservedAnswer): FactVerdict;
}
