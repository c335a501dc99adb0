import type {
  AccountSeed,
  DomainSeed,
  FeatureFlagsSeed,
  Project,
  ProjectSeed,
  TeamSeed,
} from '../../providers/hosting/twin/account.ts';
import type { Twin } from '../../providers/hosting/twin/index.ts';

export type Block = Record<string, unknown>;

/**
 * Example blocks of a kind, from which the suite derives its cases: the place of a block, the smallest block, and two values for every field.
 * `LABEL` in names and values is replaced by the name of a case, so that any number of cases can share an account.
 */
export interface Sample {
  place(block: Block): Block;
  /** The smallest valid block, if it is not empty. */
  base?: Block;
  /** The names to use for `LABEL`, if the platform accepts only these. There are never more objects than names. */
  names?: string[];
  /**
   * By path of a field: a first value, which must differ from the platform's default, a second value, and other fields that these values
   * require.
   */
  leaves: Record<string, [one: unknown, other: unknown, beside?: Block]>;
  /** Fields with the same value twice, because there is no other value, or only together with another field. */
  single?: string[];
  /** Fields that identify the object: another value means another object. */
  identity?: string[];
  /**
   * One object in the twin's seed, by its container: the account, its team, the domain `example.com`, the project `web`, or the feature
   * flags of that project. The suite lists it and reads it by its id.
   */
  seed?: SampleSeed;
  /** Sends a valid request for each operation of the twin that neither the kind nor reading the seed covers. */
  requests?(rest: Rest): Promise<void>;
  /**
   * For objects of projects: the public SDK also fills an account with them, changes them, and compares each change with a plan. (The
   * SDK checks the twin's answers for every kind, with or without this.)
   */
  sdk?: PlainSdk;
}

export interface SampleSeed {
  account?: AccountSeed;
  team?: TeamSeed;
  domain?: DomainSeed;
  project?: ProjectSeed;
  featureFlags?: FeatureFlagsSeed;
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A twin to send requests to, as the team `acme` with the member `user_1`. Requests must delete the objects that they create. */
export interface Rest {
  twin: Twin;
  /** Sends a request and returns its answer; throws if it is refused. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  go(method: Method, path: string, body?: unknown): Promise<any>;
  /** Sends one request after the other. */
  all(...requests: [method: Method, path: string, body?: unknown][]): Promise<void>;
  /** The projects `shop` and `other`, with nothing in them. */
  shop: Project;
  other: Project;
}

/** Hints for filling an account through the public SDK, which its types do not contain. */
export interface PlainSdk {
  /** By path of a member: the values to choose from, if the platform does not accept every value of its type. */
  hints?: Record<string, unknown[]>;
  /** Members for which the SDK adds a default if a change leaves them out, so every change must contain them. */
  filledIn?: string[];
}

/** Values that turn up in several samples. */
export const inProject = (blocks: Block) => ({ projects: { LABEL: blocks } });

export const inFirewall = (blocks: Block) => inProject({ firewall: blocks });

/** In a resource that a partner provides to an installation; both are the case's own. */
export const inPartnerResource = (blocks: Block) => ({
  installations: {
    icfg_LABEL: { resources: { db: { productId: 'iap_one', name: 'one', status: 'ready', ...blocks } } },
  },
});
/** A domain that only people can buy: a `World` does it before it plans. */
export const inBought = (blocks: Block) => ({
  domains: { [`LABEL.${bought}`]: { $existing: true, ...blocks } },
});
/** The domains under this one are bought at the platform's registrar. */
export const bought = 'bought.example';

export const flag: [boolean, boolean] = [true, false];

export const unset: [boolean, boolean] = [false, true];

export const text: [string, string] = ['one', 'two'];

/** People of the team, who can be in access groups. */
export const members = [{ uid: 'user_1', email: 'grace@example.com' }];

/** What an account must have beside the samples. */
export const sampleSeed = { team: { members }, sharedEnv: [{ id: 'env_shared', key: 'SHARED', value: '1' }] };

export const userId = { type: 'entity', kind: 'user', attribute: 'id' };

export const people = (...emails: string[]) => emails.map((value) => ({ value }));

export const plan = { type: 'entity', kind: 'user', attribute: 'plan' };
