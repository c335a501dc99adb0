import type { AccountFacts } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { PlanInput } from './input.ts';

/** The facts that rules for objects under `parent` depend on: settings of the account, and what the parent says of itself. */
export const factsUnder = (
  parent: Address | undefined,
  { facts, live }: Pick<PlanInput, 'facts' | 'live'>,
): AccountFacts => (parent === undefined ? facts : { ...facts, ...live.resources.get(parent)?.facts });
