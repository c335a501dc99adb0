import { declaredExisting, lessSecret, mayCopy, needsConsent, secrecyOf } from '../kind/disclosure.ts';
import { comparedFields } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import { problem } from '../model/diagnostic.ts';
import type { FieldPlace, FieldReference, Secrecy } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { fillHoles, holesIn, isHole, mapHoles, namesIn, type Value } from '../model/value.ts';
import { attributeIn, type PlanInput, type Report } from './input.ts';

/*
 * What only the account and the ledger tell about a reference from one field (the target) to a field of another object (the source):
 *
 *   | Condition                                    | Decided by                                | Otherwise      |
 *   | -------------------------------------------- | ----------------------------------------- | -------------- |
 *   | the target can take the value                | the schema of the target, the value found | ref/type       |
 *   | the target is at least as secret             | traits of both, with the fields found     | ref/secret     |
 *   | the platform returns the source's value      | traits of the source, the fields found    | ref/unreadable |
 *   | the stack owns the source, or the operator agrees | the ledger; `--allow-live`           | ref/secret     |
 *
 * A stack owns an object if its verified ledger has it with the id that was found, or if this plan creates it. An object that this plan only
 * adopts or takes over from another stack is not owned yet: otherwise whoever names an object in YAML could read its secrets.
 */

/** Reports the references of the configuration that do not meet these conditions. */
export function checkReferences(input: PlanInput, report: Report): void {
  const { references = [], resources } = input.desired;
  for (const reference of references) {
    const isRead = input.live.scope?.has(reference.source.address) ?? true;
    if (isRead && resources.has(reference.target.address)) checkReference(reference, input, report);
  }
}

function checkReference(reference: FieldReference, input: PlanInput, report: Report): void {
  const { target, isLive } = reference;
  const source = { ...reference.source, secrecy: secrecyFound(reference.source, input) };
  const place = { address: target.address, at: target.at };
  const related = [{ message: source.secrecy === 'open' ? 'the value' : 'the secret', at: source.at }];
  const misfit = isLive ? misfitOf(reference, input) : undefined;
  if (misfit !== undefined) {
    const message = `\`${target.field}\` of ${target.address} cannot be made of \`${source.field}\` of ${source.address}, which is ${misfit}`;
    report(problem('ref/type', message, { ...place, related }));
  }
  if (source.secrecy === 'open') return;
  const targetSecrecy = secrecyFound(target, input);
  const why = isLive ? whyNotOwned(source.address, input) : undefined;
  if (!mayCopy(source.secrecy, targetSecrecy)) {
    const { message, hint } = lessSecret(source, { ...target, secrecy: targetSecrecy });
    report(problem('ref/secret', message, { ...place, hint, related }));
  } else if (why !== undefined && !input.options?.allowLive?.has(source.address)) {
    report(needsConsent(reference, why));
  } else if (isLive && source.secrecy === 'write-only') {
    const message = `the platform never returns \`${source.field}\` of ${source.address}, so \`${target.field}\` of ${target.address} cannot take it`;
    const hint = 'refer to where the value comes from, for example the same `${secret.NAME}`';
    report(problem('ref/unreadable', message, { ...place, hint, related }));
  }
}

/** Returns how secret a field is with what the account tells about the object. */
function secrecyFound({ address, field, secrecy }: FieldPlace, input: PlanInput): Secrecy {
  const resource = input.desired.resources.get(address);
  const kind = input.kinds.get(resource?.kind ?? '');
  const schema = kind && comparedFields(kind)[namesIn(field)[0]!];
  const traits = schema && traitsOf(schema);
  if (typeof traits?.secret !== 'function') return secrecy;
  return secrecyOf(traits, { ...input.live.resources.get(address)?.fields, ...resource!.fields });
}

/** Says why the stack does not own an object, as the end of a sentence; undefined if it does, or if this plan creates the object. */
function whyNotOwned(address: Address, input: PlanInput): string | undefined {
  const { desired, live, ledger, kinds, claims, taken, unverified } = input;
  const { meta, kind } = desired.resources.get(address)!;
  if (meta.existing) return declaredExisting;
  const found = live.resources.get(address);
  if (!found) return undefined;
  if (meta.forget) return 'which this plan forgets';
  const entry = ledger.entries[claims?.get(address) ?? address];
  if (taken?.has(address)) return 'which this plan only takes over from another stack';
  if (!entry || entry.existing) return 'which this plan only adopts';
  if (unverified !== undefined) return `which this stack may not own: ${unverified}`;
  const isSame = found.ids.some((id) => entry.ids.includes(id));
  if (found.alternatives) return 'whose name several objects of the account have';
  return isSame || kinds.get(kind)!.key.length === 0 ? undefined : 'which was replaced outside';
}

/** Says what a live value is, if the target cannot be made of it: a map or a list in a text, or a value that its schema refuses. */
function misfitOf(
  { source, target }: FieldReference,
  { desired, live, kinds }: PlanInput,
): string | undefined {
  const value = attributeIn(live)(source.address, source.field);
  if (value === undefined || value instanceof Sealed || isHole(value)) return undefined;
  const { fields, kind } = desired.resources.get(target.address)!;
  const [name] = namesIn(target.field);
  const schema = comparedFields(kinds.get(kind)!)[name!];
  const attribute = (address: Address, attr: string) =>
    address === source.address && attr === source.field ? value : undefined;
  const filled = fillHoles(fields[name!], { secrets: new Map(), attribute }) as Value | undefined;
  const isOpen = holesIn(filled).some(
    (hole) => '$ref' in hole && hole.$ref === source.address && hole.attr === source.field,
  );
  const isRefused = schema && !schema.safeParse(mapHoles(filled, () => 'text')).success;
  if (!isOpen && !isRefused) return undefined;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return value === null ? 'nothing' : 'a map';
  return typeof value === 'string' ? 'a text that it does not take' : `a ${typeof value}`;
}
