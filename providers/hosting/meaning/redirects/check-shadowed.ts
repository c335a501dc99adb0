import { type Address, addTo, type Check, canonicalJson, type Finding, lastNameOf } from '#kind';
import { mostRelated } from './describe-redirects.ts';
import { type BulkRedirect, indexRedirects, type ProjectRedirects, type Route } from './index-redirects.ts';
import { matchLiteral, matchPattern } from './path-pattern.ts';
import { coversPattern, matchesEverything } from './pattern-cover.ts';
import { samplePath } from './sample-visits.ts';

/** Finds routes and bulk redirects that never answer, because another one of their project answers each of their requests. */
export const shadowedRedirects: Check = {
  codes: ['redirect/shadowed'],
  *find(view) {
    const index = indexRedirects(view);
    for (const address of index.projects) {
      const project = index.projectAt(address);
      const shadows = findShadows(project);
      for (const [above, below] of shadows) yield shadowFinding(above, below);
      const shadowed = new Set([...shadows.values()].flat());
      for (const route of project.routes) if (!shadowed.has(route)) yield* competingFindings(route, project);
      yield* duplicateFindings(project);
    }
  },
};

/** Returns the routes that decide before others can, each with these others. */
function findShadows(project: ProjectRedirects): Map<Route, Route[]> {
  const shadows = new Map<Route, Route[]>();
  const earlier = { forEverything: [] as Route[], bySource: new Map<string, Route[]>() };
  for (const route of project.routes) {
    const { pattern } = route;
    if (route.isEnabled !== 'yes' || !pattern || !route.conditions) continue;
    const sample = samplePath(pattern);
    const candidates =
      sample === undefined
        ? [...earlier.forEverything, ...(earlier.bySource.get(pattern.source) ?? [])]
        : project.routesAt(sample);
    const above = candidates.find(
      (candidate) => candidate.order < route.order && shadowsRoute(candidate, route, sample),
    );
    if (above) addTo(shadows, above, route);
    else if (matchesEverything(pattern)) earlier.forEverything.push(route);
    else addTo(earlier.bySource, pattern.source, route);
  }
  return shadows;
}

/** True if a route decides every request that a later one matches. `sample`: a path that the later one matches. */
function shadowsRoute(above: Route, below: Route, sample: string | undefined): boolean {
  if (above.isEnabled !== 'yes' || !isDeciding(above) || !above.pattern || !above.conditions) return false;
  for (const key of above.conditionKeys) if (!below.conditionKeys.has(key)) return false;
  const mayCover =
    above.pattern.syntax === 'regex' ||
    sample === undefined ||
    matchPattern(above.pattern, sample).verdict !== 'no';
  return mayCover && coversPattern(above.pattern, below.pattern!);
}

/** True for a route after which no other one is tried for sure. */
const isDeciding = ({ effect }: Route): boolean => effect.type === 'redirect' || effect.type === 'answer';

/** Returns the finding for routes that are never reached. It is a note if they would do the same. */
function shadowFinding(above: Route, [first, ...others]: Route[]): Finding {
  const isSame = [first!, ...others].every(
    ({ effect, pattern }) =>
      pattern!.source === above.pattern!.source && canonicalJson(effect) === canonicalJson(above.effect),
  );
  const subject = others.length === 0 ? 'this route is' : `this route and ${others.length} more are`;
  return {
    code: 'redirect/shadowed',
    severity: isSame ? 'note' : 'warning',
    message: `${subject} never reached, because the route \`${lastNameOf(above.object.address)}\` above answers every request for \`${first!.pattern!.source}\``,
    hint: isSame
      ? 'remove one of the routes'
      : 'move the more general route below, or remove what is not needed',
    address: first!.object.address,
    path: 'route.src',
    related: [
      { message: 'the route above', address: above.object.address, path: 'route.src' },
      ...others.slice(0, mostRelated - 1).map(({ object }) => ({
        message: 'never reached either',
        address: object.address,
        path: 'route.src',
      })),
    ],
    subject: above.object.address,
  };
}

/** Finds a route and a bulk redirect for the same path that lead to different places: one of them never answers in either order. */
function* competingFindings(route: Route, { bulkAt }: ProjectRedirects): Generator<Finding> {
  const path = route.pattern?.literal;
  if (path === undefined || route.isEnabled !== 'yes' || !isDeciding(route) || route.conditions?.length !== 0)
    return;
  for (const { object, source, destination } of bulkAt(path)) {
    if (source !== path || matchLiteral(source, true, path) !== 'yes' || destination === undefined) continue;
    if (route.effect.type === 'redirect' && route.effect.destination === destination) continue;
    yield {
      code: 'redirect/shadowed',
      severity: 'warning',
      message: `this route and a bulk redirect both answer ${path}, so one of them never does`,
      hint: 'remove one of them',
      address: route.object.address,
      path: 'route.src',
      related: [{ message: 'the bulk redirect', address: object.address }],
      subject: object.address,
    };
  }
}

/** Finds bulk redirects whose sources differ only in upper and lower case, although that does not matter to them. */
function* duplicateFindings({ bulk }: ProjectRedirects): Generator<Finding> {
  const bySource = new Map<string, BulkRedirect[]>();
  for (const redirect of bulk)
    if (redirect.isCaseSensitive === false && /[a-z]/i.test(redirect.source))
      addTo(bySource, redirect.source.toLowerCase(), redirect);
  for (const redirects of bySource.values()) {
    if (redirects.length < 2) continue;
    const sources = redirects.map(({ source }) => source);
    if (!sources.every((source) => matchLiteral(source, false, sources[0]!) === 'yes')) continue;
    const addresses: Address[] = redirects.map(({ object }) => object.address);
    const isSame = redirects.every(
      ({ destination }) => destination !== undefined && destination === redirects[0]!.destination,
    );
    yield {
      code: 'redirect/shadowed',
      severity: isSame ? 'note' : 'warning',
      message: `${sources.slice(0, mostRelated).join(', ')} are the same source, because \`caseSensitive\` is false, so only one of them answers`,
      hint: 'remove all but one, or set `caseSensitive: true`',
      address: addresses[0]!,
      related: addresses.slice(1, mostRelated).map((address) => ({ message: 'the same source', address })),
      subject: sources[0]!.toLowerCase(),
    };
  }
}
