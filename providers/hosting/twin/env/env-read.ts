import { createHash } from 'node:crypto';
import type { Call } from '../call.ts';

/** One row of a project's environment variables; the value is kept in the clear. */
export interface EnvVar {
  id: string;
  key: string;
  value: string;
  type: 'system' | 'encrypted' | 'plain' | 'sensitive' | 'secret';
  target: string[];
  customEnvironmentIds: string[];
  gitBranch?: string;
  comment?: string;
  createdAt: number;
  updatedAt: number;
  createdBy: string | null;
  updatedBy: string | null;
  /** The platform's own row: cannot be written. */
  system?: boolean;
  /** Set on a row that an integration owns: cannot be written. */
  configurationId?: string | null;
}

/** What stands for an encrypted value that is not decrypted. */
export function ciphertext(env: Pick<EnvVar, 'id' | 'updatedAt' | 'value'>): string {
  const hash = createHash('sha512').update(`${env.id}\n${env.updatedAt}\n${env.value}`).digest('base64');
  return `eyJ2IjoidjIiLCJjIjoi${hash.replace(/=+$/, '')}`;
}

/** A variable as answers show it. Encrypted values come in the clear only when decrypted, sensitive ones never. */
export function readEnvVar(call: Call, env: EnvVar, decrypt: boolean): Record<string, unknown> {
  const { value, target, ...rest } = env;
  const read: Record<string, unknown> = {
    ...rest,
    target: call.switches.envTargetAsString && target.length === 1 ? target[0] : target,
    configurationId: env.configurationId ?? null,
    contentHint: null,
    securityIssues: [],
    decrypted: decrypt && env.type === 'encrypted',
  };
  const hidden = env.type === 'sensitive' || env.type === 'secret';
  if (hidden) {
    if (call.switches.sensitiveValue === '') read.value = '';
  } else if (env.type === 'encrypted' && !decrypt) {
    read.value = ciphertext(env);
  } else {
    read.value = value;
    if (env.type !== 'encrypted') read.decrypted = call.switches.plainDecryptedFlag;
  }
  return read;
}
