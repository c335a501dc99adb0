import type { Endpoint } from '../model/request.ts';
import type { LiveResource, Pending } from '../model/resource.ts';
import type { Fields, Value } from '../model/value.ts';

/* How the objects of a kind are read: the `read` member of a kind. */

/** An object in the form in which the platform returns it. */
export type ApiObject = Record<string, unknown>;

/** Settings of the account, or of a parent, on which the rules of a kind depend, such as the policies of a team. */
export type AccountFacts = Record<string, unknown>;

/**
 * The source of a kind's objects: a list that is read completely or, with `key: []`, the only object. If neither exists, the platform lists
 * no objects of the kind. Those that the configuration or the ledger mentions are then read by `single` or, without that, taken from the
 * ledger.
 */
export interface ListSource {
  /** The endpoint of the list, or of several lists of the same form if no single one has all objects. */
  endpoint?: Endpoint | Endpoint[];
  /**
   * Finds the list in the answer: the name of a member (all pages are read), the names of several members that form one list together, or a
   * function for an answer of one page. The other members and parameters:
   *
   *   - `ids`: the ids of the parents by kind, for answers about several parents.
   *   - `without`: another kind of the account whose objects are in the list as well, under their own ids. They cannot be written as this
   *     kind. They are read only if the plan would take over or delete an object of the list that the ledger does not have.
   *   - `looksOther`: true for an object that may be of that other kind. With a token that cannot read the other kind, a plan leaves it
   *     out.
   *   - `isOfAccount`: false for an object of another account in the list. Such an object does not count, unless the ledger has it.
   */
  items?:
    | string
    | string[]
    | { list: string; without: string; looksOther(object: ApiObject): boolean }
    | { list: string; isOfAccount(object: ApiObject, facts: AccountFacts): boolean }
    | ((answer: ApiObject, ids: Record<string, Value>) => ApiObject[]);
  /** Takes the only object out of a larger answer. `ids`: as for `items`. */
  item?(answer: ApiObject, ids: Record<string, Value>): ApiObject | undefined;
  /** The status that an object without a value answers with. It is read as an object without members, since its parent exists. */
  absent?: 404;
  /**
   * Reads one object by its id or its key (`{id}` stands for both), for kinds whose keys the platform keeps unique. Used if there is no
   * list, or instead of a long list with few mentioned objects.
   */
  single?: SingleRead;
  /**
   * Reads one object by its id (`{id}`). Used for recorded objects that the list does not show, so that a list that is behind does not lead
   * to a second creation. Default: `single`. `isNeededFor`: true if a row of the list lacks values that have to be compared. Declared and
   * recorded objects are then read by their ids as well.
   */
  byId?: SingleRead & { isNeededFor?(row: ApiObject): boolean };
  /** The member of an object that changes with every write of it. */
  version?: string;
  /** The member of an object with the time of its last write, in milliseconds. Answers to writes have it as well. */
  updatedAt?: string;
  /** The member that marks an object as deleted although it is still listed, or a function which finds this out. */
  deletedMark?: string | ((object: ApiObject) => boolean);
  /**
   * The dotted paths of members of an object that are not fields, such as its owner. The rules of child kinds and the checks of meaning
   * find them in `facts`, the checks also those of objects that cannot be declared. `updatedBy` is the id of the last person who changed
   * the object. It is shown with drift.
   */
  facts?: string[];
  /** Returns the platform's own count of writes to the collection, to which each of our requests adds one. */
  writes?(answer: ApiObject): number | undefined;
  /** For objects that may not be ready right after their creation. */
  later?: Later;
  /** Returns a problem in the answer that stops all changes of the collection, such as an unpublished draft of somebody else. */
  blocked?(answer: ApiObject): { code: string; message: string; hint: string } | undefined;
}

/** An operation that reads one object. A 404 means that there is none, and so does an error with the code `missingCode`. */
export interface SingleRead {
  endpoint: Endpoint;
  /**
   * The member of the answer that holds the object, or a function which returns the object in the form of a row of the list. `id`: the id
   * or key that was read. The function returns null if the answer says that there is no such object.
   */
  item?: string | ((answer: ApiObject, id: string) => ApiObject | null | undefined);
  /** The member of the object with the id of the parent or, at the top, of the account: an object elsewhere does not count. */
  within?: string;
  /** Set if it takes no keys: only recorded objects are read, and those that a block names with `$id`. */
  takes?: 'id';
  missingCode?: string;
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
  /**
   * A further read for each declared object that is ready by its own answer. Each costs a request in every plan, so `checkReadiness` bounds
   * them.
   */
  check?: ReadinessCheck;
}

/**
 * A read that shows whether an object works, if its own answer cannot show it: a verified domain serves nothing without its DNS record, for
 * example. A failed read leaves that open, and is never an error.
 */
export interface ReadinessCheck {
  /** `{id}` stands for the id of the object. */
  endpoint: Endpoint;
  /** False for an object about which the answer is known or says nothing. It is not read. */
  appliesTo(fields: Fields): boolean;
  /** Returns why the object does not work, with what it `needs`; undefined if it works. The answer may have any form. */
  pending(answer: ApiObject, object: LiveResource): Pending | undefined;
  /** The members of the answer that are facts about the object, for checks. */
  facts?: string[];
}

/** Turns ids into references while live objects are decoded. */
export interface References {
  /** Returns a reference to the object of `kind` with this id, near the object that is decoded; undefined if there is none. */
  to(kind: string, id: string): Value | undefined;
}
