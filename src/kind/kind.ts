import type * as z from 'zod';
import type { Address } from '../model/address.ts';
import type { Change, Grade } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Endpoint } from '../model/request.ts';
import type { LiveResource, Pending, Permission, Resource } from '../model/resource.ts';
import type { Fields, Value } from '../model/value.ts';
import type { Shape } from './shape.ts';
import type { Write } from './write.ts';

/** An object as the platform answers it. */
export type ApiObject = Record<string, unknown>;
export type FieldSchemas = Record<string, z.ZodType>;

/** Settings of the account (or of an ancestor) that change what is right: the team's policies, for example. */
export type AccountFacts = Record<string, unknown>;

/**
 * The outcome of one item of a batch: done under an id, refused, or unknown because the answer is not understood. `said` holds
 * other refusals in the answer that may be about this item.
 */
export type ItemOutcome = { id: string } | Refusal | { unknown: true; said?: Refusal[] };

/** In the platform's own words, unmasked. */
export interface Refusal {
  error: string;
  code?: string;
}

/**
 * The source of a kind's objects: a list that is read whole or, with `key: []`, the only object. With neither, the platform lists none of
 * them: the mentioned ones are read by `one` or, without that, taken from the ledger.
 */
interface ListSource {
  /** Several lists of the same form, if no single one has all objects. */
  endpoint?: Endpoint | Endpoint[];
  /**
   * Finds the list in the answer: the name of a member (all pages are followed), or of several that are one list together, or a function
   * over a one-page answer. `ids`: those of what the list is in, by kind, for answers that tell of several. `without`: the list also has
   * objects of this other kind of the account, under their own ids; they are none of this kind, and cannot be written here. They are
   * looked up only if a row that nobody knows would be taken over or deleted. `isOfAccount`: the list also has objects of other accounts,
   * which do not count, nor does an object that does not say whose it is; whatever the ledger knows stays ours.
   */
  items?:
    | string
    | string[]
    | { list: string; without: string }
    | { list: string; isOfAccount(object: ApiObject, facts: AccountFacts): boolean }
    | ((answer: ApiObject, ids: Record<string, Value>) => ApiObject[]);
  /** Takes the only object out of a larger answer; `ids` as above. */
  item?(answer: ApiObject, ids: Record<string, Value>): ApiObject | undefined;
  /** An answer with this status means that nothing was written yet, since the parent exists; it is read as an object without members. */
  absent?: 404;
  /**
   * Reads one object by its id or its key (`{id}` is either), of a kind whose keys the platform keeps unique. Used if little of a long
   * list is mentioned, or if there is no list.
   */
  single?: SingleRead;
  /**
   * Reads one object by its id (`{id}`). Used for objects in the ledger that the list does not show, so that a list that lags behind
   * makes nothing a second time. Default: `one`. `isNeededFor`: true if a row of the list lacks what is to be compared; then objects that
   * are declared or in the ledger are read by their ids as well.
   */
  byId?: SingleRead & { isNeededFor?(row: ApiObject): boolean };
  /** The member of an object that changes with every write of it. */
  version?: string;
  /** The member of an object that tells when it was last written, in milliseconds; answers to writes have it too. */
  updatedAt?: string;
  /** The member that marks an object as deleted although it is still listed, or a function if that takes more. */
  deletedMark?: string | ((object: ApiObject) => boolean);
  /**
   * Members of an object that are not fields, for the kinds below it to find in `facts`: who is in charge of it, for example. `updatedBy`
   * is the id of whoever wrote it last, which is shown with drift.
   */
  facts?: string[];
  /** The platform's own count of writes to the collection; each of our requests adds one. */
  writes?(answer: ApiObject): number | undefined;
  /** For objects that may not be ready right after their creation. */
  later?: Later;
  /** Problems that stop all changes of the collection, seen in the answer. */
  blocked?(answer: ApiObject): { code: string; message: string; hint: string } | undefined;
}

/** An operation that reads one object; a 404 means that there is none. */
export interface SingleRead {
  endpoint: Endpoint;
  /** The member of the answer that holds the object, or a function that returns the object in the form of a row of the list. */
  item?: string | ((answer: ApiObject) => ApiObject | undefined);
  /** The member of the object with the id of the parent or, at the top, of the account: an object elsewhere does not count. */
  within?: string;
  /** True if the platform answers without a body (204) instead of 404 if there is no such object. */
  emptyIfMissing?: true;
}

/** Readiness of objects that become usable some time after they were made. */
interface Later {
  /** The condition, for people: `the platform has set it up`. */
  until: string;
  /** Somebody has to do something elsewhere for it. */
  person?: true;
  /** Nearly all are ready at once: the plan of a creation does not mention the wait. */
  rarely?: true;
  /** The probable fate of an object that disappears during the wait: nearly always, it failed. */
  ended?: string;
  /** Asks the platform to check whether it is ready, and changes nothing else. An error means that it is not. */
  ask?: Endpoint;
  /** Why the object in an answer is not ready; undefined if it is. The answer may be of any form. */
  pending(object: ApiObject): Pending | undefined;
}

/** Ids to addresses, while live objects are decoded. */
export interface References {
  /** A ref to the object of `kind` with this id, near the one being decoded; undefined where there is none. */
  to(kind: string, id: string): Value | undefined;
}

export interface Alignment {
  desired: Resource;
  live?: LiveResource;
  /** The ids that the ledger knows as ours. */
  ownedIds: string[];
  /** The parent's `$exclusive` names this section. */
  exclusive: boolean;
  facts: AccountFacts;
  /** The time, in milliseconds. */
  now: number;
}

/** Rules for creating, replacing and deleting objects. */
interface Lifecycle {
  /** Operations of one lane under one container run one at a time; a failure stops the rest of it. */
  lane?: string;
  /** Kinds under the same parent whose changes come before those of this one, and whose deletions come after them. */
  after?: string[];
  /** Decides about changes that need a deletion and a creation. Default `ask`. */
  replace?: 'free' | 'ask' | 'never';
  /**
   * The changes that happen only if `$allow` or `--allow` permits them, since they cost money or take a person's access away. A
   * replacement is both a deletion and a creation. A function if it depends on what changes.
   */
  asks?: Partial<Record<Permission, 'create' | 'delete' | ((change: Change) => boolean)>>;
  /** Its children may not be ours, or cannot be brought back once deleted. */
  container?: true;
}

/** The rules for fields that their schemas cannot state. */
interface Rules {
  /** Checks across fields (and those of the parent), while the YAML is read; each finding names the field that it is about. */
  check?(
    fields: Fields,
    parent: Fields,
  ): {
    path: (string | number)[];
    message: string;
    hint?: string;
    /** For values that the platform may refuse: nobody knows if it does. */
    severity?: 'warning';
  }[];
  /** Brings wanted fields into normal form, after references and secrets of the YAML were recognised. */
  normal?(fields: Fields, parent: Address | undefined): Fields;
  /**
   * Adjusts wanted fields, before comparing, to what an account-wide setting or the found object decides. `strangers`: ids of rows under
   * the same name that are not ours, and are left alone. `live`: the found fields, if they mean something else by now. `over`: why the
   * wanted state has run its course, for people; `desired` is then what is left of it.
   */
  align?(unit: Alignment): {
    desired: Fields;
    live?: Fields;
    strangers?: string[];
    problems?: Diagnostic[];
    over?: string;
  };
  /** Siblings, as they will be, that the platform does not allow beside each other. */
  clashes?(
    siblings: { address: Address; fields: Fields }[],
  ): { addresses: Address[]; message: string; hint: string }[];
  /** The grade of a change for which the general rule is too coarse. */
  grade?(change: Change): { grade: Grade; reason: string } | undefined;
}

/** Deviations of a kind's YAML from the usual. */
interface YamlNotation {
  /** The field that is the key of the map; derived from a key of one field. */
  mapBy?: string;
  /** The fields that a scalar stands for. */
  shorthand?(value: Value): Fields;
  /** An entry in the map may also be a list of entries under one key. */
  manyPerKey?: true;
  /** The names (escaped) that end the address; derived from the key. */
  names?(fields: Fields): string[];
}

/** Everything that the tool knows about one sort of remote object. */
export interface Kind {
  name: string;
  /** One sentence for the manual and the editor. */
  doc: string;
  /** An example for the manual: what stands in its section, or, where it takes more than that, YAML from the root. */
  example?: Fields | string;
  /** Its place in the YAML, under its parent's block. */
  section: string;
  parent?: string;
  /** Natural key among siblings; empty: one per parent. */
  key: string[];
  /** The id in API objects. Default `id`. If it is a field that is always a secret, ids are kept and matched as keyed digests. */
  id?: string | ((object: ApiObject) => unknown);
  /** Counts changes of the normal form: digests of another form are not compared. Default 1. */
  form?: number;
  fields: FieldSchemas;
  /** The values that the platform gives new objects by itself. An export does not repeat them. */
  usual?: Fields;
  /**
   * Members of an API object that are settings although no field declares them, as paths with dots, also through lists: an export reports
   * those that are set. Ids, times, and what the dashboard keeps for itself are not settings.
   */
  undeclared?: string[];
  yaml: YamlNotation;
  lifecycle: Lifecycle;
  rules: Rules;
  /** Relates its objects to the platform's rows and to each other; `plain` by default. */
  shape: Shape;
  read: ListSource;
  /** Decodes an API object into fields; undefined for one that no user should see (the platform's own records). */
  decode?(object: ApiObject, references: References): Fields | undefined;
  /** Encodes fields as the API takes them. */
  encode?(fields: Fields): ApiObject;
  /** A verb that is absent is one that the platform lacks: without `create`, an object always exists. */
  create?: Write;
  update?: Write;
  delete?: Write;
  /** Moves an object: in an ordered list to another index, otherwise to another parent, with the siblings that name it. */
  move?: Write;
  /** What the answer to its creation shows only once; `$secretTo` says where the secret goes. */
  shows?: ShownOnce;
}

/** The members of a creation's answer that the platform never shows again. */
export interface ShownOnce {
  /** The member that is the secret. */
  secret: string;
  /** Other members that contain the secret, for the `value` of `$secretTo`: `${connectionString}`. */
  also?: string[];
  /** The kind of the ancestor whose id `${id}` stands for: the one that the secret opens. Default: the object itself. */
  opens?: string;
}

export type Kinds = ReadonlyMap<string, Kind>;
