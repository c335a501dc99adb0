/*
 * Finds the values behind the plain digests of ledgers. A ledger has salted digests instead of values, and a plan compares them with
 * digests of the values in the account and in the configuration. An anonymous snapshot has renamed values, so it needs new digests of the
 * renamed values, or else every field would look changed.
 *
 *   | Recorded digest                       | Values that are tried                                                       |
 *   | ------------------------------------- | --------------------------------------------------------------------------- |
 *   | of a field, in an entry               | the field of the same object: live, desired, and before and after the plan  |
 *   | of a field, in an unfinished creation | the same field of each object of the kind, because any may be the result    |
 *   | of a field whose write was not kept   | the same as of a field                                                      |
 *   | of the text around a secret           | that text of the desired object (`SecretOf.form`)                           |
 *   | short, of an id                       | the ids of the live objects of the kind                                     |
 *
 * A digest of a value that is in none of these places equals nothing that the plan compares it with. It gets a pseudonym, which equals
 * nothing either.
 */
import {
  comparedFields,
  isItemwise,
  leavesOf,
  omitMembers,
  schemaAt,
  toComparable,
} from '../../kind/compare.ts';
import { withIds } from '../../kind/digests.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { type FieldTraits, traitsOf } from '../../kind/traits.ts';
import type { Address } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import { digest, hasUnresolvedHole, shortIdDigest } from '../../model/digest.ts';
import { groupBy, subsetsOf } from '../../model/graph.ts';
import type { Ledger, LedgerEntry, OtherStack } from '../../model/ledger.ts';
import { createIdLookup, type LiveResource, withAlternatives } from '../../model/resource.ts';
import { revealed } from '../../model/sealed.ts';
import { atPath, type Fields, type Value } from '../../model/value.ts';
import type { PlannedState } from '../part-source.ts';

/** The salt and the value that a digest was made of, by the digest. */
export type PlainDigests = Map<string, { salt: string; value: unknown }>;

/** A plan, with the changes that it found. */
export type ComparedPlan = PlannedState & { plan: { changes: readonly Change[] } };

/** The part of a ledger entry that has digests of fields. */
type DigestedEntry = Pick<LedgerEntry, 'salt' | 'fields' | 'notKept'>;

/**
 * Returns the value behind each plain digest (one that was made without a key) in these ledgers, as far as an object of the plan has the
 * value. An anonymous snapshot has pseudonyms instead of values, so it needs the digest of the pseudonym instead of each such digest. The
 * digests are those of fields, of the text around a secret (`addFormDigest`), and of the ids that existed before an unfinished creation.
 */
export function findPlainDigests(
  ledgers: readonly (Ledger | OtherStack)[],
  planned: ComparedPlan,
  kinds: Kinds,
): PlainDigests {
  const digests: PlainDigests = new Map();
  const objects = new PlannedObjects(planned);
  for (const ledger of ledgers) {
    for (const { entry, kind: kindName, candidates } of listDigestedEntries(ledger, objects)) {
      const kind = kinds.get(kindName);
      if (kind) addFieldDigests(digests, entry, kind, candidates, objects);
    }
    for (const [address, entry] of Object.entries(ledger.entries))
      addFormDigest(digests, entry, address, planned);
    for (const creation of Object.values(ledger.begun ?? {})) addIdDigests(digests, creation, objects);
  }
  return digests;
}

/**
 * Lists the parts of a ledger (of this stack or another one) that have digests of fields, so that an anonymous snapshot can find the values
 * behind them: the entries, the creations that an interrupted run began (`begun`), and the contents of staged versions (changes that were
 * not promoted yet) at addresses that the plan knows. Each comes with its kind and with `candidates`, the fields of the objects that it may
 * be about: `addFieldDigests` tries their values.
 */
function listDigestedEntries(
  ledger: Ledger | OtherStack,
  objects: PlannedObjects,
): { entry: DigestedEntry; kind: string; candidates: Fields[] }[] {
  const entries = Object.entries(ledger.entries).map(([address, entry]) => ({
    entry,
    kind: entry.kind,
    candidates: objects.fieldsOf(address, entry.ids),
  }));
  const creations = Object.values(ledger.begun ?? {}).map(({ entry }) => ({
    entry,
    kind: entry.kind,
    candidates: objects.fieldsOfKind(entry.kind),
  }));
  // `of` has the contents of a staged version, by address.
  const versions = 'staged' in ledger ? Object.values(ledger.staged ?? {}) : [];
  const contents = versions.flatMap((version) => Object.entries(version.of));
  const staged = contents.flatMap(([address, { entry, ids }]) => {
    const kind = objects.kindAt(address);
    return entry && kind !== undefined ? { entry, kind, candidates: objects.fieldsOf(address, ids) } : [];
  });
  return [...entries, ...creations, ...staged];
}

/**
 * Adds the short digests in an unfinished creation (`seen`) that are those of live objects of its kind, with the ids behind them, so that
 * they can be made again from the pseudonyms of the ids. By them, a later run tells which objects existed before the creation.
 */
function addIdDigests(
  digests: PlainDigests,
  { entry, seen }: NonNullable<Ledger['begun']>[string],
  objects: PlannedObjects,
): void {
  const { salt, kind } = entry;
  for (const id of objects.idsOfKind(kind)) {
    const idDigest = shortIdDigest(salt, id);
    if (seen.includes(idDigest)) digests.set(idDigest, { salt, value: id });
  }
}

/**
 * Adds the digests of a ledger entry's fields for which one of the candidates (the fields of objects that the entry may be about) has the
 * value. For this, computes the digest of each value in each form that may have been digested, and looks whether the entry has it.
 * `notKept`: digests of the values that the account showed instead of the sent ones. `idOf`: the id of the object at an address.
 */
function addFieldDigests(
  digests: PlainDigests,
  { salt, fields, notKept = {} }: DigestedEntry,
  kind: Kind,
  candidates: readonly Fields[],
  { idOf }: Pick<PlannedObjects, 'idOf'>,
): void {
  const schemas = comparedFields(kind);
  // The digests of a set are one text, with spaces between them.
  const digestsOfFields = Object.keys({ ...notKept, ...fields }).map((path) => ({
    path,
    recorded: new Set([fields[path], notKept[path]].flatMap((text) => text?.split(' ') ?? [])),
  }));
  // The empty object stands for values that are not set: a digest may be that of `null`.
  for (const objectFields of [...candidates, {}]) {
    const leaves = new Map(leavesOf(schemas, objectFields).map((leaf) => [leaf.path, leaf]));
    for (const { path, recorded } of digestsOfFields) {
      const schema = schemaAt(schemas, path);
      const traits = leaves.get(path)?.traits ?? (schema ? traitsOf(schema) : {});
      for (const value of listDigestibleForms(atPath(objectFields, path) ?? null, traits, idOf)) {
        const valueDigest = digest(salt, value);
        if (recorded.has(valueDigest)) digests.set(valueDigest, { salt, value });
      }
    }
  }
}

/**
 * Returns the forms of a field's value whose digests an apply could have recorded: with references to other objects as addresses and as
 * ids, and the items of a set one by one. The members of an item in `whereDeclared` count only in items that declare them, so each item
 * comes without each subset of these. Used to find the value behind a digest.
 */
function listDigestibleForms(value: Value, traits: FieldTraits, idOf: PlannedObjects['idOf']): unknown[] {
  if (hasUnresolvedHole(value)) return [];
  return [value, withIds(value, idOf)].flatMap((converted): unknown[] =>
    isItemwise(converted, traits)
      ? converted.flatMap((item) =>
          subsetsOf(traits.whereDeclared!).map((names) => revealed(omitMembers(item, names))),
        )
      : [revealed(toComparable(converted, traits))],
  );
}

/**
 * Adds the digest that the ledger entry of a variable has as `secretOf`, if another object writes its secret into it (`$secretTo`): that of
 * the variable's text with the id of the object instead of the secret (`form`), either with references or with ids (`withIds`). Does
 * nothing if the configuration has another text by now.
 */
function addFormDigest(
  digests: PlainDigests,
  { salt, secretOf }: LedgerEntry,
  address: Address,
  { input }: PlannedState,
): void {
  const form = input.desired.resources.get(address)?.meta.secretOf?.form;
  if (secretOf === undefined || form === undefined) return;
  for (const value of [form, withIds(form, createIdLookup(input.live))])
    if (digest(salt, value) === secretOf) digests.set(secretOf, { salt, value });
}

/** The objects that a plan compares, for each address and for each kind. */
class PlannedObjects {
  readonly #fieldsByAddress: ReadonlyMap<Address, { kind: string; fields: Fields }[]>;
  readonly #liveByKind: ReadonlyMap<string, LiveResource[]>;
  readonly #addressesById: ReadonlyMap<string, { address: Address }[]>;
  readonly #hiddenIds: readonly string[];
  readonly idOf: (address: Address) => string | undefined;

  /**
   * Collects the fields of all objects that a plan knows (live, desired, before and after a change), by address, to find the value behind a
   * digest of the ledger.
   */
  constructor({ input, live, plan: { changes } }: ComparedPlan) {
    const liveObjects = withAlternatives([...live.resources.values(), ...input.live.resources.values()]);
    const changed = changes.flatMap(({ address, kind, before, after }) =>
      [before, after].flatMap((side) => (side ? { address, kind, fields: side.fields } : [])),
    );
    this.#fieldsByAddress = groupBy(
      [...liveObjects, ...input.desired.resources.values(), ...changed],
      ({ address }) => address,
    );
    this.#liveByKind = groupBy(liveObjects, ({ kind }) => kind);
    this.#addressesById = groupBy(
      liveObjects.flatMap(({ address, ids }) => ids.map((id) => ({ address, id }))),
      ({ id }) => id,
    );
    this.#hiddenIds = [...(live.hiddenIds ?? []), ...(input.live.hiddenIds ?? [])];
    this.idOf = createIdLookup(input.live);
  }

  /**
   * Returns the fields of the objects at an address (live, desired, before and after a change), and of those that a plan knows by these ids
   * under other addresses, because they were renamed. One of them may have the value behind a digest of the ledger.
   */
  fieldsOf(address: Address, ids: readonly string[]): Fields[] {
    const renamed = ids.flatMap((id) => this.#addressesById.get(id) ?? []);
    const addresses = new Set([address, ...renamed.map((object) => object.address)]);
    return [...addresses].flatMap((name) =>
      (this.#fieldsByAddress.get(name) ?? []).map(({ fields }) => fields),
    );
  }

  /** Returns the fields of all live objects of a kind. */
  fieldsOfKind(kind: string): Fields[] {
    return (this.#liveByKind.get(kind) ?? []).map(({ fields }) => fields);
  }

  /** Returns the ids of all live objects of a kind, and of the objects that other stacks are creating. */
  idsOfKind(kind: string): string[] {
    return [...(this.#liveByKind.get(kind) ?? []).flatMap(({ ids }) => ids), ...this.#hiddenIds];
  }

  /** Returns the kind of the object at an address; undefined if the plan has none there. */
  kindAt(address: Address): string | undefined {
    return this.#fieldsByAddress.get(address)?.[0]?.kind;
  }
}
