import type { PossibleSecret } from '../../accept/acceptance.ts';
import type { Address } from '../../model/address.ts';
import { createAddressMatcher } from '../../model/address-glob.ts';
import { Problems } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import { addressWithoutTarget, unitSuffixOf } from '../../model/logical-changes.ts';
import { createOwnerFinder } from '../../plan/claims.ts';
import { createUnmatchedGlobProblems } from '../../plan/select-changes.ts';
import type { Planned } from '../../run/open-plan.ts';
import type { Port } from '../host.ts';
import type { Session } from '../session/session.ts';

/** The objects to declare that nobody declares, and, for people, requests that cannot be met. */
interface Additions {
  additions: Set<Address>;
  notAdded: string[];
}

/** The requests by address (`named`), by `--all`, and by `--new` (`globs`). */
interface RequestedAdditions {
  named: string[];
  all: boolean | undefined;
  globs: string[];
}

/** Finds requested objects that belong to nobody; those of another stack are told. */
export async function findAdditions(
  session: Session,
  { plan, live }: Planned,
  { named, all, globs }: RequestedAdditions,
): Promise<Additions> {
  const [additions, notAdded] = [new Set<Address>(), [] as string[]];
  const isNew = globs.length > 0 ? createAddressMatcher(globs) : () => false;
  const isNamed = createAddressMatcher(named);
  const changes = plan.changes
    .filter(({ exclusive, action }) => exclusive && action === 'delete')
    .filter(({ address }) => isNew(address) || all || (named.length > 0 && isNamed(address)));
  const found = [
    ...plan.unmanaged.filter(({ address }) => isNew(address)),
    ...changes.map(({ address, kind, id = '' }) => ({ address, kind, id })),
  ];
  const ownerOf = createOwnerFinder(await session.others, session.kinds, (address) =>
    live.resources.get(address),
  );
  for (const { address, kind, id } of found) {
    const owner = ownerOf({ kind, address, ids: id.split(',') });
    if (owner !== undefined) notAdded.push(`${address} is owned by the stack ${owner}`);
    else if (session.desired.resources.has(address) || !live.resources.has(address))
      notAdded.push(`${address}: it is partly declared; pass it without --new, or add the rest by hand`);
    else additions.add(address);
  }
  const wrong = createUnmatchedGlobProblems(globs, [
    ...found.map(({ address }) => address),
    ...session.desired.resources.keys(),
  ]);
  if (wrong.length > 0) throw new Problems(wrong);
  return { additions, notAdded };
}

/** Values that may be secrets, one for each entry of the YAML, as people call it. */
export const groupByEntry = (
  doubtful: PossibleSecret[],
): { name: string; whole: Address; path: string; of: PossibleSecret[] }[] =>
  [...groupBy(doubtful, ({ entry, path, address }) => entry ?? `${address} ${path}`).values()].flatMap(
    (alike) =>
      [...groupBy(alike, ({ path }) => path)].map(([path, of]) => {
        const [{ address }] = of as [PossibleSecret];
        const whole = addressWithoutTarget(address);
        const places = of.map((doubtful) => unitSuffixOf(doubtful.address)).filter((place) => place !== '');
        return { name: places.length > 0 ? `${whole} [${places.join(', ')}]` : whole, whole, path, of };
      }),
  );

/**
 * The values that may be secrets, and are written nevertheless, as `ADDRESS PATH`: named by a flag (`values`), or each confirmed by
 * somebody.
 */
export async function confirmPossibleSecrets(
  doubtful: PossibleSecret[],
  { values = [], autoApprove = false }: { values?: string[]; autoApprove?: boolean },
  port: Port,
): Promise<Set<string>> {
  const allowed = new Set<string>();
  const isNamed = createAddressMatcher(values);
  for (const { name, path, of } of groupByEntry(doubtful)) {
    const mayWrite =
      of.every(({ address }) => isNamed(address)) ||
      (!autoApprove &&
        port.canAsk &&
        (await port.ask(
          `Write \`${path}\` of ${name} into the configuration, where anyone can read it? It may be a secret. Type \`yes\` to continue: `,
        )) === 'yes');
    if (mayWrite) for (const one of of) allowed.add(`${one.address} ${one.path}`);
  }
  return allowed;
}
