import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { Processes } from './processes.ts';

/** Who works on a stack: one run of the tool. */
export interface Holder {
  /** Of this run alone. */
  run: string;
  user: string;
  host: string;
  pid: number;
}

interface Self {
  processes: Processes;
  env: Record<string, string | undefined>;
}

export const thisHolder = ({ processes, env }: Self): Holder => ({
  run: randomBytes(9).toString('base64url'),
  user: userName(env),
  host: hostname(),
  pid: processes.pid,
});

/** Inside a container the user's number may have no name. */
function userName(env: Self['env']): string {
  try {
    return userInfo().username;
  } catch {
    return env.USER || 'a user without a name';
  }
}
