import { holdsSecret } from '../kind/compare.ts';
import { comparedFields, leavesOf } from '../kind/leaves.ts';
import { namesIn } from '../model/field-path.ts';
import { mapMembers } from '../model/members.ts';
import type { LiveResource } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, isHole, isPlainObject, type Value } from '../model/value.ts';
import type { PlanInput } from './input.ts';

/**
 * The input with every live value sealed that a secret was, or is to be, put into. The platform gives it back like any other
 * text, and from here on it may stand in a change, a request or a message.
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

function sealAt(value: Value, [name, ...rest]: string[]): Value {
  if (name === undefined) return sealDeep(value);
  if (!isPlainObject(value) || value[name] === undefined) return value;
  return { ...value, [name]: sealAt(value[name] as Value, rest) } as Value;
}

/** All text in a value; its shape stays, since it may have to be sent back. */
function sealDeep(value: Value): Value {
  if (typeof value === 'string') return value === '' ? value : new Sealed(value);
  if (Array.isArray(value)) return value.map(sealDeep);
  if (!isPlainObject(value) || isHole(value)) return value;
  return mapMembers(value as Fields, sealDeep);
}
