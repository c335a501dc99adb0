import type { Kind, Kinds } from '../kind/kind.ts';
import type { ApiObject, ReadinessCheck } from '../kind/read.ts';
import { indexByAddress } from '../model/address.ts';
import type { Send } from '../model/request.ts';
import type { Live, LiveResource, Resource } from '../model/resource.ts';
import { ancestorIds } from './collection-objects.ts';
import { createReadFailure } from './collection-reader.ts';

/**
 * The most objects without a `$wait` that are read one by one for this, because each costs a request whose
 * rate limit is not documented.
 */
const maxReads = 100;
const whyLeftOut = `a plan reads this for ${maxReads} objects; see the others with \`--target\``;

/**
 * Returns the account with what a further read of some of these objects shows about their readiness
 * (`read.later.check`), for the warnings of a plan, such as of a domain without its DNS record, and for the
 * wait of an apply. Read are objects that exist, are ready by their own answer, and to which the check
 * applies: all that have a `$wait`, of the others the first 100. Never throws: `unchecked` says why a read
 * was left out or failed.
 */
export async function checkReadiness(
  live: Live,
  resources: Iterable<Resource>,
  { kinds, send }: { kinds: Kinds; send: Send },
): Promise<Live> {
  const needed = listNeededChecks(live, resources, kinds);
  if (needed.length === 0) return live;
  const leftOut = new Set(needed.filter(({ hasWait }) => !hasWait).slice(maxReads));
  const checked = await Promise.all(
    needed.map((item) =>
      leftOut.has(item) ? { ...item.object, unchecked: whyLeftOut } : readReadiness(item, live, send),
    ),
  );
  return { ...live, resources: new Map([...live.resources, ...indexByAddress(checked)]) };
}

/** A live object that is ready by its own answer, with the further read that shows whether it really is. */
interface NeededCheck {
  object: LiveResource;
  kind: Kind;
  check: ReadinessCheck;
  /** True if its block has a `$wait`. */
  hasWait: boolean;
}

/** Lists those of the declared objects that exist and need a further read of their readiness. */
const listNeededChecks = (live: Live, resources: Iterable<Resource>, kinds: Kinds): NeededCheck[] =>
  [...resources].flatMap(({ address, meta }) => {
    const object = live.resources.get(address);
    if (!object || object.pending) return [];
    const kind = kinds.get(object.kind)!;
    const check = kind.read.later?.check;
    return check?.appliesTo(object.fields) ? [{ object, kind, check, hasWait: meta.wait !== undefined }] : [];
  });

/** Reads the readiness of one object, and returns the object with it, or with the reason why the read failed. */
async function readReadiness(
  { object, kind, check }: NeededCheck,
  live: Live,
  send: Send,
): Promise<LiveResource> {
  // The desired parent of an object that moves may not exist yet.
  const { parent = '' } = object.transfer ?? object;
  const params = { ...ancestorIds(live.resources.get(parent), live), id: object.id };
  try {
    const answer = (await send({ endpoint: check.endpoint, params })) as ApiObject;
    const pending = check.pending(answer, object);
    const facts = Object.fromEntries((check.facts ?? []).map((name) => [name, answer[name]]));
    return { ...object, pending, facts: { ...object.facts, ...facts } };
  } catch (error) {
    return { ...object, unchecked: createReadFailure(error, kind).cause };
  }
}
