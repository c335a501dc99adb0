import type { Budget, Pace } from '../model/budget.ts';
import type { Masking } from '../model/masking.ts';
import type { Quota } from '../model/plan.ts';
import type { ApiAnswer, ApiCall, Endpoint, Send } from '../model/request.ts';
import type { ActionsAndLookups } from './action.ts';
import type { Confidence, Evidence, ObservedAnswer, RecordedExchange } from './evidence.ts';
import type { ForeignFiles } from './foreign.ts';
import type { Kind } from './kind.ts';
import type { Meaning } from './meaning.ts';

/** The owner of the account, as the platform answers it. */
export interface Owner {
  type: 'team' | 'personal';
  id: string;
  slug: string;
  /**
   * The team that stands in for a user who has no personal account that can be used: no command may use this owner. Null if it is unknown.
   */
  standIn?: string | null;
  /** Account-wide settings that the rules of kinds depend on. */
  facts: Record<string, unknown>;
}

/** The account that a configuration is about: the value of `platform:` in its header. */
export type Scope = { team: string } | { personal: true };

/** One finished HTTP exchange, for `--verbose`. Without headers; `body` has secrets still sealed. */
export interface Exchange {
  /** With placeholders in its path. */
  endpoint: Endpoint;
  method: string;
  path: string;
  status: number | undefined;
  milliseconds: number;
  attempt: number;
  body?: unknown;
  /** The time when it was answered, by the platform's clock, as far as that is known. */
  answeredAt?: number;
}

/** All settings of a connection. Base URL and token come from flags, a file or the environment, never from the YAML. */
export interface ConnectOptions {
  baseUrl: string;
  token: string;
  scope: Scope;
  /**
   * Returns the names or ids of the objects of a kind that the command is about. A token of one project finds its account by this project.
   * Default: none.
   */
  declared?: ((kind: string) => readonly string[]) | undefined;
  /** The environment, for proxies and certificates. Default: none is set. */
  env?: Record<string, string | undefined>;
  /** The longest wait for a rate limit, in milliseconds. Default 15 minutes. */
  maxWait?: number;
  onWait?(wait: { seconds: number; reason: string }): void;
  onExchange?(exchange: Exchange): void;
  /** Gets each answer as it came, before it is understood, also a refusal. Used by `trueup doctor`. */
  onAnswer?(answer: ObservedAnswer): void;
  /** The budget shared with other runs of this token. Default: the limits are not shared. */
  budget?: Budget | undefined;
  /** Masks the secrets of the run in texts of the platform. Secrets that are sent are added to it. */
  masking?: Masking;
  /** The clock that waits for rate limits and between attempts. Default: the clock of the system. */
  clock?: ConnectionClock;
}

/** The time in milliseconds, and a way to wait. */
interface ConnectionClock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** An event in an account, as the platform reports it afterwards. Used to name the person behind a change outside. */
export interface AccountEvent {
  /** The time of the event, in milliseconds. */
  when: number;
  by: { name: string; id?: string };
  /** The means of the change, for people: `a token`, or the name of an app. */
  through?: string;
  /** The ids and names of the objects that it is about. */
  about: ReadonlySet<string>;
}

/** An open connection to one account. */
export interface Connection extends Quota {
  send: Send;
  /**
   * Calls any operation once; repeated like `send`, as long as its body can be opened again. Throws a `RequestError`. Used for `trueup api`
   * and actions.
   */
  call(call: ApiCall): Promise<ApiAnswer>;
  /** Returns the events since a time (milliseconds), as far as the platform keeps them. Rejects if the token has no access to them. */
  events?(since: number): Promise<AccountEvent[]>;
  /** Returns the pace of the platform for this account, with the state of the limits that other runs share at the moment. */
  paceNow(): Promise<Pace>;
  /** Reads the owner of the account behind the token; throws `Problems` if it is not the account of the scope. */
  owner(): Promise<Owner>;
  close(): Promise<void>;
}

/**
 * Options for starting a twin, the local copy of the platform for tests. The seed is in the platform's own format, and the twin checks it.
 */
interface TwinSettings {
  port?: number;
  token?: string;
  seed?: unknown;
  statePath?: string;
  latencyMs?: number;
  /** Logs what clients send as text, secrets included. Default: the members alone. */
  logText?: boolean;
  /** The rate limits that the twin enforces. `assumed`: also those that are only assumed, because the platform does not document them. */
  rateLimits?: 'real' | 'assumed' | 'off';
  /** True to store and list members of requests that the platform would refuse as unknown. Default: the twin refuses them. */
  lenient?: boolean;
  pageSize?: number;
  /** The faults to play, in the twin's own format; the twin checks it. */
  faults?: unknown;
  /** The clock of its account, in milliseconds. Default: the clock of the system. */
  now?: () => number;
  /** The number of ids that count as made. With another number than those of a second twin, the two never make equal ids. Default: 0. */
  idsAfter?: number;
}

/** A twin that runs inside this process. */
export interface RunningTwin {
  url: string;
  /** The URL of its OpenAPI document; no token needed. */
  openApiUrl: string;
  /** Returns a copy of everything in its account, with ids, times and secrets, as plain data in the twin's own format. */
  copyAccount(): object;
  /** Replaces everything in its account by such a copy, which another twin may have made. */
  restoreAccount(account: object): void;
  close(): Promise<void>;
}

/** One operation of a platform's API, as its documentation describes it. */
export interface ApiOperation {
  group: string;
  method: string;
  /** The path, with its parameters in braces. */
  path: string;
  /** Its name in the platform's own client, null where it has none. */
  operationId: string | null;
  /** Its documented query parameters, except those that name the account. */
  query?: readonly string[];
  /**
   * True if it reads or writes something that a configuration can declare, so that some kind has to use it. All others are actions, lookups
   * and protocols.
   */
  isDeclarable?: true;
  /** Another operation that serves a kind as well (`GET /sites`), and why. */
  instead?: { use: string; why: string };
}

/**
 * An operation that only the platform's own clients show: its documentation does not have it, and the platform can change it without
 * notice.
 */
export interface ExtraOperation extends ApiOperation {
  /** The client that sends it, and the file, as a reader can find them. */
  source: string;
  /** The month of the client's version: `2026-08`. */
  date: string;
  /** How well it is known: `read` stands for the code of a client alone. */
  confidence: Confidence;
}

/** All parts that a platform must supply. The core uses nothing else of it. */
export interface Provider {
  name: string;
  /** The URL of the real platform, unless a flag or the environment gives another. */
  baseUrl: string;
  kinds: Kind[];
  /** Every operation of its API, in the order of its documentation. */
  operations(): Promise<readonly ApiOperation[]>;
  /** The operations that kinds and lookups send although its documentation does not have them. */
  extraOperations(): Promise<readonly ExtraOperation[]>;
  /** Loads the actions and lookups. */
  actionsAndLookups(): Promise<ActionsAndLookups>;
  /** Loads the readers that turn files of other tools into objects of its accounts. */
  foreignFiles(): Promise<ForeignFiles>;
  /** Loads the facts about its answers and its tokens. */
  evidence(): Promise<Evidence>;
  /** Loads the checks for configuration that is valid and harmful. */
  meaning(): Promise<Meaning>;
  /** The endpoints that a connection reads on its own to find out whose account it is. */
  lookups: readonly Endpoint[];
  /** Returns the speed and the limits of the platform for an account, or for an unknown one, for forecasts without a connection. */
  pace(owner?: Owner): Promise<Pace>;
  connect(options: ConnectOptions): Promise<Connection>;
  /** Starts a twin in this process. Throws `Problems` for a seed, fault plan or state that it cannot use. */
  startTwin(settings: TwinSettings): Promise<RunningTwin>;
  /** Returns the OpenAPI document of the operations that its twin serves, as plain data. */
  openApi(): Promise<object>;
  /**
   * Returns a seed for a twin with the objects that a recording shows to exist before its first request. Objects that the twin would refuse
   * are left out, because a recording shows only parts of an account.
   */
  recordedSeed(exchanges: readonly RecordedExchange[]): Promise<unknown>;
  /** Returns a seed for an empty account of this scope. */
  emptyAccount(scope: Scope): unknown;
  /**
   * Returns a seed for an empty account of this owner: with its id and name, and the settings among its facts. Used to rehearse a plan,
   * whose requests name the owner by its id.
   */
  emptyAccountOf(owner: Owner): unknown;
}
