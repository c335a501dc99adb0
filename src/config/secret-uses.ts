import type { Resource } from '../model/resource.ts';
import { holesIn } from '../model/value.ts';

/** The resources that use each secret, by its name. */
export function usesOf(resources: Iterable<Resource>): Map<string, Resource[]> {
  const uses = new Map<string, Resource[]>();
  for (const resource of resources) {
    const names = new Set(
      holesIn(resource.fields).flatMap((hole) => ('$secret' in hole ? hole.$secret : [])),
    );
    for (const name of names) {
      const users = uses.get(name);
      if (users) users.push(resource);
      else uses.set(name, [resource]);
    }
  }
  return uses;
}
