import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import type { Endpoint, Request } from '../model/request.ts';
import type { LiveResource, Resource, StagedVersion } from '../model/resource.ts';
import type { Fields } from '../model/value.ts';
import type { Draft, VerbDraft } from './draft.ts';
import type { AccountFacts, FieldSchemas, ItemOutcome, Kind } from './kind.ts';
import type { Step } from './step.ts';

/**
 * How the objects of a kind relate to the platform's rows and to each other. The core asks its questions of every shape and cannot
 * tell which one answers. `plain` (below the kinds) answers all; those in `shapes/` answer a few otherwise, and may wrap another.
 */
export interface Shape {
  /**
   * If true, an object is known by its address, whichever rows of the platform it lies in, and its ids are those of the rows.
   * Otherwise it is known by its id and has one row.
   */
  byAddress: boolean;
  /** Objects have names, which the platform keeps unique. Else the YAML gives labels, and two that are alike may stand side by side. */
  isNamed: boolean;
  /** The account has many by itself: only those that are declared or in the ledger are anybody's business, in exports too. */
  onlyDeclared?: true;
  /** The order of siblings decides (the first match wins): a list in the YAML, planned and selected as one. */
  orderDecides: boolean;
  /** A change goes to an index of the list as the platform has it: the order of what is not ours matters to it. */
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
  place: readonly string[];
  /**
   * The places in its row that the name at the end of an address can mean, from exact to rough. Two things in the same exact
   * place of one row are the same, whatever they are called; in the same rough place, only if nothing else is there.
   */
  placesIn?(name: string): string[];
  /** The units that one row holds, wanted or found; `parent` is the fields of the parent (of a zone: its name). */
  units(row: Fields, parent: Fields): Fields[];
  /** Two rows at one address as one; undefined if they are the same thing twice. Absent: there is one row at an address. */
  merged?(one: Fields, other: Fields): Fields | undefined;
  /** The opposite of `units`, of what one row can hold: for an export. */
  rowOf?(units: Fields[]): Fields;
  /** Finds the live objects that wanted ones mean, where no name tells. */
  pair?(collection: Unpaired): Paired;
  /** The labels that an export gives to objects without names, and which of them need their id to tell them apart. */
  labels?(kind: Kind, objects: LiveResource[]): Map<LiveResource, Label>;
  /** The words of the manual for what identifies a live object; `around` names what the collection is in. */
  keyWords?(kind: Kind, around: string): string;
  /**
   * Looks at all changes of a collection before some of them are selected: says in them what only their neighbours tell (that one
   * moves), and gives the way to their requests.
   */
  arrange(siblings: Siblings): Lowering;
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
  /** All of it at once, in a container that is new: nothing is in it yet that is not ours. Steps come by kind, in the wanted order. */
  write(steps: ReadonlyMap<string, Step[]>): Draft;
}

/** One collection: all that is to become of it, and all that is there. */
export interface Siblings {
  kind: Kind;
  changes: Change[];
  live: readonly LiveResource[];
  /** True if everything that is not declared in the collection is deleted. */
  isExclusive: boolean;
  /** The place of ours in a list, if it matters: behind all else, or in front of all of these, by their ids. */
  position?: 'last' | { before(id: string): boolean };
  entryOf(address: Address): LedgerEntry | undefined;
}

/** Turns the selected changes of a collection into requests. */
export type Lowering = (changes: Change[], context: LowerContext) => VerbDraft[];

/** The data that a kind may use while its steps become requests. */
export interface BatchContext {
  /** All live siblings, unmanaged ones included. */
  live: readonly LiveResource[];
  /** All wanted siblings. */
  desired: Resource[];
  parent: Address | undefined;
  /** Live siblings whose secret could not be compared: their value is not known to be the wanted one. */
  unverified: ReadonlySet<Address>;
  /** True if an object of any kind exists under this address already. */
  exists(address: Address): boolean;
  facts: AccountFacts;
}

/** The same, with what a shape has to know. */
export interface LowerContext extends BatchContext {
  /** The versions that were found, and of a staged one what is in it, if an earlier run of this stack staged it. */
  versions: { live?: string; staged?: string } | undefined;
  left: StagedVersion | undefined;
  /** Nobody sees the requests' effects one by one. */
  isHidden?: boolean;
}

/** A collection in which no name tells which live object is meant. */
export interface Unpaired {
  kind: Kind;
  wanted: Resource[];
  /** Those with known ids are at their addresses already. */
  found: ReadonlyMap<Address, LiveResource>;
  /** A wanted object's fields, as far as they are known while planning. */
  fieldsOf(want: Resource): Fields;
  /** The ledger has an entry under this address. */
  isKnown(address: Address): boolean;
}

/**
 * The result of pairing. Objects leave the addresses in `gone`, and those in `put` go to their own; then `claims` gives the new
 * address of each object that the ledger knows under an old one.
 */
export interface Paired {
  gone: Address[];
  put: LiveResource[];
  claims: [now: Address, old: Address][];
}

export interface Label {
  text: string;
  needsId: boolean;
}
