/*
 * A snapshot: everything outside of the configuration that a plan was made from, so that the same plan can be made again without the
 * account.
 *
 *   snapshot  what one command observed, with a part for each stack
 *   part      the observations for one stack: answers of the account, ledger entries, facts of the account, and the time
 *   token     a text that stands for a secret in a part. Equal secrets have equal tokens, so comparisons have the same results; nothing else about
 *             a secret follows from its token
 *
 * A part is made by `make-part.ts`, kept in a file by `snapshot-file.ts`, and planned from by `command/session-from-snapshot.ts`.
 */
import type { AccountEvent, Owner } from '../kind/provider.ts';
import type { Proof } from '../ledger/proof.ts';
import type { BucketState } from '../model/budget.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Ledger, OtherStack } from '../model/ledger.ts';
import type { Account } from '../model/plan.ts';
import type { Endpoint, Request } from '../model/request.ts';
import type { EmbeddedConfiguration } from './anonymous/embedded.ts';

/** The version of the form of snapshots. A snapshot of another version cannot be read. */
export const snapshotVersion = 2;

/** What a plan command observed. */
export interface AccountSnapshot {
  formatVersion: typeof snapshotVersion;
  /** The version of trueup that made it. */
  trueup: string;
  /** When the account was read (ISO 8601, UTC). */
  madeAt: string;
  /** The observations for each stack, by its id in the command: '' for the only one. */
  stacks: Record<string, StackPart>;
  /** True if pseudonyms replace the texts of the account and of the configuration. Each part then has its configuration. */
  anonymous?: true;
  /** The use of the platform's rate limits by other runs, if runs share them. It decides how long an apply takes. */
  limitStates?: LimitState[];
}

/** The state of a rate limit when the plan was made. `name`: that of the platform's `PublishedLimit`. */
export interface LimitState {
  name: string;
  state: BucketState;
}

/** The observations for one stack. */
export interface StackPart {
  stack: string;
  /** The time of the plan in milliseconds. */
  time: number;
  owner: Owner;
  account: Account;
  /** The place of the ledger, for people. */
  ledgerPlace: string;
  ledger: Ledger;
  /** What the run with the account found out about the signature of the ledger; absent without a ledger. */
  proof?: Proof | undefined;
  /** The ids of the keys of that run, in the order in which digests are compared; empty if it had no key. */
  keyIds: KeyIds;
  /** The keyed digests that the plan compared, each of a salt and a value in which tokens replace the secrets. */
  digests: RecordedDigest[];
  otherStacks: OtherStack[];
  /** The number of ledgers that were read because the store has no index. */
  readWithoutIndex: number;
  areOthersUnknown: boolean;
  /** The warnings about the place of the ledger, before and after those of the configuration. */
  ledgerWarnings: { first: Diagnostic[]; last: Diagnostic[] };
  secrets: KnownSecret[];
  /** The tokens of the secrets that stand in clear in the configuration: see `literal-secrets.ts`. */
  literals: { salt: string; tokens: { digest: string; token: string }[]; keptAt: string[] };
  /** Why other secrets were not available. */
  secretProblems: Diagnostic[];
  /** The flags `--allow-*` that allowed nothing in that run. */
  unusedFlags: string[];
  reads: RecordedRead[];
  /** The events of the account; absent if they were not read. */
  events?: Recorded<RecordedEvent[]> | undefined;
  /**
   * The requests that the run had sent each time it counted them. `differentReads`: the number of different reads that had begun until
   * then.
   */
  counts: { differentReads: number; sent: [Endpoint, number][] }[];
  /** The configuration, in an anonymous snapshot only. */
  configuration?: EmbeddedConfiguration | undefined;
}

/** The ids of a ledger key and of the key before it, each with the form of earlier versions. */
export interface KeyIds {
  id?: string | undefined;
  legacy?: string | undefined;
  previous?: KeyIds | undefined;
}

/** A keyed digest of a value. */
export interface RecordedDigest {
  /** The id of the key. */
  key: string;
  salt: string;
  value: unknown;
  digest: string;
  /** True if the value is a set: tokens have another order than the secrets, so its order means nothing. */
  unordered?: true | undefined;
}

/** A secret that the run had, by its name in the configuration. */
export interface KnownSecret {
  name: string;
  /** Where it came from: `env DATABASE_URL`. A secret with this name from another source is unknown. */
  source: string | undefined;
  token: string;
}

/** An event of the account. */
export type RecordedEvent = Omit<AccountEvent, 'about'> & { about: string[] };

/** A result, or the error that came instead. */
export type Recorded<T> = { value: T } | { error: RecordedError };

/** An error of a read, as data. */
export interface RecordedError {
  message: string;
  /** Its other members, such as the status of an answer. */
  members: Record<string, unknown>;
  /** The problems of an error that has some. */
  problems?: Diagnostic[] | undefined;
}

/** A read of the account with its answer. */
export interface RecordedRead {
  request: Pick<Request, 'endpoint' | 'params' | 'items' | 'pages' | 'etag'>;
  answer: Recorded<unknown> | RecordedPages;
}

/** A list that was read page by page: all items that were read, and their number after each page. */
export interface RecordedPages {
  items: unknown[];
  counts: number[];
  /** True if there were further pages that were not read. */
  hasMore: boolean;
  /** Why the page after them could not be read. */
  error?: RecordedError | undefined;
}
