import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';

/** Who works on a stack: one run of the tool. */
export interface Holder {
  /** Of this run alone. */
  run: string;
  user: string;
  host: string;
  pid: number;
}

export const thisHolder = (): Holder => ({
  run: randomBytes(9).toString('base64url'),
  user: userName(),
  host: hostname(),
  pid: process.pid,
});

/** Inside a container the user's number may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env.USER || `user ${process.getuid?.()}`;
  }
}
