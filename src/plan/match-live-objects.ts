import { secretIdOf } from '../kind/define-kind.ts';
import { resolveFields } from '../kind/empty-is-absent.ts';
import type { Kind } from '../kind/kind.ts';
import { indexByAddress } from '../model/address.ts';
import { type Diagnostic, problem, shellQuoted } from '../model/diagnostic.ts';
import { findDigestKeyOfId } from '../model/digest.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { collectionId, type LiveResource, type Resource } from '../model/resource.ts';
import { holesIn } from '../model/value.ts';
import type { Comparison } from './comparison.ts';
import { createAttributeLookup, type PlanInput, type RecordedAddresses } from './input.ts';
import { createNoKeyWarning } from './report-uncompared-secrets.ts';
import { matchesAny } from './select-changes.ts';

/** The live object that an address means. Several live objects can have the name from which one address is made. */
interface Match {
  /** The live object that the address means; absent if there is none, or if it is uncertain. */
  chosen?: LiveResource;
  /** The other live objects under the same address. */
  otherObjects: LiveResource[];
  /** Why the choice is uncertain, or impossible for the configuration. */
  problem?: Diagnostic;
}

/**
 * Chooses the live object that an address means among those that share its name: the one with an id in the ledger, else the one with the
 * `$id` of the block, else the only one; for an undeclared address, the first one. `live`: the object that was found by name, with
 * `alternatives` if several have this name. For a declared address, `problem` is set if nothing selects one of several, if none has the
 * `$id` of an object that is new to the ledger, or if the chosen one was renamed in the account and another one took its name.
 */
export function chooseLiveObject(
  live: LiveResource | undefined,
  desired: Resource | undefined,
  entry: LedgerEntry | undefined,
): Match {
  const candidates = live?.alternatives ?? (live ? [live] : []);
  const desiredId = desired?.meta.id;
  const findById = (id: string) => candidates.find((candidate) => candidate.ids.includes(id));
  // If several recorded ids exist, the newest decides: an interrupted change left the older object.
  const recordedId = entry?.ids.findLast(findById);
  const selectedId = recordedId ?? desiredId;
  const chosen = selectedId === undefined ? undefined : findById(selectedId);
  if (desired && !entry && desiredId !== undefined && !chosen)
    return { otherObjects: candidates, problem: createNoSuchId(desired, desiredId, candidates) };
  if (candidates.length < 2) return { chosen: live, otherObjects: [] };
  if (!chosen)
    return desired
      ? { otherObjects: candidates, problem: createAmbiguous(desired, candidates) }
      : { chosen: live!, otherObjects: candidates.slice(1) };
  const otherObjects = candidates.filter((candidate) => candidate !== chosen);
  // An object with `renamedTo` has another name in the account than in the ledger. Another object may have taken its recorded name.
  const nameHolder = otherObjects.find((candidate) => candidate.renamedTo === undefined);
  return desired && chosen.renamedTo !== undefined && nameHolder
    ? { chosen, otherObjects, problem: createNameTaken(desired, chosen, nameHolder) }
    : { chosen, otherObjects };
}

/** Lists the ids of objects for a message. */
const formatIds = (objects: LiveResource[]) => objects.map(({ id }) => id).join(', ');

/**
 * Creates the problem that several live objects have the name of a declared one, and nothing selects one of them. The plan does not guess
 * which one is meant.
 */
const createAmbiguous = ({ address, at }: Resource, resources: LiveResource[]) =>
  problem(
    'match/ambiguous',
    `${resources.length} live objects are named ${address}: ${formatIds(resources)}`,
    {
      address,
      at,
      hint: 'write `$id: ID` in the block to select one',
    },
  );

/**
 * Creates the problem that no live object of this name has the id in `$id`. Otherwise the plan would create a
 * second object, or adopt another one.
 */
const createNoSuchId = ({ address, at }: Resource, id: string, resources: LiveResource[]) =>
  problem(
    'match/no-such-id',
    `${address} says \`$id: ${id}\`, but ${resources.length === 0 ? 'no object in the account has that name' : `the objects with that name are ${formatIds(resources)}`}`,
    { address, at, hint: 'correct the `$id`; without `$id`, a missing object is created' },
  );

/**
 * Creates the problem that an object of ours was renamed in the account and another object has its name now, so that the block may mean
 * either.
 */
const createNameTaken = ({ address, at }: Resource, chosen: LiveResource, holder: LiveResource) =>
  problem(
    'match/name-taken',
    `${address} is now named ${chosen.renamedTo} in the account (${chosen.id}), and another object (${holder.id}) has the old name`,
    {
      address,
      at,
      hint: 'rename or delete one of them in the account, or declare both under their current names',
    },
  );

/**
 * True if no live object was found for an address, but it may exist, because the id of such objects is a secret. The plan then neither
 * creates nor deletes the object. Reports it. The id is in the configuration, and the ledger has only a digest of it, made with the ledger
 * key. So:
 *
 *   1. Without a ledger entry, the object may exist if this run does not have the secret (`mayExistAlready`).
 *   2. With an entry, it may exist if this run does not have the key of the digest. `--send-unverified` for a declared address then says
 *      that it is to be created.
 */
export function isUnidentifiable(comparison: Comparison): boolean {
  const { kind, live, entry, input, address, desired } = comparison;
  const secretId = secretIdOf(kind);
  if (secretId === undefined || live) return false;
  if (!entry) return mayExistAlready(comparison, secretId);
  const hasDigestKey = entry.ids.some((id) => findDigestKeyOfId(input.key, id));
  const mayCreate = desired !== undefined && matchesAny(input.options?.sendUnverified, address);
  if (hasDigestKey || mayCreate) return false;
  warnOfMissingDigestKey(comparison);
  return true;
}

/** Warns that the secret id of an object cannot be compared with its digest in the ledger: this run has no ledger key, or another one. */
function warnOfMissingDigestKey({ input, address, desired, report }: Comparison): void {
  if (!input.key) {
    report.add(createNoKeyWarning(address, 'id', desired?.at));
    return;
  }
  report.warning(
    'secret/unverified',
    `${address}: the ledger identifies it by a digest of another key, so the object cannot be determined`,
    {
      address,
      at: desired?.at,
      hint: desired
        ? `run with the key it was applied with, or create a new one with --send-unverified ${shellQuoted(address)}`
        : 'run with the key it was applied with; until then it stays',
    },
  );
}

/**
 * True if an object that the ledger does not have may exist already. Its id is a secret, such as that of a protection bypass, that is not
 * available to this run, and the account has an object of the kind that no block or ledger entry claims. Reports it. The plan then leaves
 * the block out, since creating the object could duplicate it. `secretId`: the field with the id.
 */
function mayExistAlready(
  { kind, parent, input, address, desired: resource, report }: Comparison,
  secretId: string,
): boolean {
  const { desired, live, ledger, secrets } = input;
  const value = resource?.fields[secretId];
  if (!resource || value === undefined) return false;
  const isIdAvailable = holesIn(value).every((hole) => '$secret' in hole && secrets.has(hole.$secret));
  if (isIdAvailable) return false;
  const isUnassigned = (object: LiveResource) =>
    object.kind === kind.name &&
    object.parent === parent &&
    !desired.resources.has(object.address) &&
    !ledger.entries[object.address];
  if (![...live.resources.values()].some(isUnassigned)) return false;
  report.warning(
    'secret/not-compared',
    `${address}: the secret in \`${secretId}\` is not available here, so it was not compared; it may already be in the account`,
    { address, at: resource.at },
  );
  return true;
}

/**
 * Returns the ledger with entries at new addresses, for objects whose label in the configuration was changed, so that they are compared and
 * not created again. `oldAddresses`: the recorded address of an entry, by its new address.
 */
function withRenamedEntries(ledger: Ledger, oldAddresses: RecordedAddresses): Ledger {
  if (oldAddresses.size === 0) return ledger;
  const entries = { ...ledger.entries };
  for (const [address, oldAddress] of oldAddresses) {
    const entry = entries[oldAddress];
    if (!entry) continue;
    delete entries[oldAddress];
    entries[address] = entry;
  }
  return { ...ledger, entries };
}

/**
 * Moves live objects that have only a label in the configuration (a webhook, for example), and their ledger
 * entries, to the addresses made from these labels. The shape of their kind pairs them with the blocks by
 * their content. Used before anything is decided, since a decision compares the objects of one address.
 */
export function pairUnnamedObjects(input: PlanInput): PlanInput {
  const { live, secrets, ledger } = input;
  const resources = new Map(live.resources);
  const recordedAddresses = new Map(input.identities?.recordedAddresses);
  for (const { kind, blocks, liveObjects } of listUnnamedCollections(input)) {
    // Kinds that were paired before this one have their new addresses in `resources`, and references to them find their ids there.
    const attribute = createAttributeLookup({ ...live, resources });
    const { vacated, assigned, renames } = kind.shape.pair!({
      kind,
      desired: blocks,
      live: indexByAddress(liveObjects),
      fieldsOf: (resource) => resolveFields(kind, resource, { secrets, attribute }),
      isRecorded: (address) => ledger.entries[address] !== undefined,
    });
    // The paired objects leave their addresses (`vacated`) for those of their blocks. `renames` has the addresses of their ledger entries.
    for (const address of vacated) resources.delete(address);
    for (const object of assigned) resources.set(object.address, object);
    for (const [address, recordedAddress] of renames) recordedAddresses.set(address, recordedAddress);
  }
  return {
    ...input,
    identities: { ...input.identities, recordedAddresses },
    ledger: withRenamedEntries(ledger, recordedAddresses),
    live: { ...live, resources },
  };
}

/** The declared and the live objects of one kind under one parent, whose objects have no names. */
interface UnnamedCollection {
  kind: Kind;
  blocks: Resource[];
  liveObjects: LiveResource[];
}

/**
 * Lists the collections (objects of one kind under one parent) that have a block of a kind without names, with their live objects, in the
 * order of the kinds: an object may refer to those of earlier kinds.
 */
function listUnnamedCollections({ desired, live, kinds }: PlanInput): UnnamedCollection[] {
  const kindOrder = [...kinds.keys()];
  // Only kinds without names have the rule `pair`.
  const blocks = [...desired.resources.values()]
    .filter(({ kind }) => kinds.get(kind)?.shape.pair)
    .sort((a, b) => kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind));
  const idOf = ({ kind, parent }: Resource | LiveResource) => collectionId(kind, parent);
  const kindNames = new Set(blocks.map(({ kind }) => kind));
  const liveObjects = [...live.resources.values()].filter(({ kind }) => kindNames.has(kind));
  const liveByCollection = groupBy(liveObjects, idOf);
  return Array.from(groupBy(blocks, idOf), ([id, blocksOfCollection]) => ({
    kind: kinds.get(blocksOfCollection[0]!.kind)!,
    blocks: blocksOfCollection,
    liveObjects: liveByCollection.get(id) ?? [],
  }));
}
