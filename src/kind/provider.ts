import type { Budget, Pace } from '../model/budget.ts';
import type { Masking } from '../model/masking.ts';
import type { Quota } from '../model/plan.ts';
import type { ApiAnswer, ApiCall, Endpoint, Send } from '../model/request.ts';
import type { DayTwo } from './action.ts';
import type { ForeignFiles } from './foreign.ts';
import type { Kind } from './kind.ts';

/** The owner of the account, as the platform answers it. `facts` are account-wide settings that kinds plan with. */
export interface Owner {
  type: 'team' | 'personal';
  id: string;
  slug: string;
  facts: Record<string, unknown>;
}

/** The value of `platform:` in the configuration. */
export type Scope = { team: string } | { personal: true };

/** One finished HTTP exchange, for `--verbose`. Without headers; `body` has secrets still sealed. */
export interface Exchange {
  method: string;
  path: string;
  status: number | undefined;
  milliseconds: number;
  attempt: number;
  body?: unknown;
  /** The time when it was answered, by the platform's clock, as far as that is known. */
  answeredAt?: number;
}

/** Everything a connection needs; base URL and token come from flags, a file or the environment, never from the YAML. */
export interface ConnectOptions {
  baseUrl: string;
  token: string;
  scope: Scope;
  /** The environment, for proxies and certificates. Default: none is set. */
  env?: Record<string, string | undefined>;
  /** Longest wait for a rate limit, in milliseconds. Default 15 minutes. */
  maxWait?: number;
  onWait?(wait: { seconds: number; reason: string }): void;
  onExchange?(exchange: Exchange): void;
  /** The budget shared with other runs of this token. Default: the limits are not shared. */
  budget?: Budget | undefined;
  /** Masks the secrets of the run in the platform's words; secrets that are sent are added to it. */
  masking?: Masking;
}

/** An event in an account, as the platform tells it afterwards. */
export interface AccountEvent {
  /** In milliseconds. */
  when: number;
  by: { name: string; id?: string };
  /** For people: `a token`, or the name of an app. */
  through?: string;
  /** The ids and names that it is about. */
  about: ReadonlySet<string>;
}

/** An open connection to one account. */
export interface Connection extends Quota {
  send: Send;
  /** Calls any operation once; repeated as `send` is, as long as its body can be opened again. Throws a `RequestError`. */
  call(call: ApiCall): Promise<ApiAnswer>;
  /** The events since a time (milliseconds), as far as the platform keeps them. Rejects if the token may not know. */
  events?(since: number): Promise<AccountEvent[]>;
  /** The platform's pace, with what is known now of limits that other runs share. */
  paceNow(pace: Pace): Promise<Pace>;
  /** Reads the account behind the token; throws `Problems` if it is not the one asked for. */
  owner(): Promise<Owner>;
  close(): Promise<void>;
}

/** Options for starting a twin; the seed is in the platform's own format, which the twin checks. */
interface TwinSettings {
  port?: number;
  token?: string;
  seed?: unknown;
  statePath?: string;
  latencyMs?: number;
  /** Logs what clients send as text, secrets included. Default: the members alone. */
  logText?: boolean;
  /** `assumed`: with buckets that are only assumed as well. */
  rateLimits?: 'real' | 'assumed' | 'off';
  /** Refuses what the platform's public schema does not know. Default: takes it, keeps it and lists it. */
  strict?: boolean;
  /** Serves only the public catalog. */
  catalogOnly?: boolean;
  pageSize?: number;
  /** The faults to play, in the twin's own format; the twin checks it. */
  faults?: unknown;
}

/** A twin that runs inside this process. */
interface RunningTwin {
  url: string;
  /** The URL of its OpenAPI document; no token needed. */
  openApiUrl: string;
  close(): Promise<void>;
}

/** One operation of a platform's API, as its documentation has it. */
export interface ApiOperation {
  group: string;
  method: string;
  /** Path parameters in braces. */
  path: string;
  /** Its name in the platform's own client, null where it has none. */
  operationId: string | null;
  /** Its documented query parameters, but for those that name the account. */
  query?: readonly string[];
  /** It reads or writes what a configuration can declare, so some kind has to use it. All others are actions, lookups and protocols. */
  isDeclarable?: true;
  /** Another operation that serves a kind as well (`GET /sites`), and why. */
  instead?: { use: string; why: string };
}

/** All that a platform must give; the core knows nothing else of it. */
export interface Provider {
  name: string;
  /** The URL of the real platform, unless a flag or the environment gives another. */
  baseUrl: string;
  kinds: Kind[];
  /** Every operation of its API, in the order of its documentation. */
  operations(): Promise<readonly ApiOperation[]>;
  /** The actions and lookups. */
  dayTwo(): Promise<DayTwo>;
  /** Readers that turn files of other tools into objects of its accounts. */
  foreignFiles(): Promise<ForeignFiles>;
  /** The endpoints that a connection reads by itself to learn whose account it is. */
  lookups: readonly Endpoint[];
  /** For forecasts. */
  pace: Pace;
  connect(options: ConnectOptions): Promise<Connection>;
  /** Throws `Problems` for a seed, fault plan or state that it cannot use. */
  startTwin(settings: TwinSettings): Promise<RunningTwin>;
  /** The OpenAPI document of what its twin serves: plain data. */
  openApi(): Promise<object>;
  /** A seed for an empty account of this scope. */
  emptyAccount(scope: Scope): unknown;
}
