/*
 * Compares the judgement of the routes and bulk redirects of a project with an interpreter that tries every small path with every default that no source
 * settles. It shares no code with the judge.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeWay } from '../../../providers/hosting/meaning/transitions/judge-way.ts';
import { createView, type PlacedObject } from '../../../src/meaning/view.ts';
import type { Fields } from '../../../src/model/value.ts';
import { parametersOf, sameText, withoutSlash } from '../../meaning/redirects/path-interpreter.ts';
import { runs } from '../../support/sweep.ts';

interface Route {
  src: string;
  dest: string;
  status: number | undefined;
  caseSensitive: boolean | undefined;
}
interface Bulk {
  source: string;
  destination: string;
  caseSensitive: boolean | undefined;
}
interface State {
  routes: Route[];
  bulk: Bulk[];
}

const worlds = [false, true].flatMap((isSensitive) =>
  [false, true].map((isSlashIgnored) => ({ isSensitive, isSlashIgnored })),
);
const paths = ['/a', '/b', '/c', '/A', '/a/', '/c/a', '/c/a/b', '/d', '/x1', '/c/x1', '/'];

/** Returns what the routes do with a path: where they redirect, or the route that answers. */
function routed(
  routes: readonly Route[],
  path: string,
  { isSensitive, isSlashIgnored }: (typeof worlds)[number],
) {
  const spell = (text: string) => (isSlashIgnored ? withoutSlash(text) : text);
  for (const { src, dest, status, caseSensitive } of routes) {
    const parameters = parametersOf(spell(src), spell(path), caseSensitive ?? isSensitive);
    if (!parameters) continue;
    if (status === undefined) return `answer ${dest}`;
    return `${status} ${dest.replace(/:(\w+)\*?/g, (_, name) => parameters[name] ?? '')}`;
  }
  return 'pass';
}

function redirected(
  bulk: readonly Bulk[],
  path: string,
  { isSensitive, isSlashIgnored }: (typeof worlds)[number],
) {
  const spell = (text: string) => (isSlashIgnored ? withoutSlash(text) : text);
  const found = bulk.find(({ source, caseSensitive = isSensitive }) =>
    sameText(spell(source), spell(path), caseSensitive),
  );
  return found?.destination ?? 'pass';
}

function viewOf({ routes, bulk }: State) {
  const objects: Omit<PlacedObject, 'index' | 'isDeclared'>[] = [
    { address: 'projects/web', kind: 'project', parent: undefined, fields: { name: 'web' } },
    ...routes.map(({ src, dest, status, caseSensitive }, index) => ({
      address: `projects/web/routes/${index}`,
      kind: 'projectRoute',
      parent: 'projects/web',
      fields: {
        srcSyntax: 'path-to-regexp',
        route: {
          src,
          dest,
          ...(status ? { status } : {}),
          ...(caseSensitive === undefined ? {} : { caseSensitive }),
        },
      } as Fields,
    })),
    ...bulk.map(({ source, destination, caseSensitive }) => ({
      address: `projects/web/bulkRedirects/${source}`,
      kind: 'bulkRedirects',
      parent: 'projects/web',
      fields: { source, destination, ...(caseSensitive === undefined ? {} : { caseSensitive }) } as Fields,
    })),
  ];
  return createView(
    objects.map((object, index) => ({ ...object, index, isDeclared: true })),
    () => 'all',
  );
}

const flag = fc.constantFrom(undefined, true, false);
const route: fc.Arbitrary<Route> = fc
  .record({
    src: fc.constantFrom('/a', '/b', '/c', '/:x', '/c/:x', '/c/:x*', '/:x*'),
    dest: fc.constantFrom('/p', '/q', '/r', '/q/:x'),
    status: fc.constantFrom(308, 308, undefined),
    caseSensitive: flag,
  })
  .filter(({ src, dest }) => src.includes(':') || !dest.includes(':'));
const bulk: fc.Arbitrary<Bulk> = fc.record({
  source: fc.constantFrom('/a', '/b', '/A', '/a/', '/c/a'),
  destination: fc.constantFrom('/p', '/q', '/r'),
  caseSensitive: flag,
});
const state: fc.Arbitrary<State> = fc.record({
  routes: fc.array(route, { maxLength: 3 }),
  bulk: fc.uniqueArray(bulk, { maxLength: 3, selector: ({ source }) => source }),
});

it('routes and bulk redirects are judged as by trying every path with every default', () => {
  const counts = { third: 0, safe: 0, undecided: 0 };
  fc.assert(
    fc.property(fc.tuple(state, state, state), (way) => {
      const { thirds, undecided } = judgeWay(way.map(viewOf));
      for (const [type, verdictOf] of [
        [
          'routes',
          ({ routes }: State, path: string, world: (typeof worlds)[number]) => routed(routes, path, world),
        ],
        [
          'bulk redirects',
          (one: State, path: string, world: (typeof worlds)[number]) => redirected(one.bulk, path, world),
        ],
      ] as const) {
        const isThird = (path: string, world: (typeof worlds)[number]) => {
          const [before, during, after] = way.map((one) => verdictOf(one, path, world));
          return during !== before && during !== after;
        };
        const third = thirds.find((found) => found.type === type);
        const isUndecided = undecided.some((found) => found.type === type);
        counts[third ? 'third' : isUndecided ? 'undecided' : 'safe']++;
        if (third) {
          const { pathname } = new URL(third.request.url);
          expect(worlds.filter((world) => !isThird(pathname, world))).toEqual([]);
        } else if (!isUndecided)
          expect(paths.filter((path) => worlds.some((world) => isThird(path, world)))).toEqual([]);
      }
    }),
    { numRuns: runs(4000, 80) },
  );
  console.log(`routes and bulk redirects: ${JSON.stringify(counts)}`);
});
