import type { Live, LiveResource } from '../model/resource.ts';
import type { PlanInput } from '../plan/input.ts';
import { sealUnderAnyName } from '../plan/seal-under-any-name.ts';

/**
 * Returns a function to seal in a reading of the twin (the simulated account of a rehearsal) what the plan hides. Without it, an example
 * of a request would show a secret of a rule, and a verdict would tell whether the text of another rule is the beginning of that secret.
 * Each object is sealed once, because most states share most objects.
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
