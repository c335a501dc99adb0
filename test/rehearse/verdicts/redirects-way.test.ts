/* Known good and bad ways of hosts, redirects, routes and DNS names. */
import { expect, it } from 'vitest';
import { judgeWay } from '../../../providers/hosting/meaning/transitions/judge-way.ts';
import { createView, type PlacedObject } from '../../../src/meaning/view.ts';
import type { Fields } from '../../../src/model/value.ts';
import { ruleOf } from '../../meaning/firewall-lines.ts';

/** Objects of the project `web` and of the zone `example.com`, each as its kind and fields. The name of an address is the first field. */
type State = readonly (readonly [kind: string, fields: Fields, parent?: string])[];

const parents: Record<string, string> = {
  dnsRecord: 'domains/example.com',
  firewallRule: 'projects/web/firewall',
};

function viewOfState(state: State) {
  const objects: Omit<PlacedObject, 'index' | 'isDeclared'>[] = [
    { address: 'projects/web', kind: 'project', parent: undefined, fields: { name: 'web' } },
    { address: 'projects/blog', kind: 'project', parent: undefined, fields: { name: 'blog' } },
    { address: 'domains/example.com', kind: 'domain', parent: undefined, fields: { name: 'example.com' } },
    {
      address: 'projects/web/firewall',
      kind: 'firewall',
      parent: 'projects/web',
      fields: { firewallEnabled: true },
    },
    ...state.map(([kind, fields, parent = parents[kind] ?? 'projects/web']) => {
      const [name, type = ''] = Object.values(fields).map(String);
      return {
        address: `${parent}/${kind}/${name}${kind === 'dnsRecord' ? `/${type}` : ''}`,
        kind,
        parent,
        fields,
      };
    }),
  ];
  return createView(
    objects.map((object, index) => ({ ...object, index, isDeclared: true })),
    () => 'all',
  );
}

/** Returns the judgement of a way in short. */
function judge(...states: State[]): string[] {
  const { thirds, undecided, mixed, unanswered } = judgeWay(states.map(viewOfState));
  return [
    ...thirds.map(
      ({ type, state, request, before, during, after }) =>
        `${type} ${state}: ${request.method} ${request.url}: ${before} > ${during} > ${after}`,
    ),
    ...undecided.map(({ type, state, why, rules }) => `${type} ${state}: ${why}: ${rules.join()}`),
    ...mixed.map(({ project, types, state }) => `mixed ${state}: ${project}: ${types.join()}`),
    ...unanswered.map(({ name, type, state }) => `unanswered ${state}: ${name} ${type}`),
  ];
}

const host = (name: string, parent = 'projects/web', redirect: string | null = null) =>
  ['projectDomain', { name, redirect }, parent] as const;
const bulk = (source: string, destination: string, statusCode = 308) =>
  ['bulkRedirects', { source, destination, statusCode, caseSensitive: false }] as const;
const route = (name: string, src: string, dest: string, status: number | null = 308) =>
  [
    'projectRoute',
    { name, srcSyntax: 'path-to-regexp', route: { src, dest, status, caseSensitive: false } },
  ] as const;
const record = (name: string, type: string, value: string) =>
  ['dnsRecord', { name, type, records: [{ value }] } as Fields] as const;
const rule = (line: string) => ['firewallRule', ruleOf(line) as unknown as Fields] as const;
const shop = host('shop.example');

it.each<[name: string, way: State[], expected: string[]]>([
  ['a host that moves at once', [[shop], [host('shop.example', 'projects/blog')]], []],
  [
    'a host that is removed from one project before the other one has it',
    [[shop], [], [host('shop.example', 'projects/blog')]],
    [
      'host 1: GET https://shop.example/: served by projects/web > no project serves it > served by projects/blog',
    ],
  ],
  [
    'a host that is served while its redirect changes',
    [
      [shop, host('old.example', 'projects/web', 'shop.example')],
      [shop, host('old.example')],
      [shop, host('old.example', 'projects/web', 'blog.example')],
    ],
    [
      'host 1: GET https://old.example/: redirect to shop.example by projects/web/projectDomain/old.example > served by projects/web > redirect to blog.example by projects/web/projectDomain/old.example',
    ],
  ],
  [
    'bulk redirects that go live one after the other',
    [[shop], [shop, bulk('/a', '/b')], [shop, bulk('/a', '/b'), bulk('/c', '/d')]],
    [],
  ],
  [
    'a bulk redirect that is deleted and created again',
    [[shop, bulk('/a', '/b')], [shop], [shop, bulk('/a', '/c')]],
    [
      'bulk redirects 1: GET https://shop.example/a: redirects to https://shop.example/b (308) by projects/web/bulkRedirects//a > pass > redirects to https://shop.example/c (308) by projects/web/bulkRedirects//a',
    ],
  ],
  [
    'a bulk redirect with a destination that is not certain',
    [
      [shop, bulk('/a', '/x:y')],
      [shop, bulk('/a', '\\')],
      [shop, bulk('/a', '/c')],
    ],
    [
      'bulk redirects 1: no source says which requests these redirects match or where they lead: projects/web/bulkRedirects//a',
    ],
  ],
  [
    'a special route that stands behind the general one for a moment',
    [
      [shop, route('docs', '/docs/:path*', '/d')],
      [shop, route('docs', '/docs/:path*', '/d'), route('all', '/:path*', '/e')],
      [shop, route('all', '/:path*', '/e')],
    ],
    [],
  ],
  [
    'a route that is replaced: the general one answers for a moment',
    [
      [shop, route('docs', '/docs/:path*', '/old'), route('all', '/:path*', '/e')],
      [shop, route('all', '/:path*', '/e')],
      [shop, route('docs', '/docs/:path*', '/new'), route('all', '/:path*', '/e')],
    ],
    [
      'routes 1: GET https://shop.example/docs/x1: redirects to https://shop.example/old (308) by projects/web/projectRoute/docs > redirects to https://shop.example/e (308) by projects/web/projectRoute/all > redirects to https://shop.example/new (308) by projects/web/projectRoute/docs',
    ],
  ],
  [
    'routes of other paths do not disturb each other',
    [[shop, route('a', '/a/:path*', '/x')], [shop], [shop, route('b', '/b/:path*', '/x')]],
    [],
  ],
  [
    'a name whose CNAME goes before its A record comes',
    [[record('www', 'CNAME', 'a.example.net')], [], [record('www', 'A', '192.0.2.1')]],
    ['unanswered 1: www.example.com CNAME or A'],
  ],
  [
    'a name that a wildcard answers for in the meantime',
    [
      [record('*', 'A', '192.0.2.9'), record('www', 'A', '192.0.2.1')],
      [record('*', 'A', '192.0.2.9')],
      [record('*', 'A', '192.0.2.9'), record('www', 'A', '192.0.2.2')],
    ],
    [],
  ],
  [
    'a name that a wildcard answers for until the wildcard goes, too',
    [
      [record('*', 'A', '192.0.2.9'), record('www', 'A', '192.0.2.1')],
      [record('*', 'A', '192.0.2.9')],
      [],
      [record('www', 'A', '192.0.2.2')],
    ],
    ['unanswered 2: www.example.com A'],
  ],
  [
    'a firewall and a redirect of the same path change one after the other',
    [
      [shop, rule('admin deny: path pre /admin'), bulk('/admin', '/old')],
      [shop, bulk('/admin', '/old')],
      [shop, bulk('/admin', '/new')],
    ],
    ['mixed 1: projects/web: firewall,bulk redirects'],
  ],
  [
    'a firewall and routes that change their order, beside a new route for another path',
    [
      [
        shop,
        rule('admin deny: path pre /admin'),
        route('a', '/admin/:x', '/one'),
        route('b', '/admin/:x', '/two'),
      ],
      [shop, route('a', '/admin/:x', '/one'), route('b', '/admin/:x', '/two')],
      [shop, route('b', '/admin/:x', '/two'), route('a', '/admin/:x', '/one'), route('c', '/c', '/three')],
    ],
    ['mixed 1: projects/web: firewall,routes'],
  ],
  [
    'a firewall and a redirect of different paths',
    [
      [shop, rule('admin deny: path pre /admin'), bulk('/a', '/old')],
      [shop, bulk('/a', '/old')],
      [shop, bulk('/a', '/new')],
    ],
    [],
  ],
  [
    'a host that is there before the rule that protects it',
    [
      [shop],
      [shop, host('admin.example')],
      [shop, host('admin.example'), rule('admin deny: host eq admin.example & ip_address !eq 192.0.2.7')],
    ],
    ['mixed 1: projects/web: firewall,host'],
  ],
  [
    'a host that comes after the rule that protects it',
    [
      [shop],
      [shop, rule('admin deny: host eq admin.example & ip_address !eq 192.0.2.7')],
      [shop, host('admin.example'), rule('admin deny: host eq admin.example & ip_address !eq 192.0.2.7')],
    ],
    [],
  ],
])('%s', (_, way, expected) => {
  expect(judge(...way)).toEqual(expected);
});
