import { comparedFields, isSameValue } from '../kind/compare.ts';
import { secretIdOf } from '../kind/define-kind.ts';
import { createDraft } from '../kind/draft.ts';
import type { Kind, Label, Paired, Shape, Unpaired } from '../kind/kind.ts';
import { oneByOne, plain } from '../kind/plain.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, addressOf, escapeName } from '../model/address.ts';
import { canonicalJson, hasUnresolvedHole } from '../model/digest.ts';
import { addTo, groupBy } from '../model/graph.ts';
import type { LiveResource, Resource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import { type Fields, isPlainObject, type Value } from '../model/value.ts';

/*
 * Objects without a name of their own, such as webhooks. The platform keeps no unique name for them, so two equal ones can exist.
 *
 * | Term               | Meaning                                                                                                    |
 * | ------------------ | ---------------------------------------------------------------------------------------------------------- |
 * | label              | The key of a block in the YAML. The platform never receives it.                                             |
 * | identity           | Lists of field names, best first. The first list with a field that a block declares finds its live object.   |
 * | identifying values | The values that a block declares for one of these lists.                                                     |
 * | pool               | The live objects that stand under no label of the configuration yet, and may be paired with a block.         |
 *
 * Pairing goes in three steps, each over the blocks that are still open:
 *   1. Objects with a recorded id stand at their address already (`observe`).
 *   2. A block with `$id` gets the object with that id.
 *   3. A block gets the objects that fit its identifying values. Equal blocks (twins) get one object each. If more objects than blocks fit,
 *      all of them become `alternatives` of the first block, and planning reports that `$id` must choose.
 */

/** Lists of identifying fields, best first. */
type Identity = readonly (readonly string[])[];

/**
 * Like `plain`, but a replacement creates the new object before it deletes the old one: two such objects can exist at the same time, so
 * nothing is missing in between or if the creation fails.
 */
const besideEachOther: Shape = {
  ...plain,
  arrange: oneByOne((kind, change) => {
    const creation = createDraft(kind, 'create', change);
    return [
      creation,
      { ...createDraft(kind, 'delete', change, { id: change.before!.id }), after: [creation] },
    ];
  }),
};

/**
 * Returns the shape (form of a collection) of objects without a name of their own, such as webhooks. The YAML gives them labels, and a plan finds
 * their live objects by the fields in `identity`. `inner`: the shape that it extends.
 */
export const labelled = (identity: Identity, inner: Shape = besideEachOther): Shape => ({
  ...inner,
  isNamed: false,
  pair: (collection) => pairByIdentity(identity, collection),
  canMean(kind, desired, live) {
    const [values] = identity
      .map((names) => identifyingValues(desired, names))
      .filter((candidate) => candidate !== undefined);
    // An identifying value that is still unknown could be any value.
    return values === undefined || hasIdentifyingValues(live, values, kind);
  },
  labels: (kind, objects) => labelsFor(identity, kind, objects),
  keyWords: () => {
    const sets = identity.map((fields) => fields.map((name) => `\`${name}\``).join(' and '));
    return `It has no name of its own: the YAML gives it a label, and the live object is found by ${sets.join(', or else by ')}. If several match, the plan fails until \`$id\` selects one.`;
  },
});

/**
 * Finds the live object of each desired one, and moves it to that address; see the steps at the top of the file. Called before planning
 * compares the objects.
 */
function pairByIdentity(identity: Identity, { kind, desired, live, fieldsOf, isRecorded }: Unpaired): Paired {
  const resources = new Map(live);
  const paired: Paired = { vacated: [], assigned: [], renames: [] };
  const desiredAddresses = new Set(desired.map(({ address }) => address));
  const pool = new Set([...live.values()].filter(({ address }) => !desiredAddresses.has(address)));
  const candidates = openCandidates([...pool]);
  const assignObject = (resource: LiveResource) => {
    resources.set(resource.address, resource);
    paired.assigned.push(resource);
  };
  /** Moves objects of the pool to the address of a block: one as its object, several as its alternatives. */
  const assignToBlock = (block: Resource, objects: LiveResource[]) => {
    // An object that the ledger has under another label is ours: its label was changed in the YAML.
    const [recorded] = objects.filter(({ address }) => isRecorded(address));
    if (recorded && objects.length === 1 && !isRecorded(block.address))
      paired.renames.push([block.address, recorded.address]);
    for (const object of objects) {
      pool.delete(object);
      resources.delete(object.address);
      paired.vacated.push(object.address);
    }
    const alternatives = objects.map((object) => withAddressOf(object, block, kind));
    const [first] = alternatives;
    if (first) assignObject(alternatives.length > 1 ? { ...first, alternatives } : first);
  };

  const interrupted = interruptedReplacements(kind, desired, {
    pool,
    fieldsOf,
    recordedObjectAt: (address) => resources.get(address),
  });
  for (const { block, oldObject, newObject } of interrupted) {
    const oldAddress = addressOf(block.parent, kind.section, [escapeName(oldObject.id)]);
    assignToBlock(block, [newObject]);
    assignObject({ ...oldObject, address: oldAddress });
    paired.renames.push([oldAddress, block.address]);
  }

  const isUnpaired = ({ address }: Resource) => !resources.has(address);
  for (const block of desired.filter((resource) => isUnpaired(resource) && resource.meta.id !== undefined))
    assignToBlock(
      block,
      [...pool].filter(({ ids }) => ids.includes(block.meta.id!)),
    );

  let unpairedBlocks = desired.filter((resource) => isUnpaired(resource) && resource.meta.id === undefined);
  for (const names of identity) {
    const identifiable = findIdentifiable(unpairedBlocks, names, kind, fieldsOf);
    for (const twins of groupBy(identifiable, ({ values }) => canonicalJson(revealed(values))).values()) {
      const { values } = twins[0]!;
      const matches = candidates(values).filter(
        (object) => pool.has(object) && hasIdentifyingValues(object.fields, values, kind),
      );
      // Only their secret ids tell several objects apart, and these are not available.
      const isAmbiguous = matches.length + twins.length > 2;
      if (isAmbiguous && twins.some(({ lacksSecretId }) => lacksSecretId)) continue;
      if (matches.length > twins.length) assignToBlock(twins[0]!.block, matches);
      else for (const [index, match] of matches.entries()) assignToBlock(twins[index]!.block, [match]);
    }
    // The first list with a declared field decides, so a block that matched nothing does not try the next list.
    const decided = new Set(identifiable.map(({ block }) => block.address));
    unpairedBlocks = unpairedBlocks.filter((block) => isUnpaired(block) && !decided.has(block.address));
  }
  return paired;
}

/** A block that declares identifying values, so that its live object can be found. */
interface IdentifiableBlock {
  block: Resource;
  values: Fields;
  /** True if the id of the object is a secret that is not available to this run. */
  lacksSecretId: boolean;
}

/**
 * Returns the blocks that declare all fields of this identity (the fields that tell which live object a block without a name means), each with its
 * identifying values, to find its object.
 */
const findIdentifiable = (
  blocks: readonly Resource[],
  names: readonly string[],
  kind: Kind,
  fieldsOf: Unpaired['fieldsOf'],
): IdentifiableBlock[] => {
  const secretId = secretIdOf(kind);
  return blocks.flatMap((block) => {
    const fields = fieldsOf(block);
    const values = identifyingValues(fields, names);
    const lacksSecretId = secretId !== undefined && hasUnresolvedHole(fields[secretId]);
    return values === undefined ? [] : [{ block, values, lacksSecretId }];
  });
};

/** A replacement that was interrupted between the creation of the new object and the deletion of the old one. */
interface InterruptedReplacement {
  block: Resource;
  /** The object whose id the ledger has: it still has to be deleted. */
  oldObject: LiveResource;
  /** The object with the desired secret id. */
  newObject: LiveResource;
}

/**
 * Finds replacements that were cut short between creation and deletion, so that the plan deletes the old object. Only for kinds whose id is
 * a secret in the configuration: the recorded object has another id than the block, and an object with the block's id exists as well.
 */
function interruptedReplacements(
  kind: Kind,
  desired: Resource[],
  {
    pool,
    fieldsOf,
    recordedObjectAt,
  }: {
    pool: ReadonlySet<LiveResource>;
    fieldsOf(block: Resource): Fields;
    recordedObjectAt(address: Address): LiveResource | undefined;
  },
): InterruptedReplacement[] {
  const secretId = secretIdOf(kind);
  if (secretId === undefined) return [];
  const assigned = new Set<LiveResource>();
  return desired.flatMap((block) => {
    const oldObject = recordedObjectAt(block.address);
    const values = identifyingValues(fieldsOf(block), [secretId]);
    const newObject =
      values &&
      [...pool].find((object) => !assigned.has(object) && hasIdentifyingValues(object.fields, values, kind));
    if (!oldObject || !newObject || hasIdentifyingValues(oldObject.fields, values!, kind)) return [];
    assigned.add(newObject);
    return [{ block, oldObject, newObject }];
  });
}

/** Returns a live object at the address of the block that was found to mean it, with the label of the block as its key, so that both are compared. */
const withAddressOf = (object: LiveResource, { address, fields }: Resource, kind: Kind): LiveResource => ({
  ...object,
  address,
  fields: { ...object.fields, ...Object.fromEntries(kind.key.map((name) => [name, fields[name]!])) },
});

/** Returns the declared values among these identifying fields; undefined if there are none, or if one is still unknown. */
function identifyingValues(fields: Fields, names: readonly string[]): Fields | undefined {
  const declared = Object.entries(fields).filter(([name, value]) => names.includes(name) && value !== null);
  return declared.length === 0 || hasUnresolvedHole(declared) ? undefined : Object.fromEntries(declared);
}

/** True if an object's fields have these identifying values, so that it may be the object of a block. */
const hasIdentifyingValues = (fields: Fields, values: Fields, kind: Kind): boolean =>
  Object.entries(values).every(([name, value]) =>
    isSameValue(value, fields[name], traitsOf(comparedFields(kind)[name]!)),
  );

/**
 * Returns a label for each object, made of its identifying values, for exports. Equal labels get numbers in the order of the ids, so that
 * each export gives the same labels.
 */
function labelsFor(identity: Identity, kind: Kind, objects: LiveResource[]): Map<LiveResource, Label> {
  const labels = new Map<LiveResource, Label>();
  const used = new Set<string>();
  const counts = new Map<string, number>();
  const candidates = openCandidates(objects);
  for (const resource of [...objects].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const words = identity
      .flatMap((names) => names.map((name) => toLabelWord(resource.fields[name])))
      .filter(Boolean);
    const base = words.slice(0, 2).join('-').slice(0, 60) || firstWord(identity, resource) || kind.section;
    let label = base;
    let count = counts.get(base) ?? 2;
    for (; used.has(label); count++) label = `${base}-${count}`;
    counts.set(base, count);
    used.add(label);
    labels.set(resource, { text: label, needsId: hasTwin(identity, kind, resource, candidates) });
  }
  return labels;
}

/**
 * Returns the first usable item of the best identifying list, as the label that `trueup export` gives to an object without a name that only lists
 * identify; otherwise an empty text.
 */
const firstWord = ([names = []]: Identity, { fields }: LiveResource): string =>
  names
    .flatMap((name) => fields[name] ?? [])
    .map(toLabelWord)
    .find(Boolean) ?? '';

/**
 * Returns a value as a word of the label that `trueup export` gives to an object without a name; empty for a secret, a list and a missing value. A
 * URL gives only its host: labels are part of addresses, and every plan prints these, but the path of a URL may contain a token.
 */
function toLabelWord(value: Value | undefined): string {
  if (isPlainObject(value))
    return Object.values(value)
      .map((item) => toLabelWord(item as Value))
      .join('-');
  if (typeof value !== 'string') return '';
  return value
    .replace(/^https?:\/\/(?:[^/?#]*@)?([^/?#]*).*$/s, '$1')
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}

/** Returns the objects that may have these values: those with the same text in one field, or all objects if no value is a text. */
type Candidates = (values: Fields) => readonly LiveResource[];

/** Indexes live objects by their texts, to find those that a block may mean without comparing it with every object. */
function openCandidates(objects: readonly LiveResource[]): Candidates {
  const byText = new Map<string, LiveResource[]>();
  for (const object of objects)
    for (const [name, value] of Object.entries(object.fields)) {
      const text = revealed(value);
      if (typeof text === 'string') addTo(byText, `${name} ${text}`, object);
    }
  return (values) => {
    const text = Object.entries(values).find(([, value]) => typeof value === 'string');
    return text ? (byText.get(text.join(' ')) ?? []) : objects;
  };
}

/** True if a block made from an object could mean another object as well, so that an export has to write its `$id`. */
const hasTwin = (identity: Identity, kind: Kind, object: LiveResource, candidates: Candidates): boolean =>
  secretIdOf(kind) === undefined &&
  identity.some((names) => {
    const values = Object.fromEntries(
      names.flatMap((name) => (object.fields[name] == null ? [] : [[name, object.fields[name]]])),
    );
    return (
      Object.keys(values).length > 0 &&
      candidates(values).some((resource) => resource !== object && hasSameForm(resource, values, kind))
    );
  });

/**
 * True if an object has these values, or texts of the same form if they are sealed. Used by `hasTwin`, because an export cannot compare
 * secrets.
 */
function hasSameForm({ fields }: LiveResource, values: Fields, kind: Kind): boolean {
  const names = Object.keys(values);
  const ownValues = Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return canonicalJson(values) === canonicalJson(ownValues) || hasIdentifyingValues(fields, values, kind);
}
