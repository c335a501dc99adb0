import { secretIdOf } from '../kind/define-kind.ts';
import { knownFields } from '../kind/empty-is-absent.ts';
import { type Diagnostic, problem, warning } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { makerOfId } from '../model/ledger-key.ts';
import { byCollection, collectionId, type LiveResource, type Resource } from '../model/resource.ts';
import { shellQuoted } from '../model/shell-word.ts';
import { holesIn } from '../model/value.ts';
import type { Case } from './case.ts';
import { attributeIn, type Claims, type PlanInput } from './input.ts';
import { withoutKey } from './note-secrets.ts';
import { matchesAny } from './select.ts';

interface Match {
  /** The live object that the address means. */
  found?: LiveResource;
  /** Others under the same address. */
  others: LiveResource[];
  /** Why nobody can tell which one is meant, or what else is in the way. */
  problem?: Diagnostic;
}

/** Finds the live object that an address means among those that share it: the ledger's id decides, else `$id`. */
export function match(
  live: LiveResource | undefined,
  want: Resource | undefined,
  entry: LedgerEntry | undefined,
): Match {
  const all = live?.alternatives ?? (live ? [live] : []);
  const chosen = want?.meta.id;
  const has = (id: string) => all.find((one) => one.ids.includes(id));
  // If several are known, the newest is meant: an interrupted change left the older one.
  const known = entry?.ids.findLast(has);
  const meant = has(known ?? chosen ?? '');
  if (want && !entry && chosen !== undefined && !meant)
    return { others: all, problem: noSuchId(want, chosen, all) };
  if (all.length < 2) return { ...(live ? { found: live } : {}), others: [] };
  if (!meant)
    return want ? { others: all, problem: ambiguous(want, all) } : { found: live!, others: all.slice(1) };
  const others = all.filter((one) => one !== meant);
  const holder = others.find((one) => one.renamedTo === undefined);
  return want && meant.renamedTo !== undefined && holder
    ? { found: meant, others, problem: nameTaken(want, meant, holder) }
    : { found: meant, others };
}

const idsOf = (all: LiveResource[]) => all.map(({ id }) => id).join(', ');

const ambiguous = ({ address, at }: Resource, all: LiveResource[]) =>
  problem('match/ambiguous', `${all.length} live objects are named ${address}: ${idsOf(all)}`, {
    address,
    at,
    hint: 'write `$id: ID` in the block to select one',
  });

const noSuchId = ({ address, at }: Resource, id: string, all: LiveResource[]) =>
  problem(
    'match/no-such-id',
    `${address} says \`$id: ${id}\`, but ${all.length === 0 ? 'no object in the account has that name' : `the objects with that name are ${idsOf(all)}`}`,
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
export function unidentifiable(one: Case): boolean {
  const { kind, found, entry, input, address, want, report } = one;
  const secretId = secretIdOf(kind);
  if (secretId === undefined || found) return false;
  if (!entry) return isNotCompared(one, secretId);
  if (entry.ids.some((id) => makerOfId(input.key, id))) return false;
  if (want && matchesAny(input.options?.sendUnverified, address)) return false;
  if (!input.key) {
    report(withoutKey(address, 'id', want?.at));
    return true;
  }
  report(
    warning(
      'secret/unverified',
      `${address}: the ledger identifies it by a digest of another key, so the object cannot be determined`,
      {
        address,
        ...(want ? { at: want.at } : {}),
        hint: want
          ? `run with the key it was applied with, or create a new one with --send-unverified ${shellQuoted(address)}`
          : 'run with the key it was applied with; until then it stays',
      },
    ),
  );
  return true;
}

/** True if an object of the account may be the wanted one, but the secret that would tell is not available here. */
function isNotCompared({ kind, parent, input, address, want, report }: Case, secretId: string): boolean {
  const { desired, live, ledger, secrets } = input;
  const value = want?.fields[secretId];
  if (
    !want ||
    value === undefined ||
    holesIn(value).every((hole) => '$secret' in hole && secrets.has(hole.$secret))
  )
    return false;
  const isFree = (one: LiveResource) =>
    one.kind === kind.name &&
    one.parent === parent &&
    !desired.resources.has(one.address) &&
    !ledger.entries[one.address];
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
function withClaims(ledger: Ledger, claims: Claims): Ledger {
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
export function paired(input: PlanInput): PlanInput {
  const { desired, live, kinds, secrets, ledger } = input;
  const resources = new Map(live.resources);
  const claims = new Map(input.claims);
  const unnamed = [...desired.resources.values()].filter(({ kind }) => kinds.get(kind)?.shape.pair);
  const attribute = attributeIn(live);
  const found = byCollection(live.resources);
  for (const [id, wanted] of groupBy(unnamed, ({ kind, parent }) => collectionId(kind, parent))) {
    const kind = kinds.get(wanted[0]!.kind)!;
    const pairing = kind.shape.pair!({
      kind,
      wanted,
      found: new Map((found.get(id) ?? []).map((one) => [one.address, one])),
      fieldsOf: (want) => knownFields(kind, want, { secrets, attribute }),
      isKnown: (address) => ledger.entries[address] !== undefined,
    });
    for (const address of pairing.gone) resources.delete(address);
    for (const one of pairing.put) resources.set(one.address, one);
    for (const [now, old] of pairing.claims) claims.set(now, old);
  }
  return { ...input, claims, ledger: withClaims(ledger, claims), live: { ...live, resources } };
}
