import type { Address } from '../model/address.ts';
import { makesObject } from '../model/change.ts';
import type { Pace } from '../model/pace.ts';
import type { Operation, Plan } from '../model/plan.ts';
import type { Style } from './style.ts';

/** What is looked up while a plan is written out. */
export interface PlanContext {
  style: Style;
  requests: boolean;
  verbose: boolean;
  pace: Pace | undefined;
  /** The operations that carry out the change of an address. */
  carriers: ReadonlyMap<Address, Operation[]>;
  /** Addresses that get their id only by this plan. */
  notYet: ReadonlySet<Address>;
  /** Operations that were written out already, and under which address. */
  shown: Map<Operation, Address>;
}

export interface PlanTextOptions {
  style: Style;
  /** Also the HTTP requests under each change. */
  requests: boolean;
  /** Nothing is cut. */
  verbose?: boolean;
  /** Of the platform, to say how long it will take. */
  pace?: Pace;
}

export function planContext(
  plan: Plan,
  { style, requests, verbose = false, pace }: PlanTextOptions,
): PlanContext {
  const carriers = new Map<Address, Operation[]>();
  for (const operation of plan.operations)
    for (const address of operation.changes)
      carriers.set(address, [...(carriers.get(address) ?? []), operation]);
  const fresh = plan.changes.filter(makesObject);
  const notYet = new Set(fresh.map(({ address }) => address));
  return { style, requests, verbose, pace, carriers, notYet, shown: new Map() };
}
