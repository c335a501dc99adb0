import type { Address } from '../model/address.ts';
import { type Diagnostic, warning } from '../model/diagnostic.ts';
import { listFew } from '../model/fold-wordings.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired } from '../model/resource.ts';
import { namesByFamily } from '../model/secret-families.ts';
import { findSecretUsers, nameOnlyUsers } from './needed-secrets.ts';

/** The codes of problems that can also be the cause of a `secret/not-compared`. */
const otherCause = /^(secret\/(file|empty|not-text|command)|source\/.*)$/;

/**
 * Rewords diagnostics for the plan of a pull request, whose job must not have secrets or the ledger key. The user has nothing to fix there,
 * so no hint suggests setting them. Other problems with secrets stay as they are.
 */
export const rewordForReview = (diagnostics: Diagnostic[]): Diagnostic[] =>
  withoutUnsetSecrets(diagnostics).map((diagnostic) => {
    const { hint, message, ...problem } = diagnostic;
    if (!needsKey.has(diagnostic.code))
      return hint?.includes('TRUEUP_LEDGER_KEY') ? { ...problem, message } : diagnostic;
    return {
      ...problem,
      code: 'secret/key-left-out',
      // Of "TRUEUP_LEDGER_KEY is not set: `value` is not compared", and of "`value` is not compared before the first apply", the reason
      // is dropped: "`value` is not compared".
      message: message.replace(/^TRUEUP_LEDGER_KEY is not set: | before the first apply$/, ''),
    };
  });

/** The codes of secrets that only a run with the ledger key compares. */
const needsKey: ReadonlySet<string> = new Set(['secret/no-key', 'secret/before-apply']);

/**
 * Replaces the diagnostics about unset secrets, and those about fields that are not compared only because of these, by one warning that
 * counts and names the secrets. Used for the plan of a pull request, whose job never has secrets: a warning for each would hide the other
 * problems.
 */
function withoutUnsetSecrets(diagnostics: Diagnostic[]): Diagnostic[] {
  const unset = diagnostics.filter(({ code }) => code === 'secret/unset');
  if (unset.length === 0) return diagnostics;
  // If there is another possible cause, each `secret/not-compared` stays, since it may have that cause.
  const isOnlyCause = !diagnostics.some(({ code }) => otherCause.test(code));
  const isReplaced = ({ code }: Diagnostic) =>
    code === 'secret/unset' || (isOnlyCause && code === 'secret/not-compared');
  const names = [...new Set(unset.flatMap(({ secret }) => secret?.name ?? []))];
  const [are, they] = names.length === 1 ? ['secret is', 'it is'] : ['secrets are', 'they are'];
  return [
    ...diagnostics.filter((diagnostic) => !isReplaced(diagnostic)),
    warning(
      'secret/left-out',
      `${names.length} ${are} not available to pull request plans, so ${they} not compared: ${listFew(namesByFamily(names))}`,
    ),
  ];
}

/**
 * The codes of warnings that stay although the plan has no change at their address: they are about lists that could not be read, or
 * addresses that the user named.
 */
const alwaysShown = new Set(['observe/incomplete', 'delete/not-owned']);

/**
 * Drops warnings about resources that `--target` or `--exclude` left out of the plan, except those in `alwaysShown`. Drops problems with
 * secrets that only those resources use, or only ignored fields (`$ignore`) of objects that exist. Other errors stay. The remaining
 * problems name only those users of a secret that are in the plan. `isNarrowed`: true with `--target` or `--exclude`.
 */
export function withoutUnrelatedWarnings(
  diagnostics: Diagnostic[],
  { changes, isNarrowed }: Pick<Plan, 'changes' | 'isNarrowed'>,
  { resources }: Desired,
): Diagnostic[] {
  const plannedResources = isNarrowed
    ? changes.flatMap(({ address }) => resources.get(address) ?? [])
    : [...resources.values()];
  const users = findSecretUsers(plannedResources, changes);
  const isInPlan = (warnedAddress: Address) =>
    !isNarrowed || changes.some(({ address }) => isUnitOf(address, warnedAddress));
  // True unless the diagnostic is about a secret that the plan does not need: at its address, or anywhere if it has none.
  const isAboutNeed = ({ secret, address }: Diagnostic): boolean => {
    if (secret === undefined) return true;
    const needing = users.get(secret.name) ?? [];
    return address === undefined ? needing.length > 0 : needing.includes(address);
  };
  const isRelated = (diagnostic: Diagnostic): boolean => {
    const { address, code, severity } = diagnostic;
    if (alwaysShown.has(code)) return true;
    // An empty secret is an error only for the resources that use it.
    if (severity === 'error' && code !== 'secret/empty') return true;
    return (address === undefined || isInPlan(address)) && isAboutNeed(diagnostic);
  };
  return diagnostics.filter(isRelated).map((diagnostic) => nameOnlyUsers(diagnostic, users));
}

/**
 * Drops the warnings that a secret of an object was not compared if a diagnostic about a missing secret names the object as its user.
 * Otherwise one missing secret would give three messages, since the plan also lists the secrets that it did not compare.
 */
export function withoutExplainedSecrets(diagnostics: Diagnostic[]): Diagnostic[] {
  // The objects that a message about a missing secret names: `env/A` for the variable in all its targets.
  const explained = new Set(diagnostics.flatMap(({ secret }) => secret?.users ?? []));
  const isExplained = ({ code, address }: Diagnostic) =>
    code === 'secret/not-compared' && address !== undefined && explained.has(addressWithoutTarget(address));
  return diagnostics.filter((diagnostic) => !isExplained(diagnostic));
}

/**
 * True if an address is that of a block or of one of the objects that the block makes: `env/A@production` for `env/A`. A block of a list
 * without names, such as `rules/#3`, is only known by its number, so all items of the list count.
 */
function isUnitOf(address: Address, block: Address): boolean {
  // `rules/` for `rules/#3`.
  const list = /^(.*\/)#\d+$/.exec(block)?.[1];
  return address === block || address.startsWith(list ?? `${block}@`);
}
