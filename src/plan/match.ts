import { secretIdOf } from '../kind/define-kind.ts';
import { knownFields } from '../kind/empty-is-absent.ts';
import { type Diagnostic, problem, warning } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { makerOfId } from '../model/ledger-key.ts';
import { collectionId, groupByCollection, type LiveResource, type Resource } from '../model/resource.ts';
import { shellQuoted } from '../model/shell-word.ts';
import { holesIn } from '../model/value.ts';
import type { Comparison } from './comparison.ts';
import { createAttributeLookup, type PlanInput, type RecordedAddresses } from './input.ts';
import { createNoKeyWarning } from './report-uncompared-secrets.ts';
import { matchesAny } from './select.ts';

interface Match {
  /** The live object that the address means. */
  chosen?: LiveResource;
  /** Others under the same address. */
  others: LiveResource[];
  /** Why nobody can tell which one is meant, or what else is in the way. */
  problem?: Diagnostic;
}

/** Finds the live object that an address means among those that share it: the ledger's id decides, else `$id`. */
export function chooseLiveObject(
  live: LiveResource | undefined,
  want: Resource | undefined,
  entry: LedgerEntry | undefined,
): Match {
  const resources = live?.alternatives ?? (live ? [live] : []);
  const chosen = want?.meta.id;
  const has = (id: string) => resources.find((resource) => resource.ids.includes(id));
  // If several are known, the newest is meant: an interrupted change left the older one.
  const last = entry?.ids.findLast(has);
  const meant = has(last ?? chosen ?? '');
  if (want && !entry && chosen !== undefined && !meant)
    return { others: resources, problem: noSuchId(want, chosen, resources) };
  if (resources.length < 2) return { ...(live ? { chosen: live } : {}), others: [] };
  if (!meant)
    return want
      ? { others: resources, problem: ambiguous(want, resources) }
      : { chosen: live!, others: resources.slice(1) };
  const others = resources.filter((resource) => resource !== meant);
  const holder = others.find((resource) => resource.renamedTo === undefined);
  return want && meant.renamedTo !== undefined && holder
    ? { chosen: meant, others, problem: nameTaken(want, meant, holder) }
    : { chosen: meant, others };
}

const idsOf = (resources: LiveResource[]) => resources.map(({ id }) => id).join(', ');

const ambiguous = ({ address, at }: Resource, resources: LiveResource[]) =>
  problem('match/ambiguous', `${resources.length} live objects are named ${address}: ${idsOf(resources)}`, {
    address,
    at,
    hint: 'write `$id: ID` in the block to select one',
  });

const noSuchId = ({ address, at }: Resource, id: string, resources: LiveResource[]) =>
  problem(
    'match/no-such-id',
    `${address} says \`$id: ${id}\`, but ${resources.length === 0 ? 'no object in the account has that name' : `the objects with that name are ${idsOf(resources)}`}`,
    { address, at, hint: 'correct the `$id`; without `$id`, a missing object is created' },
  );

const nameTaken = ({ address, at }: Resource, meant: LiveResource, holder: LiveResource) =>
  problem(
    'match/name-taken',
    `${address} is now named ${meant.renamedTo} in the account (${meant.id}), and another object (${holder.id}) has the old name`,
    {
      address,
      at,
      hint: 'rename or delete one of them in the account, or declare both under their current names',
    },
  );

/**
 * True if nobody can tell which object is meant: its id is a secret that is not available here, or the ledger keeps it as a digest made
 * with a missing key. Reports it. Such an entry stays, and nothing is created or deleted for it unless somebody asks for that.
 */
export function isUnidentifiable(comparison: Comparison): boolean {
  const { kind, live, entry, input, address, desired, report } = comparison;
  const secretId = secretIdOf(kind);
  if (secretId === undefined || live) return false;
  if (!entry) return isNotCompared(comparison, secretId);
  if (entry.ids.some((id) => makerOfId(input.key, id))) return false;
  if (desired && matchesAny(input.options?.sendUnverified, address)) return false;
  if (!input.key) {
    report(createNoKeyWarning(address, 'id', desired?.at));
    return true;
  }
  report(
    warning(
      'secret/unverified',
      `${address}: the ledger identifies it by a digest of another key, so the object cannot be determined`,
      {
        address,
        ...(desired ? { at: desired.at } : {}),
        hint: desired
          ? `run with the key it was applied with, or create a new one with --send-unverified ${shellQuoted(address)}`
          : 'run with the key it was applied with; until then it stays',
      },
    ),
  );
  return true;
}

/** True if an object of the account may be the wanted one, but the secret that would tell is not available here. */
function isNotCompared(
  { kind, parent, input, address, desired: want, report }: Comparison,
  secretId: string,
): boolean {
  const { desired, live, ledger, secrets } = input;
  const value = want?.fields[secretId];
  if (
    !want ||
    value === undefined ||
    holesIn(value).every((hole) => '$secret' in hole && secrets.has(hole.$secret))
  )
    return false;
  const isFree = (resource: LiveResource) =>
    resource.kind === kind.name &&
    resource.parent === parent &&
    !desired.resources.has(resource.address) &&
    !ledger.entries[resource.address];
  if (![...live.resources.values()].some(isFree)) return false;
  report(
    warning(
      'secret/not-compared',
      `${address}: the secret in \`${secretId}\` is not available here, so it was not compared; it may already be in the account`,
      { address, at: want.at },
    ),
  );
  return true;
}

/** The ledger with its entries under the addresses that claim them. */
function withClaims(ledger: Ledger, claims: RecordedAddresses): Ledger {
  const entries = { ...ledger.entries };
  for (const [address, old] of claims) {
    const entry = entries[old];
    if (!entry) continue;
    delete entries[old];
    entries[address] = entry;
  }
  return { ...ledger, entries };
}

/** Moves live objects without a name of their own to the addresses that the configuration gives them. */
export function pairUnnamedObjects(input: PlanInput): PlanInput {
  const { desired, live, kinds, secrets, ledger } = input;
  const resources = new Map(live.resources);
  const claims = new Map(input.recordedAddresses);
  const unnamed = [...desired.resources.values()].filter(({ kind }) => kinds.get(kind)?.shape.pair);
  const attribute = createAttributeLookup(live);
  const group = groupByCollection(live.resources);
  for (const [id, wanted] of groupBy(unnamed, ({ kind, parent }) => collectionId(kind, parent))) {
    const kind = kinds.get(wanted[0]!.kind)!;
    const pairing = kind.shape.pair!({
      kind,
      desired: wanted,
      live: new Map((group.get(id) ?? []).map((resource) => [resource.address, resource])),
      fieldsOf: (want) => knownFields(kind, want, { secrets, attribute }),
      isRecorded: (address) => ledger.entries[address] !== undefined,
    });
    for (const address of pairing.vacated) resources.delete(address);
    for (const one of pairing.assigned) resources.set(one.address, one);
    for (const [now, old] of pairing.renames) claims.set(now, old);
  }
  return {
    ...input,
    recordedAddresses: claims,
    ledger: withClaims(ledger, claims),
    live: { ...live, resources },
  };
}
