import type { Kind, Kinds } from '../kind/kind.ts';
import type { ApiObject } from '../kind/read.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import type { Send } from '../model/request.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import { ancestorIds } from './collection-objects.ts';
import { createReadFailure } from './collection-reader.ts';

/**
 * Returns the account with the readiness of these objects as a further read of each shows it (`read.later.check`), so that a plan can warn of a domain
 * without its DNS record. Objects that are not ready by their own answer, or do not exist, are not read. Never throws: a failed read is in `unchecked`.
 */
export async function checkReadiness(
  live: Live,
  addresses: Iterable<Address>,
  { kinds, send }: { kinds: Kinds; send: Send },
): Promise<Live> {
  const checkObject = async (object: LiveResource, kind: Kind): Promise<LiveResource> => {
    const check = kind.read.later!.check!;
    // The desired parent of an object that moves may not exist yet.
    const { parent = '' } = object.transfer ?? object;
    const params = { ...ancestorIds(live.resources.get(parent), live), id: object.id };
    try {
      const answer = await send({ endpoint: check.endpoint, params });
      return { ...object, pending: check.pending(answer as ApiObject, object) };
    } catch (error) {
      return { ...object, unchecked: createReadFailure(error, kind).cause };
    }
  };
  const checks = [...addresses].flatMap((address) => {
    const object = live.resources.get(address);
    const kind = object && kinds.get(object.kind)!;
    const isNeeded = !object?.pending && kind?.read.later?.check?.appliesTo(object!.fields);
    return isNeeded ? checkObject(object!, kind!) : [];
  });
  const checked = await Promise.all(checks);
  if (checked.length === 0) return live;
  return { ...live, resources: new Map([...live.resources, ...indexByAddress(checked)]) };
}
