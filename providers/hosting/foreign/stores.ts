import type { StateReading } from '#kind';
import type { Attributes } from './attributes.ts';
import { inProject } from './project.ts';

/** Converts a `vercel_blob_store` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function blobStore(attributes: Attributes): StateReading {
  attributes.skip(
    'team_id',
    'count',
    'created_at',
    'updated_at',
    'size',
    'status',
    'usage_quota_exceeded',
    'file_count',
  );
  const object = attributes.renamed({ access: 'access', id: 'id', name: 'name', region: 'region' });
  return attributes.reading([{ kind: 'blobStore', object }]);
}

/** Converts a `vercel_blob_project_connection` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function blobConnection(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id', 'read_write_token_env_var_name');
  const store = { kind: 'blobStore', id: attributes.text('blob_store_id')! };
  const object = attributes.renamed({
    env_var_prefix: 'envVarPrefix',
    environments: 'envVarEnvironments',
    project_id: 'projectId',
  });
  return attributes.reading([{ kind: 'blobConnection', in: store, object }]);
}

/** Converts a `vercel_vcr_repository` (of container images) of a Terraform state to objects of the account, for `trueup from terraform`. */
export function registryRepository(attributes: Attributes): StateReading {
  attributes.skip('team_id', 'created_at', 'updated_at', 'url');
  const object = attributes.renamed({ id: 'id', name: 'name', public: 'public' });
  return attributes.reading([{ kind: 'registryRepository', in: inProject(attributes), object }]);
}

/**
 * Converts a `vercel_vcr_repository_permission` (a team that may pull images) of a Terraform state to objects of the
 * account, for `trueup from terraform`.
 */
export function registryPermission(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id', 'project_id', 'repository', 'granted_team_slug');
  const teamId = attributes.text('granted_team_id');
  if (teamId === undefined) attributes.leave('the state does not contain the id of the team that may pull');
  const inside = { kind: 'registryRepository', id: attributes.text('repository_id')! };
  return attributes.reading(
    teamId === undefined ? [] : [{ kind: 'registryPermission', in: inside, object: { teamId } }],
  );
}
