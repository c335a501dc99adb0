import {
  declaredExisting,
  describeLeak,
  mayCopy,
  mostSecret,
  type NotOwned,
  reportMissingConsent,
  secrecyOf,
} from '../kind/disclosure.ts';
import { comparedFields, withoutPaths } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import type { Reporter } from '../model/diagnostic.ts';
import type { FieldPlace, FieldReference, Resource, Secrecy } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import {
  type Fields,
  fillHoles,
  holdsSecret,
  holesIn,
  isHole,
  isJoin,
  isRef,
  mapHoles,
  namesInPath,
  type Value,
} from '../model/value.ts';
import { createAttributeLookup, type PlanInput } from './input.ts';

/*
 * The conditions of a reference from a field (the target) to a field of another object (the source) that depend on the account or the ledger:
 *
 *   | Condition                                    | Decided by                                | Otherwise      |
 *   | -------------------------------------------- | ----------------------------------------- | -------------- |
 *   | the target can take the value                | the schema of the target, the value found | ref/type       |
 *   | the target is at least as secret             | traits of both, the fields and values found | ref/secret     |
 *   | the platform returns the source's value      | traits of the source, the fields found    | ref/unreadable |
 *   | the stack owns the source, or the operator agrees | the ledger; `--allow-live`           | ref/secret     |
 *
 * A found value of a field that is not secret by its traits counts as readable if `disclosure.ts` does not hold it open: a build command with
 * a token in it, for example.
 *
 * A stack owns an object if its verified ledger has it with the id that was found, or if this plan creates it. An object that this plan only
 * adopts or takes over from another stack is not owned yet. Otherwise, anybody who names an object in YAML could read its secrets.
 */

/** Reports the references of the configuration that do not meet these conditions. */
export function checkReferences(input: PlanInput, report: Reporter): void {
  const { references = [], resources } = input.desired;
  for (const reference of references) {
    const isRead = input.live.scope?.has(reference.source.address) ?? true;
    if (isRead && resources.has(reference.target.address)) checkReference(reference, input, report);
  }
  for (const resource of resources.values()) checkActionInputs(resource, input, report);
}

/** Reports actions whose input would show a value of the account that is not open. */
function checkActionInputs({ address, meta, at }: Resource, { live }: PlanInput, report: Reporter): void {
  for (const { action, input } of meta.actions ?? [])
    for (const hole of holesIn(input)) {
      if (!isRef(hole) || !holdsSecret(createAttributeLookup(live)(hole.$ref, hole.attr))) continue;
      const message = `the action \`${action}\` of ${address} would get \`${hole.attr}\` of ${hole.$ref}, whose value may be a secret`;
      const hint =
        'the input of an action stands in the plan and in the ledger, so write the value itself if it is not a secret';
      report.error('ref/secret', message, { address, at, hint });
    }
}

/** Returns the references that copy a value which may be a secret, as far as the account that was read tells. */
export const findSecretReferences = (input: PlanInput): FieldReference[] =>
  (input.desired.references ?? []).filter(
    (reference) =>
      input.desired.resources.has(reference.target.address) && sourceSecrecy(reference, input) !== 'open',
  );

function checkReference(reference: FieldReference, input: PlanInput, report: Reporter): void {
  const { target, isLive } = reference;
  const source = { ...reference.source, secrecy: sourceSecrecy(reference, input) };
  const place = { address: target.address, at: target.at };
  const related = [{ message: source.secrecy === 'open' ? 'the value' : 'the secret', at: source.at }];
  const misfit = isLive ? misfitOf(reference, input) : undefined;
  if (misfit !== undefined) {
    const message = `\`${target.field}\` of ${target.address} cannot be made of \`${source.field}\` of ${source.address}, which is ${misfit}`;
    report.error('ref/type', message, { ...place, related });
  }
  if (source.secrecy === 'open') return;
  const secrecy = targetSecrecy(reference, input);
  const notOwned = isLive ? whyNotOwned(source.address, input) : undefined;
  if (!mayCopy(source.secrecy, secrecy)) {
    const { message, hint } = describeLeak(source, { ...target, secrecy });
    report.error('ref/secret', message, { ...place, hint, related });
  } else if (notOwned && !input.options?.allowLive?.has(source.address)) {
    report.add(reportMissingConsent(reference, notOwned));
  } else if (isLive && source.secrecy === 'write-only') {
    const message = `the platform never returns \`${source.field}\` of ${source.address}, so \`${target.field}\` of ${target.address} cannot take it`;
    const hint = 'refer to where the value comes from, for example the same `${secret.NAME}`';
    report.error('ref/unreadable', message, { ...place, hint, related });
  }
}

/**
 * Treats secrets that references would copy, and that the platform does not return to this run's token, as secrets that are not available
 * here: they are not compared, and an apply that has to send one does not begin.
 */
export function markUnreadSecrets<I extends Pick<PlanInput, 'desired' | 'live'>>(input: I): I {
  const { desired, live } = input;
  const unread = (desired.references ?? []).filter(({ source, isLive }) => {
    const resource = live.resources.get(source.address);
    return (
      isLive &&
      source.secrecy !== 'open' &&
      resource !== undefined &&
      resource.fields[source.field] === undefined
    );
  });
  if (unread.length === 0) return input;
  const resources = new Map(desired.resources);
  for (const { source, target } of unread) {
    const resource = resources.get(target.address);
    const isUnread = (hole: unknown) =>
      isRef(hole) && hole.$ref === source.address && hole.attr === source.field;
    const withoutRef = (value: unknown): unknown =>
      mapHoles(value, (hole) => {
        if (isUnread(hole)) return { $secret: `${source.field} of ${source.address}` };
        return isJoin(hole) ? { $join: hole.$join.map(withoutRef) } : hole;
      });
    if (resource)
      resources.set(target.address, { ...resource, fields: withoutRef(resource.fields) as Fields });
  }
  return { ...input, desired: { ...desired, resources } };
}

/** Returns how secret the source is: a value of the account is as secret as it is there, whatever is declared beside the reference. */
function sourceSecrecy({ source, isLive }: FieldReference, input: PlanInput): Secrecy {
  const live = input.live.resources.get(source.address)?.fields;
  const declared = input.desired.resources.get(source.address)?.fields;
  const after = secrecyWith({ ...live, ...declared }, source, input);
  if (!isLive || !live) return after;
  const isDoubtful = holdsSecret(createAttributeLookup(input.live)(source.address, source.field));
  return mostSecret(after, secrecyWith(live, source, input), isDoubtful ? 'readable' : 'open');
}

/** Returns how secret the target will be. Fields that `$ignore` names stay as they are. */
function targetSecrecy({ target }: FieldReference, input: PlanInput): Secrecy {
  const live = input.live.resources.get(target.address)?.fields;
  const { fields, meta } = input.desired.resources.get(target.address)!;
  const ignored = live ? (meta.ignore ?? []).map((path) => namesInPath(path)[0]!) : [];
  return secrecyWith({ ...live, ...withoutPaths(fields, ignored) }, target, input);
}

/** Returns how secret a field of an object with these fields is. */
function secrecyWith(fields: Fields, { address, field, secrecy }: FieldPlace, input: PlanInput): Secrecy {
  const kind = input.kinds.get(input.desired.resources.get(address)?.kind ?? '');
  const schema = kind && comparedFields(kind)[namesInPath(field)[0]!];
  const traits = schema ? traitsOf(schema) : {};
  return typeof traits.secret === 'function' || traits.neverReturned ? secrecyOf(traits, fields) : secrecy;
}

/** Says why the stack does not own an object; undefined if it does, or if this plan creates the object. */
function whyNotOwned(address: Address, input: PlanInput): NotOwned | undefined {
  const { desired, live, ledger, kinds, takenOver, unverifiedReason } = input;
  const resource = desired.resources.get(address);
  if (!resource) return { why: 'which this configuration does not declare' };
  const { meta, kind } = resource;
  if (meta.existing) return declaredExisting;
  const found = live.resources.get(address);
  if (!found) return undefined;
  if (meta.forget) return { why: 'which this plan forgets' };
  const entry = ledger.entries[address];
  const instead = 'apply that first, without the reference';
  if (takenOver?.has(address)) return { why: 'which this plan only takes over from another stack', instead };
  if (!entry || entry.existing) return { why: 'which this plan only adopts', instead };
  if (unverifiedReason !== undefined) return { why: `which this stack may not own: ${unverifiedReason}` };
  if (found.alternatives) return { why: 'whose name several objects of the account have' };
  const isSame = found.ids.some((id) => entry.ids.includes(id)) || kinds.get(kind)!.key.length === 0;
  return isSame
    ? undefined
    : { why: 'which was replaced outside', instead: 'apply without the reference first' };
}

/** Says what a live value is, if the target cannot be made of it: a map or a list in a text, or a value that its schema refuses. */
function misfitOf(
  { source, target }: FieldReference,
  { desired, live, kinds }: PlanInput,
): string | undefined {
  const value = createAttributeLookup(live)(source.address, source.field);
  if (value === undefined || value instanceof Sealed || isHole(value)) return undefined;
  const { fields, kind } = desired.resources.get(target.address)!;
  const [name] = namesInPath(target.field);
  const schema = comparedFields(kinds.get(kind)!)[name!];
  const attribute = (address: Address, attr: string) =>
    address === source.address && attr === source.field ? value : undefined;
  const filled = fillHoles(fields[name!], { secrets: new Map(), attribute }) as Value | undefined;
  // A map or a list cannot be a part of a text, so the reference is still there.
  const isUnfilled = holesIn(filled).some(
    (hole) => '$ref' in hole && hole.$ref === source.address && hole.attr === source.field,
  );
  const isRefused = schema && !schema.safeParse(mapHoles(filled, () => 'text')).success;
  if (!isUnfilled && !isRefused) return undefined;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return value === null ? 'nothing' : 'a map';
  return typeof value === 'string' ? 'a text that it does not take' : `a ${typeof value}`;
}
