import type { Address } from './address.ts';
import type { OwedAction } from './planned-action.ts';
import { type CollectionId, collectionParts, type ListPosition, type Permission } from './resource.ts';

/**
 * The record of one object as this stack last applied it. It contains digests instead of values: enough to tell our
 * objects from others, and an edit of the configuration from a change outside.
 */
export interface LedgerEntry {
  kind: string;
  ids: string[];
  origin: 'created' | 'adopted';
  /** Salts the digests of this entry. */
  salt: string;
  /** The kind's normal form that the digests were made in; another one cannot be compared. */
  form: number;
  /** Digest by field path. */
  fields: Record<string, string>;
  /** Keyed digest by field path. `key`: the id of the key that made it. */
  secrets: Record<string, { key: string; digest: string }>;
  protect?: true;
  /** Written by earlier versions: the object is deleted when its block goes, unless `removed` says otherwise. */
  onRemove?: 'delete';
  /** The permissions of its block, for itself and everything in it. They count when the block was removed. */
  allow?: Permission[];
  /** The place of its list among those of other stacks: two stacks that want the same place are refused. */
  position?: ListPosition;
  /** Paths that once held a secret and are not ours any more: their live values are not shown. */
  hidden?: string[];
  /**
   * The targets of each row that it shares with others, by the id of the row, after our last write. Without an entry
   * for a row, its targets are unknown. A target that is not listed was added outside.
   */
  targets?: Record<string, string[]>;
  /**
   * The values that the account showed instead of those of our last write, by field path: digests. Such a field was not
   * changed outside as long as it stays so. Names that are no paths are explained in `unkept-writes.ts`.
   */
  notKept?: Record<string, string>;
  /**
   * When it was written, as the platform says in its answer to our last write, or when it was read. A later time means
   * that somebody else wrote.
   */
  updatedAt?: number;
  /** A parent that is not ours: kept for its id while children of it are. */
  existing?: true;
  /**
   * The stack that may take the object over (`$handover`). This stack no longer changes or deletes it, and drops the entry once that stack
   * owns it.
   */
  handover?: string;
  /** The secret that its creation showed never arrived at its destination: the object is replaced without asking. */
  tainted?: true;
  /** The digest of `SecretOf.form`: the text in which the secret of another object was written here, and the id of that object. */
  secretOf?: string;
  /** The addresses that it needed when it was applied. Deletions go in reverse. */
  dependsOn?: Address[];
}

/** True if an entry makes this stack the owner of its object. An entry with `existing` only keeps the id of a parent. */
export const isOwnEntry = (entry: LedgerEntry | undefined): boolean => entry !== undefined && !entry.existing;

/**
 * A creation that a run is about to do, kept until its outcome is known. By it, the next run recognizes an object that
 * an interrupted run created.
 */
export interface Intent {
  /** The entry that the ledger gets once the object is found; it has no ids yet. */
  entry: LedgerEntry;
  /**
   * Short salted digests of the ids that existed before: under its address or, for an object without a unique name,
   * beside it.
   */
  seen: string[];
  /** The request was sent, as far as this run could record it. */
  sent?: true;
}

/**
 * A version of a collection that a run staged, or was about to stage: its base, and the planned content of each
 * address. By the content, a later run recognizes the version as ours.
 */
export interface StagedEntry {
  /** The version that was live; absent if there was none. */
  base?: string;
  of: Record<Address, StagedContent>;
}

/** The content of a staged version that replaces the objects with these ids. Without an entry they are deleted. */
export interface StagedContent {
  ids: string[];
  entry?: Pick<LedgerEntry, 'form' | 'salt' | 'fields' | 'secrets'>;
}

/**
 * The record of everything that one stack applied to one account. Without it, the tool is more careful, never more
 * dangerous.
 */
export interface Ledger {
  formatVersion: 2;
  baseUrl: string;
  owner: string;
  stack: string;
  /** Counts writes: a store refuses to replace a generation that it does not hold. */
  generation: number;
  /** When it was written last (ISO 8601, UTC); absent in ledgers of earlier versions. */
  writtenAt?: string;
  /** The files of the last applied configuration; ledgers of earlier versions have paths from the working directory. */
  inputs: string[];
  entries: Record<Address, LedgerEntry>;
  /**
   * The sources of the secrets and variables in the last applied configuration: `env DATABASE_URL` by `secret database`. No
   * values.
   */
  sources?: Record<string, string>;
  /**
   * The digest of the saved plan that was carried out last, completely or in part; undefined if it was another plan.
   */
  plan?: string | undefined;
  /** The versions that a run of this stack staged and has not promoted yet, by collection. */
  staged?: Record<CollectionId, StagedEntry>;
  /** Creations whose outcome is unknown, by address. */
  begun?: Record<Address, Intent>;
  /** Actions that follow finished changes and are not done yet, by id. */
  owed?: Record<string, OwedAction>;
  /** The run that wrote it last, for people: `run 12, ada`. */
  lastRun?: string;
  /**
   * The place, for people, that the ledger was copied to. The copy counts from then on, and nothing can be applied with
   * this one.
   */
  copiedTo?: string;
  /** The order of our items in each ordered list after the last apply that finished it. A list that is absent has no known order. */
  orders?: Record<CollectionId, Address[]>;
  /**
   * The change that a run did first on an account that was new to this ledger (see `src/plan/choose-first-change.ts`), until a fresh read
   * has shown that the account kept it.
   */
  unverifiedFirstChange?: Address;
  /** When a run last sent a write (ISO 8601, UTC): lists may not show it for a while. */
  lastWrite?: string;
}

/**
 * Returns the addresses that an interrupted run left unfinished, each with its kind: creations whose outcome is unknown, and objects in
 * versions that it staged and did not promote. The next plan has to read them, since their objects may exist, whether they are declared or
 * not.
 */
export const unfinishedAddresses = (
  ledger: Pick<Ledger, 'begun' | 'staged'>,
): [address: Address, kind: string][] => [
  ...Object.entries(ledger.begun ?? {}).map(([address, { entry }]): [Address, string] => [
    address,
    entry.kind,
  ]),
  ...Object.entries(ledger.staged ?? {}).flatMap(([id, { of: contents }]) =>
    Object.keys(contents).map((address): [Address, string] => [address, collectionParts(id)[1]]),
  ),
];

/** Returns all addresses that a ledger mentions, each with its kind. Their collections are read for a plan. */
export const addressesInLedger = (ledger: Ledger): [address: Address, kind: string][] => [
  ...Object.entries(ledger.entries).map(([address, { kind }]): [Address, string] => [address, kind]),
  ...unfinishedAddresses(ledger),
];

/**
 * Returns the ledger of a stack that has never been applied to this account. Also used where something is planned or read without a ledger.
 */
export const emptyLedger = (baseUrl: string, owner: string, stack: string): Ledger => ({
  formatVersion: 2,
  baseUrl,
  owner,
  stack,
  generation: 0,
  inputs: [],
  entries: {},
});

/**
 * Another stack of the same store and account, with the objects that it claims to own. A claim can only make a plan
 * refuse a change, so it does not have to be verified.
 */
export interface OtherStack extends Pick<Ledger, 'stack' | 'entries' | 'begun'> {
  /** The generation of its ledger, to find out if a journal belongs to it. Absent without creations in `begun`. */
  generation?: number;
  /** When its ledger was written last, in milliseconds, by the writer's clock. */
  writtenAt?: number;
  /** The run that wrote it, in its own words, for people. */
  lastRun?: string;
  /** The files that its configuration was last applied from. */
  inputs: string[];
  /**
   * True if this run's key signed it. Only then does it consent to a take-over, and its record of the object is
   * trusted.
   */
  isVerified: boolean;
  /** True if its entries have the form of entries. An unverified ledger may hold anything. */
  isWellFormed: boolean;
}

/** True for a valid name of a stack: `shop`, or `shop@staging` for its stage `staging`. */
export const isStackName = (text: string): boolean =>
  /^[a-z0-9][a-z0-9._-]{0,62}(@[a-z0-9][a-z0-9_-]{0,31})?$/i.test(text);

/** Says which names `isStackName` accepts, for the hint of a wrong one. */
export const stackNameRule =
  'use up to 63 letters, digits, dots, hyphens and underscores, starting with a letter or digit; `@` and a stage may follow (`shop@staging`)';

/**
 * True if `name` (in a `$from`, `$handover` or `$position`) refers to this stack: `web` refers to `web` and, if it is written in a stack
 * with a stage (`from`), also to `web` in that stage.
 */
export function refersToStack(name: string, stack: string, { from }: { from: string }): boolean {
  const index = from.indexOf('@');
  return stack === name || (index > 0 && stack === `${name}${from.slice(index)}`);
}

const ageUnits = [
  { unit: 'day', length: 86_400 },
  { unit: 'hour', length: 3600 },
  { unit: 'minute', length: 60 },
  { unit: 'second', length: 1 },
] as const;

/**
 * Formats an age in milliseconds in its largest whole unit, such as `3 days ago`, for messages about a ledger. The clock of another writer
 * may be ahead of ours.
 */
export function ageText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 0) return 'in the future by the local clock';
  const { unit, length } = ageUnits.find(({ length }) => seconds >= length) ?? ageUnits[3];
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
