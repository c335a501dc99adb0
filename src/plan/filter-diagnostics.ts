import type { Address } from '../model/address.ts';
import { type Diagnostic, warning } from '../model/diagnostic.ts';
import { listFew } from '../model/fold-wordings.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired } from '../model/resource.ts';
import { holesIn, isSecretRef } from '../model/value.ts';

const otherCause = /^(secret\/(file|empty|not-text|command)|source\/.*)$/;

/**
 * Rewords, for the plan of a pull request, what its job must not have: secrets and the ledger key. There is nothing to fix, so nothing
 * suggests setting them. Other problems with secrets stay as they are.
 */
export const forReview = (diagnostics: Diagnostic[]): Diagnostic[] =>
  withoutUnsetSecrets(diagnostics).map((diagnostic) => {
    const { hint, message, ...problem } = diagnostic;
    if (!needsKey.has(diagnostic.code))
      return hint?.includes('TRUEUP_LEDGER_KEY') ? { ...problem, message } : diagnostic;
    return {
      ...problem,
      code: 'secret/key-left-out',
      message: message.replace(/^TRUEUP_LEDGER_KEY is not set: | before the first apply$/, ''),
    };
  });

/** The codes of secrets that only a run with the key compares. */
const needsKey: ReadonlySet<string> = new Set(['secret/no-key', 'secret/before-apply']);

/** Reports once that secrets are missing. */
function withoutUnsetSecrets(diagnostics: Diagnostic[]): Diagnostic[] {
  const unset = diagnostics.filter(({ code }) => code === 'secret/unset');
  if (unset.length === 0) return diagnostics;
  // With another cause around, nobody can tell which of the two a value was not compared for.
  const isOnly = !diagnostics.some(({ code }) => otherCause.test(code));
  const isSaid = ({ code }: Diagnostic) =>
    code === 'secret/unset' || (isOnly && code === 'secret/not-compared');
  const names = [...new Set(unset.flatMap(({ secret }) => secret?.name ?? []))];
  const [are, they] = names.length === 1 ? ['secret is', 'it is'] : ['secrets are', 'they are'];
  return [
    ...diagnostics.filter((diagnostic) => !isSaid(diagnostic)),
    warning(
      'secret/left-out',
      `${names.length} ${are} not available to pull request plans, so ${they} not compared: ${listFew(names)}`,
    ),
  ];
}

/** Drops warnings about resources that were not selected, and about secrets that only those use. */
export function concerning(
  diagnostics: Diagnostic[],
  { changes, partial }: Pick<Plan, 'changes' | 'partial'>,
  { resources }: Desired,
): Diagnostic[] {
  const wanted = partial
    ? changes.flatMap(({ address }) => resources.get(address) ?? [])
    : [...resources.values()];
  const holes = wanted.flatMap(({ fields }) => holesIn(fields)).filter(isSecretRef);
  const used = new Set(holes.map(({ $secret }) => $secret));
  const isInPlan = (one: Address) => !partial || changes.some(({ address }) => isUnitOf(address, one));
  return diagnostics.filter(
    ({ severity, code, address, secret }) =>
      severity === 'error' ||
      code === 'observe/incomplete' ||
      ((address === undefined || isInPlan(address)) && (secret === undefined || used.has(secret.name))),
  );
}

/** True if an address is `block` or one of its units: `A@production` for `A`, any of a list for `#3`. */
function isUnitOf(address: Address, block: Address): boolean {
  const list = /^(.*\/)#\d+$/.exec(block)?.[1];
  return address === block || address.startsWith(list ?? `${block}@`);
}
