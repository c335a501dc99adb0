import type { StateReading } from '#kind';
import type { Attributes } from './attributes.ts';
import { inProject } from './project.ts';

export function blobStore(of: Attributes): StateReading {
  of.skip(
    'team_id',
    'count',
    'created_at',
    'updated_at',
    'size',
    'status',
    'usage_quota_exceeded',
    'file_count',
  );
  const object = of.renamed({ access: 'access', id: 'id', name: 'name', region: 'region' });
  return of.reading([{ kind: 'blobStore', object }]);
}

export function registryRepository(of: Attributes): StateReading {
  of.skip('team_id', 'created_at', 'updated_at', 'url');
  const object = of.renamed({ id: 'id', name: 'name', public: 'public' });
  return of.reading([{ kind: 'registryRepository', in: inProject(of), object }]);
}

export function registryPermission(of: Attributes): StateReading {
  of.skip('id', 'team_id', 'project_id', 'repository', 'granted_team_slug');
  const teamId = of.text('granted_team_id');
  if (teamId === undefined) of.leave('the state does not contain the id of the team that may pull');
  const inside = { kind: 'registryRepository', id: of.text('repository_id')! };
  return of.reading(
    teamId === undefined ? [] : [{ kind: 'registryPermission', in: inside, object: { teamId } }],
  );
}
