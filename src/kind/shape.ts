import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import type { Endpoint, Request } from '../model/request.ts';
import type { LiveResource, Resource, StagedVersion } from '../model/resource.ts';
import type { Fields } from '../model/value.ts';
import type { Draft } from './draft.ts';
import type { AccountFacts, FieldSchemas, ItemOutcome, Kind } from './kind.ts';
import type { Step } from './step.ts';

/*
 * A shape relates the objects of a kind to the platform's rows and to each other.
 *
 * Terms: a row is one record of the platform, a unit is one object of the YAML. In most kinds a unit is a row. A variable in three targets is
 * three units in one row; a DNS set is one unit of several rows. A position is the place of a unit in its row, such as a target.
 */

/**
 * The relation of the objects of a kind to the platform's rows and to each other. The core uses every shape in the same way and cannot tell
 * shapes apart. `plain` is the usual one; the shapes in `shapes/` differ from it in a few members, and may wrap another shape.
 */
export interface Shape {
  /** True if the address identifies an object, whatever rows it is in; its ids are then those of its rows. Otherwise its id identifies it. */
  byAddress: boolean;
  /** True if objects have names that the platform keeps unique. Otherwise the YAML gives them labels, and two equal objects can exist. */
  isNamed: boolean;
  /** True if the platform itself creates many such objects. Only declared and recorded ones count, in exports as well. */
  onlyDeclared?: true;
  /** True if the order of siblings decides, because the first match wins. They are a list in the YAML, and are planned and selected together. */
  orderDecides: boolean;
  /** True if changes name an index of the platform's list, so that the order of foreign items matters. */
  byIndex: boolean;
  /** Returns sentences for the manual about its changes. `isHidden`: the changes take effect together, not one at a time. */
  words(isHidden: boolean): string[];
  /** The document that consists of this collection and others, if one request can write all of it. */
  document?: WholeDocument;
  /** The endpoints of a collection whose changes take effect when a version is promoted. `{version}` in the endpoint of the list is the live one. */
  staging?: StagingEndpoints;
  /**
   * Returns the outcome of each item of a `batch`, in the order of the items. `request`: the request with its secrets revealed. An outcome that the
   * answer does not show is looked up in the account.
   */
  outcome?(answer: unknown, request: Request): ItemOutcome[];
  /** The fields of a unit, if they are not those of the row. */
  fields?: FieldSchemas;
  /** The fields that the address contains, besides those of the key. */
  addressFields: readonly string[];
  /**
   * Returns the positions in a row that the name at the end of an address can mean, from exact to rough. Units in the same exact position of a row are
   * the same, whatever their names; units in the same rough position only if no other unit is there. Used to recognize renamed units.
   */
  rowPositionsOf?(name: string): string[];
  /** The fields of a row that give its value to more targets if they are true. They count as targets of the row. */
  widenedBy?: readonly string[];
  /** Returns the units of a row, desired or live. `parent`: the fields of the parent, such as the name of a DNS zone. */
  units(row: Fields, parent: Fields): Fields[];
  /** Merges two rows at one address; undefined if both are the same object. Absent if an address has one row. */
  mergeRows?(first: Fields, second: Fields): Fields | undefined;
  /** Returns the row with these units, for exports: the opposite of `units`. */
  rowOf?(units: Fields[]): Fields;
  /** Finds the live objects that desired ones mean, if objects have no names. */
  pair?(collection: Unpaired): Paired;
  /** True if these desired fields can describe a live object without a name. Absent if objects have names. */
  canMean?(kind: Kind, desired: Fields, live: Fields): boolean;
  /** Returns the labels that an export gives to objects without names, and which of them need an `$id` as well. */
  labels?(kind: Kind, objects: LiveResource[]): Map<LiveResource, Label>;
  /** Returns a sentence for the manual about what identifies a live object. `container`: the words for the parent of the collection. */
  keyWords?(kind: Kind, container: string): string;
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

/** The endpoints of a staged collection: `versions` lists its versions (`isLive`, `isStaging`), `promote` takes `{ id, action }`. */
export interface StagingEndpoints {
  versions: Endpoint;
  promote: Endpoint;
}

/** Several collections of one container that one request can write, such as the whole configuration of a firewall. */
export interface WholeDocument {
  /** One sentence for the manual. */
  doc: string;
  endpoint: Endpoint;
  /** Drafts the request that writes all of it in a new container, which has no objects of others yet. `steps`: by kind, in the desired order. */
  write(steps: ReadonlyMap<string, Step[]>): Draft;
}

/** All changes and all live objects of one collection. */
export interface CollectionChanges {
  kind: Kind;
  changes: Change[];
  live: readonly LiveResource[];
  /** True if everything that is not declared in the collection is deleted. */
  isExclusive: boolean;
  /** Where our items stand in the list, if that is configured: after all others, or in front of those with these ids. */
  position?: 'last' | { before(id: string): boolean };
  entryOf(address: Address): LedgerEntry | undefined;
  /** The addresses of our items in their order after the last apply; absent if it is not recorded. */
  recordedOrder?: readonly Address[];
}

/** Turns the selected changes of a collection into requests. */
export type DraftWriter = (changes: Change[], context: DraftContext) => Draft[];

/** The data that a kind may use while its steps become requests. */
export interface BatchContext {
  /** All live siblings, unmanaged ones included. */
  live: readonly LiveResource[];
  /** All desired siblings. */
  desired: Resource[];
  parent: Address | undefined;
  /** Live siblings whose secret could not be compared, so that their value may differ from the desired one. */
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
  /** True if the requests take effect together, so that the order on the way does not matter. */
  isHidden?: boolean;
}

/** A collection in which no name tells which live object is meant. */
export interface Unpaired {
  kind: Kind;
  desired: Resource[];
  /** The live objects. Those with a recorded id are at their addresses already. */
  live: ReadonlyMap<Address, LiveResource>;
  /** Returns the fields of a desired object, as far as they are known. */
  fieldsOf(desired: Resource): Fields;
  /** True if the ledger has an entry at this address. */
  isRecorded(address: Address): boolean;
}

/**
 * The result of pairing: the addresses that no longer have a live object, the live objects at their new addresses, and the new addresses of
 * recorded objects, each with the address in the ledger.
 */
export interface Paired {
  vacated: Address[];
  assigned: LiveResource[];
  renames: [address: Address, recordedAddress: Address][];
}

/** The label of an exported object, and whether its block needs an `$id`. */
export interface Label {
  text: string;
  needsId: boolean;
}
