import { flag, inProject, type Sample, text, unset } from '../support/sample.ts';

export const projectRoute: Sample = {
  place: (block) => inProject({ routes: [block] }),
  base: { name: 'route', srcSyntax: 'equals', route: { src: '/a' } },
  leaves: {
    description: text,
    enabled: unset,
    srcSyntax: ['path-to-regexp', 'regex'],
    'route.src': ['/b', '/c'],
    'route.dest': ['https://one.example.com', 'https://two.example.com'],
    'route.status': [404, 410],
    'route.headers': [{ 'x-a': 'one', 'x-b': 'two' }, { 'x-b': 'two' }],
    'route.caseSensitive': flag,
    'route.has': [[{ type: 'header', key: 'x' }], [{ type: 'host', value: 'a.example.com' }]],
    'route.missing': [[{ type: 'cookie', key: 'x' }], [{ type: 'query', key: 'y', value: 'z' }]],
    'route.transforms': [
      [{ type: 'request.headers', op: 'set', target: { key: 'x-b' }, args: 'one' }],
      [{ type: 'request.query', op: 'delete', target: { key: 'y' } }],
    ],
    'route.respectOriginCacheControl': flag,
    'route.continue': flag,
    'route.check': flag,
  },
  seed: {
    project: {
      routes: [{ name: 'old', route: { src: '/old', status: 410 } }],
      stagedRoutes: [{ name: 'new', route: { src: '/new', status: 404 } }],
    },
  },
  requests: async ({ all, shop }) => {
    const routes = `/v1/projects/${shop.id}/routes`;
    await all(
      ['PUT', routes, { routes: [{ id: 'one', name: 'one', route: { src: '/a', status: 404 } }] }],
      ['DELETE', routes, { routeIds: ['one'] }],
    );
  },
};
