import type { Live, LiveResource } from '../model/resource.ts';
import type { PlanInput } from '../plan/input.ts';
import { sealUnderAnyName } from '../plan/seal-under-any-name.ts';

/**
 * Returns a function to seal the secrets that the plan hides in a reading of the twin (the simulated account of a rehearsal). Otherwise the
 * report about visitors could show the secret that a rule compares requests with in an example, and its verdicts could confirm the text of
 * another rule as the beginning of that secret. Each object is sealed once, because most states share most objects.
 */
export function createStateSealer(input: PlanInput): (live: Live) => Live {
  const sealedObjects = new Map<LiveResource, LiveResource>();
  return (live) => {
    const added = new Map([...live.resources].filter(([, object]) => !sealedObjects.has(object)));
    const { resources } = sealUnderAnyName({ ...input, live: { ...live, resources: added } });
    for (const [address, object] of added) sealedObjects.set(object, resources.get(address)!);
    return {
      ...live,
      resources: new Map(
        [...live.resources].map(([address, object]) => [address, sealedObjects.get(object)!]),
      ),
    };
  };
}
