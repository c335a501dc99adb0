import type { StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';

/**
 * Converts a `vercel_microfrontend_group` of a Terraform state to objects of the account, for `trueup from terraform`, with the membership
 * of its default application.
 */
export function microfrontendGroup(attributes: Attributes): StateReading {
  attributes.skip('slug', 'team_id');
  const group = attributes.renamed({ id: 'id', name: 'name' });
  const first = attributes.inner('default_app');
  first?.skip('id');
  const id = first?.text('project_id');
  const route = first?.text('default_route');
  const member =
    id === undefined ? [] : [membership(String(group.id), id, { isDefaultApp: true, defaultRoute: route })];
  return attributes.reading([{ kind: 'microfrontendsGroup', object: { group } }, ...member]);
}

/**
 * Returns the membership of a project in a group of microfrontends as an object of the account. Terraform states contain it in two sorts of
 * resources.
 */
const membership = (group: string, project: string, settings: Record<string, unknown>) => ({
  kind: 'microfrontendsProject',
  in: { kind: 'microfrontendsGroup', id: group },
  object: { id: project, microfrontends: present(settings) },
});

/** Converts a `vercel_microfrontend_group_membership` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function microfrontendMembership(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const settings = attributes.renamed({
    default_route: 'defaultRoute',
    route_observability_to_this_project: 'routeObservabilityToThisProject',
  });
  return attributes.reading([
    membership(attributes.text('microfrontend_group_id')!, attributes.text('project_id')!, settings),
  ]);
}
