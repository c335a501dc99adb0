import picomatch from 'picomatch';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { problem, warning } from '../model/diagnostic.ts';
import type { PlanOptions, Report } from './input.ts';
import { needsOf } from './needs.ts';

/** A test for addresses by globs: `projects/web` is that one, `projects/web/**` what is below it, `**` everything. */
export function matcherOf(globs: string[]): (address: Address) => boolean {
  const tests = globs.map((glob) => picomatch(glob, { dot: true, noextglob: true, nonegate: true }));
  return (address) => tests.some((test) => test(address));
}

export const matchesAny = (globs: string[] | undefined, address: Address): boolean =>
  globs !== undefined && globs.length > 0 && matcherOf(globs)(address);

/**
 * The changes that `--target` and `--exclude` leave. What a target needs to exist comes with it; what needs something
 * excluded goes with it; both are said, so that nobody is surprised.
 */
export function select(
  changes: Change[],
  kinds: Kinds,
  { targets, excludes }: PlanOptions,
  report: Report,
): Change[] {
  if (!targets?.length && !excludes?.length) return changes;
  for (const glob of [...(targets ?? []), ...(excludes ?? [])])
    if (!changes.some(({ address }) => matcherOf([glob])(address)))
      report(
        problem('target/nothing', `no address matches ${glob}`, {
          hint: 'addresses look like `projects/web/env/API_URL@production`; `**` matches any number of parts',
        }),
      );
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const chosen = new Set<Address>();
  const added = new Set<Address>();
  const include = (change: Change) => {
    if (chosen.has(change.address)) return;
    chosen.add(change.address);
    for (const address of [...needsOf(change, kinds), ...siblingsInOrder(change, changes, kinds)]) {
      const needed = byAddress.get(address);
      if (!needed || chosen.has(address) || !mustComeFirst(needed, kinds)) continue;
      added.add(address);
      include(needed);
    }
  };
  const isTarget = targets?.length ? matcherOf(targets) : () => true;
  for (const change of changes) if (isTarget(change.address)) include(change);

  const dropped = new Set<Address>();
  const isExcluded = excludes?.length ? matcherOf(excludes) : () => false;
  for (const change of changes) if (isExcluded(change.address)) chosen.delete(change.address);
  for (let more = true; more; ) {
    more = false;
    for (const change of changes) {
      if (!chosen.has(change.address)) continue;
      const missing = [...needsOf(change, kinds)].some((address) => {
        const needed = byAddress.get(address);
        return needed && !chosen.has(address) && needed.action === 'create';
      });
      if (!missing) continue;
      chosen.delete(change.address);
      dropped.add(change.address);
      more = true;
    }
  }
  if (added.size > 0)
    report(
      warning('target/closure', `the targets need ${[...added].sort().join(', ')}, so the plan has them too`),
    );
  if (dropped.size > 0)
    report(
      warning(
        'target/excluded',
        `${[...dropped].sort().join(', ')} need what is excluded, so the plan leaves them out too`,
      ),
    );
  return changes.filter(({ address }) => chosen.has(address));
}

const mustComeFirst = ({ action }: Change, _kinds: Kinds) =>
  action === 'create' ||
  action === 'replace' ||
  action === 'update' ||
  action === 'delete' ||
  action === 'move';

/** The order of a first-match list is one decision: its changes come together or not at all. */
const siblingsInOrder = (change: Change, changes: Change[], kinds: Kinds): Address[] =>
  kinds.get(change.kind)?.ordered
    ? changes
        .filter(({ kind, parent }) => kind === change.kind && parent === change.parent)
        .map(({ address }) => address)
    : [];
