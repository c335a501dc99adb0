import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import type { Endpoint, Request } from '../model/request.ts';
import type { LiveResource, Resource, StagedVersion } from '../model/resource.ts';
import type { Fields } from '../model/value.ts';
import type { Draft } from './draft.ts';
import type { AccountFacts, FieldSchemas, ItemOutcome, Kind } from './kind.ts';
import type { Step } from './step.ts';

/**
 * Relates the objects of a kind to the platform's rows and to each other. The core asks every shape the same questions and cannot
 * tell which one answers. `plain` answers them all; the shapes in `shapes/` answer a few differently, and may wrap another.
 */
export interface Shape {
  /**
   * If true, an object is known by its address, whichever rows of the platform it lies in, and its ids are those of the rows.
   * Otherwise it is known by its id and has one row.
   */
  byAddress: boolean;
  /** Objects have names, which the platform keeps unique. Otherwise the YAML gives them labels, and two equal objects may stand side by side. */
  isNamed: boolean;
  /** The platform itself makes many: only declared ones and those in the ledger count, in exports too. */
  onlyDeclared?: true;
  /** The order of siblings decides (the first match wins): a list in the YAML, planned and selected as one. */
  orderDecides: boolean;
  /** A change goes to an index of the platform's list, so the order of other people's items matters. */
  byIndex: boolean;
  /** Sentences for the manual about what is special in its changes. `isHidden`: nobody sees them one by one. */
  words(isHidden: boolean): string[];
  /** The document that this collection is a part of, with others; one request can write it whole. */
  document?: WholeDocument;
  /**
   * The endpoints of a collection that goes live by promoting a version. The live version is read (`{version}` in the endpoint
   * of the list).
   */
  staging?: StagingEndpoints;
  /**
   * For a request with a `batch`, its body in the clear: the outcome of each item, in their order; a refusal in the platform's own
   * words, unmasked. An outcome that the answer does not tell is looked up.
   */
  outcome?(answer: unknown, request: Request): ItemOutcome[];
  /** The fields that are compared, where they are not those of the platform's row. */
  fields?: FieldSchemas;
  /** Fields that the address tells, beside those of the key. */
  addressFields: readonly string[];
  /**
   * The places in its row that the name at the end of an address can mean, from exact to rough. Two things in the same exact
   * place of one row are the same, whatever they are called; in the same rough place, only if nothing else is there.
   */
  rowPositionsOf?(name: string): string[];
  /** Fields of a row that give its value to more targets if they are true. They count as targets of the row. */
  widenedBy?: readonly string[];
  /** The units that one row holds, wanted or found; `parent` is the fields of the parent (of a zone: its name). */
  units(row: Fields, parent: Fields): Fields[];
  /** Merges two rows at one address; undefined if they are the same thing twice. Absent if an address has one row. */
  mergeRows?(one: Fields, other: Fields): Fields | undefined;
  /** The opposite of `units` for the units of one row: for exports. */
  rowOf?(units: Fields[]): Fields;
  /** Finds the live objects that wanted ones mean if no name tells. */
  pair?(collection: Unpaired): Paired;
  /** True if a live object without a name can be the one that these desired fields describe. Absent if objects have names. */
  canMean?(kind: Kind, desired: Fields, live: Fields): boolean;
  /** The labels that an export gives to objects without names, and which of them need their id to tell them apart. */
  labels?(kind: Kind, objects: LiveResource[]): Map<LiveResource, Label>;
  /** The words of the manual for what identifies a live object; `around` names what the collection is in. */
  keyWords?(kind: Kind, around: string): string;
  /** Looks at all changes of a collection together, before some of them are selected, since an order concerns all siblings. */
  arrange(siblings: CollectionChanges): Arrangement;
}

/** The changes of a collection after its shape has seen all of them. */
export interface Arrangement {
  /** The same changes, completed with what only the whole collection shows, such as the new position of an item. */
  changes: Change[];
  /** Turns the selected ones among these changes into requests. */
  draft: DraftWriter;
}

/** `versions` lists the versions of a collection (`isLive`, `isStaging`); `promote` takes `{ id, action }`. */
export interface StagingEndpoints {
  versions: Endpoint;
  promote: Endpoint;
}

/** Several collections of one container, such as all that a firewall has. */
export interface WholeDocument {
  /** One sentence for the manual. */
  doc: string;
  endpoint: Endpoint;
  /** Writes all of it at once, in a new container, which holds nothing of others yet. Steps come by kind, in the wanted order. */
  write(steps: ReadonlyMap<string, Step[]>): Draft;
}

/** One collection: all changes of it, and all objects in it. */
export interface CollectionChanges {
  kind: Kind;
  changes: Change[];
  live: readonly LiveResource[];
  /** True if everything that is not declared in the collection is deleted. */
  isExclusive: boolean;
  /** The place of our items in the list, if it matters: behind all others, or in front of these, by their ids. */
  position?: 'last' | { before(id: string): boolean };
  entryOf(address: Address): LedgerEntry | undefined;
  /** The order of our items after the last apply, by their addresses; absent if it is not known. */
  recordedOrder?: readonly Address[];
}

/** Turns the selected changes of a collection into requests. */
export type DraftWriter = (changes: Change[], context: DraftContext) => Draft[];

/** The data that a kind may use while its steps become requests. */
export interface BatchContext {
  /** All live siblings, unmanaged ones included. */
  live: readonly LiveResource[];
  /** All wanted siblings. */
  desired: Resource[];
  parent: Address | undefined;
  /** Live siblings whose secret could not be compared, so that their value may differ from the wanted one. */
  unverified: ReadonlySet<Address>;
  /** True if an object of any kind exists under this address already. */
  exists(address: Address): boolean;
  facts: AccountFacts;
}

/** The data that a shape may use while it turns changes into requests. */
export interface DraftContext extends BatchContext {
  /** The live versions of a staged collection. `staged` only if an earlier run of this stack staged it. */
  versions: { live?: string; staged?: string } | undefined;
  leftoverVersion: StagedVersion | undefined;
  /** Nobody sees the requests' effects one by one. */
  isHidden?: boolean;
}

/** A collection in which no name tells which live object is meant. */
export interface Unpaired {
  kind: Kind;
  desired: Resource[];
  /** Those with known ids are at their addresses already. */
  live: ReadonlyMap<Address, LiveResource>;
  /** The fields of a wanted object, as far as planning knows them. */
  fieldsOf(want: Resource): Fields;
  /** The ledger has an entry under this address. */
  isRecorded(address: Address): boolean;
}

/**
 * The result of pairing. Objects leave the addresses in `gone`, and those in `put` go to their own; then `claims` gives the new
 * address of each object that the ledger knows under an old one.
 */
export interface Paired {
  vacated: Address[];
  assigned: LiveResource[];
  renames: [now: Address, old: Address][];
}

export interface Label {
  text: string;
  needsId: boolean;
}
