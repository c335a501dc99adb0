import { namesOf } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { Fields, Value } from '../../model/value.ts';
import type { Node, ScalarNode } from '../yaml/nodes.ts';

/** The addresses of the units that one entry stands for, as far as its fields tell them now; none if they do not. */
export function unitAddresses(
  kind: Kind,
  parent: Address | undefined,
  key: ScalarNode | undefined,
  node: Node,
): Address[] {
  const fields: Fields = {};
  const written = new Map(
    node.type === 'map' ? node.entries.map((entry) => [entry.key.text, entry.value]) : [],
  );
  if (key && kind.yaml.mapBy !== undefined) written.set(kind.yaml.mapBy, key);
  for (const [name, schema] of Object.entries(kind.fields)) {
    const value = written.get(name);
    const normal = schema.safeParse(value && plainOf(value));
    if (normal.success && normal.data !== undefined) fields[name] = normal.data as Value;
  }
  try {
    return kind.shape.units(fields, {}).map((unit) => addressOf(parent, kind.section, namesOf(kind, unit)));
  } catch {
    return [];
  }
}

function plainOf(node: Node): unknown {
  if (node.type === 'list') return node.items.map(plainOf);
  if (node.type === 'map')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, plainOf(value)]));
  return node.type === 'scalar' ? node.value : undefined;
}
