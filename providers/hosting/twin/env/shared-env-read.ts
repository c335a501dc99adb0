import type { Project } from '../account.ts';
import type { Call } from '../call.ts';
import { ciphertext, type EnvVar } from './env-read.ts';

/** A team's variable with the projects that it is linked to; the value is kept in the clear. */
export interface SharedEnvVar {
  id: string;
  ownerId: string;
  key: string;
  value: string;
  type: 'encrypted' | 'sensitive' | 'plain' | 'system';
  target: string[];
  projectId: string[];
  comment?: string;
  applyToAllCustomEnvironments?: boolean;
  createdAt: number;
  updatedAt: number;
  createdBy: string | null;
  updatedBy: string | null;
  /** Set on a variable that was deleted: only the list still shows it. It can only come from a seed. */
  deletedAt?: number;
}

declare module '../account.ts' {
  interface AccountParts {
    sharedEnv: SharedEnvVar[];
  }
}

/** A shared variable as answers show it. Encrypted values come in the clear only when decrypted, sensitive ones never. */
export function readSharedEnvVar(call: Call, row: SharedEnvVar, decrypt: boolean): Record<string, unknown> {
  const { value, ...rest } = row;
  const read: Record<string, unknown> = {
    ...rest,
    created: new Date(row.createdAt).toISOString(),
    customEnvironmentIds: [],
    lastEditedByDisplayName: call.account.user.username,
    securityIssues: [],
    decrypted: decrypt && row.type === 'encrypted',
  };
  if (row.type === 'sensitive') {
    if (call.switches.sensitiveValue === '') read.value = '';
  } else if (row.type === 'encrypted') {
    read.value = decrypt ? value : ciphertext(row);
  } else {
    Object.assign(read, { value, decrypted: call.switches.plainDecryptedFlag });
  }
  return read;
}

/** The rows that a project's own list has of linked shared variables; whether it has them is not confirmed. */
export function linkedSharedEnv(call: Call, project: Project): EnvVar[] {
  if (!call.switches.sharedEnvInProjectList) return [];
  return call.account.sharedEnv
    .filter((row) => row.projectId.includes(project.id) && row.deletedAt === undefined)
    .map(({ ownerId: _ownerId, projectId: _projectId, applyToAllCustomEnvironments: _every, ...row }) => ({
      ...row,
      customEnvironmentIds: [],
    }));
}
