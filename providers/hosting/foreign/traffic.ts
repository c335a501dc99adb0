import type { StateReading, StateResource } from '#kind';
import { type Attributes, present } from './attributes.ts';
import { inProject } from './project.ts';

/**
 * Converts a `vercel_bulk_redirects` (all bulk redirects of a project) of a Terraform state to objects of the account, for `trueup from
 * terraform`.
 */
export function bulkRedirects(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id', 'version_id');
  const project = inProject(attributes);
  const redirects = attributes.items('redirects').map((attributes) =>
    attributes.renamed({
      case_sensitive: 'caseSensitive',
      destination: 'destination',
      query: 'query',
      source: 'source',
      status_code: 'statusCode',
    }),
  );
  return attributes.reading(redirects.map((object) => ({ kind: 'bulkRedirects', in: project, object })));
}

/** Converts a `vercel_project_route` (a routing rule) of a Terraform state to objects of the account, for `trueup from terraform`. */
export function projectRoute(attributes: Attributes): StateReading {
  attributes.skip('position', 'route_type', 'team_id');
  const route = attributes.inner('route');
  const matchers = (name: 'has' | 'missing') => {
    const conditions = route
      ?.items(name)
      .map((attributes) => attributes.renamed({ key: 'key', type: 'type', value: 'value' }));
    return conditions && conditions.length > 0 ? { [name]: conditions } : {};
  };
  const transforms = route?.items('transforms').map((attributes) => {
    const plain = attributes.renamed({ env: 'env', op: 'op', type: 'type' });
    return present({ ...plain, args: attributes.json('args'), target: attributes.json('target') });
  });
  const object = present({
    ...attributes.renamed({
      description: 'description',
      enabled: 'enabled',
      id: 'id',
      name: 'name',
      src_syntax: 'srcSyntax',
    }),
    route: {
      ...route?.renamed({
        case_sensitive: 'caseSensitive',
        dest: 'dest',
        headers: 'headers',
        respect_origin_cache_control: 'respectOriginCacheControl',
        src: 'src',
        status: 'status',
      }),
      ...matchers('has'),
      ...matchers('missing'),
      ...(transforms && transforms.length > 0 ? { transforms } : {}),
    },
  });
  return attributes.reading([{ kind: 'projectRoute', in: inProject(attributes), object }]);
}

interface Position {
  placement?: string;
  reference_route_id?: string;
}

const positionOf = ({ attributes }: StateResource) => (attributes.position ?? {}) as Position;

/**
 * Returns the resources with the routing rules in the order of their positions, because the order of rules matters: first the ones
 * at the start, then those without a position, then those at the end, and each rule with `before` or `after` next to the rule that
 * it names.
 */
export function routesInOrder<T extends StateResource>(resources: readonly T[]): T[] {
  const isRoute = ({ type }: StateResource) => type === 'vercel_project_route';
  const routes = resources.filter(isRoute);
  const isBeside = (route: T) => ['before', 'after'].includes(positionOf(route).placement ?? '');
  const placedAt = (placement: string) => routes.filter((route) => positionOf(route).placement === placement);
  const free = routes.filter(
    (route) => !isBeside(route) && !['start', 'end'].includes(positionOf(route).placement ?? ''),
  );
  const placed = [...placedAt('start'), ...free, ...placedAt('end')];
  let waiting = routes.filter(isBeside);
  for (let count = -1; count !== waiting.length; ) {
    count = waiting.length;
    waiting = waiting.filter((route) => {
      const { placement, reference_route_id: id } = positionOf(route);
      const index = placed.findIndex(({ attributes }) => attributes.id === id);
      if (index >= 0) placed.splice(placement === 'after' ? index + 1 : index, 0, route);
      return index < 0;
    });
  }
  return [...resources.filter((resource) => !isRoute(resource)), ...placed, ...waiting];
}
