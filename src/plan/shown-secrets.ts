/**
 * Variables with a secret that the platform shows only once, when it creates an object (a token, for example). `$secretTo` in the block of
 * the object declares such a variable. The secret cannot be read later, so the plan has to know whether the variable still has it.
 *
 *   | object              | variable                                  | plan                                                        |
 *   | ------------------- | ----------------------------------------- | ----------------------------------------------------------- |
 *   | created or replaced | any                                       | written, after the creation                                 |
 *   | exists              | as it was written                         | value kept                                                  |
 *   | exists              | exists, but was not written from here     | value kept, with a warning: it may be another one           |
 *   | exists              | missing, declared with another form of    | object replaced if it may be, otherwise an error: the       |
 *   |                     | the value or for another object, or named | secret is lost                                              |
 *   |                     | by `--send-unverified`                    |                                                             |
 */
import { digestOfForm } from '../kind/digests.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import { type Change, createsObject } from '../model/change.ts';
import { type Diagnostic, problem, shellQuoted } from '../model/diagnostic.ts';
import { createIdLookup, findReadFailure, type Resource } from '../model/resource.ts';
import { shownIn } from '../model/shown-secret.ts';
import type { DeclaredComparison, SecretFields } from './comparison.ts';
import type { PlanInput } from './input.ts';
import { matchesAny } from './select-changes.ts';

/**
 * Finds the objects that exist but whose secret is not in the variable that is declared for it, or counts as lost because
 * `--send-unverified` names the variable. Returns the reason for each. The plan replaces these objects if it may (`mayRecreate`), because
 * only a new object shows a new secret.
 */
export function findLostSecrets(input: PlanInput): ReadonlyMap<Address, string> {
  const { desired, live } = input;
  const reasons = new Map<Address, string>();
  for (const variable of desired.resources.values()) {
    const { secretOf, forget } = variable.meta;
    if (!secretOf || forget || !live.resources.has(secretOf.object) || reasons.has(secretOf.object)) continue;
    const reason = reasonLost(variable, input);
    if (reason !== undefined) reasons.set(secretOf.object, reason);
  }
  return reasons;
}

/**
 * Returns why a variable that a `$secretTo` names does not have the secret of its object (the platform showed it only once, when it created
 * the object), or that the user asks for a new secret with `--send-unverified`. The plan replaces the object to get a new secret, and
 * shows this reason. Undefined if the variable may have the secret, or was not read.
 */
function reasonLost(variable: Resource, input: PlanInput): string | undefined {
  const { address } = variable;
  const { live, options } = input;
  const isRead = !findReadFailure(live, variable) && (live.scope?.has(address) ?? true);
  if (!isRead) return undefined;
  if (!live.resources.has(address)) return `its secret belongs in ${address}, which does not exist`;
  if (isWrittenOtherwise(address, input))
    return `${address} was written for another object, or with another \`value\``;
  return matchesAny(options?.sendUnverified, address) ? `--send-unverified names ${address}` : undefined;
}

/**
 * True if this stack wrote something else to a variable of `$secretTo` than the configuration now wants there: the secret of another
 * object, or the secret with another text around it (its form, such as `Bearer ...`). Neither can be read back, so the ledger's digest of
 * the form is compared with that of the wanted one. False if this stack did not write the live variable: its value is then unknown.
 */
function isWrittenOtherwise(address: Address, { desired, live, ledger }: PlanInput): boolean {
  const entry = ledger.entries[address];
  const writtenFormDigest = entry?.secretOf;
  if (!entry || writtenFormDigest === undefined) return false;
  const liveIds = live.resources.get(address)?.ids ?? [];
  const isRecordedObject = liveIds.some((id) => entry.ids.includes(id));
  if (!isRecordedObject) return false;
  // The digest has the ids of objects instead of their addresses, so that a rename does not change it.
  const { form } = desired.resources.get(address)!.meta.secretOf!;
  return writtenFormDigest !== digestOfForm(form, entry.salt, createIdLookup(live));
}

/**
 * Returns which fields of a variable take the secret of another object (`$secretTo`), which the platform shows only once: when it creates
 * that object. Only then does this plan write the fields (`isWritten`). They are kept out of the comparison, because the secret cannot be
 * read back. Undefined for any other resource.
 */
export function secretFieldsOf({
  desired,
  notes,
}: Pick<DeclaredComparison, 'desired' | 'notes'>): SecretFields | undefined {
  const object = desired.meta.secretOf?.object;
  if (object === undefined) return undefined;
  const secretByField = shownIn(desired.fields, object);
  const isObjectCreated = notes.created.has(object);
  return { names: Object.keys(secretByField), isWritten: isObjectCreated };
}

/**
 * Orders addresses so that an object is decided before the variables with its secret, since these depend on whether the object is created.
 */
export const orderObjectsFirst = (addresses: readonly Address[], { desired }: PlanInput): Address[] => {
  const isVariable = (address: Address) => desired.resources.get(address)?.meta.secretOf !== undefined;
  const variables = addresses.filter(isVariable);
  return variables.length === 0
    ? [...addresses]
    : [...addresses.filter((address) => !isVariable(address)), ...variables];
};

/**
 * Warns in the plan about a variable that a `$secretTo` names and whose value stays although it may not be
 * the secret of its object. `mayBeOverwritten`: true if somebody wrote the variable after our last write. Reports
 * nothing if the ledger says that this stack wrote a secret there, and there was no later write.
 */
export function reportKeptSecret(
  { desired, entry, report }: DeclaredComparison,
  mayBeOverwritten: boolean,
): void {
  const { address, at, meta } = desired;
  const { object } = meta.secretOf!;
  if (entry?.secretOf !== undefined && !mayBeOverwritten) return;
  const hint = `it is left as it is; to write a new secret, use --send-unverified ${shellQuoted(address)} with \`$replace: allow\` in the block of ${object}, which deletes it and creates a new one`;
  if (mayBeOverwritten)
    report.warning(
      'secret/changed-outside',
      `${address}: may have changed outside: the platform has a later write than the one recorded here, and its value cannot be read back`,
      { address, at, hint },
    );
  else
    report.warning(
      'secret/unverified',
      `${address} already exists, and whether it contains the secret of ${object} is unknown: neither can be read back`,
      { address, at, hint },
    );
}

/**
 * Creates the problem that the secret of an object is lost, and the object must not be replaced. `reason`: why the secret is lost.
 * `isOwned`: true if this stack created or adopted the object, so that `$replace: allow` would permit a replacement.
 */
export const lostSecretProblem = (
  { desired, kind }: DeclaredComparison,
  reason: string,
  isOwned: boolean,
): Diagnostic =>
  problem(
    'secret/gone',
    `${desired.address}: ${reason}, and the platform shows the ${kind.shows!.secret} only once, at creation`,
    {
      address: desired.address,
      at: desired.at,
      hint: isOwned
        ? 'write `$replace: allow` in its block to delete it and create a new one: all other uses of the old secret then fail'
        : 'it was not created or adopted by this stack, so it is not replaced: choose another name, or delete it in the account yourself',
    },
  );

/**
 * Returns the created objects whose variable for the secret is left out of the plan, for example by `--target`. Used to refuse such a plan,
 * because the secret would be lost. `variable` is the address of that variable.
 */
export function findUnwrittenSecrets(
  changes: readonly Change[],
  { desired }: PlanInput,
): { object: Change; variable: Address }[] {
  const byAddress = indexByAddress(changes);
  return [...desired.resources.values()].flatMap(({ address, meta }) => {
    const object = byAddress.get(meta.secretOf?.object ?? '');
    return object && createsObject(object) && !byAddress.has(address) ? [{ object, variable: address }] : [];
  });
}
