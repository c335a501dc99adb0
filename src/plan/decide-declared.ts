import { omitMembers } from '../kind/compare.ts';
import { canDo } from '../kind/define-kind.ts';
import { digestFields, withIds } from '../kind/digests.ts';
import { knownFields } from '../kind/empty-is-absent.ts';
import { comparedFields, leavesOf, sealKnownSecrets } from '../kind/leaves.ts';
import { lastNameOf } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { hasErrors, problem } from '../model/diagnostic.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { createIdLookup, type Resource } from '../model/resource.ts';
import { type Fields, holesIn, isRef } from '../model/value.ts';
import { createChange, type DeclaredComparison, isExclusive, splitByIds } from './comparison.ts';
import { handoverOf } from './consent.ts';
import { decideByComparison } from './decide-by-comparison.ts';
import { createdFields } from './diff.ts';
import { withoutGuessable } from './guesses.ts';
import { createAttributeLookup, factsUnder } from './input.ts';
import { findWidenedFields } from './shared-rows.ts';
import { secretFieldsOf } from './shown-secrets.ts';
import { repeatReasons, unkeptNames } from './unkept-writes.ts';

/** Decides what to do with an object that the configuration names. */
export function decideDeclared(comparison: DeclaredComparison): Change | undefined {
  const { desired, live, entry, input, report } = comparison;
  const { address, meta, at } = desired;
  if (meta.forget) return forgetting(comparison, '$forget');
  const heir = handoverOf(address, input.desired.resources);
  if (heir !== undefined && !meta.existing) return handingOver(comparison, heir);
  if (!meta.existing) return managedChange(comparison);
  if (live)
    return entry
      ? createChange(comparison, 'release', {
          reason: 'now declared with `$existing`; the object stays as it is',
        })
      : createChange(comparison, 'noop');
  const maker = input.options?.awaitedStacks?.get(address);
  if (maker !== undefined)
    return createChange(comparison, 'noop', { reason: `${maker} creates it in the same run` });
  // Whoever owns it has renamed it, and all that is in it is known under the old name.
  const renamed = [...input.live.resources.values()].find(({ renamedTo }) => renamedTo === address);
  report(
    problem(
      'existing/missing',
      renamed
        ? `${address} is declared with \`$existing\`, and known here as ${renamed.address}, its name before it was renamed`
        : `${address} is declared with \`$existing\`, but does not exist in the account`,
      {
        address,
        at,
        hint: renamed
          ? `add \`$was: ${lastNameOf(renamed.address)}\` to its block, and nothing in it changes`
          : 'create it first, or remove `$existing`',
      },
    ),
  );
  return undefined;
}

/** Lets another stack take over an object of ours: nothing is compared or sent. An object that is not ours is left as it is. */
function handingOver(comparison: DeclaredComparison, heir: string): Change | undefined {
  if (!comparison.entry || !comparison.live) return forgetting(comparison, '$handover');
  return createChange(comparison, 'forget', { handover: heir });
}

/** Forgets an object. It is not created either, so it is a problem if it is absent and something needs it. */
function forgetting(comparison: DeclaredComparison, key: '$forget' | '$handover'): Change | undefined {
  const { desired, live, entry, input, report } = comparison;
  if (entry) return createChange(comparison, 'forget', { reason: `\`${key}\` is set` });
  const { address, at } = desired;
  const needs = ({ parent, fields, meta }: Resource) =>
    !meta.forget &&
    (parent === address || holesIn(fields).some((hole) => isRef(hole) && hole.$ref === address));
  const holder = live ? undefined : [...input.desired.resources.values()].find(needs);
  if (holder)
    report(
      problem(
        'forget/missing',
        `${address} has \`${key}\` and does not exist, but ${holder.address} needs it`,
        {
          address,
          at,
          hint: `remove \`${key}\`, or what needs it`,
        },
      ),
    );
  return undefined;
}

function managedChange(comparison: DeclaredComparison): Change | undefined {
  const secret = secretFieldsOf(comparison);
  const one =
    secret && !secret.isWritten
      ? { ...comparison, desired: withoutFields(comparison.desired, secret.names) }
      : comparison;
  const { kind, desired, decisions, report, input } = one;
  const schemas = comparedFields(kind);
  const resolved = knownFields(kind, desired, {
    secrets: input.secrets,
    attribute: createAttributeLookup(input.live),
  });
  const known = { entry: one.entry, key: input.key, isWritingRun: input.isWritingRun };
  const aligned = kind.rules.align?.({
    desired: { ...desired, fields: resolved },
    ...(one.live ? { live: { ...one.live, fields: withoutGuessable(kind, one.live.fields, known) } } : {}),
    ownedIds: one.entry?.ids ?? [],
    exclusive: isExclusive(one),
    facts: factsUnder(one.parent, input),
    now: input.now,
  }) ?? { desired: resolved };
  aligned.problems?.forEach(report);
  if (hasErrors(aligned.problems ?? [])) return undefined;

  let { live, entry } = one;
  if (live && aligned.live) live = { ...live, fields: aligned.live };
  if (live && aligned.strangers?.length) {
    const [theirs, ours] = splitByIds(live, kind, (id) => aligned.strangers!.includes(id));
    if (theirs) decisions.unmanaged.push(theirs);
    live = ours;
  }
  // What a kind fills in by itself (a default that only a creation needs) is not declared, and so not ours.
  const declared = leavesOf(schemas, resolved).map(({ path }) => path);
  // What was applied ran its course as well: what is found beside what is left of it is drift.
  if (aligned.over !== undefined && entry)
    entry = {
      ...entry,
      ...digestFields(
        schemas,
        withIds(aligned.desired, createIdLookup(input.live)) as Fields,
        new Set(declared),
        entry.salt,
        input.key,
      ),
    };
  const widened =
    live && input.unverifiedReason === undefined
      ? findWidenedFields(kind, {
          found: live,
          entry,
          declared: [...declared, ...(desired.meta.ignore ?? [])],
        })
      : [];
  const narrowed = Object.fromEntries(widened.map((name) => [name, false]));
  // Left to the platform, a field may have turned out to be one under which text is kept secret.
  const fields = sealKnownSecrets(
    schemas,
    { ...aligned.desired, ...narrowed },
    { ...live?.fields, ...aligned.desired },
  );
  const settled = { ...one, entry, secret, desired: { ...desired, fields } };
  const change = live
    ? decideByComparison({ ...settled, live, widened }, declared)
    : newChange({ ...settled, live }, declared);
  return change?.action === 'noop' && aligned.over !== undefined
    ? { ...change, reason: aligned.over }
    : change;
}

const withoutFields = (want: Resource, names: readonly string[]): Resource => ({
  ...want,
  fields: omitMembers(want.fields, names),
});

/** The change of an object that does not exist. */
function newChange(comparison: DeclaredComparison, declared: string[]): Change | undefined {
  const { kind, desired, entry, report, secret } = comparison;
  // Its value is a secret that nobody has any more: the object that it belongs to was refused, which was reported.
  if (secret && !secret.isWritten) return undefined;
  const fields = createdFields(kind, desired.fields);
  if (canDo(kind, 'create'))
    return createChange(comparison, 'create', {
      fields,
      declared,
      ...(entry ? whyAbsent(entry) : {}),
    });
  if (kind.read.single) {
    const { address, at } = desired;
    report(
      problem('create/elsewhere', `${address} does not exist and cannot be created from here`, {
        address,
        at,
        hint: 'check its name; it must be created on the platform before it can be declared',
      }),
    );
    return undefined;
  }
  // What cannot be created always exists: it comes with its parent, or is not told of before it was touched.
  return createChange(comparison, fields.length > 0 ? 'update' : 'adopt', { fields, declared });
}

/** Why an object that the ledger has is absent. */
const whyAbsent = ({ notKept }: LedgerEntry): Pick<Change, 'reason' | 'outside'> =>
  notKept?.[unkeptNames.creation] === undefined
    ? { reason: 'deleted outside', outside: true }
    : { reason: repeatReasons.creation };
