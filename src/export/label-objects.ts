import type { Kind, Label } from '../kind/kind.ts';
import { type Address, addressOf, escapeName, lastNameOf } from '../model/address.ts';
import type { LiveResource } from '../model/resource.ts';

/** The collection of objects to label, and the configuration that gets their blocks. */
interface LabelContext {
  /** The address of the object that the collection is in. */
  parent: Address | undefined;
  /** All live objects of the collection. */
  collection: readonly LiveResource[];
  /** The addresses that the configuration declares already. */
  declared: { has(address: Address): boolean };
}

/**
 * Returns the labels of exported objects that have no name on the platform, such as webhooks, because their blocks and the
 * references to them need one. A declared object keeps the label that it has in the configuration. Any other object gets a label
 * that the configuration does not have, so that its block cannot be confused with a declared one. Empty for a kind whose objects
 * have names.
 */
export function labelObjects(
  kind: Kind,
  objects: readonly LiveResource[],
  { parent, collection, declared }: LabelContext,
): ReadonlyMap<LiveResource, Label> {
  if (!kind.shape.labels) return new Map();
  const isDeclared = ({ address }: LiveResource) => declared.has(address);
  const newLabels = kind.shape.labels(
    kind,
    objects.filter((resource) => !isDeclared(resource)),
    {
      collection: collection.flatMap((resource) => [
        resource,
        ...(resource.alternatives ?? []).filter(({ id }) => id !== resource.id),
      ]),
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
