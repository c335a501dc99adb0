import type { ForeignObject, StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';

/**
 * A variable of a project, from any of the three resources that hold one. The provider keeps every value as a secret; a variable without a
 * value is ours all the same, and keeps the one that it has.
 */
export function variable(of: Attributes, project: string): ForeignObject {
  const key = of.text('key')!;
  of.skip('value_wo', 'value_wo_version', 'team_id', 'project_id');
  return {
    kind: 'projectEnvVar',
    secretValue: of.sealed('value', key),
    in: { kind: 'project', id: project },
    object: present({
      id: of.text('id'),
      key,
      type: of.take('sensitive') === true ? 'sensitive' : 'encrypted',
      target: of.texts('target') ?? [],
      customEnvironmentIds: of.texts('custom_environment_ids'),
      gitBranch: of.text('git_branch'),
      comment: of.text('comment'),
      visibility: of.text('visibility'),
    }),
  };
}

export function oneVariable(of: Attributes): StateReading {
  const project = of.text('project_id')!;
  return of.reading([variable(of, project)]);
}

export function severalVariables(of: Attributes): StateReading {
  const project = of.text('project_id')!;
  of.skip('team_id', 'id');
  return of.reading(of.items('variables').map((one) => variable(one, project)));
}

export function sharedVariable(of: Attributes): StateReading {
  const key = of.text('key')!;
  of.skip('value_wo', 'value_wo_version', 'team_id');
  return of.reading([
    {
      kind: 'sharedEnvVar',
      secretValue: of.sealed('value', key),
      object: present({
        id: of.text('id'),
        key,
        type: of.take('sensitive') === true ? 'sensitive' : 'encrypted',
        target: of.texts('target') ?? [],
        projectId: of.texts('project_ids'),
        comment: of.text('comment'),
        applyToAllCustomEnvironments: of.take('apply_to_all_custom_environments'),
      }),
    },
  ]);
}
