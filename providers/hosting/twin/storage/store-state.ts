import type { Call, Making, Stamped } from '../call.ts';
import { ofOwner } from '../kept.ts';

/** A project that uses a store. */
export interface Connection {
  projectId: string;
  environments: string[];
  makeEnvVarsSensitive: boolean;
  envVarPrefix: string | null;
}

/** A store for files, or a resource of an integration. */
export interface Store extends Stamped {
  ownerId: string;
  type: 'blob' | 'integration';
  name: string;
  status: string;
  region?: string;
  access?: string;
  /** The project that owns the store, if one does: the store is deleted with it. */
  projectId?: string;
  product?: { slug: string; integrationConfigurationId: string };
  connections: Connection[];
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'stores', Store> {}
}

/** Returns the id of a connection: a project has at most one in each store. */
export const connectionId = ({ projectId }: Connection) => `spc_${projectId}`;

/**
 * Returns a connection as answers show it, with its project. The command line reads `environments`, the Terraform provider the other
 * members.
 */
export function shownConnection({ account }: Making, connection: Connection) {
  const project = account.projects.find(({ id }) => id === connection.projectId);
  return {
    ...{ id: connectionId(connection), environmentVariables: [], name: project?.name, ...connection },
    envVarEnvironments: connection.environments,
    project: project && { id: project.id, name: project.name, framework: project.framework ?? null },
  };
}

/** The stores of an owner, with the projects that use them. */
export const stores = ofOwner('stores', {
  ...{ what: 'Store', as: 'store' },
  shows(call: Call, { connections, ...store }: Store) {
    const projectsMetadata = connections.map((connection) => shownConnection(call, connection));
    const totalConnectedProjects = connections.length;
    const contents = store.type === 'blob' && { size: 0, count: 0 };
    return { ...store, ...contents, projectsMetadata, totalConnectedProjects, usageQuotaExceeded: false };
  },
});
