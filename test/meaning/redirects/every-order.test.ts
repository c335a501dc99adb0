/*
 * Compares the evaluator with an interpreter that tries everything that no fact settles: each order of the layers, each default of
 * `caseSensitive`, paths with and without a slash at the end, and both choices among bulk redirects that match alike. It shares no code with the evaluator.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RedirectFollower } from '../../../providers/hosting/meaning/redirects/follow-redirects.ts';
import { redirectChecks } from '../../../providers/hosting/meaning/redirects/index.ts';
import { indexRedirects } from '../../../providers/hosting/meaning/redirects/index-redirects.ts';
import { assumedClient } from '../../../providers/hosting/meaning/redirects/route-conditions.ts';
import type { View, ViewedObject } from '../../../src/kind/meaning.ts';
import type { Fields } from '../../../src/model/value.ts';
import { oneStoryIn, runs } from '../../support/sweep.ts';
import { parametersOf, sameText, withoutSlash } from './path-interpreter.ts';

const story = oneStoryIn(4);

interface Bulk {
  source: string;
  destination: string;
  caseSensitive?: boolean;
}
interface Route {
  src: string;
  dest: string;
  status?: number;
  caseSensitive?: boolean;
  enabled: boolean;
}
interface Project {
  bulk: Bulk[];
  routes: Route[];
}
interface Account {
  projects: Record<'p' | 'q', Project>;
  /** The host `r.example.com` of project `p`, and where it redirects. */
  redirect: string | null;
}

/** What no fact settles. */
interface World {
  order: ('host' | 'bulk' | 'routes')[];
  isBulkSensitive: boolean;
  isRouteSensitive: boolean;
  isSlashIgnored: boolean;
  takesLast: boolean;
}

const projectOfHost: Record<string, 'p' | 'q'> = {
  'p.example.com': 'p',
  'q.example.com': 'q',
  'r.example.com': 'p',
};

const booleans = [false, true];
const orders: World['order'][] = [
  ['host', 'bulk', 'routes'],
  ['host', 'routes', 'bulk'],
  ['bulk', 'host', 'routes'],
  ['bulk', 'routes', 'host'],
  ['routes', 'host', 'bulk'],
  ['routes', 'bulk', 'host'],
];
const worlds: World[] = orders.flatMap((order) =>
  Array.from({ length: 16 }, (_, bits) => ({
    order,
    isBulkSensitive: (bits & 1) > 0,
    isRouteSensitive: (bits & 2) > 0,
    isSlashIgnored: (bits & 4) > 0,
    takesLast: (bits & 8) > 0,
  })),
);

/** Returns whether a request ends within 20 redirects, in one world. */
function ends(
  account: Account,
  world: World,
  start: { project: 'p' | 'q'; host?: string; path: string },
): boolean {
  let { project, host, path } = start;
  const places = new Set<string>();
  for (let hops = 0; hops <= 20; hops++) {
    const place = `${project} ${host} ${path}`;
    if (places.has(place)) return false;
    places.add(place);
    const { bulk, routes } = account.projects[project];
    const readPath = world.isSlashIgnored ? withoutSlash(path) : path;
    const matching = bulk.filter(({ source, caseSensitive = world.isBulkSensitive }) =>
      sameText(world.isSlashIgnored ? withoutSlash(source) : source, readPath, caseSensitive),
    );
    const chosen = matching.at(world.takesLast ? -1 : 0);
    const found = routes
      .filter(({ enabled }) => enabled)
      .map((route) => ({
        route,
        parameters: parametersOf(
          world.isSlashIgnored ? withoutSlash(route.src) : route.src,
          readPath,
          route.caseSensitive ?? world.isRouteSensitive,
        ),
      }))
      .find(({ parameters }) => parameters);
    const answers = {
      host: host === 'r.example.com' && account.redirect ? `https://${account.redirect}${path}` : undefined,
      bulk: chosen?.destination,
      routes:
        found && found.route.status === undefined
          ? 'page'
          : found?.route.dest.replace(/:(\w+)\*?/g, (_, name) => found.parameters![name] ?? ''),
    };
    const answer = world.order.map((layer) => answers[layer]).find((text) => text !== undefined);
    if (answer === undefined || answer === 'page') return true;
    if (answer.startsWith('/')) {
      path = answer;
      continue;
    }
    const url = new URL(answer);
    const next = projectOfHost[url.host];
    if (!next) return true;
    [project, host, path] = [next, url.host, url.pathname];
  }
  return false;
}

/** Returns the view of an account. */
function viewOfAccount({ projects, redirect }: Account): View {
  const objects: ViewedObject[] = [];
  const add = (kind: string, parent: string, name: string, fields: Fields) =>
    objects.push({ address: `${parent}/${kind}/${name}`, kind, parent, fields, isDeclared: true });
  for (const [name, { bulk, routes }] of Object.entries(projects)) {
    const parent = `projects/${name}`;
    add('projectDomain', parent, `${name}.example.com`, { name: `${name}.example.com` });
    for (const redirectOfPath of bulk)
      add('bulkRedirects', parent, redirectOfPath.source, { ...redirectOfPath });
    for (const [index, { enabled, ...route }] of routes.entries())
      add('projectRoute', parent, `r${index}`, { enabled, srcSyntax: 'path-to-regexp', route: { ...route } });
  }
  add('projectDomain', 'projects/p', 'r.example.com', { name: 'r.example.com', redirect });
  return {
    ofKind: (kind) => objects.filter((object) => object.kind === kind),
    under: (parent, kind) => objects.filter((object) => object.kind === kind && object.parent === parent),
    at: (address) => objects.find((object) => object.address === address),
    knows: () => 'declared',
  };
}

const destinations = [
  '/a',
  '/b',
  '/c',
  '/A',
  '/b/',
  '/c/a',
  'https://p.example.com/a',
  'https://q.example.com/b',
  'https://r.example.com/c',
  'https://x.example.org/',
];
const flag = fc.constantFrom(undefined, undefined, true, false);
const anyBulk: fc.Arbitrary<Bulk> = fc.record({
  source: fc.constantFrom('/a', '/b', '/c', '/A', '/a/', '/c/a'),
  destination: fc.constantFrom(...destinations),
  caseSensitive: flag,
});
const anyRoute: fc.Arbitrary<Route> = fc
  .record({
    src: fc.constantFrom('/a', '/b', '/c', '/:x', '/c/:x', '/c/:x*', '/:x*'),
    dest: fc.constantFrom(...destinations, '/:x', '/c/:x', 'https://q.example.com/:x'),
    status: fc.constantFrom(308, 308, 307, undefined),
    caseSensitive: flag,
    enabled: fc.constantFrom(true, true, true, false),
  })
  .filter(({ src, dest }) => src.includes(':') || !/\/:x/.test(dest));
const anyProject = (bulk: fc.Arbitrary<Bulk>, mostRoutes: number): fc.Arbitrary<Project> =>
  fc.record({
    bulk: fc.uniqueArray(bulk, { maxLength: 5, selector: ({ source }) => source }),
    routes: fc.array(anyRoute, { maxLength: mostRoutes }),
  });
const anyAccount = (bulk: fc.Arbitrary<Bulk>, mostRoutes: number): fc.Arbitrary<Account> =>
  fc.record({
    projects: fc.record({ p: anyProject(bulk, mostRoutes), q: anyProject(bulk, mostRoutes) }),
    redirect: fc.constantFrom(null, 'p.example.com', 'q.example.com', 'r.example.com'),
  });

const starts = (['p', 'q'] as const).flatMap((project) =>
  ['/a', '/b', '/c', '/A', '/a/', '/c/a'].map((path) => ({ project, path })),
);
const visitOf = ({ project, path }: (typeof starts)[number]) => ({
  project: `projects/${project}`,
  host: undefined,
  isHttp: false,
  path,
  query: '',
  client: assumedClient([]),
});

story('a request that never ends does so in every order and with every default', () => {
  let count = 0;
  fc.assert(
    fc.property(anyAccount(anyBulk, 2), (account) => {
      const follower = new RedirectFollower(indexRedirects(viewOfAccount(account)));
      for (const start of starts)
        if (follower.isEndless(visitOf(start))) {
          count++;
          expect(worlds.filter((world) => ends(account, world, start))).toEqual([]);
        }
    }),
    { numRuns: runs(4000, 80) },
  );
  expect(count).toBeGreaterThan(20);
});

story('a request that ends by bulk redirects alone is told from one that never ends', () => {
  const exact = fc.record({
    source: fc.constantFrom('/a', '/b', '/c', '/A', '/c/a'),
    destination: fc.constantFrom(...destinations.filter((text) => text !== '/b/')),
    caseSensitive: fc.constant(true),
  });
  fc.assert(
    fc.property(anyAccount(exact, 0), (account) => {
      const settled = { ...account, redirect: null };
      const follower = new RedirectFollower(indexRedirects(viewOfAccount(settled)));
      for (const start of starts.filter(({ path }) => path !== '/a/'))
        expect(follower.isEndless(visitOf(start))).toBe(!ends(settled, worlds[0]!, start));
    }),
    { numRuns: runs(4000, 80) },
  );
});

story('a request with a certain way takes it in every order and with every default', () => {
  fc.assert(
    fc.property(anyAccount(anyBulk, 2), (account) => {
      const follower = new RedirectFollower(indexRedirects(viewOfAccount(account)));
      for (const start of starts)
        if (follower.certainWay(visitOf(start)))
          expect(worlds.filter((world) => !ends(account, world, start))).toEqual([]);
    }),
    { numRuns: runs(4000, 80) },
  );
});

story('redirects that only lead forward have no finding above note', () => {
  const pages = Array.from({ length: 8 }, (_, index) => `/p${index}`);
  const anyForward = fc
    .uniqueArray(
      fc.record({
        from: fc.nat({ max: 6 }),
        ahead: fc.integer({ min: 1, max: 4 }),
        host: fc.constantFrom(
          '',
          '',
          'https://q.example.com',
          'https://r.example.com',
          'https://x.example.org',
        ),
        isRoute: fc.boolean(),
        caseSensitive: flag,
        suffix: fc.constantFrom('', '/', '?a=1', '#top'),
      }),
      { maxLength: 6, selector: ({ from }) => from },
    )
    .map((list): Project => {
      const all = list.map(({ from, ahead, host, isRoute, caseSensitive, suffix }) => ({
        isRoute,
        source: pages[from]!,
        destination: `${host}${pages[Math.min(from + ahead, 7)]}${suffix}`,
        caseSensitive,
      }));
      return {
        bulk: all.flatMap(({ isRoute, ...redirect }) => (isRoute ? [] : redirect)),
        routes: all.flatMap(({ isRoute, source, destination, caseSensitive }) =>
          isRoute ? { src: source, dest: destination, status: 308, caseSensitive, enabled: true } : [],
        ),
      };
    });
  fc.assert(
    fc.property(anyForward, anyForward, (p, q) => {
      const view = viewOfAccount({ projects: { p, q }, redirect: 'q.example.com' });
      const findings = redirectChecks.flatMap((check) => [...check.find(view)]);
      expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
    }),
    { numRuns: runs(10_000, 80) },
  );
});

test('the interpreter knows what it shall', () => {
  expect(booleans.map((isSensitive) => sameText('/a', '/A', isSensitive))).toEqual([true, false]);
  expect(parametersOf('/c/:x*', '/c/a/b', true)).toEqual({ x: 'a/b' });
  expect(parametersOf('/c/:x', '/c', true)).toBeUndefined();
});
