import type { Address } from '../model/address.ts';
import { matcherOf } from '../model/address-glob.ts';
import { asksForWrite, type Change, createsObject } from '../model/change.ts';
import { type Diagnostic, problem, type Reporter } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { collectionId } from '../model/resource.ts';
import { createHolderFinder, findNeeds } from './find-dependencies.ts';
import type { PlanInput } from './input.ts';

export const matchesAny = (globs: string[] | undefined, address: Address): boolean =>
  globs !== undefined && globs.length > 0 && matcherOf(globs)(address);

/** A problem for each glob that matches none of the addresses. */
export const createUnmatchedGlobProblems = (globs: string[], addresses: Address[]): Diagnostic[] =>
  globs
    .filter((glob) => !addresses.some(matcherOf([glob])))
    .map((glob) =>
      problem('target/nothing', `no address matches ${glob}`, {
        hint: 'addresses look like `projects/web/env/API_URL@production`; `**` matches any number of parts',
      }),
    );

/**
 * The changes that `--target` and `--exclude` leave. All that a target needs comes along; all that needs something excluded is left out;
 * both are reported, so that nobody is surprised.
 */
export function selectChanges(
  changes: Change[],
  input: Pick<PlanInput, 'kinds' | 'live' | 'options' | 'recreatedElsewhere'>,
  report: Reporter,
): Change[] {
  const { targets, excludes, sendUnverified, toleratesMissing } = input.options ?? {};
  const addresses = changes.map(({ address }) => address);
  if (!toleratesMissing)
    for (const nothing of createUnmatchedGlobProblems(sendUnverified ?? [], addresses))
      report.add({ ...nothing, severity: 'warning' });
  if (!targets?.length && !excludes?.length) return changes;
  if (!toleratesMissing)
    report.add(...createUnmatchedGlobProblems([...(targets ?? []), ...(excludes ?? [])], addresses));
  const required = requirementsOf(changes, input);
  const isTarget = targets?.length ? matcherOf(targets) : () => true;
  const isExcluded = excludes?.length ? matcherOf(excludes) : () => false;
  const targeted = new Set(changes.filter(({ address }) => isTarget(address)));
  const chosen = new Set(targeted);
  // What is added while the loop runs is visited, too.
  for (const change of chosen) for (const other of required(change)) chosen.add(other);

  const dropped = new Set<Change>();
  for (const change of chosen) if (isExcluded(change.address)) chosen.delete(change);
  for (let before = -1; before !== chosen.size; ) {
    before = chosen.size;
    for (const change of chosen)
      if (!required(change).every((change) => chosen.has(change))) {
        chosen.delete(change);
        dropped.add(change);
      }
  }
  const names = (of: Iterable<Change>) =>
    [...of]
      .filter(({ action }) => action !== 'noop')
      .map(({ address }) => address)
      .sort()
      .join(', ');
  const added = names([...chosen].filter((change) => !targeted.has(change)));
  if (added)
    report.warning('target/closure', `the targets depend on ${added}, so the plan includes them too`);
  const left = names(dropped);
  if (left)
    report.warning('target/excluded', `${left} depends on what is excluded, so the plan leaves it out too`);
  return changes.filter((change) => chosen.has(change));
}

/** Finds the changes that a change requires. A selection has all of them or leaves the change out. */
function requirementsOf(
  changes: Change[],
  { kinds, live, recreatedElsewhere = new Map() }: Pick<PlanInput, 'kinds' | 'live' | 'recreatedElsewhere'>,
): (change: Change) => Change[] {
  // What is deleted here and created anew there: there can only be one of it.
  const partners = new Map([
    ...recreatedElsewhere,
    ...[...recreatedElsewhere].map(([from, to]) => [to, from] as const),
  ]);
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const holders = createHolderFinder(changes, kinds, live);
  const lists = groupBy(
    changes.filter(({ kind }) => kinds.get(kind)!.shape.orderDecides),
    ({ kind, parent }) => collectionId(kind, parent),
  );
  // A secret that is shown once, and the variable for it, come together or not at all.
  const variables = groupBy(changes, ({ after }) => after?.meta.secretOf?.object);
  const isNeeded = (needed: Change, { after }: Change) =>
    needed.action === 'create' ||
    (after?.meta.secretOf?.object === needed.address && createsObject(needed)) ||
    needed.before?.transfer !== undefined ||
    // Remembered with what is in it.
    needed.after?.meta.existing === true ||
    (after?.meta.dependsOn?.includes(needed.address) && sends(needed));
  const required = (change: Change): Change[] => {
    const { address, kind, parent, action } = change;
    // The order of a first-match list is one decision: its changes come together or not at all.
    const list = lists.get(kinds.get(kind)!.shape.orderDecides ? collectionId(kind, parent) : '') ?? [];
    const partner = [byAddress.get(partners.get(address) ?? '') ?? []].flat();
    if (action === 'delete') return [...list, ...partner, ...holders(address).filter(sends)];
    const transfer = change.before?.transfer;
    // What names it goes along with it.
    const together = transfer
      ? [...holders(transfer.from).filter(sends), ...[byAddress.get(transfer.with ?? '') ?? []].flat()]
      : [];
    const needed = [...findNeeds(change, kinds)].flatMap((need) => byAddress.get(need) ?? []);
    const renamed = action === 'create' ? changes.filter(({ before }) => before?.renamedTo === address) : [];
    return [
      ...list,
      ...partner,
      ...together,
      ...(createsObject(change) ? (variables.get(address) ?? []) : []),
      ...needed.filter((other) => isNeeded(other, change)),
      ...renamed,
    ];
  };
  const known = new Map<Change, Change[]>();
  return (change) => {
    const answer = known.get(change) ?? required(change);
    known.set(change, answer);
    return answer;
  };
}

/** True if a change is more than a note in the ledger. */
const sends = ({ action, fields, before }: Change) =>
  before?.transfer !== undefined ||
  action === 'update' ||
  action === 'replace' ||
  action === 'delete' ||
  action === 'create' ||
  (action === 'adopt' && fields.some(asksForWrite));
