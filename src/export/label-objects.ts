import type { Kind, Label } from '../kind/kind.ts';
import { type Address, addressOf, escapeName, lastNameOf } from '../model/address.ts';
import type { LiveResource } from '../model/resource.ts';

/** What `labelObjects` must know besides the objects to label. Collection: all objects of one kind below one parent. */
interface LabelContext {
  /** The object that the collection is in, such as a project; undefined for a collection of the account. */
  parent: Address | undefined;
  /** All live objects of the collection, also those that are not exported: the values in a block must not fit any of these. */
  collection: readonly LiveResource[];
  /** The addresses that the configuration declares already. Empty for `trueup export`; `trueup accept` adds blocks to a configuration. */
  declared: { has(address: Address): boolean };
}

/**
 * Returns a label for each exported object (`objects`) that has no name on the platform, such as a webhook. Its block in the YAML needs a
 * label as its key, and references to it use the label as well. Empty for a kind whose objects have names.
 *   - An object that the configuration declares already keeps the label from there. It needs no `$id`, because its declared block finds it.
 *   - Any other object gets a new label, such as `example.com-deploy`, which no declared object of the collection has. `needsId` tells
 *     if its block also needs `$id`, because another object of the collection has the same values.
 */
export function labelObjects(
  kind: Kind,
  objects: readonly LiveResource[],
  { parent, collection, declared }: LabelContext,
): ReadonlyMap<LiveResource, Label> {
  if (!kind.shape.labels) return new Map();
  const isDeclared = ({ address }: LiveResource) => declared.has(address);
  // Several objects can share an address. Then `collection` holds one of them, with all of them as its `alternatives`.
  const allObjects = collection.flatMap((resource) => [
    resource,
    ...(resource.alternatives ?? []).filter(({ id }) => id !== resource.id),
  ]);
  const newLabels = kind.shape.labels(
    kind,
    objects.filter((resource) => !isDeclared(resource)),
    {
      collection: allObjects,
      isTaken: (label) => declared.has(addressOf(parent, kind.section, [escapeName(label)])),
    },
  );
  const declaredLabels = objects
    .filter(isDeclared)
    .map((resource): [LiveResource, Label] => [
      resource,
      { text: lastNameOf(resource.address), needsId: false },
    ]);
  return new Map([...newLabels, ...declaredLabels]);
}
