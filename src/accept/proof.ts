import { namesOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import { asksForWrite, type Change } from '../model/change.ts';
import { addressAfter, type Move } from '../model/move.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired, Resource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import { isRef, mapHoles, type Value } from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';

/** In place of a path: its place among its siblings. */
export const order = '$order';

/** The fields that were taken over, by address; '' is the object itself. */
export type Paths = ReadonlyMap<Address, ReadonlySet<string>>;

/**
 * Says what is wrong with new texts: a plan of them has to find what was taken over as it is in the account, and must not find anything
 * else in the configuration changed. Empty where that holds.
 * @param moves what was renamed: `paths` has the new names
 */
export function disproved(
  { plan: before, desired: old }: { plan: Plan; desired: Desired },
  { plan: after, desired: now }: { plan: Plan; desired: Desired },
  paths: Paths,
  { moves, kinds }: { moves: readonly Move[]; kinds: Kinds },
): string[] {
  return [
    ...stillDiffering(after, paths),
    ...otherwise(asCalledNow(old, moves, kinds), now, paths),
    ...newErrors(before, after),
  ];
}

function stillDiffering({ changes }: Plan, paths: Paths): string[] {
  return changes.flatMap((change): string[] => {
    const taken = paths.get(change.address);
    if (!taken) return [];
    const open = change.fields.filter((field) => asksForWrite(field) && isTaken(field.path, taken));
    if (open.length > 0)
      return [
        `${change.address} would still be changed: ${open.map(({ path }) => `\`${path}\``).join(', ')}`,
      ];
    if (taken.has(order) && change.moves) return [`${change.address} would still be moved`];
    const isOpen = taken.has('') ? sends(change) : change.action === 'create' || change.action === 'delete';
    return isOpen ? [`${change.address} would still be ${words[change.action] ?? 'changed'}`] : [];
  });
}

const words: Partial<Record<Change['action'], string>> = {
  create: 'created',
  delete: 'deleted',
  replace: 'replaced',
  move: 'moved',
};

const sends = ({ action, fields, moves }: Change): boolean =>
  action === 'create' ||
  action === 'delete' ||
  action === 'replace' ||
  moves === true ||
  fields.some(asksForWrite);

const isTaken = (path: string, taken: ReadonlySet<string>): boolean =>
  [...taken].some(
    (one) => one === '' || one === path || path.startsWith(`${one}.`) || one.startsWith(`${path}.`),
  );

/** The wanted resources under their new names; a renamed one has its old name. */
function asCalledNow(desired: Desired, moves: readonly Move[], kinds: Kinds): Pick<Desired, 'resources'> {
  if (moves.length === 0) return desired;
  const nameOf = (address: Address) => addressAfter(address, moves);
  const was = new Map(moves.map(({ from, to }) => [to, from]));
  const resources = [...desired.resources.values()].map((resource): [Address, Resource] => {
    const fields = mapMembers(resource.fields, (value) =>
      mapHoles(value, (hole) => (isRef(hole) ? { ...hole, $ref: nameOf(hole.$ref) } : hole)),
    ) as Resource['fields'];
    const kind = kinds.get(resource.kind)!;
    const addressWith = (values: Resource['fields']) =>
      addressOf(resource.parent && nameOf(resource.parent), kind.section, namesOf(kind, values));
    // The name of a variable contains that of its environment.
    const address =
      addressWith(fields) === addressWith(resource.fields) ? nameOf(resource.address) : addressWith(fields);
    const old = was.get(address);
    const { dependsOn } = resource.meta;
    const meta = {
      ...resource.meta,
      ...(dependsOn ? { dependsOn: dependsOn.map(nameOf) } : {}),
      ...(old === undefined ? {} : { was: old }),
    };
    return [
      address,
      { ...resource, address, fields, meta, ...(resource.parent ? { parent: nameOf(resource.parent) } : {}) },
    ];
  });
  return { resources: new Map(resources) };
}

/** The other differences between the configuration and the resources that were taken over. */
function otherwise(
  { resources: old }: Pick<Desired, 'resources'>,
  { resources: now }: Desired,
  paths: Paths,
): string[] {
  const addresses = new Set([...old.keys(), ...now.keys()]);
  return [...addresses].sort().flatMap((address): string[] => {
    const taken = paths.get(address);
    if (taken?.has('')) return [];
    const [before, after] = [old.get(address), now.get(address)];
    if (!before || !after) return [`${address} would be ${before ? 'removed' : 'added'}, too`];
    const names = new Set([...Object.keys(before.fields), ...Object.keys(after.fields)]);
    const differing = [...names].filter(
      (name) =>
        textOf(before.fields[name]) !== textOf(after.fields[name]) &&
        ![...(taken ?? [])].some((path) => path === name || path.startsWith(`${name}.`)),
    );
    if (differing.length > 0) return [`${address} would also change: \`${differing.join('`, `')}\``];
    return metaOf(before) === metaOf(after) ? [] : [`${address} would also have different \`$\` keys`];
  });
}

/** Secrets count by their values: another field may have made one so. */
const textOf = (value: Value | undefined): string => canonical(revealed(value ?? null));

const metaOf = ({ meta, parent, kind }: Resource): string =>
  canonical({ meta: { ...meta }, parent, kind } as never);

const newErrors = (before: Plan, after: Plan): string[] => {
  const known = new Set(before.diagnostics.map(({ code, message }) => `${code} ${message}`));
  return after.diagnostics
    .filter(({ severity, code, message }) => severity === 'error' && !known.has(`${code} ${message}`))
    .map(({ message }) => message);
};
