import type { Address } from '../model/address.ts';
import type { Pace } from '../model/budget.ts';
import { type Change, createsObject } from '../model/change.ts';
import { createsFirst } from '../model/creates-first.ts';
import type { DriftSource, Operation, Plan } from '../model/plan.ts';
import { flow } from './cut.ts';
import type { Style } from './style.ts';
import { indexOperationsByAddress } from './summarize-plan.ts';

/** Lookups for writing a plan out. */
export interface PlanContext {
  style: Style;
  showsRequests: boolean;
  verbose: boolean;
  pace: Pace | undefined;
  /** The person behind a change outside. */
  changedBy: ReadonlyMap<Address, DriftSource>;
  /** The operations that carry out the change of an address. */
  operationsByAddress: ReadonlyMap<Address, Operation[]>;
  /** Addresses that get their id only by this plan. */
  createdAddresses: ReadonlySet<Address>;
  /** All addresses of the plan: a pattern has to tell some from them. */
  planAddresses: readonly Address[];
  /** Operations that were written out already, and under which address. */
  shownOperations: Map<Operation, Address>;
}

export interface PlanTextOptions {
  style: Style;
  /** Also the HTTP requests under each change. */
  requests: boolean;
  /** Nothing is cut. */
  verbose?: boolean;
  /** The platform's pace, to say how long it will take. */
  pace?: Pace;
}

export function createPlanContext(
  plan: Plan,
  { style, requests, verbose = false, pace }: PlanTextOptions,
): PlanContext {
  const operationsByAddress = indexOperationsByAddress(plan);
  const fresh = plan.changes.filter(createsObject);
  const createdAddresses = new Set(fresh.map(({ address }) => address));
  const planAddresses = plan.changes.map(({ address }) => address);
  const changedBy = new Map((plan.changedBy ?? []).map((driftSource) => [driftSource.address, driftSource]));
  return {
    style,
    showsRequests: requests,
    verbose,
    pace,
    changedBy,
    operationsByAddress,
    createdAddresses,
    planAddresses,
    shownOperations: new Map(),
  };
}

/** The sign in front of a change, and what it stands for. */
interface ActionMarker {
  sign: string;
  /** In place of the sign, for who cannot see it. */
  word: string;
  means: string;
  paint: keyof Omit<Style, 'width' | 'prose' | 'unicode'>;
}

const actionMarkers = {
  create: { sign: '+', word: 'create', means: 'create', paint: 'add' },
  update: { sign: '~', word: 'update', means: 'update', paint: 'change' },
  move: { sign: '>', word: 'move', means: 'move', paint: 'move' },
  adopt: { sign: '=', word: 'adopt', means: 'adopt (exists already)', paint: 'adopt' },
  adoptAndUpdate: { sign: '=~', word: 'adopt and update', means: 'adopt and update', paint: 'change' },
  release: { sign: '.', word: 'stop managing', means: 'stop managing (not deleted)', paint: 'quiet' },
  replace: { sign: '-/+', word: 'replace', means: 'delete, then recreate', paint: 'remove' },
  createFirst: {
    sign: '+/-',
    word: 'replace',
    means: 'create first, then delete',
    paint: 'remove',
  },
  delete: { sign: '-', word: 'delete', means: 'delete', paint: 'remove' },
  forget: { sign: '.', word: 'stop managing', means: 'stop managing (not deleted)', paint: 'quiet' },
  noop: { sign: ' ', word: 'unchanged', means: 'up to date', paint: 'quiet' },
} as const satisfies Record<string, ActionMarker>;

/** The sign in front of a change. An adoption that sends anything is marked as one that does. */
export function markerOf(
  change: Change,
  { operationsByAddress }: Pick<PlanContext, 'operationsByAddress'>,
): ActionMarker {
  const { action, address } = change;
  const operations = operationsByAddress.get(address) ?? [];
  if (action === 'adopt' && operations.length > 0) return actionMarkers.adoptAndUpdate;
  return actionMarkers[action === 'replace' && createsFirst(operations) ? 'createFirst' : action];
}

/** The signs in use, explained once, in lines of `width`; words explain themselves. */
export function legendLines(changes: Change[], context: PlanContext, width: number): string[] {
  if (!context.style.unicode) return [];
  const used = new Set(changes.map((change) => markerOf(change, context).sign));
  const items = Object.values(actionMarkers).filter(({ sign }) => used.delete(sign));
  return flow(
    items.map(({ sign, means }) => `${sign} ${means}`),
    '   ',
    width,
  );
}
