import type { ForeignObject, StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';

/**
 * Converts a variable of a project to an object of the account, from any of the three Terraform resources that contain variables. The
 * provider marks every value as a secret, so the YAML gets none. A variable without a value is declared too, and keeps its current value.
 */
export function variable(attributes: Attributes, project: string): ForeignObject {
  const key = attributes.text('key')!;
  attributes.skip('value_wo', 'value_wo_version', 'team_id', 'project_id');
  return {
    kind: 'projectEnvVar',
    secretValue: attributes.sealed('value', key),
    in: { kind: 'project', id: project },
    object: present({
      id: attributes.text('id'),
      key,
      type: attributes.take('sensitive') === true ? 'sensitive' : 'encrypted',
      target: attributes.texts('target') ?? [],
      customEnvironmentIds: attributes.texts('custom_environment_ids'),
      gitBranch: attributes.text('git_branch'),
      comment: attributes.text('comment'),
      visibility: attributes.text('visibility'),
    }),
  };
}

export function oneVariable(attributes: Attributes): StateReading {
  const project = attributes.text('project_id')!;
  return attributes.reading([variable(attributes, project)]);
}

/**
 * Converts a `vercel_project_environment_variables` (several variables of one project) of a Terraform state to objects
 * of the account, for `trueup from terraform`.
 */
export function severalVariables(attributes: Attributes): StateReading {
  const project = attributes.text('project_id')!;
  attributes.skip('team_id', 'id');
  return attributes.reading(attributes.items('variables').map((attributes) => variable(attributes, project)));
}

/**
 * Converts a `vercel_shared_environment_variable` (a team's variable) of a Terraform state to objects of the account, for `trueup from
 * terraform`.
 */
export function sharedVariable(attributes: Attributes): StateReading {
  const key = attributes.text('key')!;
  attributes.skip('value_wo', 'value_wo_version', 'team_id');
  return attributes.reading([
    {
      kind: 'sharedEnvVar',
      secretValue: attributes.sealed('value', key),
      object: present({
        id: attributes.text('id'),
        key,
        type: attributes.take('sensitive') === true ? 'sensitive' : 'encrypted',
        target: attributes.texts('target') ?? [],
        projectId: attributes.texts('project_ids'),
        comment: attributes.text('comment'),
        applyToAllCustomEnvironments: attributes.take('apply_to_all_custom_environments'),
      }),
    },
  ]);
}

/**
 * Converts a `vercel_shared_environment_variable_project_link` (the link from a team's variable to one project) of a
 * Terraform state to objects of the account, for `trueup from terraform`.
 */
export function sharedLink(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const object = attributes.renamed({ shared_environment_variable_id: 'id' });
  const project = { kind: 'project', id: attributes.text('project_id')! };
  return attributes.reading([{ kind: 'sharedEnvLink', in: project, object }]);
}
