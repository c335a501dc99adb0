import { type Address, indexByAddress } from '../model/address.ts';
import type { Pace } from '../model/budget.ts';
import { type Change, createsObject } from '../model/change.ts';
import { createsFirst, type DriftSource, type Operation, type Plan } from '../model/plan.ts';
import { type AnchoredFindings, groupFindings } from './finding-text.ts';
import { indexOperationsByAddress } from './plan-notes.ts';
import type { Style } from './style.ts';
import { flow } from './text.ts';

/** Data that is computed once for a report of a plan, and the options of that report. */
export interface PlanContext {
  style: Style;
  /** True to print the HTTP requests below each change. */
  showsRequests: boolean;
  /** True to cut nothing and fold nothing. */
  verbose: boolean;
  pace: Pace | undefined;
  /** Who changed an object outside, by the address of the object. */
  changedBy: ReadonlyMap<Address, DriftSource>;
  /** The operations that carry out the change of an address. */
  operationsByAddress: ReadonlyMap<Address, Operation[]>;
  /** Addresses of the objects that this plan creates, so their ids are not known yet. */
  createdAddresses: ReadonlySet<Address>;
  /** All addresses of the plan: a pattern for several of them must not match the others. */
  planAddresses: readonly Address[];
  /** The findings that are printed below a change. */
  findings: AnchoredFindings;
  /**
   * The operations whose requests are printed already, with the address that they are printed under. Changed while the report is written.
   */
  shownOperations: Map<Operation, Address>;
}

export interface PlanTextOptions {
  style: Style;
  /** Prints the HTTP requests below each change. */
  requests: boolean;
  /** Cuts nothing and folds nothing. */
  verbose?: boolean;
  /** The platform's speed and rate limits, for the estimated duration. */
  pace?: Pace;
}

/**
 * Computes the data that all parts of a report of a plan need, such as the requests of each change and the
 * objects that the plan creates. Called once for each report, because a plan may have thousands of changes.
 */
export function createPlanContext(
  plan: Plan,
  { style, requests, verbose = false, pace }: PlanTextOptions,
): PlanContext {
  const operationsByAddress = indexOperationsByAddress(plan);
  const creations = plan.changes.filter(createsObject);
  const createdAddresses = new Set(creations.map(({ address }) => address));
  const planAddresses = plan.changes.map(({ address }) => address);
  const changedBy = indexByAddress(plan.changedBy ?? []);
  return {
    style,
    showsRequests: requests,
    verbose,
    pace,
    changedBy,
    operationsByAddress,
    createdAddresses,
    planAddresses,
    findings: groupFindings(plan).anchored,
    shownOperations: new Map(),
  };
}

/** The sign in front of a change, with its meaning for the legend. */
interface ActionMarker {
  sign: string;
  /** Replaces the sign in reports without Unicode, such as those for screen readers. */
  word: string;
  means: string;
  /** The method of `Style` that colours the sign, by name. */
  paint: keyof Omit<Style, 'width' | 'prose' | 'unicode'>;
}

const released = {
  sign: '.',
  word: 'stop managing',
  means: 'stop managing (not deleted)',
  paint: 'quiet',
} as const;

const actionMarkers = {
  create: { sign: '+', word: 'create', means: 'create', paint: 'add' },
  update: { sign: '~', word: 'update', means: 'update', paint: 'change' },
  move: { sign: '>', word: 'move', means: 'move', paint: 'move' },
  adopt: { sign: '=', word: 'adopt', means: 'adopt (exists already)', paint: 'adopt' },
  adoptAndUpdate: { sign: '=~', word: 'adopt and update', means: 'adopt and update', paint: 'change' },
  release: released,
  replace: { sign: '-/+', word: 'replace', means: 'delete, then recreate', paint: 'remove' },
  createFirst: {
    sign: '+/-',
    word: 'replace',
    means: 'create first, then delete',
    paint: 'remove',
  },
  delete: { sign: '-', word: 'delete', means: 'delete', paint: 'remove' },
  forget: released,
  noop: { sign: ' ', word: 'unchanged', means: 'up to date', paint: 'quiet' },
} as const satisfies Record<string, ActionMarker>;

/**
 * Returns the sign of a change and the words for it, for the text of a plan, the comment on a pull request and `graph`. Adoptions that also
 * change the object, and replacements that create first, have signs of their own.
 */
export function markerOf(
  change: Change,
  { operationsByAddress }: Pick<PlanContext, 'operationsByAddress'>,
): ActionMarker {
  const { action, address } = change;
  const operations = operationsByAddress.get(address) ?? [];
  if (action === 'adopt' && operations.length > 0) return actionMarkers.adoptAndUpdate;
  return actionMarkers[action === 'replace' && createsFirst(operations) ? 'createFirst' : action];
}

/** Explains the signs of these changes in lines of `width` columns. Empty without Unicode, because words need no explanation. */
export function legendLines(changes: Change[], context: PlanContext, width: number): string[] {
  if (!context.style.unicode) return [];
  const used = new Set(changes.map((change) => markerOf(change, context).sign));
  // `delete` is true only for the first action with a sign, so that a sign of several actions is explained once.
  const items = Object.values(actionMarkers).filter(({ sign }) => used.delete(sign));
  return flow(
    items.map(({ sign, means }) => `${sign} ${means}`),
    '   ',
    width,
  );
}
