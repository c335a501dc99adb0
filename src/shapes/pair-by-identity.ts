import { secretIdOf } from '../kind/define-kind.ts';
import type { Kind, Paired, Unpaired } from '../kind/kind.ts';
import { type Address, addressOf, escapeName } from '../model/address.ts';
import { canonicalJson, hasUnresolvedHole } from '../model/digest.ts';
import { groupBy } from '../model/graph.ts';
import type { LiveResource, Resource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import type { Fields } from '../model/value.ts';
import {
  type Candidates,
  hasIdentifyingValues,
  type Identity,
  identifyingValues,
  indexCandidates,
} from './identity.ts';

/*
 * Finds the live objects that the blocks of a collection mean, if these objects have no name of their own, such as webhooks.
 *
 * The pool is the live objects that stand under no label of the configuration yet. Pairing takes objects out of it in these steps, each for
 * the blocks that have no object yet:
 *   1. Objects with a recorded id stand at their address already (`observe`).
 *   2. A replacement that was interrupted gets its two objects (see `findInterruptedReplacements`).
 *   3. A block with `$id` gets the object with that id.
 *   4. A block gets the objects that have its identifying values. Equal blocks (twins) get one object each. If more objects than blocks
 *      fit, all of them become `alternatives` of the first block, and planning reports that `$id` must choose.
 */

/**
 * Finds the live object of each block of a collection without names, such as webhooks, and puts it at the block's address, where planning
 * compares it with the block. `identity`: the lists of fields that identify an object, best first. Each step only looks for the blocks that
 * have no object yet, among the objects that have no block yet (`pool`): objects of a replacement that was interrupted, then those with the
 * `$id` of a block, then those with the values that a block declares. The old object of such a replacement gets the address of its id, and
 * counts as renamed there, so that the plan deletes it.
 */
export function pairByIdentity(identity: Identity, unpaired: Unpaired): Paired {
  const pairing = new Pairing(unpaired);
  const candidates = indexCandidates([...pairing.pool]);
  for (const { block, oldObject, newObject } of findInterruptedReplacements(unpaired, pairing)) {
    const oldAddress = addressOf(block.parent, unpaired.kind.section, [escapeName(oldObject.id)]);
    pairing.assignToBlock(block, [newObject]);
    pairing.assign({ ...oldObject, address: oldAddress });
    pairing.paired.renames.push([oldAddress, block.address]);
  }
  for (const block of pairing.unpairedBlocks()) {
    const { id } = block.meta;
    if (id !== undefined)
      pairing.assignToBlock(
        block,
        [...pairing.pool].filter(({ ids }) => ids.includes(id)),
      );
  }
  let blocks = pairing.unpairedBlocks().filter(({ meta }) => meta.id === undefined);
  for (const names of identity) {
    const identifiable = findIdentifiable(blocks, names, unpaired);
    pairEqualBlocks(identifiable, candidates, unpaired.kind, pairing);
    // The first list with a declared field decides, so a block that matched nothing does not try the next list.
    const decided = new Set(identifiable.map(({ block }) => block));
    blocks = blocks.filter((block) => !decided.has(block));
  }
  return pairing.paired;
}

/** The state of pairing one collection: the live objects that have no block yet, and the result so far. */
class Pairing {
  readonly paired: Paired = { vacated: [], assigned: [], renames: [] };
  readonly pool: Set<LiveResource>;
  readonly #unpaired: Unpaired;
  readonly #objects: Map<Address, LiveResource>;

  /**
   * Starts to pair the blocks of a collection with its live objects. A live object at the address of a block is paired already. All others
   * form the pool, from which `assignToBlock` moves objects to the addresses of blocks.
   */
  constructor(unpaired: Unpaired) {
    this.#unpaired = unpaired;
    this.#objects = new Map(unpaired.live);
    const blockAddresses = new Set(unpaired.desired.map(({ address }) => address));
    this.pool = new Set([...unpaired.live.values()].filter(({ address }) => !blockAddresses.has(address)));
  }

  /** Returns the live object that stands at an address now. */
  objectAt(address: Address): LiveResource | undefined {
    return this.#objects.get(address);
  }

  /** Returns the blocks without a live object at their address. */
  unpairedBlocks(): Resource[] {
    return this.#unpaired.desired.filter(({ address }) => !this.#objects.has(address));
  }

  /** Puts an object at its new address. */
  assign(object: LiveResource): void {
    this.#objects.set(object.address, object);
    this.paired.assigned.push(object);
  }

  /**
   * Moves objects of the pool (without a block so far) to the address of a block that may mean them: one as its object, several as its
   * `alternatives`, among which the user has to choose. If the ledger has the only object at its old address and nothing at that of the
   * block, the label (the key of the block in the YAML) was changed, so this is a rename.
   */
  assignToBlock(block: Resource, objects: LiveResource[]): void {
    const { kind, isRecorded } = this.#unpaired;
    const [onlyObject] = objects.length === 1 ? objects : [];
    if (onlyObject && isRecorded(onlyObject.address) && !isRecorded(block.address))
      this.paired.renames.push([block.address, onlyObject.address]);
    for (const object of objects) {
      this.pool.delete(object);
      this.#objects.delete(object.address);
      this.paired.vacated.push(object.address);
    }
    const alternatives = objects.map((object) => withAddressOf(object, block, kind));
    const [first] = alternatives;
    if (first) this.assign(alternatives.length > 1 ? { ...first, alternatives } : first);
  }
}

/**
 * Returns a live object at the address of the block that was found to mean it, with the label of the block as its key, so that both are
 * compared.
 */
const withAddressOf = (object: LiveResource, { address, fields }: Resource, kind: Kind): LiveResource => ({
  ...object,
  address,
  fields: { ...object.fields, ...Object.fromEntries(kind.key.map((name) => [name, fields[name]!])) },
});

/** A replacement that was interrupted between the creation of the new object and the deletion of the old one. */
interface InterruptedReplacement {
  block: Resource;
  /** The object whose id the ledger has: it still has to be deleted. */
  oldObject: LiveResource;
  /** The object with the desired secret id. */
  newObject: LiveResource;
}

/**
 * Finds replacements that were cut short after the creation of the new object, so that the plan deletes the old one. Only kinds whose id is
 * a secret that the configuration declares, such as a protection bypass, can show this: the object at the address of the block has another
 * id than the block declares, and an object with the declared id is in the pool (objects without a block).
 */
function findInterruptedReplacements(
  { kind, desired, fieldsOf }: Unpaired,
  pairing: Pairing,
): InterruptedReplacement[] {
  const secretId = secretIdOf(kind);
  if (secretId === undefined) return [];
  const pairedObjects = new Set<LiveResource>();
  return desired.flatMap((block) => {
    const oldObject = pairing.objectAt(block.address);
    const wantedId = identifyingValues(fieldsOf(block), [secretId]);
    if (!oldObject || !wantedId || hasIdentifyingValues(oldObject.fields, wantedId, kind)) return [];
    const newObject = [...pairing.pool].find(
      (object) => !pairedObjects.has(object) && hasIdentifyingValues(object.fields, wantedId, kind),
    );
    if (!newObject) return [];
    pairedObjects.add(newObject);
    return [{ block, oldObject, newObject }];
  });
}

/** A block that declares identifying values, so that its live object can be found. */
interface IdentifiableBlock {
  block: Resource;
  values: Fields;
  /** True if the id of the object is a secret that is not available to this run. */
  lacksSecretId: boolean;
}

/**
 * Returns the blocks that declare at least one of these fields, none of them with a value that is known only later, each with the declared
 * values, by which its live object can be found. `names`: one list of the fields that identify an object of this kind. `lacksSecretId`:
 * true if the block also declares the id of its object, as a secret which this run does not have.
 */
const findIdentifiable = (
  blocks: readonly Resource[],
  names: readonly string[],
  { kind, fieldsOf }: Unpaired,
): IdentifiableBlock[] => {
  const secretId = secretIdOf(kind);
  return blocks.flatMap((block) => {
    const fields = fieldsOf(block);
    const values = identifyingValues(fields, names);
    const lacksSecretId = secretId !== undefined && hasUnresolvedHole(fields[secretId]);
    return values === undefined ? [] : [{ block, values, lacksSecretId }];
  });
};

/**
 * Pairs blocks with the live objects that have their identifying values. Blocks with equal values (twins) get one object each, in any
 * order. If there are more objects than twins, the first twin gets all of them as alternatives, and the plan asks for an `$id`.
 */
function pairEqualBlocks(
  blocks: readonly IdentifiableBlock[],
  candidates: Candidates,
  kind: Kind,
  pairing: Pairing,
): void {
  for (const twins of groupBy(blocks, ({ values }) => canonicalJson(revealed(values))).values()) {
    const { values } = twins[0]!;
    const matches = candidates(values).filter(
      (object) => pairing.pool.has(object) && hasIdentifyingValues(object.fields, values, kind),
    );
    // If their ids are secrets, only these tell several objects or blocks apart, and this run may lack one of them.
    const isAmbiguous = matches.length > 1 || twins.length > 1;
    if (isAmbiguous && twins.some(({ lacksSecretId }) => lacksSecretId)) continue;
    if (matches.length > twins.length) pairing.assignToBlock(twins[0]!.block, matches);
    else for (const [index, match] of matches.entries()) pairing.assignToBlock(twins[index]!.block, [match]);
  }
}
