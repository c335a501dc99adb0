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
  of.skip('team_id', 'created_at', 'updated_at');
  const object = of.renamed({ id: 'id', name: 'name' });
  return of.reading([{ kind: 'registryRepository', in: inProject(of), object }]);
}
