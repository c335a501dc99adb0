import { isPlainObject, type StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';
import { inProject } from './project.ts';

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

export function edgeConfig(of: Attributes): StateReading {
  of.skip('team_id');
  return of.reading([{ kind: 'globalConfig', object: of.renamed({ id: 'id', name: 'slug' }) }]);
}

const inStore = (of: Attributes, member = 'edge_config_id') => ({
  kind: 'globalConfig',
  id: of.text(member)!,
});

/** A value of any type stands in a state beside its type. */
const unwrapped = (value: unknown): unknown =>
  isPlainObject(value) && 'value' in value && 'type' in value && Object.keys(value).length === 2
    ? value.value
    : value;

export function edgeConfigItem(of: Attributes): StateReading {
  of.skip('id', 'team_id');
  const { json, text, ...rest } = of.renamed({
    description: 'description',
    key: 'key',
    value: 'text',
    value_json: 'json',
  });
  const object = { ...rest, value: json === undefined ? text : unwrapped(json) };
  return of.reading([{ kind: 'globalConfigItem', in: inStore(of), object }]);
}

export function edgeConfigSchema(of: Attributes): StateReading {
  of.skip('team_id');
  const text = of.text('definition') ?? '{}';
  const place = inStore(of, 'id');
  try {
    const definition = JSON.parse(text);
    return of.reading([{ kind: 'globalConfigSchema', in: place, object: { definition } }]);
  } catch {
    of.leave('`definition` is not JSON');
    return of.reading([]);
  }
}

export function edgeConfigToken(of: Attributes): StateReading {
  of.skip('team_id');
  of.secret('token');
  of.secret('connection_string');
  const object = of.renamed({ id: 'id', label: 'label' });
  return of.reading([{ kind: 'globalConfigToken', in: inStore(of), object }]);
}

export function microfrontendGroup(of: Attributes): StateReading {
  of.skip('slug', 'team_id');
  const group = of.renamed({ id: 'id', name: 'name' });
  const first = of.inner('default_app');
  first?.skip('id');
  const id = first?.text('project_id');
  const route = first?.text('default_route');
  const member =
    id === undefined ? [] : [membership(String(group.id), id, { isDefaultApp: true, defaultRoute: route })];
  return of.reading([{ kind: 'microfrontendsGroup', object: { group } }, ...member]);
}

const membership = (group: string, project: string, settings: Record<string, unknown>) => ({
  kind: 'microfrontendsProject',
  in: { kind: 'microfrontendsGroup', id: group },
  object: { id: project, microfrontends: present(settings) },
});

export function microfrontendMembership(of: Attributes): StateReading {
  of.skip('id', 'team_id');
  const settings = of.renamed({
    default_route: 'defaultRoute',
    route_observability_to_this_project: 'routeObservabilityToThisProject',
  });
  return of.reading([membership(of.text('microfrontend_group_id')!, of.text('project_id')!, settings)]);
}

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
