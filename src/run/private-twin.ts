import { randomBytes } from 'node:crypto';
import type { Provider, RunningTwin } from '../kind/provider.ts';

/** A twin in this process, with the only token that it accepts. */
export interface PrivateTwin {
  twin: RunningTwin;
  token: string;
}

/**
 * Starts a twin (a local copy of the platform) that only this process can use: every process on the machine can reach its port, so it
 * gets a token that cannot be guessed. Used for rehearsals, and wherever else a command carries out a plan without the account. Throws
 * `Problems` for a seed or state that the twin cannot use.
 */
export async function startPrivateTwin(
  provider: Provider,
  settings: Omit<Parameters<Provider['startTwin']>[0], 'token'>,
): Promise<PrivateTwin> {
  const token = randomBytes(32).toString('base64url');
  return { twin: await provider.startTwin({ ...settings, token }), token };
}
