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
 * What a kind looks like in use: a place for a block, the least block, and two values for every leaf of its fields.
 * `LABEL`, in names and values alike, is replaced by a name of the case's own, so that any number of cases share an account.
 */
export interface Sample {
  place(block: Block): Block;
  /** The least block, where something has to be in it. */
  base?: Block;
  /** The only names that there can be in place of `LABEL`, where it is not just any: there are no more objects than these at a time. */
  names?: string[];
  /** By path: one value, another one, and what the leaf needs beside it. */
  leaves: Record<string, [one: unknown, other: unknown, beside?: Block]>;
  /** Leaves that are the same in both values: there is no other, or only together with another leaf. */
  single?: string[];
  /** Leaves that say which object is meant: another value means another object. */
  identity?: string[];
  /**
   * What a seed of the twin has of it, by the place that it stands in: in the account, its team, the domain `example.com`, the
   * project `web`, or the feature flags of that. Reads are derived from it: what stands here is listed and read one by one.
   */
  seed?: SampleSeed;
  /** Good requests for those operations of the twin that neither the kind makes nor a read of the seed is. */
  requests?(rest: Rest): Promise<void>;
  /**
   * The public client writes objects of it in a project by the kind's own operations: an account is filled, changed and compared
   * through it.
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

/** A twin to send requests to, as the team `acme`, which has the member `user_1`. What a request makes there it also deletes. */
export interface Rest {
  twin: Twin;
  /** Sends a request, and answers what it answers; throws if it is refused. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  go(method: Method, path: string, body?: unknown): Promise<any>;
  /** Sends one request after the other. */
  all(...requests: [method: Method, path: string, body?: unknown][]): Promise<void>;
  /** The projects `shop` and `other`, with nothing in them. */
  shop: Project;
  other: Project;
}

/** What the public client's operations do not say by themselves. */
export interface PlainSdk {
  /** Values of members by their path, where not just any of their type will do: those to choose from. */
  hints?: Record<string, unknown[]>;
  /** Members that the client fills in by itself where a change leaves them out, so that it must not. */
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
export const sampleSeed = { team: { members } };

export const userId = { type: 'entity', kind: 'user', attribute: 'id' };

export const people = (...emails: string[]) => emails.map((value) => ({ value }));

export const plan = { type: 'entity', kind: 'user', attribute: 'plan' };
