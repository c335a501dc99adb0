import type { StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';
import { inProject } from './project.ts';

/** Settings of a project that are a resource of their own there: fields of the project, and nothing else of it. */
const partOf = (of: Attributes, fields: Record<string, unknown>): StateReading => {
  const { id } = inProject(of);
  return of.reading([{ kind: 'project', object: { id, ...fields }, isPart: true }]);
};

const memoryTypes = new Map(Object.entries({ basic: 'standard_legacy' }));

export function functionCpu(of: Attributes): StateReading {
  of.skip('id', 'team_id');
  const cpu = of.text('cpu');
  if (cpu === undefined) return of.reading([]);
  return partOf(of, { resourceConfig: { functionDefaultMemoryType: memoryTypes.get(cpu) ?? cpu } });
}

export function functionMaxDuration(of: Attributes): StateReading {
  of.skip('id', 'team_id');
  const seconds = of.take('max_duration');
  return partOf(of, { resourceConfig: present({ functionDefaultTimeout: seconds }) });
}

export function deploymentCheck(of: Attributes): StateReading {
  of.skip('team_id', 'created_at', 'updated_at');
  const source = of.inner('source');
  source?.skip(
    'integration_configuration_id',
    'integration_id',
    'job_name',
    'origin',
    'resource_id',
    'sub_kind',
  );
  const declared = source?.renamed({
    external_check_name: 'externalCheckName',
    external_resource_id: 'externalResourceId',
    kind: 'kind',
    provider: 'provider',
    webhook_id: 'webhookId',
  });
  const object = present({
    ...of.renamed({
      blocks: 'blocks',
      id: 'id',
      is_rerequestable: 'isRerequestable',
      name: 'name',
      requires: 'requires',
      targets: 'targets',
      timeout: 'timeout',
    }),
    // One of the platform's own says where it is from, and nobody can write that.
    source: declared?.kind === 'vercel' ? undefined : declared,
  });
  return of.reading([{ kind: 'check', in: inProject(of), object }]);
}
