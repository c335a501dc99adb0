import type { Address } from '../model/address.ts';
import { matcherOf } from '../model/address-glob.ts';
import { Problems } from '../model/diagnostic.ts';
import { ownersIn } from '../plan/ownership.ts';
import { unmatched } from '../plan/select.ts';
import type { Planned } from '../run/open-plan.ts';
import type { Session } from './session.ts';

/** The objects to declare that nobody declares, and, for people, requests that cannot be met. */
interface Additions {
  additions: Set<Address>;
  notAdded: string[];
}

/** The requests by address (`named`), by `--all`, and by `--new` (`globs`). */
interface Asked {
  named: string[];
  all: boolean | undefined;
  globs: string[];
}

/** Finds requested objects that belong to nobody; those of another stack are told. */
export async function findAdditions(
  session: Session,
  { plan, live }: Planned,
  { named, all, globs }: Asked,
): Promise<Additions> {
  const [additions, notAdded] = [new Set<Address>(), [] as string[]];
  const isNew = globs.length > 0 ? matcherOf(globs) : () => false;
  const isNamed = matcherOf(named);
  const made = plan.changes
    .filter(({ exclusive, action }) => exclusive && action === 'delete')
    .filter(({ address }) => isNew(address) || all || (named.length > 0 && isNamed(address)));
  const found = [
    ...plan.unmanaged.filter(({ address }) => isNew(address)),
    ...made.map(({ address, kind, id = '' }) => ({ address, kind, id })),
  ];
  const ownerOf = ownersIn(await session.others, session.kinds);
  for (const { address, kind, id } of found) {
    const owner = ownerOf({ kind, address, ids: id.split(',') });
    if (owner !== undefined) notAdded.push(`${address} is owned by the stack ${owner}`);
    else if (session.desired.resources.has(address) || !live.resources.has(address))
      notAdded.push(`${address}: it is partly declared; pass it without --new, or add the rest by hand`);
    else additions.add(address);
  }
  const wrong = unmatched(globs, [
    ...found.map(({ address }) => address),
    ...session.desired.resources.keys(),
  ]);
  if (wrong.length > 0) throw new Problems(wrong);
  return { additions, notAdded };
}
