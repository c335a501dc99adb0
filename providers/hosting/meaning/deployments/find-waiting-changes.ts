/*
 * Finds the changes of a plan that existing deployments do not get. Terms:
 *
 *   waiting change   a change of a variable or a build setting. A deployment keeps what it was built with, so the change waits for the next deployment.
 *   place            where a variable is available: `production`, `preview`, `preview:BRANCH`, `custom:SLUG`, `custom` (every custom environment of a
 *                    team's variable) or `development`, which has no deployments.
 */
import { addTo, lastNameOf, type View, type ViewedChange } from '#kind';
import { addressInProject, linkedProjects } from '../environment/env-variables.ts';

/** A change of a variable or a build setting that the existing deployments of a project do not get. */
export interface WaitingChange {
  /** The name of the variable, or the field of the project. */
  name: string;
  /** The places whose deployments it concerns. */
  places: readonly string[];
  /** The deployments lack it, because it is new. */
  isNew: boolean;
  /** The field or section of the project that changes, for `when` of its `$then`. */
  section?: string;
  /** The block of a variable of the team, for a `$then` of its own. Absent if the plan removes it. */
  sharedBlock?: string;
  /** The changed object. */
  address: string;
}

/**
 * The settings of a project that only a build reads. Sources: documentation, Configuring a Build; the settings of a project in the
 * dashboard, which ask for a new deployment after a change of the Node.js version and of the region, CPU and failover of functions.
 */
const buildSettings = new Set([
  'framework',
  'rootDirectory',
  'buildCommand',
  'installCommand',
  'outputDirectory',
  'nodeVersion',
  'sourceFilesOutsideRootDirectory',
  'gitLFS',
  'serverlessFunctionRegion',
  'serverlessFunctionZeroConfigFailover',
  'resourceConfig.functionDefaultRegions',
  'resourceConfig.functionDefaultMemoryType',
  'resourceConfig.functionZeroConfigFailover',
]);

/** Changes that leave the account as it is. */
const keepsAccount = new Set(['noop', 'release', 'forget']);

/**
 * Returns the waiting changes of each project. Changes that only take back what somebody did outside are left out: the deployments may have
 * been built before that. `after`: the account after the plan.
 */
export function findWaitingChanges(
  changes: readonly ViewedChange[],
  after: View,
): Map<string, WaitingChange[]> {
  const byProject = new Map<string, WaitingChange[]>();
  for (const change of changes) {
    if (change.onlyUndoesDrift || keepsAccount.has(change.action)) continue;
    for (const [project, waiting] of readers[change.kind]?.(change, after) ?? [])
      addTo(byProject, project, waiting);
  }
  return byProject;
}

/** Returns what a change means for the deployments of projects. */
type Reader = (change: ViewedChange, after: View) => [project: string, WaitingChange][];

/** The readers of the kinds whose changes wait. */
const readers: Record<string, Reader> = {
  project: ({ action, paths, address }) =>
    (action === 'create' ? [] : paths.filter((path) => buildSettings.has(path))).map((path) => [
      address,
      {
        name: path,
        places: ['production', 'preview'],
        isNew: false,
        section: path.split('.')[0]!,
        address,
      },
    ]),
  projectEnvVar: (change) =>
    (changesValue(change) ? readPlace(change) : []).map((waiting) => [
      change.parent!,
      { ...waiting, section: 'env' },
    ]),
  sharedEnvVar(change, after) {
    const variable = after.at(change.address);
    const before = new Set(linkedProjects(change.before));
    const linked = new Set(linkedProjects(variable?.fields));
    const [waiting] = readPlace(change);
    if (!waiting) return [];
    const projects = [...new Set([...before, ...linked])].filter(
      (project) => changesValue(change) || before.has(project) !== linked.has(project),
    );
    // A variable of the project with the same name and place hides it.
    const reached = projects.filter(
      (project) => after.at(addressInProject(project, change.address)) === undefined,
    );
    return reached.map((project) => [
      project,
      {
        ...waiting,
        isNew: !before.has(project),
        ...(variable ? { sharedBlock: `sharedEnv.${waiting.name}` } : {}),
      },
    ]);
  },
};

/** True if a change gives a variable another value in its place, or takes it away. */
const changesValue = ({ action, paths }: ViewedChange): boolean =>
  ['create', 'delete', 'replace'].includes(action) || paths.includes('value');

/** Returns the waiting change of a variable in its place; none if the place has no deployments. */
function readPlace({ address, action }: ViewedChange): WaitingChange[] {
  const [name, place] = splitOnce(lastNameOf(address), '@');
  return place === 'development' ? [] : [{ name, places: [place], isNew: action === 'create', address }];
}

/** Splits a text at the first separator. */
function splitOnce(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}
