import type { Endpoint } from '../model/request.ts';
import type { Fact } from './fact.ts';

/** What a token can be limited to, widest first: everything of its user, one team, or one project of a team. */
export type TokenScope = 'user' | 'team' | 'project';

/**
 * The published form of a JSON value, in short notation. A text has a letter for each allowed type: `s` text, `n` number, `b` boolean, `0` null;
 * `?` alone allows everything. An array with one form is a list; with several forms, a value has one of them. An object has its members by name,
 * `name?` for one that may be missing, and `*` for members with free names, such as the keys of a map.
 */
export type AnswerShape = string | AnswerShape[] | { [member: string]: AnswerShape };

/** Facts about a platform's answers and tokens, with their sources, for `trueup doctor` and `trueup permissions`. */
export interface Evidence {
  facts: readonly Fact[];
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
