import type { Address } from '../model/address.ts';
import { isApproved, isSame, place, unplaced } from './compare-approval.ts';
import type { Encoded } from './encode.ts';
import type { Basis, Mark, SavedChange, SavedPlan } from './saved-plan.ts';

/**
 * One thing in which a plan is not the approved one, and why. `configuration`, `secret`: what is wanted; `outside`: what the
 * account has; `judgement`: neither of them, so what the ledger remembers, the program, or the file; `problem`: what the plan warns of.
 * `approved` and `now` are the values, where both are known and none is secret.
 */
export interface Difference {
  cause: 'configuration' | 'secret' | 'outside' | 'judgement' | 'problem';
  address?: Address;
  field?: string;
  what: string;
  approved?: Encoded;
  now?: Encoded;
}

/** In what a plan is not the approved one, causes before what follows from them. Empty only if it is. */
export function differences(approved: SavedPlan, current: SavedPlan): Difference[] {
  if (isApproved(approved, current)) return [];
  const [old, now] = [byAddress(approved), byAddress(current)];
  const addresses = [...new Set([...old.keys(), ...now.keys()])].sort();
  const causes = [
    ...ofSources(approved, current),
    ...addresses.flatMap((address) => ofBasis(address, old.get(address), now.get(address))),
  ];
  if (causes.length > 0) return causes;
  const judgements = addresses.flatMap((address): Difference[] =>
    isSame(unplacedChange(old.get(address)), unplacedChange(now.get(address)))
      ? []
      : [{ cause: 'judgement', address, what: 'the change is different' }],
  );
  if (judgements.length > 0) return judgements;
  const problems = [
    ...messagesOnlyIn(current, approved).map((text) => `the plan now says: ${text}`),
    ...messagesOnlyIn(approved, current).map((text) => `the plan no longer says: ${text}`),
  ];
  if (problems.length > 0) return problems.map((what) => ({ cause: 'problem', what }));
  return [{ cause: 'judgement', what: 'its requests, or their order, are different' }];
}

/** Sources that differ from the approved ones, or that were not read then. */
function ofSources({ sources: old = [] }: SavedPlan, { sources: now = [] }: SavedPlan): Difference[] {
  const [was, is] = [old, now].map((list) => new Map(list.map(({ name, source }) => [name, source])));
  return [...new Set([...was!.keys(), ...is!.keys()])].sort().flatMap((name): Difference[] => {
    const [before, after] = [was!.get(name), is!.get(name)];
    if (before === after) return [];
    const what =
      after === undefined
        ? `the ${name} is no longer read`
        : before === undefined
          ? `the ${name} is now read, from ${after}`
          : `the ${name} is read from ${after}; the approved plan read it from ${before}`;
    return [{ cause: 'configuration', what }];
  });
}

interface One {
  basis: Basis;
  change: SavedChange | undefined;
}

function byAddress({ basis, changes }: SavedPlan): Map<Address, One> {
  const changeOf = new Map(changes.map((change) => [change.address, change]));
  return new Map(basis.map((one) => [one.address, { basis: one, change: changeOf.get(one.address) }]));
}

const unplacedChange = (one: One | undefined) => one?.change && unplaced(one.change);

function ofBasis(address: Address, old: One | undefined, now: One | undefined): Difference[] {
  const isWanted = (one: One | undefined) => one?.basis.wanted !== undefined;
  const isFound = (one: One | undefined) => (one?.basis.ids.length ?? 0) > 0;
  if (isWanted(old) !== isWanted(now))
    return [
      {
        cause: 'configuration',
        address,
        what: isWanted(now) ? 'it is now declared' : 'it was removed from the configuration',
      },
    ];
  if (!old || !now)
    return [
      isFound(now ?? old)
        ? { cause: 'outside', address, what: now ? 'it now exists' : 'it no longer exists' }
        : {
            cause: 'judgement',
            address,
            what: now ? 'it is now in the plan' : 'it is no longer in the plan',
          },
    ];
  const wanted = namesThatDiffer(old.basis.wanted, now.basis.wanted).map((field) =>
    ofWanted(address, field, old, now),
  );
  if (isFound(old) !== isFound(now))
    return [
      ...wanted,
      { cause: 'outside', address, what: isFound(now) ? 'it now exists' : 'it no longer exists' },
    ];
  if (!isSame(old.basis.ids, now.basis.ids))
    return [
      ...wanted,
      { cause: 'outside', address, what: 'it is now a different object with the same name' },
    ];
  // A field that is newly declared was not looked at before.
  const differences = namesThatDiffer(old.basis.found, now.basis.found)
    .filter((field) => field in old.basis.found && field in now.basis.found)
    .map((field) => ofFound(address, field, old, now));
  return [...wanted, ...differences];
}

function ofWanted(address: Address, field: string, old: One, now: One): Difference {
  const [was, is] = [old.basis.wanted?.[field], now.basis.wanted?.[field]];
  const about = { address, field };
  if (isSecret(was) && isSecret(is)) {
    const what =
      was.secret === null
        ? 'was not compared when the plan was approved'
        : is.secret === null
          ? 'is not available here, so it cannot be compared'
          : 'has a different value now';
    return { ...about, cause: 'secret', what };
  }
  if (was === undefined || is === undefined)
    return {
      ...about,
      cause: 'configuration',
      what: is === undefined ? 'was removed from the configuration' : 'is declared now',
    };
  const values =
    isSecret(was) || isSecret(is)
      ? {}
      : { approved: sideOf(old, field, 'after'), now: sideOf(now, field, 'after') };
  return { ...about, cause: 'configuration', what: 'is declared differently', ...known(values) };
}

function ofFound(address: Address, field: string, old: One, now: One): Difference {
  if (field === place) return { cause: 'outside', address, what: 'its position was changed outside' };
  const about = { address, field, cause: 'outside' as const, what: 'was changed outside' };
  if (isSecret(old.basis.found[field]) || isSecret(now.basis.found[field])) return about;
  // Where a plan does not name a field it is as it should be: as the other plan wants it, if that is the same.
  const isSameWanted = namesThatDiffer(old.basis.wanted, now.basis.wanted).length === 0;
  const foundBy = (one: One, other: One) => {
    const side = sideOf(one, field, 'before');
    return side === undefined && isSameWanted ? sideOf(other, field, 'after') : side;
  };
  return { ...about, ...known({ approved: foundBy(old, now), now: foundBy(now, old) }) };
}

const isSecret = (mark: Mark | undefined): mark is { secret: string | null } => typeof mark === 'object';

const namesThatDiffer = (one: Record<string, Mark> = {}, other: Record<string, Mark> = {}): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((name) => !isSame(one[name], other[name]))
    .sort();

/** A field that differs, or goes with its object; one that is unset is null, one that is not named undefined. */
function sideOf({ change }: One, path: string, side: 'before' | 'after'): Encoded | undefined {
  const field = change?.fields.find((field) => field.path === path && !field.secret);
  return field ? (field[side] ?? null) : side === 'before' ? change?.deleted?.[path] : undefined;
}

/** Values only where both are known: one alone says nothing. */
const known = ({ approved, now }: { approved?: Encoded | undefined; now?: Encoded | undefined }) =>
  approved === undefined || now === undefined ? {} : { approved, now };

const messagesOnlyIn = (savedPlan: SavedPlan, other: SavedPlan): string[] => {
  const others = other.diagnostics.map(unplaced);
  return savedPlan.diagnostics
    .filter((diagnostic) => !others.some((known) => isSame(known, unplaced(diagnostic))))
    .map(({ message }) => message);
};
