import { type FieldReference, isIgnored } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, isHole, isJoin, isRef, mapHoles, type Value } from '../model/value.ts';
import type { PlanInput } from './input.ts';

/**
 * Replaces references to ignored fields (`$ignore`) of objects that this plan creates by the declared values. A reference to an ignored
 * field takes the value of the account, because the configuration states it only for the creation. A new object has no such value yet, but
 * its creation sends the declared one, so the plan knows it. `source` of a reference: the field that it names; `target`: the field that
 * contains it.
 */
export function fillReferencesToNew<I extends Pick<PlanInput, 'desired' | 'live'>>(input: I): I {
  const { desired } = input;
  const knownReferences = (desired.references ?? []).flatMap((reference) => {
    const value = valueForCreation(reference, input);
    return value === undefined ? [] : [{ ...reference, value }];
  });
  if (knownReferences.length === 0) return input;
  const values = new Map(
    knownReferences.map(({ source, value }) => [`${source.address} ${source.field}`, value]),
  );
  const fill = (value: unknown): unknown =>
    mapHoles(value, (hole) => {
      if (isJoin(hole)) return joinTexts(hole.$join.map(fill) as Value[]);
      const declared = isRef(hole) ? values.get(`${hole.$ref} ${hole.attr}`) : undefined;
      return declared === undefined ? hole : fill(declared);
    });
  const resources = new Map(desired.resources);
  for (const address of new Set(knownReferences.map(({ target }) => target.address))) {
    const resource = resources.get(address);
    if (resource) resources.set(address, { ...resource, fields: fill(resource.fields) as Fields });
  }
  return { ...input, desired: { ...desired, resources } };
}

/**
 * Returns the declared value of the ignored field to which a reference refers, if the plan creates the object with the field; otherwise
 * undefined. `isLive`: the reference takes its value from the account.
 */
function valueForCreation(
  { source, isLive }: FieldReference,
  { desired, live }: Pick<PlanInput, 'desired' | 'live'>,
): Value | undefined {
  const resource = desired.resources.get(source.address);
  const isNew = isLive && resource !== undefined && !live.resources.has(source.address);
  return isNew && isIgnored(source.field, resource.meta) ? resource.fields[source.field] : undefined;
}

/**
 * Joins the parts of a text, after references among them were replaced by values. If some parts are still holes (values that the plan does
 * not know) or secrets, returns a hole with parts, which `apply` fills.
 */
function joinTexts(parts: Value[]): Value {
  const pieces = parts.flatMap((part) =>
    isJoin(part) ? part.$join : [isHole(part) || part instanceof Sealed ? part : String(part)],
  );
  return pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : ({ $join: pieces } as Value);
}
