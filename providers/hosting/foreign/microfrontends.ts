import type { StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';

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
