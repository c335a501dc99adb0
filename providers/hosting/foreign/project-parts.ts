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

/** An environment beside the three that every project has. */
export function customEnvironment(of: Attributes): StateReading {
  of.skip('team_id');
  const branchMatcher = of.inner('branch_tracking')?.renamed({ pattern: 'pattern', type: 'type' });
  const object = present({
    ...of.renamed({ description: 'description', id: 'id', name: 'slug' }),
    branchMatcher,
  });
  return of.reading([{ kind: 'customEnvironment', in: inProject(of), object }]);
}

export function rollingRelease(of: Attributes): StateReading {
  of.skip('id', 'team_id');
  const isManual = of.text('advancement_type') === 'manual-approval';
  const stages = of.items('stages').map((stage) => ({
    ...stage.renamed({ duration: 'duration', target_percentage: 'targetPercentage' }),
    requireApproval: isManual,
  }));
  stages.forEach((stage) => {
    // What a manual one waits for is somebody; the last of them waits for nothing.
    if ((stage as { targetPercentage?: number }).targetPercentage === 100) stage.requireApproval = false;
  });
  return of.reading([{ kind: 'rollingRelease', in: inProject(of), object: { stages } }]);
}

/** A bypass is known by its secret alone, which goes into no file: here it is found by its note. */
export function protectionBypass(of: Attributes): StateReading {
  of.skip('id', 'team_id', 'created_at', 'created_by', 'scope');
  of.secret('secret');
  const project = inProject(of);
  const note = of.text('note');
  const isDefault = of.take('is_env_var');
  if (note === undefined || note === '') {
    of.leave(
      'it has no note, so only its secret identifies it: give it a note, or declare it under `protectionBypass` with `secret: ${secret.NAME}`',
    );
    return of.reading([]);
  }
  if (isDefault === true)
    of.leave('`is_env_var` stays as it is: only one that is declared with its `secret` can say so');
  const object = present({
    secret: `${project.id} ${note}`,
    note,
    isEnvVar: isDefault === true ? undefined : isDefault,
  });
  return of.reading([{ kind: 'protectionBypass', in: project, object, hasMadeUpId: true }]);
}

/** A preview that everybody may see: the alias has to exist, and only the exception is ours. */
export function protectionException(of: Attributes): StateReading {
  of.skip('id', 'team_id', 'created_at', 'created_by', 'scope');
  const project = inProject(of);
  const alias = of.text('alias')!;
  return of.reading([
    { kind: 'alias', in: project, object: { uid: alias, alias }, isOnlyNamed: true },
    { kind: 'aliasBypass', in: { kind: 'alias', id: alias }, object: { who: '*' } },
  ]);
}
