import type * as z from 'zod';
import type { Address } from '../model/address.ts';
import type { Change, Grade } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Endpoint } from '../model/request.ts';
import type { LiveResource, Pending, Permission, Resource } from '../model/resource.ts';
import type { Fields, Value } from '../model/value.ts';
import type { Shape } from './shape.ts';
import type { Write } from './write.ts';

/** An object in the form in which the platform returns it. */
export type ApiObject = Record<string, unknown>;
/** The schemas of fields by their names. */
export type FieldSchemas = Record<string, z.ZodType>;

/** Settings of the account, or of a parent, on which the rules of a kind depend, such as the policies of a team. */
export type AccountFacts = Record<string, unknown>;

/**
 * The outcome of one item of a batch: done under an id, refused, or unknown because the answer cannot be understood. `said`: refusals in the
 * answer that may be about this item.
 */
export type ItemOutcome = { id: string } | Refusal | { unknown: true; said?: Refusal[] };

/** A refusal in the platform's own words. They may contain secrets. */
export interface Refusal {
  error: string;
  code?: string;
}

/**
 * The source of a kind's objects: a list that is read completely or, with `key: []`, the only object. If neither exists, the platform lists no
 * objects of the kind. Those that the configuration or the ledger mentions are then read by `single` or, without that, taken from the ledger.
 */
interface ListSource {
  /** The endpoint of the list, or of several lists of the same form if no single one has all objects. */
  endpoint?: Endpoint | Endpoint[];
  /**
   * Finds the list in the answer: the name of a member (all pages are read), the names of several members that form one list together, or a
   * function for an answer of one page. The other members and parameters:
   *
   *   - `ids`: the ids of the parents by kind, for answers about several parents.
   *   - `without`: another kind of the account whose objects are in the list as well, under their own ids. They cannot be written as this kind.
   *     They are read only if the plan would take over or delete an object of the list that the ledger does not have.
   *   - `isOfAccount`: false for an object of another account in the list. Such an object does not count, unless the ledger has it.
   */
  items?:
    | string
    | string[]
    | { list: string; without: string }
    | { list: string; isOfAccount(object: ApiObject, facts: AccountFacts): boolean }
    | ((answer: ApiObject, ids: Record<string, Value>) => ApiObject[]);
  /** Takes the only object out of a larger answer. `ids`: as for `items`. */
  item?(answer: ApiObject, ids: Record<string, Value>): ApiObject | undefined;
  /** The status that an object without a value answers with. It is read as an object without members, since its parent exists. */
  absent?: 404;
  /**
   * Reads one object by its id or its key (`{id}` stands for both), for kinds whose keys the platform keeps unique. Used instead of a long
   * list of which few objects are mentioned, or if there is no list.
   */
  single?: SingleRead;
  /**
   * Reads one object by its id (`{id}`). Used for recorded objects that the list does not show, so that a list that is behind does not lead to a
   * second creation. Default: `single`. `isNeededFor`: true if a row of the list lacks values that have to be compared. Declared and recorded
   * objects are then read by their ids as well.
   */
  byId?: SingleRead & { isNeededFor?(row: ApiObject): boolean };
  /** The member of an object that changes with every write of it. */
  version?: string;
  /** The member of an object with the time of its last write, in milliseconds. Answers to writes have it as well. */
  updatedAt?: string;
  /** The member that marks an object as deleted although it is still listed, or a function that finds this out. */
  deletedMark?: string | ((object: ApiObject) => boolean);
  /**
   * Members of an object that are not fields. The rules of child kinds find them in `facts`: the owner of an object, for example. `updatedBy` is
   * the id of the last person who changed the object, which is shown with drift.
   */
  facts?: string[];
  /** Returns the platform's own count of writes to the collection, to which each of our requests adds one. */
  writes?(answer: ApiObject): number | undefined;
  /** For objects that may not be ready right after their creation. */
  later?: Later;
  /** Returns a problem in the answer that stops all changes of the collection, such as an unpublished draft of somebody else. */
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

/** How objects become ready that cannot be used right after their creation. */
interface Later {
  /** The condition for people, continuing "ready once": `the platform has set it up`. */
  until: string;
  /** True if a person has to do something elsewhere first. */
  person?: true;
  /** True if nearly all objects are ready at once. The plan of a creation then does not mention the wait. */
  rarely?: true;
  /** What probably happened to an object that disappears during the wait, for people: nearly always, it failed. */
  ended?: string;
  /** Makes the platform check whether the object is ready, and changes nothing else. An error means that it is not ready. */
  ask?: Endpoint;
  /** Returns why the object in an answer is not ready; undefined if it is. The answer may have any form. */
  pending(object: ApiObject): Pending | undefined;
}

/** Turns ids into references while live objects are decoded. */
export interface References {
  /** Returns a reference to the object of `kind` with this id, near the object that is decoded; undefined if there is none. */
  to(kind: string, id: string): Value | undefined;
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
  /** Kinds under the same parent whose changes come before those of this one, and whose deletions come after them. */
  after?: string[];
  /** Decides about changes that need a deletion and a creation. Default `ask`. */
  replace?: 'free' | 'ask' | 'never';
  /**
   * The changes that need a permission (`$allow` or `--allow`), because they cost money or take access away from a person. A replacement counts
   * as a deletion and as a creation. A function if it depends on the fields that change.
   */
  asks?: Partial<Record<Permission, 'create' | 'delete' | ((change: Change) => boolean)>>;
  /** True if objects in it may belong to others, or cannot be restored after a deletion. */
  container?: true;
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
   * Adjusts fields before they are compared, because a setting of the account or the live object decides about them. `strangers`: ids of rows
   * with the same name that are not ours and are left alone. `live`: the live fields, if they mean something else by now. `over`: why time has
   * removed a part of the desired state, for people; `desired` is then the remaining part.
   */
  align?(object: Alignment): {
    desired: Fields;
    live?: Fields;
    strangers?: string[];
    problems?: Diagnostic[];
    over?: string;
  };
  /** Finds siblings that the platform does not allow together, among the siblings as they are after the run. */
  clashes?(
    siblings: { address: Address; fields: Fields }[],
  ): { addresses: Address[]; message: string; hint: string }[];
  /** Returns the grade of a change if the general rule does not fit. */
  grade?(change: Change): { grade: Grade; reason: string } | undefined;
}

/** How the YAML of a kind differs from the usual form. */
interface YamlNotation {
  /** The field that is the key of the map. Default: the only field of the natural key. */
  mapBy?: string;
  /** Returns the fields that a scalar stands for. */
  shorthand?(value: Value): Fields;
  /** True if an entry of the map may also be a list of entries with the same key. */
  manyPerKey?: true;
  /** Returns the escaped names at the end of the address. Default: the values of the natural key. */
  names?(fields: Fields): string[];
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
  parent?: string;
  /** The fields that identify an object among its siblings. Empty: there is one object for each parent. */
  key: string[];
  /** The member of an API object with the id, or a function that returns the id. Default `id`. If it is a field that is always secret, ids are recorded and matched as keyed digests. */
  id?: string | ((object: ApiObject) => unknown);
  /** The version of the normal form, to be raised with each change of it. Digests of another form are not compared. Default 1. */
  form?: number;
  fields: FieldSchemas;
  /** The values that the platform gives to new objects. An export leaves them out. */
  usual?: Fields;
  /**
   * Members of an API object that are settings without a field, as dotted paths, also through lists. An export reports those that are set. Ids,
   * times and the dashboard's own data are not settings.
   */
  undeclared?: string[];
  yaml: YamlNotation;
  lifecycle: Lifecycle;
  rules: Rules;
  /** Relates its objects to the platform's rows and to each other. Default: `plain`. */
  shape: Shape;
  read: ListSource;
  /** Decodes an API object into fields; undefined for objects that users should not see, such as the platform's own records. */
  decode?(object: ApiObject, references: References): Fields | undefined;
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
  /** Other members that contain the secret, for the `value` of `$secretTo`: `${connectionString}`. */
  also?: string[];
  /** The kind of the ancestor to which the secret gives access. `${id}` stands for its id. Default: the object itself. */
  opens?: string;
}

export type Kinds = ReadonlyMap<string, Kind>;
