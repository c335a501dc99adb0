import { type Change, keptOf } from '../../model/change.ts';
import { namesIn } from '../../model/field-path.ts';
import { groupBy } from '../../model/graph.ts';
import { holesIn, isRef, type Value } from '../../model/value.ts';
import { providerName } from './resource-change.ts';
import { placeOf } from './sides.ts';

type PlaceAt = (address: string) => string[];

/**
 * The configuration as far as consumers look at it: each type and name once, as Terraform has a block with `for_each`, with the
 * resources that its fields refer to. Values are in `planned_values`, not here.
 */
export function configuration(declared: Change[], all: Change[]) {
  const kinds = new Map(all.map(({ address, kind }) => [address, kind]));
  const referencesTo: PlaceAt = (address) => {
    const kind = kinds.get(address);
    if (kind === undefined) return [];
    const place = placeOf(kind, address);
    return [place.address, `${place.type}.${place.name}`];
  };
  const blocks = groupBy(declared, ({ kind, address }) => {
    const { type, name } = placeOf(kind, address);
    return `${type}.${name}`;
  });
  return {
    provider_config: { trueup: { name: 'trueup', full_name: providerName } },
    root_module:
      blocks.size === 0
        ? {}
        : { resources: [...blocks].map(([address, changes]) => block(address, changes, referencesTo)) },
  };
}

function block(address: string, changes: Change[], referencesTo: PlaceAt) {
  const [{ kind, address: first }] = changes as [Change];
  const { type, name } = placeOf(kind, first);
  const parents = changes.flatMap(({ parent }) =>
    parent === undefined ? [] : referencesTo(parent).slice(1),
  );
  return {
    address,
    mode: 'managed',
    type,
    name,
    provider_config_key: 'trueup',
    expressions: expressions(changes, referencesTo),
    schema_version: 0,
    ...(parents.length > 0 ? { depends_on: [...new Set(parents)] } : {}),
  };
}

/** The references of each field, as Terraform lists them: the attribute, then the resource, then its block. */
function expressions(changes: Change[], referencesTo: PlaceAt) {
  const references = new Map<string, Set<string>>();
  for (const [path, value] of changes.flatMap(leavesOf))
    for (const hole of holesIn(value).filter(isRef)) {
      const field = namesIn(path)[0]!;
      const [place, ...blocks] = referencesTo(hole.$ref);
      const found = references.get(field) ?? new Set();
      if (place !== undefined) for (const one of [`${place}.${hole.attr}`, place, ...blocks]) found.add(one);
      if (found.size > 0) references.set(field, found);
    }
  const sorted = [...references].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([field, found]) => [field, { references: [...found] }]));
}

const leavesOf = (change: Change): [string, Value | undefined][] => [
  ...keptOf(change),
  ...change.fields.map(({ path, after }): [string, Value | undefined] => [path, after]),
];
