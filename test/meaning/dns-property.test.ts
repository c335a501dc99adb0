import fc from 'fast-check';
import { expect } from 'vitest';
import { dnsOf, routeOf } from '../../providers/hosting/meaning/dns/routes.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';
import { findingsIn, type MadeSet, madeView } from './dns-view.ts';

const story = oneStoryIn(3);

/*
 * A resolver by a tree of labels, which shares nothing with the evaluator: it goes down from the apex, as RFC 1034 (section 4.3.2) describes the
 * work of a name server. Small zones make many of the odd cases: empty nodes, hidden wildcards, delegations, circles.
 */
interface Node {
  sets: Map<string, string[]>;
  children: Map<string, Node>;
}

const zone = 'z.test';
const platform = 'cname.vercel-dns.com';
const outside = 'example.net';
const newNode = (): Node => ({ sets: new Map(), children: new Map() });

function treeOf(sets: readonly MadeSet[]): Node {
  const apex = newNode();
  for (const { name, type, values } of sets) {
    let node = apex;
    for (const label of labelsBelowApex(name)) {
      if (!node.children.has(label)) node.children.set(label, newNode());
      node = node.children.get(label)!;
    }
    node.sets.set(type, values);
  }
  return apex;
}

/** From the apex down: `b`, `a` for `a.b.z.test`. */
const labelsBelowApex = (name: string) =>
  name === zone
    ? []
    : name
        .slice(0, -zone.length - 1)
        .split('.')
        .reverse();

type Answer = 'referral' | 'nxdomain' | 'nodata' | Map<string, string[]>;

function ask(apex: Node, name: string): Answer {
  let node = apex;
  for (const label of labelsBelowApex(name)) {
    const child = node.children.get(label);
    if (!child) {
      const star = node.children.get('*');
      return star && star.sets.size > 0 ? star.sets : 'nxdomain';
    }
    if (child.sets.has('NS')) return 'referral';
    node = child;
  }
  return node.sets.size > 0 ? node.sets : 'nodata';
}

/** Where visitors of a name end up, and the names on their way. */
function visit(apex: Node, name: string, way: string[] = []): { end: string; way: string[] } {
  if (way.includes(name)) return { end: 'loop', way: way.slice(way.indexOf(name)) };
  const at = [...way, name];
  if (name === platform) return { end: 'platform', way: at };
  if (name === outside) return { end: 'unknown', way: at };
  const answer = ask(apex, name);
  if (answer === 'referral') return { end: 'unknown', way: at };
  if (typeof answer === 'string') return { end: answer === 'nodata' ? 'empty' : 'missing', way: at };
  const [cname] = answer.get('CNAME') ?? [];
  if (cname) return visit(apex, cname, at);
  const addresses = answer.get('A') ?? [];
  if (addresses.includes('76.76.21.21')) return { end: 'platform', way: at };
  const [alias] = answer.get('ALIAS') ?? [];
  if (addresses.length > 0) return { end: alias ? 'unknown' : 'addresses', way: at };
  return alias ? visit(apex, alias, at) : { end: 'empty', way: at };
}

const names = ['', 'a.', 'b.', '*.', 'a.a.', 'b.a.', '*.a.', 'a.b.', '*.b.', 'a.b.a.'].map(
  (name) => `${name}${zone}`,
);
const asked = [...names, ...['c.', 'c.a.', 'c.b.', 'c.c.', 'a.a.a.', '*.c.'].map((name) => `${name}${zone}`)];
const target = fc.constantFrom(...asked.filter((name) => !name.startsWith('*')), platform, outside);

/** The sets of a name: a CNAME alone, or others; NS and CNAME not at the apex. */
const setsOf = (name: string): fc.Arbitrary<MadeSet[]> => {
  const others = fc.record(
    {
      A: fc.constantFrom(['192.0.2.1'], ['76.76.21.21'], ['192.0.2.1', '76.76.21.21']),
      ALIAS: target.map((host) => [host]),
      TXT: fc.constant(['x']),
      MX: fc.array(target, { minLength: 1, maxLength: 2 }).map((hosts) => [...new Set(hosts)]),
      ...(name !== zone && { NS: fc.constant([outside]) }),
    },
    { requiredKeys: [] },
  );
  const cname = target.map((host) => ({ CNAME: [host] }));
  const some =
    name === zone ? others : fc.oneof({ weight: 3, arbitrary: cname }, { weight: 2, arbitrary: others });
  return fc
    .option(some, { nil: {} })
    .map((sets) =>
      Object.entries(sets).map(([type, values]) => ({ name, type, values: values as string[] })),
    );
};

const zones = fc.tuple(...names.map(setsOf)).map((sets) => sets.flat());
const hosts = fc.uniqueArray(fc.constantFrom(...asked), { maxLength: 5 });

const served = (list: readonly string[], host: string): boolean | undefined => {
  if (list.includes(host)) return true;
  const above = list.filter((name) => name.startsWith('*.') && host.endsWith(name.slice(1)));
  if (above.length === 0) return false;
  return above.some((name) => !host.slice(0, -name.length + 1).includes('.')) || undefined;
};

const isDelegated = (apex: Node, name: string) => ask(apex, name) === 'referral';

story('names lead where a name server says', () => {
  const property = fc.property(zones, (sets) => {
    const dns = dnsOf(madeView(zone, sets, []));
    const apex = treeOf(sets);
    for (const name of asked) expect(routeOf(dns, name).end, name).toBe(visit(apex, name).end);
  });
  fc.assert(property, { numRuns: runs(10_000, 50) });
});

story('findings are those of a resolver', () => {
  const property = fc.property(zones, hosts, (sets, list) => {
    const apex = treeOf(sets);
    const found = findingsIn(madeView(zone, sets, list));
    const addressesOf = (code: string) => found.filter((finding) => finding.code === code);
    const explicit = [...new Set(sets.map(({ name }) => name))].filter((name) => !isDelegated(apex, name));

    const loops = explicit.map((name) => visit(apex, name)).filter(({ end }) => end === 'loop');
    const circles = new Set(loops.map(({ way }) => [...way].sort().join(' ')));
    expect(addressesOf('dns/cname-loop').length, 'loops').toBe(circles.size);

    const claimed = explicit.filter(
      (name) =>
        !name.startsWith('*.') && visit(apex, name).end === 'platform' && served(list, name) === false,
    );
    const takeovers = addressesOf('dns/takeover').map(({ address }) => address.split('/')[3]!);
    const relative = (name: string) => (name === zone ? '@' : name.slice(0, -zone.length - 1));
    expect(takeovers.sort(), 'takeovers').toEqual(claimed.map(relative).sort());

    const mailTargets = sets
      .filter(({ name, type }) => type === 'MX' && explicit.includes(name))
      .flatMap(({ values }) => values);
    const withoutAddress = mailTargets.filter((name) => {
      if (!name.endsWith(zone) || name === zone) return false;
      const answer = ask(apex, name);
      if (answer === 'referral') return false;
      return typeof answer === 'string' || !['A', 'ALIAS', 'CNAME'].some((type) => answer.has(type));
    });
    const dangling = addressesOf('dns/dangling').map(({ subject }) => subject);
    expect(dangling, 'dangling').toEqual(expect.arrayContaining([...new Set(withoutAddress)]));
    expect(new Set(dangling).size).toBe(dangling.length);

    const hidden = list.filter((host) => {
      const answer = ask(apex, host);
      const way = host.slice(0, -zone.length - 1).split('.');
      const hasNone =
        answer === 'nxdomain' ||
        answer === 'nodata' ||
        (answer !== 'referral' &&
          !['A', 'ALIAS', 'CNAME'].some((type) => answer.has(type)) &&
          sets.some(({ name }) => name === host));
      if (host === zone || host.startsWith('*.') || !hasNone) return false;
      const ancestors = way.map((_, index) => [...way.slice(index + 1), zone].join('.'));
      const nearest = ancestors.find((name) => sets.some((set) => set.name === `*.${name}`));
      return nearest !== undefined && visit(apex, `*.${nearest}`).end === 'platform';
    });
    const relying = addressesOf('dns/wildcard-hidden').flatMap(({ related = [] }) =>
      related.slice(1).map(({ address }) => address.slice('projects/web/domains/'.length)),
    );
    expect(relying.sort(), 'hidden').toEqual(hidden.sort());
  });
  fc.assert(property, { numRuns: runs(10_000, 50) });
});
