import type * as z from 'zod';
import type { Project } from '../account.ts';
import type { Making } from '../call.ts';
import { type Moving, stepOf } from '../motion.ts';
import type { gitSource } from './git-source.ts';

/** A deployment of a project. Only a read of one deployment shows `gitSource`; the list does not. */
export interface Deployment {
  id: string;
  target: string | null;
  customEnvironmentId?: string;
  meta: Record<string, string>;
  gitSource?: z.infer<typeof gitSource>;
  /** The names of its own environment variables. */
  env?: string[];
  createdAt: number;
  /** A fixed state. Without it, the state follows from `build`, see `stateOf`. */
  state?: string;
  /** Its build. Absent if the build was over at once and succeeded. */
  build?: Moving;
}

/**
 * Returns the state of a deployment: QUEUED for the first third of its build, then BUILDING, at last READY, or ERROR if the build fails.
 */
export function stateOf({ state, build }: Deployment, making: Pick<Making, 'now'>): string {
  if (state !== undefined) return state;
  const step = build && stepOf(build, making, ['QUEUED', 'BUILDING', 'BUILDING']);
  return step ?? (build?.fails ? 'ERROR' : 'READY');
}

/** Returns the host name of a deployment. `project`: the name of its project. */
export const urlOf = ({ id }: Deployment, project: string): string =>
  `${project}-${id.slice(-9).toLowerCase()}.vercel.app`;

/**
 * Returns the host names that lead to a deployment, as a read of it lists them: assigned aliases, and for a ready deployment in production
 * the domains of its project and PROJECT-SCOPE.vercel.app (source: the acceptance tests of the Terraform provider count both).
 */
export function hostsOf(
  making: Pick<Making, 'account' | 'now'>,
  project: Project,
  deployment: Deployment,
): string[] {
  const { aliases, teams, user } = making.account;
  const assigned = aliases
    .filter(({ deploymentId }) => deploymentId === deployment.id)
    .map(({ alias }) => alias);
  if (deployment.target !== 'production' || stateOf(deployment, making) !== 'READY') return assigned;
  const scope = teams.find(({ id }) => id === project.accountId)?.slug ?? user.username;
  const domains = project.domains.filter(
    ({ gitBranch, customEnvironmentId, redirect }) => !gitBranch && !customEnvironmentId && !redirect,
  );
  const hosts = [...domains.map(({ name }) => name), `${project.name}-${scope}.vercel.app`, ...assigned];
  return [...new Set(hosts)];
}
