import type { Address } from '../model/address.ts';
import type { Action } from '../model/change.ts';
import type { ApplyEvent } from '../model/event.ts';
import type { Operation, Plan } from '../model/plan.ts';
import { wholesOf } from '../model/wholes.ts';
import { cleanLine } from './clean.ts';
import { nameOf } from './fold-changes.ts';

/** The unit that people watch during an apply: the operations about the same change are one step, however many requests they take. */
export interface Step {
  /** A change, and how many more there are: `projects/web/env/A and 2 more`. */
  label: string;
  /** `creating`, or `changing` where it does several things at once. */
  doing: string;
  /** `created`. */
  done: string;
  operations: Operation[];
  /** How many changes it carries out that no step before it does: over all steps each counts once. */
  size: number;
}

/** How far a step is. A failure of one operation is one of the step, and so on. */
export type StepState = 'waiting' | 'running' | 'done' | 'failed' | 'skipped';

/** The step of each operation, by the operation's id; steps in the order of the plan. */
export function stepsOf(plan: Plan): Map<string, Step> {
  const names = new Map<Address, string>();
  for (const whole of wholesOf(plan.changes)) {
    const name = nameOf(whole);
    for (const { address } of whole) names.set(address, name);
  }
  const actions = new Map(plan.changes.map(({ address, action }) => [address, action]));
  const steps = new Map<string, Step>();
  const byOperation = new Map<string, Step>();
  const counted = new Set<string>();
  for (const operation of plan.operations) {
    const own = new Set(operation.changes.map((address) => names.get(address) ?? address));
    const label = labelOf(operation, own);
    const step = steps.get(label) ?? { label, ...verbOf(operation, actions), operations: [], size: 0 };
    step.operations.push(operation);
    step.size += [...own].filter((name) => !counted.has(name)).length;
    for (const name of own) counted.add(name);
    steps.set(label, step);
    byOperation.set(operation.id, step);
  }
  return byOperation;
}

function labelOf({ id }: Operation, names: ReadonlySet<string>): string {
  const [first = id, ...more] = names;
  return cleanLine(first) + (more.length > 0 ? ` and ${more.length} more` : '');
}

/** How many changes steps carry out. */
export const sizeOf = (steps: Iterable<Step>): number => {
  let size = 0;
  for (const step of steps) size += step.size;
  return size;
};

const verbs: Partial<Record<Action, [doing: string, done: string]>> = {
  create: ['creating', 'created'],
  update: ['updating', 'updated'],
  adopt: ['updating', 'updated'],
  replace: ['replacing', 'replaced'],
  delete: ['deleting', 'deleted'],
  move: ['moving', 'moved'],
};
const several: [string, string] = ['changing', 'changed'];

function verbOf({ changes }: Operation, actions: ReadonlyMap<Address, Action>): Pick<Step, 'doing' | 'done'> {
  const found = new Set(changes.map((address) => verbs[actions.get(address) ?? 'noop'] ?? several));
  const [doing, done] = found.size === 1 ? [...found][0]! : several;
  return { doing, done };
}

/** How far an operation is after an event. What is put off is as if it had not begun. */
export const stateAfter: Record<Exclude<ApplyEvent['type'], 'waiting'>, StepState> = {
  started: 'running',
  succeeded: 'done',
  failed: 'failed',
  skipped: 'skipped',
  left: 'waiting',
};

/** How far a step is, by how far its operations are. */
export function stateOf({ operations }: Step, states: ReadonlyMap<string, StepState>): StepState {
  const all = operations.map(({ id }) => states.get(id) ?? 'waiting');
  const found = (['failed', 'skipped', 'running'] as const).find((state) => all.includes(state));
  if (found) return found;
  return all.every((state) => state === 'done') ? 'done' : 'waiting';
}
