import type { StateReading } from '#kind';
import type { Attributes } from './attributes.ts';
import { inProject } from './project.ts';

export function featureFlag(of: Attributes): StateReading {
  of.skip('team_id');
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
  const variant = (variantId: unknown) => ({ type: 'variant', variantId });
  const environments = ['production', 'preview', 'development'].flatMap((name) => {
    const found = of.inner(name);
    return found
      ? [
          [
            name,
            {
              active: found.take('enabled') ?? true,
              fallthrough: variant(found.take('default_variant_id')),
              pausedOutcome: variant(found.take('disabled_variant_id')),
            },
          ] as const,
        ]
      : [];
  });
  const object = {
    ...of.renamed({ description: 'description', id: 'id', key: 'slug', kind: 'kind' }),
    state: of.take('archived') === true ? 'archived' : 'active',
    variants,
    environments: Object.fromEntries(environments),
  };
  return of.reading([{ kind: 'featureFlag', in: inProject(of), object }]);
}
