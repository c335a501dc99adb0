import { listFew } from '../../model/fold-wordings.ts';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import type { Plan } from '../../model/plan.ts';
import { cleanLine } from '../clean.ts';
import { count, listed } from '../count.ts';
import { objectsAndSecrets } from '../not-compared-text.ts';
import { summarizePlan } from '../summarize-plan.ts';

/** The states of a job, for people; the ones to look at come first. */
export const jobStates = [
  'failed',
  'refused',
  'lost',
  'running',
  'waiting',
  'blocked',
  'skipped',
  'done',
] as const;
type JobState = (typeof jobStates)[number];

/** The changes of a plan, as a worker counts them. */
interface PlanCounts {
  create: number;
  update: number;
  replace: number;
  delete: number;
  /** Those that another stack owned until now. */
  takeOver?: number;
  /** The names of those stacks. */
  takenFrom?: string[];
  /** Objects and secrets that were not compared with the account; absent if there are none. */
  notCompared?: number;
  secretsNotCompared?: number;
}

/** An outcome in the queue names at most so many stacks. */
const mostStacks = 20;

export function planCounts(plan: Plan): PlanCounts {
  const summary = summarizePlan(plan);
  const { create, adopt, update, move, replace, delete: gone, notCompared, secretsNotCompared } = summary;
  const changes = plan.changes.filter(({ takenFrom }) => takenFrom !== undefined);
  const takenFrom = [...new Set(changes.map((change) => change.takenFrom!))].sort();
  const counts = { create, update: update + adopt + move, replace, delete: gone };
  return {
    ...counts,
    ...(changes.length > 0
      ? { takeOver: countLogicalChanges(changes), takenFrom: takenFrom.slice(0, mostStacks) }
      : {}),
    notCompared: notCompared > 0 ? notCompared : undefined,
    secretsNotCompared: secretsNotCompared > 0 ? secretsNotCompared : undefined,
  };
}

/** `2 to create, 1 to delete, 1 taken over from stack one` */
export function countsText({
  notCompared = 0,
  secretsNotCompared = 0,
  takeOver = 0,
  takenFrom = [],
  ...counts
}: PlanCounts): string {
  const from =
    takenFrom.length > 0 ? ` from ${takenFrom.length > 1 ? 'stacks' : 'stack'} ${listFew(takenFrom)}` : '';
  const parts = [
    ...Object.entries(counts).flatMap(([verb, number]) => (number > 0 ? [`${number} to ${verb}`] : [])),
    ...(takeOver > 0 ? [`${takeOver} taken over${from}`] : []),
  ];
  const uncompared = objectsAndSecrets(notCompared, secretsNotCompared);
  const changes = parts.length > 0 ? parts.join(', ') : 'no changes of objects';
  return uncompared === '' ? changes : `${changes}, ${uncompared} not compared`;
}

/** A job of a fleet, as reports show it. */
export interface FleetJob {
  id: string;
  /** `plan shop@staging` */
  name: string;
  state: JobState;
  retries: number;
  /** `2 to create, 1 to delete`, or why it was not done. */
  said?: string;
  worker?: string;
  seconds?: number;
  isDrift?: boolean;
}

/** Jobs that were enqueued together. */
export interface FleetBatch {
  id: string;
  repository: string;
  commit?: string;
  by?: string;
  jobs: FleetJob[];
  /** Approves all plans of the batch, once they are all made. */
  digest?: string;
}

/** All that is told of a fleet. */
export interface FleetReport {
  batches: FleetBatch[];
  workers: { name: string; isAlive: boolean; running: number }[];
  schedules: { repository: string; stacks: string; time: string; zone: string }[];
}

/** `12 jobs: 1 failed, 3 waiting, 8 done` */
export function jobsText(jobs: readonly FleetJob[]): string {
  const parts = jobStates.flatMap((state) => {
    const number = jobs.filter((job) => job.state === state).length;
    return number === 0 ? [] : [`${number} ${stateWords[state]}`];
  });
  const drift = jobs.filter(({ isDrift }) => isDrift).length;
  return `${count(jobs.length, 'job')}: ${parts.join(', ')}${drift > 0 ? `; ${drift} with drift` : ''}`;
}

export const stateWords: Record<JobState, string> = {
  failed: 'failed',
  refused: 'refused',
  lost: 'given up',
  running: 'running',
  waiting: 'waiting',
  blocked: 'waiting for others',
  skipped: 'left out',
  done: 'done',
};

/** True for jobs to look at: those that did not work and those under way. The others are only counted. */
const isShown = ({ state, isDrift }: FleetJob): boolean =>
  isDrift === true || !['done', 'waiting', 'blocked'].includes(state);

const mostShownStacks = 40;

/** A fleet as lines of text. */
export function fleetText({ batches, workers, schedules }: FleetReport): string {
  const alive = workers.filter(({ isAlive }) => isAlive);
  const silent = workers.length - alive.length;
  return [
    `${count(alive.length, 'worker')}${alive.length > 0 ? `: ${listed(alive.map(({ name }) => name))}` : ''}${silent > 0 ? `; not responding: ${silent}` : ''}`,
    ...schedules.map(
      ({ repository, stacks, time, zone }) => `Drift of ${repository}, ${stacks}: at ${time} (${zone})`,
    ),
    ...(batches.length === 0 ? ['No jobs.'] : batches.flatMap(batchLines)),
  ]
    .map(cleanLine)
    .join('\n');
}

function batchLines(batch: FleetBatch): string[] {
  const shown = batch.jobs.filter(isShown);
  return [
    '',
    `${batch.id}  ${aboutBatch(batch)}`,
    `  ${jobsText(batch.jobs)}`,
    ...shown.slice(0, mostShownStacks).map((job) => `  ${jobText(job)}`),
    ...(shown.length > mostShownStacks ? [`  and ${shown.length - mostShownStacks} more`] : []),
    ...(batch.digest === undefined ? [] : [`  digest of these plans: ${batch.digest}`]),
  ];
}

export const aboutBatch = ({ repository, commit, by }: FleetBatch): string =>
  `${repository}${commit === undefined ? '' : ` at ${commit.slice(0, 12)}`}${by === undefined ? '' : `, by ${by}`}`;

function jobText({ id, name, state, retries, said, worker, isDrift }: FleetJob): string {
  const facts = [
    ...(isDrift ? ['changed outside'] : []),
    ...(said === undefined ? [] : [said.split('\n')[0]!]),
    ...(retries > 0 ? [`started ${retries + 1} times`] : []),
    ...(worker === undefined || state === 'done' ? [] : [`on ${worker}`]),
  ];
  return `${stateWords[state]}: ${name} (${id.slice(0, 8)})${facts.length > 0 ? `, ${facts.join(', ')}` : ''}`;
}
