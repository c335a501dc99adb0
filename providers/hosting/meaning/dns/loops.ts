import type { Check, Finding, ViewedObject } from '#kind';
import { type Dns, dnsOf, stepFrom } from './routes.ts';

/** A step of a loop. */
interface LoopStep {
  name: string;
  set: ViewedObject;
}

/** Finds CNAME and ALIAS records that lead back to themselves: no such name has an address, so this is an error. */
export const loops: Check = {
  codes: ['dns/cname-loop'],
  *find(view) {
    const dns = dnsOf(view);
    const visited = new Set<string>();
    for (const zone of dns.zones.values())
      for (const name of zone.sets.keys()) {
        const loop = findLoop(dns, name, visited);
        if (loop) yield describeLoop(loop);
      }
  },
};

/**
 * Returns the loop that a name leads to, unless it was `visited` before. A step by a wildcard counts only if all records of the zone are
 * known, because an undeclared record can have the name instead.
 */
function findLoop(dns: Dns, start: string, visited: Set<string>): LoopStep[] | undefined {
  const path = new Map<string, LoopStep>();
  let name = start;
  while (!visited.has(name)) {
    visited.add(name);
    const step = stepFrom(dns, name);
    if (!('to' in step) || (step.wildcard !== undefined && !isFullyKnown(dns, step.set))) return undefined;
    path.set(name, { name, set: step.set });
    name = step.to;
  }
  if (!path.has(name)) return undefined;
  const steps = [...path.values()];
  return steps.slice(steps.findIndex((step) => step.name === name));
}

const isFullyKnown = ({ view }: Dns, { parent }: ViewedObject): boolean =>
  view.knows('dnsRecord', parent) === 'all';

function describeLoop(loop: LoopStep[]): Finding {
  const first = loop.reduce((a, b) => (b.set.address < a.set.address ? b : a));
  const start = loop.indexOf(first);
  const steps = [...loop.slice(start), ...loop.slice(0, start)];
  const otherSets = [...new Map(steps.map(({ set }) => [set.address, set])).values()].slice(1);
  return {
    code: 'dns/cname-loop',
    severity: 'error',
    message: `${first.set.fields.type} records lead in a circle, so these names have no address: ${formatWay([...steps, first])}`,
    hint: 'point one of them to the host that should answer',
    address: first.set.address,
    path: 'records',
    related: otherSets
      .slice(0, mostNames)
      .map(({ address }) => ({ message: 'the next record of the circle', address })),
  };
}

/** Returns the names of a loop in their order. The middle of a long one is left out, because a report shows the message on one line. */
function formatWay(steps: readonly LoopStep[]): string {
  const names = steps.map(({ name }) => name);
  const shown =
    names.length > mostNames ? [...names.slice(0, mostNames - 2), '...', ...names.slice(-2)] : names;
  return shown.join(' -> ');
}

const mostNames = 20;
