import { ancestorsOf, canDo } from '../kind/define-kind.ts';
import { targetOf } from '../kind/row-target.ts';
import { type Address, isWithin } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { warning } from '../model/diagnostic.ts';
import { collectionParts, createIdLookup } from '../model/resource.ts';
import { type Comparison, createChange, isExclusive, splitByIds } from './comparison.ts';
import { listContents } from './find-dependencies.ts';
import type { PlanInput } from './input.ts';
import { narrowRow } from './shared-rows.ts';
import { unkeptNames } from './unkept-writes.ts';

/** Decides what to do with an object that the configuration does not name, or no longer names. */
export function decideUndeclared(comparison: Comparison): Change | undefined {
  const { kind, live, entry, input, decisions, isRecordedAsExisting } = comparison;
  const anew = input.recreatedElsewhere?.get(comparison.address);
  const [ours, theirs] = partsOf(comparison);
  if (containersOf(comparison).some(({ goes }) => goes)) return undefined;
  const sameRow = decisions.joinedUnits.get(comparison.address);
  if (live && sameRow && !isExclusive(comparison)) return joinedChange(comparison, live, sameRow);
  if (live && theirs && canDo(kind, 'delete') && !isRecordedAsExisting) {
    if (isExclusive(comparison) && !kind.lifecycle.container)
      return { ...deletion(comparison, live, 'not declared, and `$exclusive` is set'), exclusive: true };
    decisions.unmanaged.push(theirs);
  }
  if (isRecordedAsExisting && !hasChildren(comparison))
    return gone(comparison, 'nothing in it is managed here any more');
  if (!entry) return undefined;
  if (!ours)
    return live
      ? gone(comparison, 'another object has its name now')
      : { ...gone(comparison, 'it no longer exists'), changesLedgerOnly: true };
  if (kind.lifecycle.container) {
    if (!isNamed(comparison, input))
      return release(comparison, 'removed from the configuration; the object stays');
    return isPartlyFrozen(comparison)
      ? undefined
      : deletion(comparison, ours, 'removed from the configuration');
  }
  if (!canDo(kind, 'delete'))
    return release(comparison, 'removed from the configuration; the platform keeps it');
  // Whoever declares it elsewhere wants it there: there can be no two of it, so it does not stay with what it is in.
  if (anew === undefined && containersOf(comparison).some(({ stays }) => stays))
    return release(comparison, 'what it belongs to was removed from the configuration; the object stays');
  const why = input.options?.destroy ? 'the stack is being destroyed' : 'removed from the configuration';
  return deletion(comparison, ours, anew === undefined ? why : `it is created anew as ${anew}`);
}

/** Decides what to do with a unit that joined a row of ours outside. */
function joinedChange(
  comparison: Comparison,
  resource: NonNullable<Comparison['live']>,
  sameRow: readonly Address[],
): Change | undefined {
  const { address, input, decisions, report } = comparison;
  const isKept = containersOf(comparison).some(({ stays }) => stays);
  if (!isKept && !input.mayHaveUnknownStacks) {
    const name = unkeptNames.target(targetOf(comparison.kind, resource.fields, createIdLookup(input.live)));
    const isRepeated = sameRow.some((ours) => input.ledger.entries[ours]?.notKept?.[name] !== undefined);
    return narrowRow(deletion(comparison, resource, ''), sameRow, isRepeated);
  }
  decisions.unmanaged.push(resource);
  if (!isKept)
    report(
      warning(
        'row/joined',
        `${address} was added outside to ${sameRow.join(', ')}, and has the same value: it is left alone, since this store cannot tell if another stack owns it`,
        {
          address,
          hint: 'declare it, remove it in the account, or pass --ledger-index so that other stacks are known',
        },
      ),
    );
  return undefined;
}

function partsOf({ kind, live, entry, isReplacedOutside }: Comparison) {
  if (!live) return [undefined, undefined];
  if (!entry || isReplacedOutside) return [undefined, live];
  return kind.key.length === 0 ? [live, undefined] : splitByIds(live, kind, (id) => entry.ids.includes(id));
}

const gone = (comparison: Comparison, reason: string): Change =>
  createChange({ ...comparison, live: undefined }, 'forget', { reason });

const release = (comparison: Comparison, reason: string): Change =>
  createChange(comparison, 'release', { reason });

function deletion(comparison: Comparison, resource: NonNullable<Comparison['live']>, reason: string): Change {
  const change = createChange({ ...comparison, live: resource }, 'delete', {
    reason,
    needs: neededBy(comparison),
  });
  const { length } = comparison.kind.lifecycle.container
    ? listContents(comparison.address, comparison.input)
    : [];
  if (length === 0) return change;
  return { ...change, gradeReason: `everything in it is deleted too, at least ${length} more` };
}

/** The addresses that it and its content needed: all of these can only be deleted afterwards. */
function neededBy({ address, entry, kind, input }: Comparison): Address[] {
  const content = kind.lifecycle.container
    ? Object.entries(input.ledger.entries).filter(([other]) => isWithin(other, address))
    : [];
  const needed = [...(entry?.dependsOn ?? []), ...content.flatMap(([, { dependsOn = [] }]) => dependsOn)];
  return [...new Set(needed)].filter((other) => !isWithin(other, address));
}

/** A parent that is not ours stays in the ledger while something below it does. */
const hasChildren = ({ address, input }: Comparison) =>
  Object.keys(input.ledger.entries).some((name) => name !== address && isWithin(name, address));

/** True if somebody asked to delete a container, and it can be deleted: nothing else deletes one. */
const isNamed = (
  { address, entry }: Pick<Comparison, 'address' | 'entry'>,
  { options, kinds }: PlanInput,
): boolean =>
  entry !== undefined &&
  canDo(kinds.get(entry.kind)!, 'delete') &&
  (entry.onRemove === 'delete' || (options?.containersToDelete?.includes(address) ?? false));

/** True if something in it could not be read. Unseen objects are not deleted, so nothing around them is. */
const isPartlyFrozen = ({ address, input }: Comparison) =>
  [...input.live.unreadable.keys()].some((id) => isWithin(collectionParts(id)[0] ?? '', address));

/**
 * Decides about the containers around an address. An undeclared one is deleted with its content if somebody named it, and otherwise kept
 * with its content, even if the ledger has lost it: removing a block never deletes its content.
 */
function containersOf({
  kind,
  parent,
  input,
  isReplacedOutside,
}: Comparison): { goes: boolean; stays: boolean }[] {
  const { desired, ledger, kinds, options } = input;
  const fateOf = (address: Address) => {
    const entry = ledger.entries[address];
    if (desired.resources.has(address) || entry?.existing) return { goes: false, stays: false };
    const goes =
      entry !== undefined &&
      input.heirOf?.(address) === undefined &&
      isNamed({ address, entry }, input) &&
      input.live.resources.has(address) &&
      !isReplacedOutside;
    return { goes, stays: !goes && !options?.destroy };
  };
  return ancestorsOf(kinds, kind, parent)
    .filter((ancestor) => ancestor.kind.lifecycle.container)
    .map(({ address }) => fateOf(address));
}
