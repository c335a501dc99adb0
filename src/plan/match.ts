import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import type { LiveResource, Resource } from '../model/resource.ts';

export interface Match {
  /** The live object that is meant. */
  found?: LiveResource;
  /** Others under the same address. */
  others: LiveResource[];
  /** Why it cannot be told which one is meant, or what stands in its way. */
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
  problem('match/ambiguous', `${all.length} live objects are called ${address}: ${idsOf(all)}`, {
    address,
    at,
    hint: 'write `$id: ID` in the block to say which one is meant',
  });

const noSuchId = ({ address, at }: Resource, id: string, all: LiveResource[]) =>
  problem(
    'match/no-such-id',
    `${address} says \`$id: ${id}\`, but ${all.length === 0 ? 'nothing in the account has its name' : `what has its name is ${idsOf(all)}`}`,
    { address, at, hint: 'correct the `$id`; without one, what is not there is created' },
  );

const nameTaken = ({ address, at }: Resource, meant: LiveResource, holder: LiveResource) =>
  problem(
    'match/name-taken',
    `${address} is called ${meant.renamedTo} in the account (${meant.id}), and another object (${holder.id}) has its name`,
    {
      address,
      at,
      hint: 'rename or delete one of the two in the account, or declare both under the names they have',
    },
  );
