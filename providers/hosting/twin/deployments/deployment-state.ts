import type * as z from 'zod';
import type { Making } from '../call.ts';
import type { gitSource } from './git-source.ts';

/** A deployment of a project. What it is built of stays with the platform: it comes in a read of one, not in the list. */
export interface Deployment {
  id: string;
  target: string | null;
  customEnvironmentId?: string;
  meta: Record<string, string>;
  gitSource?: z.infer<typeof gitSource>;
  createdAt: number;
  /** READY without it, once its build is over. */
  state?: string;
  /** When its build is over, in milliseconds; at once without it. */
  builtAt?: number;
  /** Its build fails then. */
  fails?: true;
}

/** How far a deployment is: a third of its time it waits, then it is built. */
export function stateOf(
  { state, createdAt, builtAt, fails }: Deployment,
  { now }: Pick<Making, 'now'>,
): string {
  if (state !== undefined) return state;
  const left = (builtAt ?? 0) - now();
  if (left <= 0) return fails ? 'ERROR' : 'READY';
  return left > ((builtAt! - createdAt) * 2) / 3 ? 'QUEUED' : 'BUILDING';
}

/** Where a deployment of the project of this name answers. */
export const urlOf = ({ id }: Deployment, project: string): string =>
  `${project}-${id.slice(-9).toLowerCase()}.vercel.app`;
