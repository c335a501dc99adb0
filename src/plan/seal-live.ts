import { comparedFields, leavesOf } from '../kind/leaves.ts';
import { namesIn } from '../model/field-path.ts';
import type { LiveResource } from '../model/resource.ts';
import { sealAt } from '../model/seal.ts';
import { type Fields, holdsSecret } from '../model/value.ts';
import type { PlanInput } from './input.ts';

/**
 * Seals every live value that a secret was, or is to be, put into. The platform gives it back like any other text, and from here
 * on it may stand in a change, a request or a message.
 */
export function sealLive<I extends Pick<PlanInput, 'desired' | 'live' | 'ledger' | 'kinds'>>(input: I): I {
  const { desired, live, ledger, kinds } = input;
  const sealed = (resource: LiveResource): LiveResource => {
    const kind = kinds.get(resource.kind);
    const want = desired.resources.get(resource.address);
    const isSecret = kind && want && holdsSecret(want.fields);
    const wanted = isSecret ? leavesOf(comparedFields(kind), want.fields) : [];
    const paths = [
      ...Object.keys(ledger.entries[resource.address]?.secrets ?? {}),
      ...(ledger.entries[resource.address]?.hidden ?? []),
      ...wanted.filter(({ value }) => holdsSecret(value)).map(({ path }) => path),
    ].map(namesIn);
    if (paths.length === 0) return resource;
    const fieldsOf = (fields: Fields) => paths.reduce((value, path) => sealAt(value, path) as Fields, fields);
    return {
      ...resource,
      fields: fieldsOf(resource.fields),
      ...(resource.rows
        ? { rows: resource.rows.map((row) => ({ ...row, fields: fieldsOf(row.fields) })) }
        : {}),
      ...(resource.alternatives ? { alternatives: resource.alternatives.map(sealed) } : {}),
    };
  };
  const resources = new Map([...live.resources].map(([address, resource]) => [address, sealed(resource)]));
  return { ...input, live: { ...live, resources } };
}
