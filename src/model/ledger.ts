import type { Address } from './address.ts';
import type { OwedAction } from './planned-action.ts';
import type { CollectionId, ListPosition, Permission } from './resource.ts';

/** The record of one object as this stack last applied it: enough to tell ours from theirs, and edit from drift. No values. */
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
  /** Keyed digest by field path, with the id of the key. */
  secrets: Record<string, { key: string; digest: string }>;
  protect?: true;
  onRemove?: 'delete';
  /** The permissions of its block, for itself and everything in it; they count once the block is gone. */
  allow?: Permission[];
  /** The place of its list among those of other stacks: two stacks that want the same place are refused. */
  position?: ListPosition;
  /** Paths that once held a secret and are not ours any more: their found values are not shown. */
  hidden?: string[];
  /**
   * The targets of each row that it shares with others, by the id of the row, after our last write. A row that is absent has no known
   * targets. A later one was added outside.
   */
  targets?: Record<string, string[]>;
  /**
   * What the account showed in place of our last write, by field path: a digest. Such a field was not changed outside as long as it stays
   * so. Other names than paths are in `unkept-writes.ts`.
   */
  notKept?: Record<string, string>;
  /** When it was written, as the platform says: in its answer to our last write, or as it was found. A later time means that somebody else wrote. */
  updatedAt?: number;
  /** A parent that is not ours: kept for its id while children of it are. */
  existing?: true;
  /** The stack that may take the object over (`$handover`). This stack no longer changes or deletes it, and drops the entry once that stack owns it. */
  handover?: string;
  /** The secret that its creation showed never arrived: the object is replaced without asking. */
  tainted?: true;
  /** The digest of `SecretOf.form`: the text in which the secret of another object was written here, and the id of that object. */
  secretOf?: string;
  /** The addresses that it needed when it was applied. Deletions go in reverse. */
  dependsOn?: Address[];
}

/** A creation that a run is about to do, kept until its outcome is known. It tells an object made by an interrupted run from somebody else's. */
export interface Intent {
  /** The entry that the ledger gets once the object is found; it has no ids yet. */
  entry: LedgerEntry;
  /** Short salted digests of the ids found beforehand: under its address or, for an object without a name of its own, beside it. */
  seen: string[];
  /** A request was sent, as far as is known. */
  sent?: true;
}

/** A version that a run staged, or was about to: its base, and the wanted content of each address, which tells it from other versions. */
export interface StagedEntry {
  /** The version that was live; none if nothing was. */
  base?: string;
  of: Record<Address, StagedContent>;
}

/** The content of a staged version that replaces the objects with these ids. Without an entry they are deleted. */
export interface StagedContent {
  ids: string[];
  entry?: Pick<LedgerEntry, 'form' | 'salt' | 'fields' | 'secrets'>;
}

/** The record of what one stack applied to one account. Losing it makes the tool more careful, never dangerous. */
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
  /** The digest of the saved plan that was carried out last, whole or in part; none if it was another plan. */
  plan?: string | undefined;
  /** The versions that a run of this stack staged and has not promoted yet, by collection. */
  staged?: Record<CollectionId, StagedEntry>;
  /** Creations whose outcome is not known, by address. */
  begun?: Record<Address, Intent>;
  /** Actions that follow finished changes, and are not done yet, by id. */
  owed?: Record<string, OwedAction>;
  /** The run that wrote it last, for people: `run 12, ada`. */
  lastRun?: string;
  /** The place, for people, that it was copied to: the copy counts from then on, and nothing can be applied with this one. */
  copiedTo?: string;
  /** The order of our items in each ordered list after the last apply that finished it. A list that is absent has no known order. */
  orders?: Record<CollectionId, Address[]>;
  /**
   * The change that a run did first on an account that was new to this ledger (see `src/plan/choose-first-change.ts`), until a fresh read has shown
   * that the account kept it.
   */
  unverifiedFirstChange?: Address;
  /** When a run last sent a write (ISO 8601, UTC): lists may not show it for a while. */
  lastWrite?: string;
}

export const emptyLedger = (baseUrl: string, owner: string, stack: string): Ledger => ({
  formatVersion: 2,
  baseUrl,
  owner,
  stack,
  generation: 0,
  inputs: [],
  entries: {},
});

/** Another stack of the same store and account, with what it says it owns. A claim can only make a plan refuse, so nobody has to verify it. */
export interface OtherStack {
  stack: string;
  entries: Ledger['entries'];
  /** Its creations whose outcome its ledger does not have yet. */
  begun?: Ledger['begun'];
  /** The generation of its ledger, which tells if a journal belongs to it. Absent without creations in `begun`. */
  generation?: number;
  /** When its ledger was written last, in milliseconds, by the writer's clock. */
  writtenAt?: number;
  /** The run that wrote it, as it says of itself: text for people. */
  lastRun?: string;
  /** The files that its configuration was last applied from. */
  inputs: string[];
  /** True if this run's key signed it: only then does it consent to a take-over, and what it remembers of the object is trusted. */
  isVerified: boolean;
  /** True if its entries have the form of entries. An unverified ledger may hold anything. */
  isWellFormed: boolean;
}

/** True for a name that a stack may have: `shop`, or `shop@staging`. */
export const isStackName = (text: string): boolean =>
  /^[a-z0-9][a-z0-9._-]{0,62}(@[a-z0-9][a-z0-9_-]{0,31})?$/i.test(text);

/** True if `name` means this stack: `web` means `web` and, for a stack with a stage, also `web` in that stage. */
export function refersToStack(name: string, stack: string, { from }: { from: string }): boolean {
  const index = from.indexOf('@');
  return stack === name || (index > 0 && stack === `${name}${from.slice(index)}`);
}

const ageUnits = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** An age in the largest whole unit, by the writer's clock: `3 days ago`. Takes milliseconds. */
export function ageText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 0) return 'in the future by the local clock';
  const [unit, length] = ageUnits.find(([, length]) => seconds >= length) ?? ageUnits[3];
  const number = Math.floor(seconds / length);
  return `${number} ${unit}${number === 1 ? '' : 's'} ago`;
}
