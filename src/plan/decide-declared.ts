import { comparedFields, leavesOf, omitMembers, sealKnownSecrets } from '../kind/compare.ts';
import { canDo } from '../kind/define-kind.ts';
import { digestFields, recordedDigestAt, withIds } from '../kind/digests.ts';
import { resolveFields } from '../kind/empty-is-absent.ts';
import type { Kind } from '../kind/kind.ts';
import { hasTargets } from '../kind/row-target.ts';
import { type Address, lastNameOf } from '../model/address.ts';
import type { DecidedChange } from '../model/change.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { memoize } from '../model/graph.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import {
  createIdLookup,
  type Desired,
  isIgnored,
  type LiveResource,
  replaceFields,
} from '../model/resource.ts';
import { type Fields, refsIn } from '../model/value.ts';
import { createChange, type DeclaredComparison, isExclusive, splitByIds } from './comparison.ts';
import { handoverOf } from './consent.ts';
import { decideByComparison } from './decide-by-comparison.ts';
import { createdFields } from './diff.ts';
import { withoutGuessable } from './guesses.ts';
import { createAttributeLookup, factsUnder } from './input.ts';
import { findWidenedFields } from './shared-rows.ts';
import { secretFieldsOf } from './shown-secrets.ts';
import { repeatReasons, unkeptNames } from './unkept-writes.ts';

/**
 * Decides about an object that the configuration declares: usually the change that makes the account match the declaration, or a `noop` if
 * it does already. Other rules come first: `undo` forgets the object (`meta.forget`), the object stays as it is (`$existing`), or another
 * stack takes it over (`$handover`, also of an enclosing block). Returns undefined if a problem was reported, or if there is no ledger
 * entry of an object to forget or hand over.
 */
export function decideDeclared(comparison: DeclaredComparison): DecidedChange | undefined {
  const { desired, input } = comparison;
  const { address, meta } = desired;
  if (isLostForOthers(comparison)) return undefined;
  if (meta.forget) return decideForgotten(comparison);
  if (meta.existing) return decideExisting(comparison);
  const heir = handoverOf(address, input.desired.resources);
  return heir === undefined ? decideManaged(comparison) : decideHandover(comparison, heir);
}

/**
 * True if this plan replaces the object around a declared one (`lostWith`), and the declared one does not belong to this stack: the ledger
 * does not have it, or it is declared with `$existing` or `$handover`. The platform would delete it for somebody else, so it is reported.
 */
function isLostForOthers(comparison: DeclaredComparison): boolean {
  const { desired, entry, lostWith, isReplacedOutside, input, report } = comparison;
  if (lostWith === undefined) return false;
  const { address, at, meta } = desired;
  const isHandedOver = handoverOf(address, input.desired.resources) !== undefined;
  const handoverKey = isHandedOver ? '$handover' : undefined;
  // The meta key by which the object does not belong to this stack.
  const key = meta.existing ? '$existing' : handoverKey;
  const isOurs = entry !== undefined && !isReplacedOutside;
  // With `$exclusive` in its parent, a plan may also delete objects that are not ours.
  const mayBeDeleted = isOurs || isExclusive(comparison);
  if (key === undefined && mayBeDeleted) return false;
  const state = key ? `is declared with \`${key}\`` : 'was not created or adopted by this stack';
  report.error(
    'plan/still-inside',
    `${lostWith} would be replaced, but ${address}, which is inside it, ${state}`,
    {
      address,
      at,
      hint: key
        ? `keep ${lostWith} as it is: the platform would delete both`
        : `adopt it first: apply without the change of ${lostWith}; the platform would delete both`,
    },
  );
  return true;
}

/**
 * Decides about an object declared with `$existing`: this stack does not own it, and only refers to it. If the ledger still has it as ours,
 * it is released. Reports a problem if it is missing, unless another stack of the same run creates it.
 */
function decideExisting(comparison: DeclaredComparison): DecidedChange | undefined {
  const { desired, live, entry, input } = comparison;
  if (live) {
    const states = { before: live, after: desired };
    return createChange(
      comparison,
      entry
        ? { action: 'release', ...states, reason: 'now declared with `$existing`; the object stays as it is' }
        : { action: 'noop', ...states },
    );
  }
  const creatingStack = input.options?.awaitedStacks?.get(desired.address);
  if (creatingStack !== undefined)
    return createChange(comparison, {
      action: 'noop',
      after: desired,
      reason: `${creatingStack} creates it in the same run`,
    });
  reportMissingExisting(comparison);
  return undefined;
}

/** Reports that an object declared with `$existing` is missing. If its owner renamed it, says under which name this run knows it. */
function reportMissingExisting({ desired, input, kind, report }: DeclaredComparison): void {
  const { address, at } = desired;
  // Without a `$was`, this run knows a renamed object, and everything in it, under the old name.
  const renamed = [...input.live.resources.values()].find(({ renamedTo }) => renamedTo === address);
  if (renamed) {
    report.error(
      'existing/missing',
      `${address} is declared with \`$existing\`, and known here as ${renamed.address}, its name before it was renamed`,
      {
        address,
        at,
        hint: `add \`$was: ${lastNameOf(renamed.address)}\` to its block, and nothing in it changes`,
      },
    );
    return;
  }
  report.error(
    'existing/missing',
    `${address} is declared with \`$existing\`, but does not exist in the account`,
    {
      address,
      at,
      hint: hasTargets(kind)
        ? 'name only the targets that it has beside `$existing`, create it first, or remove `$existing`'
        : 'create it first, or remove `$existing`',
    },
  );
}

/**
 * Decides about an object that another stack (`heir`) may take over, because its block or one around it says
 * `$handover`. Nothing is compared or sent. The ledger records the offer, so that the other stack finds the
 * consent there. If the object is not ours, or is gone, there is nothing to offer, and only an entry is
 * dropped.
 */
function decideHandover(comparison: DeclaredComparison, heir: string): DecidedChange | undefined {
  const { live, desired, entry } = comparison;
  if (!entry || !live) return decideForgotten(comparison);
  // With `handover`, the entry is not dropped but marked for the other stack.
  return createChange(comparison, { action: 'forget', before: live, after: desired, handover: heir });
}

/**
 * Decides about an object that the ledger has to forget, because it is handed over (`$handover`) or an undo gives it up. The object is not
 * created either, so it is a problem if it is absent and another declared object needs it. Returns undefined after a problem, and if the
 * ledger has no entry.
 */
function decideForgotten(comparison: DeclaredComparison): DecidedChange | undefined {
  const { desired, live, entry, input, report } = comparison;
  const { address, at } = desired;
  const dependent = live ? undefined : findDependents(input.desired).get(address);
  if (dependent !== undefined) {
    report.error(
      'forget/missing',
      `${address} has \`$handover\` and does not exist, but ${dependent} needs it`,
      {
        address,
        at,
        hint: 'remove `$handover`, or the block that needs it',
      },
    );
    return undefined;
  }
  return entry
    ? createChange(comparison, {
        action: 'forget',
        before: live,
        after: desired,
        reason: desired.meta.forget ? 'no longer managed' : '`$handover` is set',
      })
    : undefined;
}

/**
 * Returns, for each object that declared objects need as their parent or in a reference, the first of these. Blocks
 * that leave the ledger send nothing and so need nothing.
 */
const findDependents = memoize(({ resources }: Desired): ReadonlyMap<Address, Address> => {
  const dependents = new Map<Address, Address>();
  for (const { address, parent, fields, meta } of resources.values()) {
    if (meta.forget || handoverOf(address, resources) !== undefined) continue;
    for (const needed of [parent ?? [], refsIn(fields)].flat())
      if (!dependents.has(needed)) dependents.set(needed, address);
  }
  return dependents;
});

/**
 * Decides what the plan does with an object that this stack declares and manages: fills in references, lets
 * the kind adjust the fields (`aligned`), and compares them with the live object. Returns undefined, after a
 * report, if the fields contradict each other or the object must not be changed.
 */
function decideManaged(declaredComparison: DeclaredComparison): DecidedChange | undefined {
  const comparison = withoutKeptSecret(declaredComparison);
  const { kind, desired, input } = comparison;
  const schemas = comparedFields(kind);
  const resolved = resolveFields(kind, desired, {
    secrets: input.secrets,
    attribute: createAttributeLookup(input.live, input.replaced),
  });
  const aligned = alignFields(comparison, resolved);
  const problems = aligned.problems ?? [];
  comparison.report.add(problems);
  if (hasErrors(problems)) return undefined;

  const live = liveOf(comparison, aligned);
  // A value that the kind fills in (a default that only a creation needs) is not declared, and so not ours.
  const declared = leavesOf(schemas, resolved).map(({ path }) => path);
  const entry = entryToCompare(comparison, { resolved, aligned, declared });
  const widened = findWidened(comparison, { live, entry, declared });
  const desiredFields = switchOff(widened, aligned.desired);
  // The platform may have chosen the field that decides whether text is secret, so only the live object shows it.
  const fields = sealKnownSecrets(schemas, desiredFields, { ...live?.fields, ...aligned.desired });
  // The new member comes before the spread (CONTRIBUTING.md, "Memory").
  const prepared = { widened, ...comparison, entry, desired: replaceFields(desired, fields) };
  const change = live
    ? decideByComparison({ ...prepared, live }, declared)
    : decideMissing(
        { ...prepared, live },
        declared.filter((path) => !isIgnored(path, desired.meta)),
      );
  // Why a part of the fields no longer counts, such as a mode that expired: the plan shows it unless there is another reason.
  const isOverUnmentioned = change !== undefined && change.reason === undefined && aligned.over !== undefined;
  return isOverUnmentioned ? { ...change, reason: aligned.over } : change;
}

/** Returns fields with these ones set to false. */
const switchOff = (names: readonly string[], fields: Fields): Fields =>
  names.length === 0 ? fields : { ...fields, ...Object.fromEntries(names.map((name) => [name, false])) };

/**
 * Returns the fields that somebody switched on outside in a variable of ours, so that its value reaches more targets than declared. The
 * plan switches them off. None if the ledger is not verified, because anybody may have written which targets it had before.
 */
function findWidened(
  { kind, desired, input }: DeclaredComparison,
  {
    live,
    entry,
    declared,
  }: { live: LiveResource | undefined; entry: LedgerEntry | undefined; declared: readonly string[] },
): string[] {
  if (!live || input.unverifiedReason !== undefined) return [];
  return findWidenedFields(kind, { live, entry, declared: [...declared, ...(desired.meta.ignore ?? [])] });
}

/**
 * Completes the comparison of a variable that takes the secret of another object (`$secretTo`): `secret` names the fields with the secret.
 * If this plan does not create that object, its secret is not available: these fields are then left out of the desired ones, and the live
 * variable keeps its value.
 */
function withoutKeptSecret(comparison: DeclaredComparison): DeclaredComparison {
  const { desired } = comparison;
  const secret = secretFieldsOf(comparison);
  if (!secret) return comparison;
  if (secret.isWritten) return { ...comparison, secret };
  return {
    ...comparison,
    secret,
    desired: { ...desired, fields: omitMembers(desired.fields, secret.names) },
  };
}

/** The fields of an object after its kind adjusted them; see `align` of a kind. */
type AlignedFields = ReturnType<NonNullable<Kind['rules']['align']>>;

/**
 * Lets the kind adjust desired and live fields to settings of the account before the plan compares them: a
 * rule that has expired, for example, is left out. The kind does not see live secrets that must not be
 * compared in this run, because a guess could be confirmed. `live` of the result is absent if the kind leaves
 * the live fields as they are.
 */
function alignFields(comparison: DeclaredComparison, resolved: Fields): AlignedFields {
  const { kind, desired, live, entry, parent, input } = comparison;
  const recorded = { entry, key: input.key, isWritingRun: input.isWritingRun };
  return (
    kind.rules.align?.({
      desired: { ...desired, fields: resolved },
      live: live && { ...live, fields: withoutGuessable(kind, live.fields, recorded) },
      ownedIds: entry?.ids ?? [],
      exclusive: isExclusive(comparison),
      facts: factsUnder(parent, input),
      now: input.now,
    }) ?? { desired: resolved }
  );
}

/**
 * Returns the live object as the plan compares it: with the fields that the kind adjusted, and without rows of others that have the same
 * name, such as further TXT records of a name (`foreignIds`: their ids). No request then touches these rows, and they are noted as
 * unmanaged. Undefined if no row of ours is left.
 */
function liveOf(
  { live, kind, notes }: DeclaredComparison,
  { live: liveFields, foreignIds = [] }: AlignedFields,
): LiveResource | undefined {
  const object = live && liveFields ? { ...live, fields: liveFields } : live;
  if (!object || foreignIds.length === 0) return object;
  const [theirs, ours] = splitByIds(object, kind, (id) => foreignIds.includes(id));
  if (theirs) notes.unmanaged.push(theirs);
  return ours;
}

/**
 * Returns the ledger's entry to compare with. If time has removed a part of the declared fields, such as a mode that expired
 * (`aligned.over`), the same part of the last applied values no longer counts. What counts depends on the configuration:
 *
 *   | configuration since the last apply | applied values                                                            |
 *   | ---------------------------------- | ------------------------------------------------------------------------- |
 *   | unchanged                          | the remaining desired fields: the expiry alone is no edit and no drift    |
 *   | edited, such as an earlier end     | those in the ledger, so that the difference is an edit and not drift      |
 */
function entryToCompare(
  { kind, desired, entry, input }: DeclaredComparison,
  { resolved, aligned, declared }: { resolved: Fields; aligned: AlignedFields; declared: string[] },
): LedgerEntry | undefined {
  if (aligned.over === undefined || !entry) return entry;
  const schemas = comparedFields(kind);
  const idOf = createIdLookup(input.live);
  const digestOptions = { form: kind.form ?? 1, key: input.key, idOf };
  const recordedLeaves = leavesOf(schemas, resolved).filter(
    ({ path, traits }) => !traits.createOnly && !isIgnored(path, desired.meta),
  );
  const isUnchanged = recordedLeaves.every(({ path, value, traits }) =>
    recordedDigestAt(entry, path, digestOptions).matches(value, traits),
  );
  const remaining = withIds(aligned.desired, idOf) as Fields;
  const digests = digestFields(schemas, remaining, new Set(declared), entry.salt, input.key);
  if (isUnchanged) return { ...entry, ...digests };
  const isRemaining = (path: string) =>
    digests.fields[path] !== undefined || digests.secrets[path] !== undefined;
  return {
    ...entry,
    fields: Object.fromEntries(Object.entries(entry.fields).filter(([path]) => isRemaining(path))),
    secrets: Object.fromEntries(Object.entries(entry.secrets).filter(([path]) => isRemaining(path))),
  };
}

/**
 * Decides what the plan does about a declared object that a read of the account does not show.
 * - If the API can create such objects, the change creates it.
 * - If the API cannot, and the object is read by its id or name (`read.single`), it must be created elsewhere
 * first: that is reported.
 * - Otherwise the platform creates the object with its parent, but may not list it before its first write. So
 * the object counts as existing: the change updates it or, if there is nothing to send, adopts it.
 * `declared`: the paths of the fields that the ledger records: those that the configuration declares, except
 * ignored ones. Returns undefined if a problem was reported.
 */
function decideMissing(comparison: DeclaredComparison, declared: string[]): DecidedChange | undefined {
  const { kind, desired, report, secret } = comparison;
  // The desired object is a variable (an environment variable that a `$secretTo` names, for example) whose value is the secret of another
  // object. The platform shows that secret only when it creates the object, and this plan does not create it, because its replacement was
  // refused. That problem was reported already, and the variable would have no value.
  if (secret && !secret.isWritten) return undefined;
  const fields = createdFields(kind, desired.fields);
  if (canDo(kind, 'create'))
    return createChange(comparison, {
      action: 'create',
      after: desired,
      fields,
      declared,
      ...whyAbsent(comparison),
    });
  if (kind.read.single) {
    const { address, at } = desired;
    report.error('create/elsewhere', `${address} does not exist and cannot be created from here`, {
      address,
      at,
      hint: 'check its name; it must be created on the platform before it can be declared',
    });
    return undefined;
  }
  // An object that cannot be created exists with its parent. Some are not listed until their first write.
  const action = fields.length > 0 ? 'update' : 'adopt';
  return createChange(comparison, { action, after: desired, fields, declared });
}

/**
 * Returns why an object that existed is created: this plan replaces the object around it (`lostWith`), it was
 * deleted outside, or the platform did not keep it at our last apply. Empty for a new object.
 */
function whyAbsent({ entry, lostWith }: DeclaredComparison): Pick<DecidedChange, 'reason' | 'outside'> {
  if (lostWith !== undefined) return { reason: `deleted together with ${lostWith}, which is replaced` };
  if (!entry) return {};
  // After our last apply, the ledger noted whether the account showed the created object.
  return entry.notKept?.[unkeptNames.creation] === undefined
    ? { reason: 'deleted outside', outside: true }
    : { reason: repeatReasons.creation };
}
