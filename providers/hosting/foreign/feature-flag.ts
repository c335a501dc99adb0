import type { StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';
import { inProject } from './project.ts';

/**
 * Converts a `vercel_feature_flag` (a flag with its answers in each environment) of a Terraform state to objects of the
 * account, for `trueup from terraform`. The provider also has two separate resources for both parts.
 */
export function featureFlag(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  const object = { ...definition(attributes), environments: environmentsIn(attributes) };
  return attributes.reading([{ kind: 'featureFlag', in: inProject(attributes), object }]);
}

/**
 * Converts a `vercel_feature_flag_definition` of a Terraform state to objects of the account, for `trueup from terraform`. Its answers are
 * in another resource, if the state has them.
 */
export function featureFlagDefinition(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  return attributes.reading([
    { kind: 'featureFlag', in: inProject(attributes), object: definition(attributes) },
  ]);
}

/**
 * Converts a `vercel_feature_flag_config` (the answers of a flag) of a Terraform state to objects of the account, for
 * `trueup from terraform`. It is merged with the definition (`isPart`).
 */
export function featureFlagConfig(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const object = { id: attributes.text('flag_id'), environments: environmentsIn(attributes) };
  return attributes.reading([{ kind: 'featureFlag', in: inProject(attributes), object, isPart: true }]);
}

/**
 * Converts the definition of a feature flag (its name, kind and variants) from a Terraform state to the form of the platform's answers. The
 * state has the value of a variant in one of three attributes, by its type.
 */
function definition(attributes: Attributes): Record<string, unknown> {
  const variants = attributes.items('variant').map((attributes) => {
    const { text, number, bool, ...rest } = attributes.renamed({
      description: 'description',
      id: 'id',
      label: 'label',
      value_bool: 'bool',
      value_number: 'number',
      value_string: 'text',
    });
    return { ...rest, value: text ?? number ?? bool };
  });
  return {
    ...attributes.renamed({ description: 'description', id: 'id', key: 'slug', kind: 'kind' }),
    state: attributes.take('archived') === true ? 'archived' : 'active',
    variants,
  };
}

/**
 * Returns the answers of a flag in the three built-in environments. Terraform knows one variant for each
 * environment while the flag is active, and one while it is paused.
 */
function environmentsIn(attributes: Attributes): Record<string, unknown> {
  const variant = (variantId: unknown) => ({ type: 'variant', variantId });
  const environments = ['production', 'preview', 'development'].flatMap((name) => {
    const environment = attributes.inner(name);
    if (!environment) return [];
    const active = environment.take('enabled') ?? true;
    const fallthrough = variant(environment.take('default_variant_id'));
    const pausedOutcome = variant(environment.take('disabled_variant_id'));
    return [[name, { active, fallthrough, pausedOutcome }] as const];
  });
  return Object.fromEntries(environments);
}

/**
 * Converts a `vercel_feature_flag_segment` (a group of visitors) of a Terraform state to objects of the account, for `trueup from
 * terraform`.
 */
export function segment(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  const object = {
    ...attributes.renamed({
      description: 'description',
      hint: 'hint',
      id: 'id',
      name: 'label',
      slug: 'slug',
    }),
    data: present({ include: valuesIn(attributes, 'include'), exclude: valuesIn(attributes, 'exclude') }),
  };
  return attributes.reading([{ kind: 'segment', in: inProject(attributes), object }]);
}

type Values = Record<string, Record<string, { value: string }[]>>;

/**
 * Converts the blocks that say who is in a segment (a group of visitors), or not in it, from a Terraform state to the form of the
 * platform's answers: lists of values by entity and attribute.
 */
function valuesIn(attributes: Attributes, name: string): Values | undefined {
  const byEntity: Values = {};
  for (const block of attributes.items(name)) {
    const [entity, attribute] = [block.text('entity')!, block.text('attribute')!];
    const values = (block.texts('values') ?? []).map((value) => ({ value }));
    byEntity[entity] = {
      ...byEntity[entity],
      [attribute]: [...(byEntity[entity]?.[attribute] ?? []), ...values],
    };
  }
  return Object.keys(byEntity).length === 0 ? undefined : byEntity;
}

/**
 * Converts a `vercel_feature_flag_sdk_key` of a Terraform state to objects of the account, for `trueup from terraform`. It is identified by
 * its hash; the platform shows the key only at the creation.
 */
export function flagSdkKey(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  const shown = attributes.shown({ sdk_key: '${secret}', connection_string: '${connectionString}' });
  const object = attributes.renamed({
    environment: 'environment',
    id: 'hashKey',
    label: 'label',
    type: 'type',
  });
  return attributes.reading([{ kind: 'flagSdkKey', in: inProject(attributes), object, shown }]);
}
