import type { StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';
import { inProject } from './project.ts';

/** A flag with its answers in each environment, which is one resource or two there. */
export function featureFlag(of: Attributes): StateReading {
  of.skip('team_id');
  const object = { ...definition(of), environments: environmentsIn(of) };
  return of.reading([{ kind: 'featureFlag', in: inProject(of), object }]);
}

/** The definition of a flag. Its answers are in another resource, or nobody's here. */
export function featureFlagDefinition(of: Attributes): StateReading {
  of.skip('team_id');
  return of.reading([{ kind: 'featureFlag', in: inProject(of), object: definition(of) }]);
}

/** The answers of a flag. */
export function featureFlagConfig(of: Attributes): StateReading {
  of.skip('id', 'team_id');
  const object = { id: of.text('flag_id'), environments: environmentsIn(of) };
  return of.reading([{ kind: 'featureFlag', in: inProject(of), object, isPart: true }]);
}

function definition(of: Attributes): Record<string, unknown> {
  const variants = of.items('variant').map((one) => {
    const { text, number, bool, ...rest } = one.renamed({
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
    ...of.renamed({ description: 'description', id: 'id', key: 'slug', kind: 'kind' }),
    state: of.take('archived') === true ? 'archived' : 'active',
    variants,
  };
}

function environmentsIn(of: Attributes): Record<string, unknown> {
  const variant = (variantId: unknown) => ({ type: 'variant', variantId });
  const environments = ['production', 'preview', 'development'].flatMap((name) => {
    const found = of.inner(name);
    if (!found) return [];
    const active = found.take('enabled') ?? true;
    const fallthrough = variant(found.take('default_variant_id'));
    const pausedOutcome = variant(found.take('disabled_variant_id'));
    return [[name, { active, fallthrough, pausedOutcome }] as const];
  });
  return Object.fromEntries(environments);
}

export function segment(of: Attributes): StateReading {
  of.skip('team_id');
  const object = {
    ...of.renamed({ description: 'description', hint: 'hint', id: 'id', name: 'label', slug: 'slug' }),
    data: present({ include: valuesIn(of, 'include'), exclude: valuesIn(of, 'exclude') }),
  };
  return of.reading([{ kind: 'segment', in: inProject(of), object }]);
}

type Values = Record<string, Record<string, { value: string }[]>>;

/** Lists of values by entity and attribute. */
function valuesIn(of: Attributes, name: string): Values | undefined {
  const found: Values = {};
  for (const one of of.items(name)) {
    const [entity, attribute] = [one.text('entity')!, one.text('attribute')!];
    const values = (one.texts('values') ?? []).map((value) => ({ value }));
    found[entity] = { ...found[entity], [attribute]: [...(found[entity]?.[attribute] ?? []), ...values] };
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

/** The platform knows a key by the hash of it. */
export function flagSdkKey(of: Attributes): StateReading {
  of.skip('team_id');
  const shown = of.shown({ sdk_key: '${secret}', connection_string: '${connectionString}' });
  const object = of.renamed({ environment: 'environment', id: 'hashKey', label: 'label', type: 'type' });
  return of.reading([{ kind: 'flagSdkKey', in: inProject(of), object, shown }]);
}
