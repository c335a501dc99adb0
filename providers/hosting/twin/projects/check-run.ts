import * as z from 'zod';
import type { Project } from '../account.ts';
import { type Call, type Making, type Stamped, stamped } from '../call.ts';
import { Collection } from '../collection.ts';
import { deployments } from '../deployments/deployment.ts';
import { notFound } from '../errors.ts';
import { type Moving, type Pace, paceOf, startMoving, stepOf } from '../motion.ts';
import { operation, type Resource, seedList } from '../resource.ts';
import { type Check, checks } from './check.ts';

const conclusions = ['canceled', 'skipped', 'timeout', 'failed', 'neutral', 'succeeded'] as const;
const startBody = z.strictObject({ checkId: z.string() });
const updateBody = z.strictObject({
  externalId: z.string().optional(),
  externalUrl: z.string().optional(),
  status: z.enum(['queued', 'running', 'completed']).optional(),
  output: z.looseObject({}).optional(),
  completedAt: z.number().optional(),
  conclusion: z.enum(conclusions).optional(),
  conclusionText: z.string().optional(),
});

/** A run of a check on a deployment. */
interface CheckRun extends Stamped {
  /** A copy of the check from the start of the run, because the check can be deleted later. */
  check: Check;
  deploymentId: string;
  moving: Moving;
  /** What the executor of the run reported; this overrides the state by the clock. Absent in a state file of an earlier version. */
  lastReport?: z.infer<typeof updateBody>;
}

declare module '../account.ts' {
  interface ProjectParts extends Keeps<'checkRuns', CheckRun> {}
  interface ProjectSeed extends Seeds<'checkRuns', typeof seed> {}
  interface AccountSeed {
    /** The duration of runs of checks, and which ones fail. */
    checkRuns?: Pace;
  }
}

/** A run with the project that it is stored in. */
interface Found extends CheckRun {
  project: Project;
}

const deploymentOf = (call: Call) => deployments.find(call, call.owner, call.params.deploymentId);

/** Returns the state of a run: as its executor reported it, else by the clock. */
function stateOf(call: Call, { moving, lastReport: report = {} }: CheckRun) {
  const step = stepOf(moving, call, ['queued', 'running', 'running']);
  if (report.status !== undefined) return report;
  if (step !== undefined) return { ...report, status: step };
  const conclusion = moving.fails ? 'failed' : 'succeeded';
  return { conclusionText: moving.fails ? 'The check failed.' : 'The check passed.', conclusion, ...report };
}

/** Returns a run as answers show it. */
function shown(call: Call, run: CheckRun, project: Project) {
  const { id, check, deploymentId, createdAt, updatedAt, moving } = run;
  const { id: checkId, name, timeout, source, requires, blocks, isRerequestable } = check;
  const state = stateOf(call, run);
  const { status = 'completed' } = state;
  return {
    ...{ id, checkId, deploymentId, ownerId: project.accountId, name, timeout, source, requires, blocks },
    ...{ isRerequestable, createdAt, updatedAt },
    ...(status === 'completed' ? { completedAt: moving.endsAt } : {}),
    ...{ ...state, status },
  };
}

/** The runs on the deployment that the path names. */
const runs = new Collection<Found, { project: Project; deploymentId: string }>(
  {
    what: 'Check run',
    param: 'checkRunId',
    shows: (call, { project, ...run }) => shown(call, run, project),
  },
  (call) => {
    const { project, deployment } = deploymentOf(call);
    return { project, deploymentId: deployment.id };
  },
  (_, { project }) => project.checkRuns.map((run) => ({ ...run, project })),
  (run, { deploymentId }) => run.deploymentId === deploymentId,
);

/** Adds a run of a check to a project, or throws 404 if there is no check. */
function start(making: Making, project: Project, deploymentId: string, check: Check | undefined): CheckRun {
  if (check === undefined) throw notFound('Check');
  const run: CheckRun = {
    ...stamped(making, 'run_'),
    ...{
      check: structuredClone(check),
      deploymentId,
      moving: startMoving(making, 'checkRuns'),
      lastReport: {},
    },
  };
  project.checkRuns.push(run);
  return run;
}

/** A run in a seed. By default it is on the first deployment of its project. */
const seed = z.strictObject({ check: z.string(), deployment: z.string().optional() });

/** The runs of checks on deployments. Each is queued, running and completed by the clock, unless its executor reports another state. */
export const checkRun: Resource = {
  keeps: { project: { checkRuns: [] } },
  operations: {
    listDeploymentCheckRuns: runs.list('runs'),
    getDeploymentCheckRun: runs.read(),
    createDeploymentCheckRun: operation(
      { on: deploymentOf, body: startBody },
      (call, { project, deployment }, { checkId }) => {
        const check = project.checks.find(({ id }) => id === checkId);
        return shown(call, start(call, project, deployment.id, check), project);
      },
    ),
    updateDeploymentCheckRun: operation(
      { on: runs.named, body: updateBody.optional() },
      (call, { object: checkRun, home: { project } }, body) => {
        const run = project.checkRuns.find(({ id }) => id === checkRun.id)!;
        Object.assign(run, { lastReport: { ...run.lastReport, ...body }, updatedAt: call.time() });
        return shown(call, run, project);
      },
    ),
    listCheckRuns: operation({ on: checks.named, list: 'runs' }, (call, { home, object: parentCheck }) => ({
      runs: home.checkRuns
        .filter(({ check }) => check.id === parentCheck.id)
        .map((run) => shown(call, run, home)),
    })),
  },
  seed: {
    account: { checkRuns: paceOf('checkRuns') },
    project: {
      checkRuns: seedList(seed, (making, { check: name, deployment }, project: Project) => {
        const { deployments, checks } = project;
        const deploymentOfRun =
          deployment === undefined ? deployments[0] : deployments.find(({ id }) => id === deployment);
        if (deploymentOfRun === undefined)
          throw new Error(`There is no deployment for a run of the check "${name}".`);
        const check = checks.find((check) => check.name === name);
        if (check === undefined) throw new Error(`There is no check "${name}".`);
        start(making, project, deploymentOfRun.id, check);
      }),
    },
  },
  after: ['projects.deployments', 'projects.checks'],
};
