import type * as z from 'zod';
import type { Address } from '../model/address.ts';
import type { ArrangedChange, Change, DecidedChange, Grade } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import type { Endpoint, Request } from '../model/request.ts';
import type { LiveResource, Permission, Resource, StagedVersion } from '../model/resource.ts';
import type { Fields, Path, Value } from '../model/value.ts';
import type { AccountFacts, ApiObject, ListSource, References } from './read.ts';
import type { Draft, Step, Write } from './write.ts';

/** The schemas of fields by their names. */
export type FieldSchemas = Record<string, z.ZodType>;

/**
 * The outcome of one item of a batch: done under an id, done under the only new one of these ids (`oneOf`), refused, or unknown because the
 * answer cannot be understood. `refusals`: refusals in the answer that may be about this item.
 */
export type ItemOutcome =
  | { id: string }
  | { oneOf: string[] }
  | Refusal
  | { unknown: true; refusals?: Refusal[] };

/** A refusal in the platform's own words. They may contain secrets. */
export interface Refusal {
  error: string;
  code?: string;
}

/** The object that `align` adjusts, with what the adjustment may depend on. */
export interface Alignment {
  desired: Resource;
  live?: LiveResource;
  /** The ids that the ledger has for the object. */
  ownedIds: string[];
  /** True if the parent's `$exclusive` names this section. */
  exclusive: boolean;
  facts: AccountFacts;
  /** The time, in milliseconds. */
  now: number;
}

/** Rules for creating, replacing and deleting objects. */
interface Lifecycle {
  /** The name of a lane. Operations of one lane in one container run one at a time, and a failure stops the remaining ones. */
  lane?: string;
  /** The parent, or kinds under the same parent, whose changes come before those of this one, and whose deletions come after them. */
  after?: string[];
  /**
   * True if the platform refuses to delete an object while another one refers to it. Objects that refer to it, also those in deleted
   * projects, are then always deleted before it. If absent, this order is only preferred: it is given up if objects refer to each other in
   * a circle.
   */
  refusedWhileUsed?: true;
  /** Decides about changes that need a deletion and a creation. Default `ask`. */
  replace?: 'free' | 'ask' | 'never';
  /**
   * The changes that need a permission (`$allow` or `--allow`), because they cost money or take access away from a person. A replacement
   * counts as a deletion and as a creation. A function if it depends on the fields that change.
   */
  asks?: Partial<Record<Permission, 'create' | 'delete' | ((change: Change) => boolean)>>;
  /** True if objects in it may belong to others, or cannot be restored after a deletion. */
  container?: true;
}

/** An object as it is after the run. */
export interface Sibling {
  address: Address;
  fields: Fields;
}

/** The surroundings of siblings, for rules that also count other objects of their parent. */
export interface SiblingCollection {
  parent: Address | undefined;
  /** Returns the objects of another kind as they are after the run, as far as the plan has read them. */
  objectsOf(kind: string): Sibling[];
}

/** Objects that the platform does not allow together. Reported at the first one that the plan writes; not at all if it writes none. */
export interface Clash {
  addresses: Address[];
  message: string;
  hint: string;
  /** Set if the run can succeed all the same. Default: an error. */
  severity?: 'warning';
}

/** The rules for fields that their schemas cannot state. */
interface Rules {
  /** Checks several fields together, and with those of the parent, while the YAML is read. Each finding has the path of its field. */
  check?(
    fields: Fields,
    parent: Fields,
  ): {
    path: (string | number)[];
    message: string;
    hint?: string;
    /** Set for values that the platform may refuse, if that is not known. */
    severity?: 'warning';
  }[];
  /** Brings desired fields into normal form, after the references and secrets in the YAML were recognized. */
  normal?(fields: Fields, parent: Address | undefined): Fields;
  /**
   * Adjusts fields before they are compared, because a setting of the account or the live object decides about them. `foreignIds`: ids of
   * rows with the same name that belong to others and are left alone. `live`: the live fields, if they mean something else by now. `over`:
   * why time has removed a part of the desired state, for people; `desired` is then the remaining part.
   */
  align?(object: Alignment): {
    desired: Fields;
    live?: Fields;
    foreignIds?: string[];
    problems?: Diagnostic[];
    over?: string;
  };
  /** Finds siblings that the platform does not allow together, among the siblings as they are after the run. */
  clashes?(siblings: Sibling[], collection: SiblingCollection): Clash[];
  /** Returns the grade of a change if the general rule does not fit. */
  grade?(change: Change): { grade: Grade; reason: string } | undefined;
}

/** How the YAML of a kind differs from the usual form. */
interface YamlNotation {
  /** The field that is the key of the map. Default: the only field of the natural key; none (a list) if the order decides. */
  mapBy?: string;
  /** Returns the fields that a scalar stands for. */
  shorthand?(value: Value): Fields;
  /** True if an entry of the map may also be a list of entries with the same key. */
  manyPerKey?: true;
  /** Returns the escaped names at the end of the address. Default: the values of the natural key. */
  names?(fields: Fields): string[];
}

/*
 * A shape relates the objects of a kind to the platform's rows and to each other.
 *
 * Terms: a row is one record of the platform, a unit is one object of the YAML. In most kinds a unit is a row. A variable in three targets
 * is three units in one row; a DNS set is one unit of several rows. A row position is the place of a unit in its row, such as a target.
 */

/**
 * The relation of the objects of a kind to the platform's rows and to each other. The core uses every shape in the same way and cannot tell
 * shapes apart. `plain` is the usual one; the shapes in `shapes/` differ from it in a few members, and may wrap another shape.
 */
export interface Shape {
  /**
   * True if the address identifies an object, independently of its rows; its ids are then those of its rows. Otherwise its id identifies
   * it.
   */
  byAddress: boolean;
  /** True if objects have names that the platform keeps unique. Otherwise the YAML gives them labels, and two equal objects can exist. */
  isNamed: boolean;
  /** The fields by which an object without a name is found in the account. */
  identityFields?: readonly string[];
  /**
   * True if the platform itself creates many such objects, or a condition on their fields. Only declared and recorded
   * ones count, in exports as well. If each parent has one (empty `key`), a recorded one that meets the condition counts as deleted.
   */
  onlyDeclared?: true | ((fields: Fields) => boolean);
  /**
   * True if the order of siblings decides, because the first match wins. They are a list in the YAML, and are planned and selected
   * together.
   */
  orderDecides: boolean;
  /** True if changes name an index of the platform's list, so that the order of foreign items matters. */
  byIndex: boolean;
  /** Returns sentences for the manual about its changes. `isHidden`: these take effect together, not one at a time. */
  words(changes: { isHidden: boolean }): string[];
  /** The document that consists of this collection and others, if one request can write all of it. */
  document?: WholeDocument;
  /** How the request that creates the parent can create these objects as well. */
  withParent?: CreationWithParent;
  /**
   * The endpoints of a collection whose changes take effect when a version is promoted. `{version}` in the endpoint of the list is the live
   * one.
   */
  staging?: StagingEndpoints;
  /**
   * Returns the outcome of each item of a `batch`, in the order of the items. `request`: the request with its secrets revealed. An outcome
   * that the answer does not show is looked up in the account.
   */
  outcome?(answer: unknown, request: Request): ItemOutcome[];
  /** The fields of a unit, if they are not those of the row. */
  fields?: FieldSchemas;
  /** The fields that the address contains, besides those of the key. */
  addressFields: readonly string[];
  /**
   * Returns the row positions that the name at the end of an address can mean, from exact to rough. Units in the same exact position of a
   * row are the same, even with other names; units in the same rough position only if no other unit is there. Used to recognize renamed
   * units.
   */
  rowPositionsOf?(name: string): string[];
  /** The fields of a row that give its value to more targets if they are true. They count as targets of the row. */
  widenedBy?: readonly string[];
  /**
   * Returns the units of a row, desired or live. `parent`: the fields of the parent, such as the name of a DNS zone. Returns none for a live
   * row that lost all its places, such as a variable that somebody took out of all its targets. If the ledger has that row, a unit without
   * `addressFields` is at each of its recorded addresses, so that the plan gives the row its places back.
   */
  units(row: Fields, parent: Fields): Fields[];
  /**
   * Merges two rows at one address, such as the DNS records of one name and type. Undefined if they have a member in common, so that they are
   * not different parts of one object. Absent if an address has one row.
   */
  mergeRows?(first: Fields, second: Fields): Fields | undefined;
  /** Returns the row with these units, for exports: the opposite of `units`. */
  rowOf?(units: Fields[]): Fields;
  /** Finds the live objects that desired ones mean, if objects have no names. */
  pair?(collection: Unpaired): Paired;
  /** True if these desired fields can describe a live object without a name. Absent if objects have names. */
  canMean?(kind: Kind, desired: Fields, live: Fields): boolean;
  /** Returns the labels that an export gives to objects without names, and which of them need an `$id` as well. */
  labels?(kind: Kind, objects: LiveResource[], surroundings: LabelSurroundings): Map<LiveResource, Label>;
  /** Returns a sentence for the manual about what identifies a live object. `container`: the words for the parent of the collection. */
  keyWords?(kind: Kind, container: string): string;
  /** Looks at all changes of a collection together, before some of them are selected, since an order concerns all siblings. */
  arrange(siblings: CollectionChanges): Arrangement;
}

/** The changes of a collection after its shape has seen all of them. */
interface Arrangement {
  /** The same changes, completed with facts that only the whole collection shows, such as the new position of an item. */
  changes: ArrangedChange[];
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
  /**
   * Drafts the request that writes all of it in a new container, where no objects of others are yet. `steps`: by kind, in the desired
   * order.
   */
  write(steps: ReadonlyMap<string, Step[]>): Draft;
}

/** Objects that the request for their new parent can create, such as the variables of a new project. */
export interface CreationWithParent {
  /** One sentence for the manual. */
  doc: string;
  /**
   * Returns the creation of the parent with the objects that `own` would create, as items of its `batch`; undefined if it cannot have
   * all of them. The shape's `outcome` then reads the answer of that request as well.
   */
  join(parentRequest: Request, own: Request): Request | undefined;
}

/** All changes and all live objects of one collection. */
export interface CollectionChanges {
  kind: Kind;
  changes: DecidedChange[];
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

/** The name that an export gives to an object without a name on the platform, such as a webhook: the key of its block in the YAML. */
export interface Label {
  text: string;
  /** True if the block also needs `$id: ID`, because its field values could mean another live object as well. */
  needsId: boolean;
}

/** What decides about the labels of exported objects, besides the objects themselves. */
export interface LabelSurroundings {
  /** All objects of the collection, also those that are not exported: a block must fit only its own object. */
  collection: readonly LiveResource[];
  /** True if a configuration that gets the blocks has the label in this collection already. */
  isTaken(label: string): boolean;
}

/** The declaration of one sort of remote object: everything that the tool knows about it. */
export interface Kind {
  name: string;
  /** One sentence for the manual and the editor. */
  doc: string;
  /** An example for the manual: the content of its section, or YAML from the root if the section alone does not suffice. */
  example?: Fields | string;
  /** The name of its section in the YAML, in the block of its parent. */
  section: string;
  /** Other words for it: its former name, or what other tools call it. Messages and `trueup kinds` find it by them. */
  otherWords?: string[];
  parent?: string;
  /** The fields that identify an object among its siblings. Empty: there is one object for each parent. */
  key: string[];
  /**
   * The member of an API object with the id, or a function which returns the id. Default `id`. If it is a field that is always secret, ids
   * are recorded and matched as keyed digests.
   */
  id?: string | ((object: ApiObject) => unknown);
  /** The version of the normal form, to be raised with each change of it. Digests of another form are not compared. Default 1. */
  form?: number;
  fields: FieldSchemas;
  /** The values that the platform gives to new objects. An export leaves them out. */
  usual?: Fields;
  /**
   * Members of an API object that are settings without a field, as dotted paths, also through lists. An export reports those that are set.
   * Ids, times and the dashboard's own data are not settings.
   */
  undeclared?: string[];
  yaml: YamlNotation;
  lifecycle: Lifecycle;
  rules: Rules;
  /** Relates its objects to the platform's rows and to each other. Default: `plain`. */
  shape: Shape;
  read: ListSource;
  /**
   * Decodes an API object into fields. Undefined for objects that users should not see, such as the platform's own records. Null for an
   * object of an unknown form, for example with a `type` that this version does not know: a declared object of its name is then neither
   * created nor deleted, because it may be this one.
   */
  decode?(object: ApiObject, references: References): Fields | undefined | null;
  /** Encodes fields as the API takes them. */
  encode?(fields: Fields): ApiObject;
  /** The requests of each verb. Without a verb the platform cannot do it: without `create`, an object always exists. */
  create?: Write;
  update?: Write;
  delete?: Write;
  /** Moves an object: in an ordered list to another index, otherwise to another parent, with the siblings that name it. */
  move?: Write;
  /** What the answer to its creation shows only once. `$secretTo` names the destination of the secret. */
  shows?: ShownOnce;
}

/** The members of a creation's answer that the platform never shows again. */
export interface ShownOnce {
  /** The member that is the secret. */
  secret: string;
  /**
   * The path to the object with these members, if the answer contains more than the new object. If it leads to a list, the item with the id
   * of the new object is meant.
   */
  within?: Path;
  /** Other members that contain the secret, for the `value` of `$secretTo`: `${connectionString}`. */
  also?: string[];
  /** The kind of the ancestor to which the secret gives access. `${id}` stands for its id. Default: the object itself. */
  opens?: string;
}

export type Kinds = ReadonlyMap<string, Kind>;
