/**
 * Variables with a secret that the platform shows once, when it creates an object. `$secretTo` in the block of the object declares them.
 *
 *   | object              | variable                                  | plan                                                        |
 *   | ------------------- | ----------------------------------------- | ----------------------------------------------------------- |
 *   | created or replaced | any                                       | written, after the creation                                 |
 *   | exists              | as it was written                         | value kept                                                  |
 *   | exists              | exists, but was not written from here     | value kept, with a warning: it may be another one           |
 *   | exists              | missing, or to have another form or owner | object replaced, which asks: nobody has the secret any more |
 */
import { digestOfForm } from '../kind/digests.ts';
import type { Address } from '../model/address.ts';
import { type Change, createsObject } from '../model/change.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { collectionId, createIdLookup, type Resource } from '../model/resource.ts';
import { shellQuoted } from '../model/shell-word.ts';
import { shownIn } from '../model/shown-secret.ts';
import type { DeclaredComparison, SecretFields } from './comparison.ts';
import type { PlanInput } from './input.ts';
import { matchesAny } from './select-changes.ts';

/** Finds the objects that exist and whose secret is missing in a variable that is declared for it. Returns the reason for each. */
export function findLostSecrets(input: PlanInput): ReadonlyMap<Address, string> {
  const { desired, live } = input;
  const lost = new Map<Address, string>();
  for (const variable of desired.resources.values()) {
    const { secretOf, forget } = variable.meta;
    if (!secretOf || forget || !live.resources.has(secretOf.object) || lost.has(secretOf.object)) continue;
    const why = whyLost(variable, input);
    if (why !== undefined) lost.set(secretOf.object, why);
  }
  return lost;
}

function whyLost({ address, kind, parent }: Resource, input: PlanInput): string | undefined {
  const { live, options } = input;
  const isRead = !live.unreadable.has(collectionId(kind, parent)) && (live.scope?.has(address) ?? true);
  if (!isRead) return undefined;
  if (!live.resources.has(address)) return `its secret belongs in ${address}, which does not exist`;
  if (isWrittenOtherwise(address, input))
    return `${address} was written for another object, or with another \`value\``;
  return matchesAny(options?.sendUnverified, address) ? `--send-unverified names ${address}` : undefined;
}

/** True if the ledger knows that the variable contains the secret in another form, or the secret of another object. */
function isWrittenOtherwise(address: Address, { desired, live, ledger }: PlanInput): boolean {
  const entry = ledger.entries[address];
  const ids = live.resources.get(address)?.ids ?? [];
  const { form } = desired.resources.get(address)!.meta.secretOf!;
  // In another row than ours there is an unknown value.
  if (entry?.secretOf === undefined || !ids.some((id) => entry.ids.includes(id))) return false;
  return entry.secretOf !== digestOfForm(form, entry.salt, createIdLookup(live));
}

/** Decides whether a variable is written with the secret of its object; undefined for any other resource. */
export function secretFieldsOf({
  desired,
  notes,
}: Pick<DeclaredComparison, 'desired' | 'notes'>): SecretFields | undefined {
  const object = desired.meta.secretOf?.object;
  if (object === undefined) return undefined;
  return { names: Object.keys(shownIn(desired.fields, object)), isWritten: notes.created.has(object) };
}

/** Orders addresses so that an object is decided before the variables with its secret. */
export const orderObjectsFirst = (addresses: readonly Address[], { desired }: PlanInput): Address[] => {
  const isVariable = (address: Address) => desired.resources.get(address)?.meta.secretOf !== undefined;
  const variables = addresses.filter(isVariable);
  return variables.length === 0
    ? [...addresses]
    : [...addresses.filter((address) => !isVariable(address)), ...variables];
};

/** Reports a variable whose value is kept although it may not be the secret of its object. */
export function reportKeptSecret({ desired, entry, report }: DeclaredComparison, isTouched: boolean): void {
  const { address, at, meta } = desired;
  const { object } = meta.secretOf!;
  if (entry?.secretOf !== undefined && !isTouched) return;
  const hint = `it is left as it is; to write a new secret, use --send-unverified ${shellQuoted(address)} with \`$replace: allow\` in the block of ${object}`;
  if (isTouched)
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

/** The problem with an object whose secret is lost, and which must not be replaced. `isOwned`: this stack created or adopted it. */
export const lostSecretProblem = (
  { desired, kind }: DeclaredComparison,
  why: string,
  isOwned: boolean,
): Diagnostic =>
  problem(
    'secret/gone',
    `${desired.address}: ${why}, and the platform shows the ${kind.shows!.secret} only once, at creation`,
    {
      address: desired.address,
      at: desired.at,
      hint: isOwned
        ? 'write `$replace: allow` in its block to delete it and create a new one: whatever else uses the old secret then fails'
        : 'it was not created or adopted by this stack, so it is not replaced: choose another name, or delete it in the account yourself',
    },
  );

/** The objects among `changes` that are created, each with the declared variables for its secret that `changes` lack. */
export function findUnwrittenSecrets(
  changes: readonly Change[],
  { desired }: PlanInput,
): { object: Change; variable: Address }[] {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  return [...desired.resources.values()].flatMap(({ address, meta }) => {
    const object = byAddress.get(meta.secretOf?.object ?? '');
    return object && createsObject(object) && !byAddress.has(address) ? [{ object, variable: address }] : [];
  });
}
