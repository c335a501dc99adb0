import { type Address, indexByAddress } from '../model/address.ts';
import { canonicalJson } from '../model/digest.ts';
import {
  agreedMembers,
  agreedProblems,
  isAboutPlan,
  isApproved,
  isSame,
  placeField,
} from './compare-approval.ts';
import type { Encoded } from './encode.ts';
import type { Basis, SavedChange, SavedPlan, ValueDigest } from './saved-plan.ts';

/**
 * One difference between the approved and the current plan, with its cause:
 *
 *   | cause           | the difference                                                                          |
 *   | `configuration` | what the configuration wants                                                            |
 *   | `secret`        | the value of a secret that the configuration wants                                      |
 *   | `outside`       | the live object                                                                         |
 *   | `judgement`     | none of these, so the ledger, the version of trueup, or the edited file                 |
 *   | `problem`       | a warning or an error of the plan                                                       |
 *
 * `approved` and `now` are the two values, if both are known and neither is secret.
 */
export interface Difference {
  cause: 'configuration' | 'secret' | 'outside' | 'judgement' | 'problem';
  address?: Address;
  field?: string;
  what: string;
  approved?: Encoded;
  now?: Encoded;
}

/**
 * Returns the differences between the approved and the current plan, so that the user sees why the plan is refused. Only the first level
 * that has any is returned, because it explains the next ones: configuration and account, then changes, then problems, then requests. Empty
 * only if the current plan is the approved one.
 */
export function differences(approved: SavedPlan, current: SavedPlan): Difference[] {
  if (isApproved(approved, current)) return [];
  const approvedStates = statesByAddress(approved);
  const currentStates = statesByAddress(current);
  const addresses = [...new Set([...approvedStates.keys(), ...currentStates.keys()])].sort();
  const causes = [
    ...compareSavedSources(approved, current),
    ...addresses.flatMap((address) =>
      compareStates(address, approvedStates.get(address), currentStates.get(address)),
    ),
  ];
  if (causes.length > 0) return causes;
  const judgements = addresses.flatMap((address): Difference[] =>
    isSame(agreedChange(approvedStates.get(address)), agreedChange(currentStates.get(address)))
      ? []
      : [{ cause: 'judgement', address, what: 'the change is different' }],
  );
  if (judgements.length > 0) return judgements;
  const problems = [
    ...messagesOnlyIn(current, approved).map((text) => `the plan now says: ${text}`),
    ...messagesOnlyIn(approved, current).map((text) => `the plan no longer says: ${text}`),
  ];
  if (problems.length > 0) return problems.map((what) => ({ cause: 'problem', what }));
  return [{ cause: 'judgement', what: 'its requests, or their order, are different' }];
}

/**
 * Returns the secrets and variables that are now read from another source than in the approved plan, or that only one of the plans reads.
 * `apply` then refuses the plan, because values from another source were not approved.
 */
function compareSavedSources(
  { sources: approvedSources = [] }: SavedPlan,
  { sources: currentSources = [] }: SavedPlan,
): Difference[] {
  const approvedByName = new Map(approvedSources.map(({ name, source }) => [name, source]));
  const currentByName = new Map(currentSources.map(({ name, source }) => [name, source]));
  const names = [...new Set([...approvedByName.keys(), ...currentByName.keys()])].sort();
  return names.flatMap((name): Difference[] => {
    const approvedSource = approvedByName.get(name);
    const currentSource = currentByName.get(name);
    if (approvedSource === currentSource) return [];
    return [
      { cause: 'configuration', what: `the ${name} ${describeSourceChange(approvedSource, currentSource)}` },
    ];
  });
}

/** Describes how the source of a secret or variable differs from the approved one, as the end of a sentence. Undefined: it is not read. */
function describeSourceChange(approved: string | undefined, current: string | undefined): string {
  if (current === undefined) return 'is no longer read';
  if (approved === undefined) return `is now read, from ${current}`;
  return `is read from ${current}; the approved plan read it from ${approved}`;
}

/** The state of an address in a plan: what the plan was made on, and its change. */
interface AddressState {
  basis: Basis;
  change: SavedChange | undefined;
}

/**
 * Returns for each address of a plan its basis and its change, so that two plans can be compared address by address.
 */
function statesByAddress({ basis: bases, changes }: SavedPlan): Map<Address, AddressState> {
  const changeOf = indexByAddress(changes);
  return new Map(bases.map((basis) => [basis.address, { basis, change: changeOf.get(basis.address) }]));
}

const agreedChange = (state: AddressState | undefined) => state?.change && agreedMembers(state.change);

const isDesired = (state: AddressState | undefined) => state?.basis.desired !== undefined;
const isLive = (state: AddressState | undefined) => (state?.basis.ids.length ?? 0) > 0;

/**
 * Returns how an address differs between the approved and the current plan, for the message with which `apply` refuses the approved one.
 * Compares digests of the values that each plan was made from: of the configuration (`basis.desired`) and of the account (`basis.live`). If
 * the object was declared or removed from the configuration in between, only that is reported, because everything else follows from it. If
 * it appeared, disappeared or was exchanged in the account, its live fields are not compared.
 */
function compareStates(
  address: Address,
  approved: AddressState | undefined,
  current: AddressState | undefined,
): Difference[] {
  if (isDesired(approved) !== isDesired(current))
    return [
      {
        cause: 'configuration',
        address,
        what: isDesired(current) ? 'it is now declared' : 'it was removed from the configuration',
      },
    ];
  if (!approved || !current) return [onlyInOnePlan(address, approved, current)];
  const desiredDifferences = differingNames(approved.basis.desired, current.basis.desired).map((field) =>
    describeDesiredField(address, field, approved, current),
  );
  if (isLive(approved) !== isLive(current))
    return [
      ...desiredDifferences,
      { cause: 'outside', address, what: isLive(current) ? 'it now exists' : 'it no longer exists' },
    ];
  // The ids of the live object: its name may belong to another object now.
  if (!isSame(approved.basis.ids, current.basis.ids))
    return [
      ...desiredDifferences,
      { cause: 'outside', address, what: 'it is now a different object with the same name' },
    ];
  // A field that only one plan declares has a live value in only one of them.
  const liveDifferences = differingNames(approved.basis.live, current.basis.live)
    .filter((field) => field in approved.basis.live && field in current.basis.live)
    .map((field) => describeLiveField(address, field, approved, current));
  return [...desiredDifferences, ...liveDifferences];
}

/**
 * Describes an address that only one of two plans has, the approved one or the current one, for the message with which `apply` refuses the
 * approved plan. No configuration declares such an address: it is, for example, an object to delete that appeared or disappeared. If it is
 * not in the account either, the plans decide differently (`judgement`), for example about the ledger entry.
 */
function onlyInOnePlan(
  address: Address,
  approved: AddressState | undefined,
  current: AddressState | undefined,
): Difference {
  if (isLive(current ?? approved))
    return { cause: 'outside', address, what: current ? 'it now exists' : 'it no longer exists' };
  const what = current ? 'it is now in the plan' : 'it is no longer in the plan';
  return { cause: 'judgement', address, what };
}

/**
 * Describes a field, or a `$` key of a block such as `$protect`, whose desired value differs from that in the approved plan, for the
 * message with which `apply` refuses that plan. Both plans have digests of the desired values (`basis.desired`), because a saved plan must
 * not show secrets.
 */
function describeDesiredField(
  address: Address,
  field: string,
  approved: AddressState,
  current: AddressState,
): Difference {
  const approvedDigest = approved.basis.desired?.[field];
  const currentDigest = current.basis.desired?.[field];
  const difference = { address, field, cause: 'configuration' as const };
  if (currentDigest === undefined) return { ...difference, what: 'was removed from the configuration' };
  if (approvedDigest === undefined) return { ...difference, what: 'is declared now' };
  if (isSecretDigest(approvedDigest) && isSecretDigest(currentDigest))
    return { ...difference, cause: 'secret', what: describeSecretDifference(approvedDigest, currentDigest) };
  const what = 'is declared differently';
  if (isSecretDigest(approvedDigest) || isSecretDigest(currentDigest)) return { ...difference, what };
  const values = { approved: shownValue(approved, field, 'after'), now: shownValue(current, field, 'after') };
  return { ...difference, what, ...ifBothKnown(values) };
}

/**
 * Describes how a secret differs from that of the approved plan, for the message with which `apply` refuses that plan. Plans have only
 * digests of secrets. A digest is null if its plan was made without the secret or the key.
 */
function describeSecretDifference(approved: SecretDigest, current: SecretDigest): string {
  if (approved.secret === null) return 'was not compared when the plan was approved';
  if (current.secret === null) return 'is not available here, so it cannot be compared';
  return 'has a different value now';
}

/**
 * Describes a field whose live value has changed since the approved plan, for the message with which `apply` refuses that plan. Names both
 * values if the plans show them and they are not secret.
 */
function describeLiveField(
  address: Address,
  field: string,
  approved: AddressState,
  current: AddressState,
): Difference {
  if (field === placeField) return { cause: 'outside', address, what: 'its position was changed outside' };
  const difference = { address, field, cause: 'outside' as const, what: 'was changed outside' };
  if (isSecretDigest(approved.basis.live[field]) || isSecretDigest(current.basis.live[field]))
    return difference;
  // A plan does not show a field whose live value is the desired one. If both plans want the same, the other plan shows that value.
  const wantSame = differingNames(approved.basis.desired, current.basis.desired).length === 0;
  const liveValueIn = (state: AddressState, otherState: AddressState) => {
    const value = shownValue(state, field, 'before');
    return value === undefined && wantSame ? shownValue(otherState, field, 'after') : value;
  };
  const values = { approved: liveValueIn(approved, current), now: liveValueIn(current, approved) };
  return { ...difference, ...ifBothKnown(values) };
}

/** The digest of a value that contains a secret. */
type SecretDigest = Exclude<ValueDigest, string>;

/** True for the digest of a value that contains a secret. Such a value is never shown in a difference. */
const isSecretDigest = (valueDigest: ValueDigest | undefined): valueDigest is SecretDigest =>
  typeof valueDigest === 'object';

/** Returns the names of the fields whose digests differ, or that only one plan has, in order. */
const differingNames = (a: Record<string, ValueDigest> = {}, b: Record<string, ValueDigest> = {}): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => !isSame(a[name], b[name])).sort();

/**
 * Returns the value that a plan shows for a field before or after its change, so that the message about a difference from the approved plan
 * can name both. Null if the field is unset, undefined if the plan does not show it or it is secret.
 */
function shownValue({ change }: AddressState, path: string, side: 'before' | 'after'): Encoded | undefined {
  const field = change?.fields.find((candidate) => candidate.path === path && !candidate.secret);
  if (field) return field[side] ?? null;
  return side === 'before' ? change?.deletedFields?.[path] : undefined;
}

/** Returns two values if both are known, and none otherwise, because one of them alone shows no difference. */
const ifBothKnown = ({ approved, now }: Pick<Difference, 'approved' | 'now'>) =>
  approved === undefined || now === undefined ? {} : { approved, now };

/**
 * Returns the messages of the problems of `plan` that an approval covers and `otherPlan` lacks for at least one object. `apply` lists them
 * if it refuses an approved plan.
 */
const messagesOnlyIn = (plan: SavedPlan, otherPlan: SavedPlan): string[] => {
  const otherProblems = new Set(otherPlan.diagnostics.flatMap(agreedProblems).map(canonicalJson));
  return plan.diagnostics
    .filter(isAboutPlan)
    .filter((diagnostic) =>
      agreedProblems(diagnostic).some((problem) => !otherProblems.has(canonicalJson(problem))),
    )
    .map(({ message }) => message);
};
