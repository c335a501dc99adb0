import type * as z from 'zod';
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
