import type { Account, Project } from '../account.ts';
import type { EnvVar } from './env-row.ts';

/** The environment of a deployment: a target or the id of a custom environment, and the branch that it is built from. */
interface DeployedPlace {
  target: string;
  gitBranch?: string | undefined;
}

/** Returns the project's own variables that a deployment gets, those for its branch last, because they win. */
export function variablesFor({ env }: Project, { target, gitBranch }: DeployedPlace): EnvVar[] {
  const rows = env.filter(
    (row) =>
      (row.target.includes(target) || row.customEnvironmentIds.includes(target)) &&
      (row.gitBranch === undefined || row.gitBranch === gitBranch),
  );
  return rows.sort((a, b) => Number(a.gitBranch !== undefined) - Number(b.gitBranch !== undefined));
}

/** The most bytes of all names and values of one deployment. Source: documentation, Limits. */
const mostBytes = 65_536;

/**
 * True if a deployment cannot be built because its variables are too large, with the shared ones that are linked to its project. A
 * project's own variable replaces a shared one of its name.
 */
export function hasTooLargeEnv({ sharedEnv }: Account, project: Project, place: DeployedPlace): boolean {
  const isCustom = project.customEnvironments.some(({ id }) => id === place.target);
  const shared = sharedEnv.filter(
    ({ projectId, target, applyToAllCustomEnvironments, deletedAt }) =>
      deletedAt === undefined &&
      projectId.includes(project.id) &&
      (isCustom ? applyToAllCustomEnvironments === true : target.includes(place.target)),
  );
  const values = new Map([...shared, ...variablesFor(project, place)].map(({ key, value }) => [key, value]));
  const bytes = [...values].reduce((sum, [key, value]) => sum + Buffer.byteLength(key + value), 0);
  return bytes > mostBytes;
}
