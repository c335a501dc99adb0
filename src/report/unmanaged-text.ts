import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import { countObjects } from '../model/logical-changes.ts';
import type { Plan, UnmanagedObject } from '../model/plan.ts';
import { pluralOfKind } from '../model/plural-of-kind.ts';
import { count } from './text.ts';

/* Counts the objects of the account that a plan leaves alone. Objects of other stacks are counted apart from those that no stack manages. */

/** Splits the unmanaged objects of a plan for its last lines: those that no stack manages, and those of other stacks. */
export function splitUnmanaged({
  unmanaged,
}: Pick<Plan, 'unmanaged'>): Record<'ofNobody' | 'ofOthers', UnmanagedObject[]> {
  const byOwner = groupBy(unmanaged, ({ isOfOtherStack = false }) => isOfOtherStack);
  return { ofNobody: byOwner.get(false) ?? [], ofOthers: byOwner.get(true) ?? [] };
}

/** Counts unmanaged objects, each variable in several targets once. */
export const countUnmanaged = (objects: readonly UnmanagedObject[]): number =>
  countObjects(objects.map(({ address, id }) => ({ address, ids: [id] })));

/** Returns the addresses of the objects that no stack manages, sorted, for the list of a verbose report. */
export const unmanagedAddresses = (plan: Pick<Plan, 'unmanaged'>): Address[] =>
  splitUnmanaged(plan)
    .ofNobody.map(({ address }) => address)
    .sort();

/**
 * Counts the objects of the account that no stack manages, by kind, for reports of a plan: `3 domains`. If only the declared objects of a
 * kind were read, it cannot be counted: `projects (not listed)`. Objects of other stacks are only counted, and only beside others, because
 * a plan is not about them. `name` formats a kind.
 */
export function unmanagedTexts(
  plan: Pick<Plan, 'unmanaged' | 'partialKinds'>,
  name: (kind: string) => string,
): string[] {
  const { partialKinds = [] } = plan;
  const { ofNobody, ofOthers } = splitUnmanaged(plan);
  const byKind = groupBy(ofNobody, ({ kind }) => kind);
  const texts = [...new Set([...byKind.keys(), ...partialKinds])].sort().map((kind) => {
    if (partialKinds.includes(kind)) return `${name(kind)} (not listed)`;
    const number = countUnmanaged(byKind.get(kind)!);
    return `${number} ${name(number === 1 ? kind : pluralOfKind(kind))}`;
  });
  const foreignCount = countUnmanaged(ofOthers);
  return texts.length > 0 && foreignCount > 0
    ? [...texts, `${count(foreignCount, 'object')} of other stacks`]
    : texts;
}
