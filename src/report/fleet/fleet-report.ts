import { listFew } from '../../model/fold-wordings.ts';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import type { Plan } from '../../model/plan.ts';
import { objectsAndSecrets } from '../not-compared-text.ts';
import { summarizePlan } from '../plan-notes.ts';
import { cleanLine, count, joinAsSentence } from '../text.ts';

/** The states of a job. Those that need attention come first. */
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

/** The counts of a plan that a worker stores with the outcome of its job, since the queue does not keep plans. */
export interface PlanCounts {
  create: number;
  update: number;
  replace: number;
  delete: number;
  /** The number of objects that are taken over from other stacks. */
  takeOver?: number;
  /** The names of those stacks. */
  takenFrom?: string[];
  /** Objects and secrets that were not compared with the account; absent if there are none. */
  notCompared?: number;
  secretsNotCompared?: number;
}

/** The most stacks that an outcome in the queue names. */
const maxNamedStacks = 20;

/**
 * Counts the changes of a plan for the result of a fleet job, since the queue stores no plans. Adoptions and
 * moves count as updates. Releases (objects that the stack gives up, but that stay) are not counted.
 *
 * Objects that are taken over from other stacks count under their action, and again in `takeOver`, with the names of
 * some of these stacks in `takenFrom`. Like everywhere, a variable that changes in three targets counts once.
 */
export function planCounts(plan: Plan): PlanCounts {
  const summary = summarizePlan(plan);
  const { create, adopt, update, move, replace, notCompared, secretsNotCompared } = summary;
  const takeovers = plan.changes.filter(({ takenFrom }) => takenFrom !== undefined);
  const formerOwners = [...new Set(takeovers.map(({ takenFrom }) => takenFrom!))].sort();
  const counts = { create, update: update + adopt + move, replace, delete: summary.delete };
  return {
    ...counts,
    ...(takeovers.length > 0
      ? { takeOver: countLogicalChanges(takeovers), takenFrom: formerOwners.slice(0, maxNamedStacks) }
      : {}),
    notCompared: notCompared > 0 ? notCompared : undefined,
    secretsNotCompared: secretsNotCompared > 0 ? secretsNotCompared : undefined,
  };
}

/**
 * Formats the counts of a plan: as the result of a fleet job or of a batch for `trueup fleet status`, and for each stack of `trueup fleet
 * enqueue apply` before the user agrees: `2 to create, 1 taken over from stack one, 3 objects not compared`.
 */
export function countsText({
  notCompared = 0,
  secretsNotCompared = 0,
  takeOver = 0,
  takenFrom = [],
  ...counts
}: PlanCounts): string {
  const fromText =
    takenFrom.length > 0 ? ` from ${takenFrom.length > 1 ? 'stacks' : 'stack'} ${listFew(takenFrom)}` : '';
  const changeTexts = [
    ...Object.entries(counts).flatMap(([verb, number]) => (number > 0 ? [`${number} to ${verb}`] : [])),
    ...(takeOver > 0 ? [`${takeOver} taken over${fromText}`] : []),
  ];
  const uncompared = objectsAndSecrets(notCompared, secretsNotCompared);
  const changes = changeTexts.length > 0 ? changeTexts.join(', ') : 'no changes of objects';
  return uncompared === '' ? changes : `${changes}, ${uncompared} not compared`;
}

/** A job of a fleet, as reports show it. A job plans or applies one stack. */
export interface FleetJob {
  id: string;
  /** The command and the stack: `plan shop@staging` */
  name: string;
  state: JobState;
  retries: number;
  /** Its result: `2 to create, 1 to delete`, or why it was not done. */
  result?: string;
  /** The counts of its plan, if it made one. */
  changes?: PlanCounts;
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
  /** The digest of all plans of the batch, by which they are approved together. Absent until all of them are made. */
  digest?: string;
}

/**
 * Returns the sums of the plans of a batch (jobs of a fleet that were enqueued together), for `trueup fleet status` as text and as
 * a page; undefined if fewer than two jobs have made a plan.
 */
export function sumChanges(jobs: readonly FleetJob[]): PlanCounts | undefined {
  const counts = jobs.flatMap(({ changes }) => changes ?? []);
  if (counts.length < 2) return undefined;
  const sum = (name: Exclude<keyof PlanCounts, 'takenFrom'>) =>
    counts.reduce((total, changes) => total + (changes[name] ?? 0), 0);
  const takenFrom = [...new Set(counts.flatMap((changes) => changes.takenFrom ?? []))].sort();
  return {
    create: sum('create'),
    update: sum('update'),
    replace: sum('replace'),
    delete: sum('delete'),
    takeOver: sum('takeOver'),
    takenFrom: takenFrom.slice(0, maxNamedStacks),
    notCompared: sum('notCompared'),
    secretsNotCompared: sum('secretsNotCompared'),
  };
}

/**
 * Compares two jobs for reports: by state, those that need attention first, and then by the number of objects that they delete or replace.
 */
export const byDanger = (a: FleetJob, b: FleetJob): number =>
  jobStates.indexOf(a.state) - jobStates.indexOf(b.state) || deletionsOf(b) - deletionsOf(a);

/** Returns the number of objects that a job deletes or replaces, by which reports sort and list it. */
export const deletionsOf = ({ changes }: Pick<FleetJob, 'changes'>): number =>
  changes ? changes.delete + changes.replace : 0;

/** The state of a fleet, as reports show it. */
export interface FleetReport {
  batches: FleetBatch[];
  workers: { name: string; isAlive: boolean; running: number }[];
  schedules: { repository: string; stacks: string; time: string; zone: string }[];
}

/** Counts the jobs of a batch by state, for its headline: `12 jobs: 1 failed, 3 waiting, 8 done`. */
export function jobsText(jobs: readonly FleetJob[]): string {
  const parts = jobStates.flatMap((state) => {
    const number = jobs.filter((job) => job.state === state).length;
    return number === 0 ? [] : [`${number} ${stateWords[state]}`];
  });
  const drift = jobs.filter(({ isDrift }) => isDrift).length;
  return `${count(jobs.length, 'job')}: ${parts.join(', ')}${drift > 0 ? `; ${drift} with drift` : ''}`;
}

/** The words for the states of a job. */
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

/**
 * True for a job that the text lists: all but those that are done or wait, unless they found drift or delete something. The others are only
 * counted.
 */
const needsLine = ({ state, isDrift, ...job }: FleetJob): boolean =>
  isDrift === true || deletionsOf(job) > 0 || !['done', 'waiting', 'blocked'].includes(state);

const maxListedJobs = 40;

/** Formats the state of a fleet for `trueup fleet status`: its workers, its schedules, and its batches of jobs. */
export function fleetText({ batches, workers, schedules }: FleetReport): string {
  const alive = workers.filter(({ isAlive }) => isAlive);
  const silent = workers.length - alive.length;
  return [
    `${count(alive.length, 'worker')}${alive.length > 0 ? `: ${joinAsSentence(alive.map(({ name }) => name))}` : ''}${silent > 0 ? `; not responding: ${silent}` : ''}`,
    ...schedules.map(
      ({ repository, stacks, time, zone }) => `Drift of ${repository}, ${stacks}: at ${time} (${zone})`,
    ),
    ...(batches.length === 0 ? ['No jobs.'] : batches.flatMap(batchLines)),
  ]
    .map(cleanLine)
    .join('\n');
}

/**
 * Formats a batch (jobs that were enqueued together) for `trueup fleet status`: its title, counts by state, and the
 * jobs that failed, were left out, are running or found drift.
 */
function batchLines(batch: FleetBatch): string[] {
  const shown = batch.jobs.filter(needsLine).sort(byDanger);
  const sum = sumChanges(batch.jobs);
  return [
    '',
    `${batch.id}  ${batchTitle(batch)}`,
    `  ${jobsText(batch.jobs)}`,
    ...(sum ? [`  in all: ${countsText(sum)}`] : []),
    ...shown.slice(0, maxListedJobs).map((job) => `  ${jobText(job)}`),
    ...(shown.length > maxListedJobs ? [`  and ${shown.length - maxListedJobs} more`] : []),
    ...(batch.digest === undefined ? [] : [`  digest of these plans: ${batch.digest}`]),
  ];
}

/** Formats the title of a batch: repository, commit and author. */
export const batchTitle = ({ repository, commit, by }: FleetBatch): string =>
  `${repository}${commit === undefined ? '' : ` at ${commit.slice(0, 12)}`}${by === undefined ? '' : `, by ${by}`}`;

/**
 * Formats one job for its line in `trueup fleet status`, with the first line of its result, its retries and, until it is done, its worker.
 */
function jobText({ id, name, state, retries, result, worker, isDrift }: FleetJob): string {
  const facts = [
    ...(isDrift ? ['changed outside'] : []),
    ...(result === undefined ? [] : [result.split('\n')[0]!]),
    ...(retries > 0 ? [`started ${retries + 1} times`] : []),
    ...(worker === undefined || state === 'done' ? [] : [`on ${worker}`]),
  ];
  return `${stateWords[state]}: ${name} (${id.slice(0, 8)})${facts.length > 0 ? `, ${facts.join(', ')}` : ''}`;
}
