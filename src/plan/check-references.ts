import { comparedFields } from '../kind/compare.ts';
import { isSingleton } from '../kind/define-kind.ts';
import {
  createMissingConsentProblem,
  declaredExisting,
  describeLeak,
  highestSecrecy,
  mayCopy,
  type NotOwned,
  secrecyOf,
} from '../kind/disclosure.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import { type Change, createsObject } from '../model/change.ts';
import { Reporter } from '../model/diagnostic.ts';
import {
  type FieldPlace,
  type FieldReference,
  isIgnored,
  type Resource,
  type Secrecy,
} from '../model/resource.ts';
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
  withoutPaths,
} from '../model/value.ts';
import { createAttributeLookup, type PlanInput } from './input.ts';

/*
 * The conditions of a reference from a field (the target) to a field of another object (the source) that depend on the account or the
 * ledger:
 *
 *   | Condition                                    | Decided by                                | Otherwise      |
 *   | -------------------------------------------- | ----------------------------------------- | -------------- |
 *   | the target can take the value                | the schema of the target, the live value  | ref/type       |
 *   | the target is at least as secret             | traits of both, live fields and values    | ref/secret     |
 *   | the platform returns the source's value      | traits of the source, the live fields     | ref/unreadable |
 *   | the stack owns the source, or the operator agrees | the ledger; `--allow-live`           | ref/secret     |
 *
 * A live value of a field that is not secret by its traits counts as `readable` if `disclosure.ts` does not treat it as open: a build
 * command with a token in it, for example.
 *
 * A stack owns an object if its verified ledger has it with the id that was found, or if this plan creates it. An object that this plan
 * only adopts or takes over from another stack is not owned yet. Otherwise, anybody who names an object in YAML could read its secrets.
 */

/**
 * Reports the references (`${...}`) and action inputs of the configuration that would reveal a secret or copy
 * a value that does not fit, according to the account and the ledger. Called at the start of planning,
 * because `validate` cannot check this without the account. References that matter only if an object is
 * created again (in a field under `$ignore`) are left to `checkReferencesOfCreations`.
 */
export function checkReferences(input: PlanInput, report: Reporter): void {
  for (const reference of readReferences(input))
    if (!isForCreation(reference, input)) checkReference(reference, input, report);
  for (const resource of input.desired.resources.values()) checkActionInputs(resource, input, report);
}

/**
 * Reports references (`${...}`) that would reveal a secret or do not fit, in existing objects that the plan creates again. Only objects
 * with `$ignore` are checked: `checkReferences` judged them by the live values of the ignored fields, which an existing object keeps, but
 * a new one gets the declared values. Called when the plan has found out which objects it creates.
 */
export function checkReferencesOfCreations(
  changes: readonly Pick<Change, 'address' | 'action'>[],
  input: PlanInput,
  report: Reporter,
): void {
  const created = new Set(changes.filter(createsObject).map(({ address }) => address));
  const isCreatedAgain = (address: Address) => created.has(address) && input.live.resources.has(address);
  const hasIgnoredFields = (address: Address) => input.desired.resources.get(address)!.meta.ignore;
  const creationReport = new Reporter();
  for (const reference of readReferences(input)) {
    // The target of a reference is the field that gets the value, here a field of the new object.
    const { address } = reference.target;
    if (isCreatedAgain(address) && hasIgnoredFields(address))
      checkReference(reference, input, creationReport, { isCreation: true });
  }
  // Many references were reported by `checkReferences` already.
  const reported = new Set(report.diagnostics.map(({ code, message }) => `${code} ${message}`));
  report.add(creationReport.diagnostics.filter(({ code, message }) => !reported.has(`${code} ${message}`)));
}

/** Returns the references from declared objects to objects that were read. */
const readReferences = ({ desired: { references = [], resources }, live: { scope } }: PlanInput) =>
  references.filter(
    ({ source, target }) => resources.has(target.address) && (scope?.has(source.address) ?? true),
  );

/** True if a reference is in an ignored field of an object that exists: its value is copied only if the plan creates the object again. */
const isForCreation = (
  { target: { address, field } }: FieldReference,
  { desired, live }: PlanInput,
): boolean => live.resources.has(address) && isIgnored(field, desired.resources.get(address)!.meta);

/**
 * Reports the actions (`$then`) of a resource whose input would contain a live value that may be a secret, since plans show the inputs of
 * actions and the ledger stores them.
 */
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

/**
 * Returns the references that copy a possible secret, according to the account that was read. Used to list the origins of secrets in a
 * plan.
 */
export const findSecretReferences = (input: PlanInput): FieldReference[] =>
  (input.desired.references ?? []).filter(
    (reference) =>
      input.desired.resources.has(reference.target.address) && sourceSecrecy(reference, input) !== 'open',
  );

/**
 * Reports a field (the target) whose reference (`${...}`) to a field of another object (the source) is not allowed: it would copy a secret
 * to a less secret field or, without `--allow-live`, a live secret of an object that this stack does not own (`whyNotOwned`), or the source
 * cannot be read. Of these, only the first is reported. A value that does not fit is reported as well. `isLive`: the value comes from the
 * account, not from the configuration. `isCreation`: the target is created although there is a live object, which goes.
 */
function checkReference(
  reference: FieldReference,
  input: PlanInput,
  report: Reporter,
  { isCreation = false }: { isCreation?: boolean } = {},
): void {
  const { target, isLive } = reference;
  const source = { ...reference.source, secrecy: sourceSecrecy(reference, input) };
  const targetPosition = { address: target.address, at: target.at };
  const related = [{ message: source.secrecy === 'open' ? 'the value' : 'the secret', at: source.at }];
  const misfitText = isLive ? misfitOf(reference, input) : undefined;
  if (misfitText !== undefined) {
    const message = `\`${target.field}\` of ${target.address} cannot be made of \`${source.field}\` of ${source.address}, which is ${misfitText}`;
    report.error('ref/type', message, { ...targetPosition, related });
  }
  if (source.secrecy === 'open') return;
  const secrecyOfTarget = targetSecrecy(reference, input, isCreation);
  const notOwned = isLive ? whyNotOwned(source.address, input) : undefined;
  if (!mayCopy(source.secrecy, secrecyOfTarget)) {
    const { message, hint } = describeLeak(source, { ...target, secrecy: secrecyOfTarget });
    report.error('ref/secret', message, { ...targetPosition, hint, related });
  } else if (notOwned && !input.options?.allowLive?.has(source.address)) {
    report.add(createMissingConsentProblem(reference, notOwned));
  } else if (isLive && source.secrecy === 'write-only') {
    const message = `the platform never returns \`${source.field}\` of ${source.address}, so \`${target.field}\` of ${target.address} cannot take it`;
    const hint = 'refer to where the value comes from, for example the same `${secret.NAME}`';
    report.error('ref/unreadable', message, { ...targetPosition, hint, related });
  }
}

/**
 * Replaces references to secrets of live objects that the platform did not return to this run's token, so that such a token can still plan.
 * They become unavailable secrets: they are not compared, and an apply that has to send one does not start.
 */
export function markHiddenSecrets<I extends Pick<PlanInput, 'desired' | 'live'>>(input: I): I {
  const { desired, live } = input;
  const hiddenReferences = (desired.references ?? []).filter(({ source, isLive }) => {
    const resource = live.resources.get(source.address);
    return (
      isLive &&
      source.secrecy !== 'open' &&
      resource !== undefined &&
      resource.fields[source.field] === undefined
    );
  });
  if (hiddenReferences.length === 0) return input;
  const resources = new Map(desired.resources);
  for (const { source, target } of hiddenReferences) {
    const resource = resources.get(target.address);
    const isHidden = (hole: unknown) =>
      isRef(hole) && hole.$ref === source.address && hole.attr === source.field;
    const replaceHidden = (value: unknown): unknown =>
      mapHoles(value, (hole) => {
        if (isHidden(hole)) return { $secret: `${source.field} of ${source.address}` };
        return isJoin(hole) ? { $join: hole.$join.map(replaceHidden) } : hole;
      });
    if (resource)
      resources.set(target.address, { ...resource, fields: replaceHidden(resource.fields) as Fields });
  }
  return { ...input, desired: { ...desired, resources } };
}

/**
 * Returns how secret the source of a reference (`${...}`) is, so that its value is not copied to a less
 * secret field: from `open` over `readable` to `write-only`. A value that is read from the account (`isLive`)
 * is at least as secret as its field there, even if the configuration declares the field as less secret from now on.
 */
function sourceSecrecy({ source, isLive }: FieldReference, input: PlanInput): Secrecy {
  const live = input.live.resources.get(source.address)?.fields;
  const declared = input.desired.resources.get(source.address)?.fields;
  const secrecyAfterRun = secrecyWith({ ...live, ...declared }, source, input);
  if (!isLive || !live) return secrecyAfterRun;
  // A value that may be a secret was sealed although the platform does not call it one: it counts as `readable`.
  const isDoubtful = holdsSecret(createAttributeLookup(input.live)(source.address, source.field));
  return highestSecrecy(secrecyAfterRun, secrecyWith(live, source, input), isDoubtful ? 'readable' : 'open');
}

/**
 * Returns how secret the target of a reference (the field that contains it) will be after the run, to compare it with the source. Fields
 * that `$ignore` names keep their live values.
 */
function targetSecrecy({ target }: FieldReference, input: PlanInput, isCreation: boolean): Secrecy {
  const live = isCreation ? undefined : input.live.resources.get(target.address)?.fields;
  const { fields, meta } = input.desired.resources.get(target.address)!;
  const ignored = live ? (meta.ignore ?? []).map((path) => namesInPath(path)[0]!) : [];
  return secrecyWith({ ...live, ...withoutPaths(fields, ignored) }, target, input);
}

/**
 * Returns how secret a field is in an object with these fields, to check that a reference does not copy it to
 * a less secret place. Usually the configuration has determined that (`secrecy`). If it depends on other
 * fields, such as a variable's `type`, it is determined again with `fields`: whether the field is secret
 * (`secret`), or whether the platform returns its value (`neverReturned`).
 */
function secrecyWith(fields: Fields, { address, field, secrecy }: FieldPlace, input: PlanInput): Secrecy {
  const kind = input.kinds.get(input.desired.resources.get(address)?.kind ?? '');
  const schema = kind && comparedFields(kind)[namesInPath(field)[0]!];
  const traits = schema ? traitsOf(schema) : {};
  const dependsOnFields = typeof traits.secret === 'function' || traits.neverReturned !== undefined;
  return dependsOnFields ? secrecyOf(traits, fields) : secrecy;
}

/**
 * Returns why this stack does not own the live object whose secret a reference (`${...}`) copies, for the
 * message that asks for the operator's consent (`--allow-live`): the author of the YAML could otherwise read
 * any secret of the account. Undefined, so that no consent is needed, if the stack owns the object or this
 * plan creates it. `instead`: what the user can do without consent.
 */
function whyNotOwned(address: Address, input: PlanInput): NotOwned | undefined {
  const { desired, live, ledger, kinds, identities, unverifiedReason } = input;
  const resource = desired.resources.get(address);
  if (!resource) return { why: 'which this configuration does not declare' };
  const { meta, kind } = resource;
  if (meta.existing) return declaredExisting;
  const liveObject = live.resources.get(address);
  if (!liveObject) return undefined;
  if (meta.forget) return { why: 'which this plan forgets' };
  const entry = ledger.entries[address];
  const instead = 'apply that first, without the reference';
  if (identities?.takenOver?.has(address))
    return { why: 'which this plan only takes over from another stack', instead };
  if (!entry || entry.existing) return { why: 'which this plan only adopts', instead };
  if (unverifiedReason !== undefined) return { why: `which this stack may not own: ${unverifiedReason}` };
  if (liveObject.alternatives) return { why: 'whose name several objects of the account have' };
  // An object without a key exists once in its parent, so it cannot be replaced by another one.
  const isRecordedObject =
    liveObject.ids.some((id) => entry.ids.includes(id)) || isSingleton(kinds.get(kind)!);
  return isRecordedObject
    ? undefined
    : { why: 'which was replaced outside', instead: 'apply without the reference first' };
}

/**
 * Describes a live value that the target of a reference cannot take, for a message: a map or a list inside a text, or a value that the
 * schema of the target refuses. Undefined if the target can take it, or if the value is unknown. `validate` cannot check this, because only
 * the account has the value.
 */
function misfitOf(
  { source, target }: FieldReference,
  { desired, live, kinds }: PlanInput,
): string | undefined {
  const value = createAttributeLookup(live)(source.address, source.field);
  if (value === undefined || value instanceof Sealed || isHole(value)) return undefined;
  const { fields, kind } = desired.resources.get(target.address)!;
  const [name] = namesInPath(target.field);
  const schema = comparedFields(kinds.get(kind)!)[name!];
  const attributeAt = (address: Address, attr: string) =>
    address === source.address && attr === source.field ? value : undefined;
  // The field of the target, with the live value instead of the reference.
  const filledValue = fillHoles(fields[name!], { secrets: new Map(), attribute: attributeAt }) as
    | Value
    | undefined;
  // A map or a list cannot be a part of a text, so the reference is still there.
  const isUnfilled = holesIn(filledValue).some(
    (hole) => '$ref' in hole && hole.$ref === source.address && hole.attr === source.field,
  );
  // Values that are still unknown count as texts.
  const isRefused = schema && !schema.safeParse(mapHoles(filledValue, () => 'text')).success;
  if (!isUnfilled && !isRefused) return undefined;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return value === null ? 'nothing' : 'a map';
  return typeof value === 'string' ? 'a text that it does not take' : `a ${typeof value}`;
}
