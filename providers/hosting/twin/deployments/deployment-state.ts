import type * as z from 'zod';
import type { Project } from '../account.ts';
import type { Making } from '../call.ts';
import { type Moving, stepOf } from '../motion.ts';
import type { gitSource } from './git-source.ts';

/** A deployment of a project. What it is built of stays with the platform: it comes in a read of one, not in the list. */
export interface Deployment {
  id: string;
  target: string | null;
  customEnvironmentId?: string;
  meta: Record<string, string>;
  gitSource?: z.infer<typeof gitSource>;
  /** The names of its own environment variables. */
  env?: string[];
  createdAt: number;
  /** READY without it, once its build is over. */
  state?: string;
  /** Its build; over without it. */
  build?: Moving;
}

/** Returns the state of a deployment: it waits for a third of its time, then it is built. */
export function stateOf({ state, build }: Deployment, making: Pick<Making, 'now'>): string {
  if (state !== undefined) return state;
  const step = build && stepOf(build, making, ['QUEUED', 'BUILDING', 'BUILDING']);
  return step ?? (build?.fails ? 'ERROR' : 'READY');
}

/** The host of a deployment of the project of this name. */
export const urlOf = ({ id }: Deployment, project: string): string =>
  `${project}-${id.slice(-9).toLowerCase()}.vercel.app`;

/**
 * Returns the host names that lead to a deployment, as a read of it lists them: assigned aliases, and for a ready deployment in production the
 * domains of its project and PROJECT-SCOPE.vercel.app (source: the acceptance tests of the Terraform provider count both).
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
