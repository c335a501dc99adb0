import { type Address, lastNameOf } from './address.ts';
import type { Position } from './diagnostic.ts';
import { groupBy } from './graph.ts';
import type { Removal } from './removal.ts';
import { type Fields, type FileContent, namesInPath, type Value, withoutPaths } from './value.ts';

/** The most minutes that `$wait` takes. */
export const longestWait = 60;

/** The `$` settings of a block: they are about the resource, not part of it. */
export interface Meta {
  existing?: boolean;
  protect?: boolean;
  /** Paths of fields that only a creation sends: of an object that exists they are neither compared nor sent. */
  ignore?: string[];
  /** The old address of a renamed resource. */
  was?: string;
  /** The stack that owned this resource, and everything in it, before. */
  from?: string;
  /** The stack that may take over this resource, and everything in it. */
  handover?: string;
  exclusive?: string[];
  dependsOn?: Address[];
  replace?: 'allow';
  /** Set by `undo` alone: the object leaves the ledger, and stays as it is. */
  forget?: boolean;
  /** Permissions for the resource and everything in it. */
  allow?: Permission[];
  id?: string;
  secretTo?: SecretTo | { variable: Address };
  /** Set for a variable that `$secretTo` of another block declares. */
  secretOf?: SecretOf;
  /** The place of an ordered list of this stack among those of others; on the block around the list, and on each item. */
  position?: ListPosition;
  /** Minutes that an apply waits for it to be ready. */
  wait?: number;
  /** The actions that run after a run has changed it. */
  actions?: ActionRule[];
}

/**
 * The place of a stack's items in an ordered list: before all items of others, after all of them, or before those of
 * one stack.
 */
export type ListPosition = 'first' | 'last' | { before: string };

/** The destination of a secret that the platform shows once: a file, a program's standard input, or nowhere on purpose. */
export type SecretTo = { file: string } | { command: string[] } | 'discard';

/**
 * Returns the destination of a secret outside the account. Undefined for a variable, because the plan writes that one
 * itself.
 */
export const externalDestination = ({ secretTo }: Pick<Meta, 'secretTo'>): SecretTo | undefined =>
  typeof secretTo === 'object' && 'variable' in secretTo ? undefined : secretTo;

/**
 * True if `$ignore` names a path or a value around it. Only a creation (or a replacement) sends such a field: of an object that exists it
 * is neither compared nor sent, and the ledger has no digest of it.
 */
export const isIgnored = (path: string, { ignore }: Pick<Meta, 'ignore'>): boolean =>
  ignore?.some((name) => path === name || path.startsWith(`${name}.`)) ?? false;

/** True if `$ignore` names a field, a value around it or a part of it. `path`: the names that lead to the field. */
export const isPartlyIgnored = (path: readonly string[], { ignore = [] }: Pick<Meta, 'ignore'>): boolean =>
  ignore.some((text) => namesInPath(text).every((name, i) => i >= path.length || name === path[i]));

/**
 * Returns the fields of a declared object that count while it exists: without those that `$ignore` names. Used where a plan has to know
 * which secrets and references an existing object needs.
 */
export const fieldsWhileExisting = ({ fields, meta }: Pick<Resource, 'fields' | 'meta'>): Fields =>
  meta.ignore ? withoutPaths(fields, meta.ignore) : fields;

/** The secret in a variable: the object whose creation shows it, and the text around it. */
export interface SecretOf {
  object: Address;
  /**
   * The value with the id of the object instead of its secret. It changes if the text around the secret or the object
   * changes.
   */
  form: Value;
}

/** How secret a field is; `src/kind/disclosure.ts` has the order and what it decides. */
export type Secrecy = 'open' | 'readable' | 'write-only';

/** One desired object, in the kind's normal form. */
export interface Resource {
  address: Address;
  kind: string;
  parent?: Address;
  fields: Fields;
  meta: Meta;
  /** Its position among its siblings in the YAML, which decides the order for `ordered` kinds. */
  index: number;
  /** Units of one YAML entry have the same group, so that they can share a row of the platform. */
  group?: string;
  at: Position;
}

/** Returns an object with these fields: itself if it has them already, because most passes over all objects change few of them. */
export const replaceFields = <O extends { fields: Fields }>(object: O, fields: Fields): O =>
  fields === object.fields ? object : { ...object, fields };

/** Why an existing object is not ready. `failed`: waiting will not help. */
export interface Pending {
  reason: string;
  failed?: true;
  /** What it needs to work, if that can be created elsewhere or in the configuration. */
  needs?: MissingObject;
}

/** An object that an existing one needs to work, such as a DNS record. */
export interface MissingObject {
  /** A noun for people, equal for objects with the same need: `the DNS record A with "192.0.2.1"`. */
  what: string;
  /** The declared objects that would be it: one at `address` with `value` in its fields. One suffices. */
  from: { address: Address; value: string }[];
  /** The advice if the account has one of these objects, and it does not help. */
  hintIfLive: string;
}

/** Returns why an object is not ready, with what it needs, for the list of objects that a plan or an apply waits for. */
export const describePending = ({ reason, needs }: Pending): string =>
  needs ? `${reason}; it needs ${needs.what}` : reason;

/** A row of the platform that makes up a unit, alone or together with others. */
export interface LiveRow {
  id: string;
  fields: Fields;
  /** The ledger has its id. Rows that are not ours may be deleted, but are never changed into another unit. */
  ours?: boolean;
}

/** One live object, in the kind's normal form; secret fields are sealed. */
export interface LiveResource {
  address: Address;
  kind: string;
  parent?: Address;
  id: string;
  /** The ids of all rows behind it; several if the unit of ownership is not the platform's row. */
  ids: string[];
  fields: Fields;
  /** The rows behind it, where the unit of ownership is not the platform's row. */
  rows?: LiveRow[];
  index: number;
  /** Its version on the platform, if changes can be made to depend on it. */
  version?: string;
  /** When it was last written, in milliseconds, if the kind tells. */
  updatedAt?: number;
  /** Facts about itself beside its fields, for the objects in it; see `Kind.facts`. */
  facts?: Record<string, unknown>;
  /** Its settings that no configuration can express; see `Kind.undeclared`. */
  undeclared?: string[];
  /** Members of its lists and other whole values that no configuration can express. A write of such a value loses them. */
  lostByWrites?: string[];
  /** Absent if it is ready. */
  pending?: Pending;
  /** Why it is unknown whether it is ready: its `read.later.check` failed or was left out. */
  unchecked?: string;
  /** All objects with the same natural key, if there are several: the configuration has to choose one by `$id`. */
  alternatives?: LiveResource[];
  /** The address that its current name makes, if the ledger has its id at another one. */
  renamedTo?: string;
  /**
   * It has another parent than desired, and has to be moved: its address and parent there. `with`: the object whose move takes it along.
   */
  transfer?: { from: Address; parent: Address; with?: Address };
}

/** A collection is all objects of one kind under one parent; this is its name. */
export type CollectionId = string;
/** Returns the name of a collection: all objects of one kind under one parent. They are read, compared and written together. */
export const collectionId = (kind: string, parent: Address | undefined): CollectionId =>
  `${parent ?? ''}#${kind}`;
/** Returns the parent and the kind in the name of a collection. */
export function collectionParts(id: CollectionId): [parent: Address | undefined, kind: string] {
  const index = id.lastIndexOf('#');
  return [id.slice(0, index) || undefined, id.slice(index + 1)];
}

/** Stands for standard input where a path is expected, and among the inputs of a configuration. */
export const standardInput = '-';

/** A lookup of the configuration: the platform's lookup, and the values that its object must have, as text. */
export interface LookupSource {
  lookup: string;
  where: [name: string, value: string][];
  at: Position;
}

/** A field of a resource. */
export interface FieldPlace {
  address: Address;
  /** A dotted path. */
  field: string;
  /** How secret the field is, as far as the configuration tells. */
  secrecy: Secrecy;
  at: Position;
}

/** A field that takes its value from a field of another resource. */
export interface FieldReference {
  /** `dependsOnMissingField`: how secret it is depends on a field that the configuration does not state. */
  source: FieldPlace & { dependsOnMissingField: boolean };
  target: FieldPlace;
  /** The configuration does not state the value: it is read from the account. */
  isLive: boolean;
}

/** The severities that `findings:` can give. `off` hides findings, and reports only count them. */
export const findingSeverities = ['off', 'note', 'warning', 'error'] as const;

/** An item of `findings:`: the severity of findings with one of the codes about one of the addresses, instead of their own. */
export interface FindingRule {
  /** Globs. */
  codes: string[];
  /** Globs. */
  addresses: string[];
  severity: (typeof findingSeverities)[number];
  reason: string;
  place: Position;
}

/** The desired state: the resources of a configuration. */
export interface Desired {
  stack: string;
  /** The header's `$allow`, for all of it. */
  allow?: Permission[];
  /** The header's `owns`: globs of the addresses that may be declared. */
  owns?: string[];
  /** The severities of findings, of the configuration and then of its workspace. The first rule that fits a finding decides. */
  findingRules?: readonly FindingRule[];
  /** The header's `removed`: what happens to objects whose blocks are gone. */
  removed?: readonly Removal[] | undefined;
  /** The lookups, by the name under which fields and actions use them. */
  lookups?: ReadonlyMap<string, LookupSource>;
  resources: Map<Address, Resource>;
  /** The fields that take secrets, or values that only the account knows, from fields of other resources. */
  references?: readonly FieldReference[];
  /** Returns the line that states a field, by its dotted path; undefined if none does. */
  fieldAt?(address: Address, path: string): Position | undefined;
  /** The content of the files that fields name, by the value of the field. */
  contents?: ReadonlyMap<string, FileContent>;
  /** The files that it was read from, sorted: from the top of their work tree, with `/` in front, or from their common folder. */
  inputs: string[];
  /** Folders that were read whole, named likewise: a file missing from one of them was deleted, not left out. */
  folders: string[];
}

/** The part of the account that is read for a plan about some targets only. */
export interface TargetScope {
  /** All found addresses that the configuration and the ledger mention. */
  addresses: Set<Address>;
  /** Collections that are read even if nothing in them is mentioned. */
  collections: Set<CollectionId>;
  /** The number of mentioned objects that are not in it. */
  omittedCount: number;
}

/** A version of a collection that is staged: written, but not live yet. */
export interface StagedVersion {
  id: string;
  /** The objects in it, in its order, each with the address that its name makes. */
  objects: { id: string; address: Address; fields: Fields }[];
}

/** The reason why a collection could not be read. */
export interface ReadFailure {
  /** The words of the platform, with the request. */
  why: string;
  /** Like `why`, but without the path of the request: equal for collections that could not be read for one reason. */
  cause: string;
  /** The account or the token has no such thing: the answer was 402, 403, 404 or 410. */
  isRefused?: true;
  /** A rate limit asks for a longer wait than is allowed: the same read succeeds later. */
  isForLater?: true;
  /** What to do about a token whose scope does not include the collection. */
  scopeHint?: string;
  /** The objects of the collection that the token can read, and that were read: nothing is unknown of these. */
  readAddresses?: ReadonlySet<Address>;
  /** Set if it was not read, because this collection around it could not be read. */
  below?: CollectionId;
}

/**
 * The objects of the account, as far as the configuration and the ledger mention them.
 *
 * A collection is in one of these states. An absent object is one that `resources` does not have.
 *
 *   | state      | read                                              | an absent object            | undeclared objects |
 *   | ---------- | ------------------------------------------------- | --------------------------- | ------------------ |
 *   | complete   | all objects                                       | does not exist              | are in `resources` |
 *   | partial    | the mentioned objects of a long list, or of a     | does not exist if it is     | are unknown        |
 *   |            | collection that the platform does not list        | mentioned, else is unknown  |                    |
 *   | unreadable | nothing, or not to the end (`ReadFailure` says    | is unknown                  | are unknown        |
 *   |            | why), or a collection around it is unreadable     |                             |                    |
 *   | not read   | nothing, because nothing mentions it, it is out   | is unknown                  | are unknown        |
 *   |            | of scope, or its parent does not exist            |                             |                    |
 *
 * If a token may read only some objects of a list, its collection is unreadable except for these (`readAddresses`): they are compared as
 * usual.
 *
 * In a plan, the kinds of partial collections are `partialKinds` (JSON: `unlisted`), and the objects of unreadable ones are not compared
 * (cause `unread`). The plan creates and deletes nothing in an unreadable collection. Beside its state, a collection can be `blocked`: it
 * was read, but must not be changed.
 */
export interface Live {
  resources: Map<Address, LiveResource>;
  /** The collections in the state `complete`. */
  complete: Set<CollectionId>;
  /** The collections in the state `partial`. */
  partial: Set<CollectionId>;
  /** The collections in the state `unreadable`, each with the reason. */
  unreadable: Map<CollectionId, ReadFailure>;
  /** Obstacles to changing a collection, such as somebody else's pending draft. */
  blocked: Map<CollectionId, { code: string; message: string; hint: string }>;
  /** Versions that an interrupted run of this stack staged and did not promote: they are discarded first. */
  staged: Map<CollectionId, StagedVersion>;
  /** The live and the staged version of a collection when it was read; new stagings build on them. */
  versions: Map<CollectionId, { live?: string; staged?: string }>;
  /** The platform's count of writes to a collection at that time, if it keeps one. */
  writes: Map<CollectionId, number>;
  /**
   * Objects of a collection that cannot be declared (the platform's own, an integration's): their number, the first names, and what each
   * says about itself, for kinds with `facts`.
   */
  undeclarable: Map<CollectionId, { count: number; names: string[]; facts: Record<string, unknown>[] }>;
  /** The addresses that a reading for `--target` covers; other mentioned ones are not read. Absent for a whole reading. */
  scope?: ReadonlySet<Address>;
  /** The ids of unnamed objects that were read and left out of `resources`, because they belong to other stacks. */
  hiddenIds?: ReadonlySet<string>;
}

/** An object in a container that a plan deletes or releases. Without its fields, because these may be secrets. */
export interface Content extends Pick<LiveResource, 'kind' | 'ids'> {
  /** The addresses of the objects that it refers to, if there are any. The platform may refuse to delete these before it. */
  references?: readonly Address[];
}

/**
 * The objects in containers that a plan deletes or releases, beyond those in `Live`. They are counted and decide the order of deletions, no
 * more.
 */
export interface Contents {
  resources: ReadonlyMap<Address, Content>;
  /** The collections that were read completely. */
  complete: ReadonlySet<CollectionId>;
}

/**
 * Returns why it is unknown whether an object exists; undefined if its collection was read, or the object itself. Used before each decision
 * about an object, because an object that was not read is neither created nor deleted.
 */
export function findReadFailure(
  { unreadable }: Pick<Live, 'unreadable'>,
  { kind, parent, address }: CollectionMember & { address: Address },
): ReadFailure | undefined {
  const failure = unreadable.get(collectionId(kind, parent));
  return failure?.readAddresses?.has(address) ? undefined : failure;
}

/**
 * Returns a function which finds the id of an object by its address. An address `#kind/ID` stands for an object that was
 * not read: its last name is the id. Used to compare values that refer to other objects.
 */
export const createIdLookup =
  ({ resources }: Live) =>
  (address: Address): string | undefined =>
    address.startsWith('#') ? lastNameOf(address) : resources.get(address)?.ids.at(-1);

/** Returns the state of an account before anything was read, to which the reading of a plan adds what it finds. */
export const emptyLive = (): Live => ({
  resources: new Map(),
  complete: new Set(),
  partial: new Set(),
  unreadable: new Map(),
  blocked: new Map(),
  staged: new Map(),
  versions: new Map(),
  writes: new Map(),
  undeclarable: new Map(),
});

/** The members of an object that decide its collection. */
interface CollectionMember {
  kind: string;
  parent?: Address | undefined;
}

const collectionsByMap = new WeakMap<object, ReadonlyMap<CollectionId, readonly CollectionMember[]>>();

/**
 * Returns the resources of each collection (the objects of one kind in one parent). A plan compares and changes them together. The result
 * is cached for each map, so the map must not change any more.
 */
export function groupByCollection<T extends CollectionMember>(
  resources: ReadonlyMap<Address, T>,
): ReadonlyMap<CollectionId, readonly T[]> {
  let collections = collectionsByMap.get(resources);
  if (!collections) {
    collections = groupBy(resources.values(), ({ kind, parent }) => collectionId(kind, parent));
    collectionsByMap.set(resources, collections);
  }
  return collections as ReadonlyMap<CollectionId, readonly T[]>;
}

/**
 * Returns live objects with all objects that share an address with one of them. Used where any of them could be the
 * declared one.
 */
export const withAlternatives = (objects: readonly LiveResource[] = []): LiveResource[] =>
  objects.flatMap((resource) => resource.alternatives ?? [resource]);

/**
 * Returns the live objects at an address, to find the one that a block means: several if they share a name, none if the account has nothing
 * there.
 */
export const objectsAt = ({ resources }: Pick<Live, 'resources'>, address: Address): LiveResource[] =>
  withAlternatives([resources.get(address) ?? []].flat());

/** One item of `$then`: an action to run after a run has changed the resource with the item. */
export interface ActionRule {
  /** Its name: `redeploy`. */
  action: string;
  input: Fields;
  /** Globs of the addresses that it acts on; empty for an action on the whole account. */
  about: string[];
  /** The fields and sections whose changes trigger it. Default: all of the resource, and everything in it. */
  when?: string[];
  /** It also runs if a run only reverts changes made outside. */
  drift?: true;
  /** Minutes that an apply waits for it to end. */
  wait?: number;
}

/** An effect that needs consent each time. */
export const permissions = ['cost', 'remove-access'] as const;

/** A permission for such an effect, given by `$allow` or on the command line. */
export type Permission = (typeof permissions)[number];
