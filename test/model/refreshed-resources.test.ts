import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectsOfCollection, RefreshedResources } from '../../src/model/refreshed-resources.ts';
import { collectionId, groupByCollection, type LiveResource } from '../../src/model/resource.ts';

const parents = ['projects/a', 'projects/b', 'projects/c'];
const resource = fc
  .tuple(
    fc.constantFrom(...parents),
    fc.constantFrom('env', 'domains'),
    fc.constantFrom('x', 'y', 'z'),
    fc.nat(9),
  )
  .map(([parent, kind, name, id]) => {
    const address = `${parent}/${kind}/${name}`;
    return { address, kind, parent, id: `${id}`, ids: [`${id}`], fields: {} } as unknown as LiveResource;
  });
const change = fc.record({ resource, isDeletion: fc.boolean() });
const collections = parents.flatMap((parent) => ['env', 'domains'].map((kind) => collectionId(kind, parent)));

test('refreshed resources are a copy of the earlier ones without the refreshed collections, with the later changes', () => {
  fc.assert(
    fc.property(
      fc.array(resource, { maxLength: 12 }),
      fc.subarray(collections),
      fc.array(change, { maxLength: 8 }),
      (earlier, refreshedIds, changes) => {
        const before = new Map(earlier.map((object) => [object.address, object]));
        const refreshed = new Set(refreshedIds);
        const copy = new Map(
          [...before].filter(([, { kind, parent }]) => !refreshed.has(collectionId(kind, parent))),
        );
        const resources = new RefreshedResources(before, refreshed);
        for (const { resource: object, isDeletion } of changes) {
          if (isDeletion) expect(resources.delete(object.address)).toBe(copy.delete(object.address));
          else {
            // An address that is read again counts as new, so it comes last.
            if (copy.get(object.address) === before.get(object.address)) copy.delete(object.address);
            copy.set(object.address, object);
            resources.set(object.address, object);
          }
          // Between the changes, since later ones must not leave an earlier answer as it is.
          const id = collectionId(object.kind, object.parent);
          expect(objectsOfCollection(resources, id)).toEqual(groupByCollection(new Map(copy)).get(id) ?? []);
        }
        expect([...resources]).toEqual([...copy]);
        expect(new Map(resources)).toEqual(copy);
        expect([...resources.keys()]).toEqual([...copy.keys()]);
        expect([...resources.values()]).toEqual([...copy.values()]);
        const visited: unknown[] = [];
        resources.forEach((object, address) => {
          visited.push([address, object]);
        });
        expect(visited).toEqual([...copy]);
        expect(resources.size).toBe(copy.size);
        for (const { address } of [...earlier, ...changes.map(({ resource: object }) => object)]) {
          expect(resources.get(address)).toBe(copy.get(address));
          expect(resources.has(address)).toBe(copy.has(address));
        }
        for (const id of collections)
          expect(objectsOfCollection(resources, id)).toEqual(groupByCollection(copy).get(id) ?? []);
        resources.clear();
        expect([resources.size, ...resources]).toEqual([0]);
      },
    ),
  );
});
