import { ancestorsOf, canDo, isSingleton } from '../kind/define-kind.ts';
import { targetOf } from '../kind/row-target.ts';
import { type Address, isWithin } from '../model/address.ts';
import type { DecidedChange, DecidedChangeOf } from '../model/change.ts';
import { createIdLookup, type LiveResource } from '../model/resource.ts';
import { type Comparison, createChange, isExclusive, type PreparedInput, splitByIds } from './comparison.ts';
import { isNarrowedBy } from './input.ts';
import { narrowRow } from './shared-rows.ts';
import { unkeptNames } from './unkept-writes.ts';

/**
 * Decides about an object that the configuration does not declare, or no longer declares. Returns undefined for an object that is not ours,
 * and for one that is deleted together with its container. The last rows of this table are the usual case, a removed block:
 *
 *   | object                                                     | decision                                    |
 *   | ---------------------------------------------------------- | ------------------------------------------- |
 *   | somebody added it as a target to a variable of ours, and   | taken out again, or left (`decideJoined`)   |
 *   | the parent has no `$exclusive`                             |                                             |
 *   | not ours, and the platform cannot delete it                | nothing                                     |
 *   | not ours, no container, and its parent says `$exclusive`   | deleted                                     |
 *   | not ours                                                   | unmanaged                                   |
 *   | recorded as `$existing`, with nothing of ours in it        | forgotten                                   |
 *   | ours, and no longer in the account, or replaced outside    | forgotten                                   |
 *   | ours, and `removed` says `delete: false`                   | released: it stays                          |
 *   | ours, a container that is not named for deletion           | released                                    |
 *   | ours, and the platform cannot delete it                    | released                                    |
 *   | ours, in a container that was removed, too, and stays      | released, unless it is recreated elsewhere, |
 *   |                                                            | or `removed` says `delete: true`            |
 *   | ours                                                       | deleted                                     |
 */
export function decideUndeclared(comparison: Comparison): DecidedChange | undefined {
  const { address, kind, live, entry, notes, joinedUnits, isRecordedAsExisting } = comparison;
  const containers = fatesOfContainers(comparison);
  if (containers.includes('deleted')) return undefined;
  // Set if somebody outside added this unit (a variable in one target) to a row of ours.
  const ourUnitsInRow = joinedUnits.get(address);
  if (live && ourUnitsInRow && !isExclusive(comparison)) return decideJoined(comparison, live, ourUnitsInRow);
  // Rows of the object that the ledger has, and the others.
  const [ours, theirs] = splitByOwner(comparison);
  if (live && theirs && canDo(kind, 'delete') && !isRecordedAsExisting) {
    if (isExclusive(comparison) && !kind.lifecycle.container)
      return createDeletion(comparison, live, {
        reason: 'not declared, and `$exclusive` is set',
        exclusive: true,
      });
    notes.unmanaged.push(theirs);
  }
  if (isRecordedAsExisting && !hasRecordedChildren(comparison))
    return createForgetting(comparison, { reason: 'nothing in it is managed here any more' });
  if (!entry) return undefined;
  if (!ours)
    return createForgetting(
      comparison,
      live
        ? { reason: 'another object has its name now' }
        : { reason: 'no longer in the account', changesLedgerOnly: true },
    );
  return decideRemoved(comparison, ours, containers.includes('kept'));
}

/**
 * Decides what the plan does with an object of ours whose block was removed: delete it, or release it (stop
 * managing it) if it must stay. `isContainerKept`: true if a project or another object around it is not
 * declared either, and stays.
 */
function decideRemoved(
  comparison: Comparison,
  object: LiveResource,
  isContainerKept: boolean,
): DecidedChange {
  const releaseReason = reasonToRelease(comparison, isContainerKept);
  return releaseReason === undefined
    ? createDeletion(comparison, object, { reason: reasonToDelete(comparison) })
    : createRelease(comparison, releaseReason);
}

/** Returns why an object of ours whose block was removed must stay in the account, for the plan; undefined if it is deleted. */
function reasonToRelease(comparison: Comparison, isContainerKept: boolean): string | undefined {
  const { address, kind, entry, input } = comparison;
  if (input.findRemoval(address)?.deletes === false) return 'released by `removed`; the object stays';
  if (kind.lifecycle.container)
    return mayDeleteContainer({ address, entry }, input)
      ? undefined
      : `${reasonToRemove(input)}; the object stays`;
  if (!canDo(kind, 'delete')) return `${reasonToRemove(input)}; the platform keeps it`;
  // An object that is recreated elsewhere is deleted even in a container that stays: the platform allows only one of it.
  const isRecreated = input.identities?.recreatedElsewhere?.has(address);
  return isContainerKept && !isRecreated && !isNamedForDeletion(comparison)
    ? 'its parent was removed from the configuration; the object stays'
    : undefined;
}

/** Returns why an object of ours that the configuration no longer declares is deleted, for the plan. */
function reasonToDelete({ address, kind, input }: Comparison): string {
  const newAddress = input.identities?.recreatedElsewhere?.get(address);
  const isRecreated = newAddress !== undefined && !kind.lifecycle.container;
  return isRecreated ? `it is recreated as ${newAddress}` : reasonToRemove(input);
}

/** Returns why an object no longer belongs to the stack, for the plan. A plan of `destroy` has no blocks, although the YAML has them. */
function reasonToRemove({ options }: Pick<PreparedInput, 'options'>): string {
  if (!options?.destroy) return 'removed from the configuration';
  return isNarrowedBy(options) ? 'selected by `trueup destroy`' : 'the stack is being destroyed';
}

/**
 * Decides about a target that somebody added in the account to a row of ours (one object of the platform that
 * gives a variable to several targets): it is taken out again, because it has our value without being
 * declared. It stays if its project is not declared either, and stays; and, with a warning, if another stack may
 * own it. `unit`: the added target, with an address of its own; `ourUnitsInRow`: the addresses of our targets in the row.
 */
function decideJoined(
  comparison: Comparison,
  unit: LiveResource,
  ourUnitsInRow: readonly Address[],
): DecidedChange | undefined {
  const { address, kind, input, notes, report } = comparison;
  const isContainerKept = fatesOfContainers(comparison).includes('kept');
  if (isContainerKept || input.mayHaveUnknownStacks) {
    notes.unmanaged.push(unit);
    if (!isContainerKept)
      report.warning(
        'row/joined',
        `${address} was added outside to ${ourUnitsInRow.join(', ')}, and has the same value: it is left alone, since this store cannot tell if another stack owns it`,
        {
          address,
          hint: 'declare it, remove it in the account, or pass --ledger-index so that other stacks are known',
        },
      );
    return undefined;
  }
  // An earlier apply may have taken the unit out already. If the platform did not keep that, the ledger has a mark at our units in the row.
  const mark = unkeptNames.target(targetOf(kind, unit.fields, createIdLookup(input.live)));
  const isRepeated = ourUnitsInRow.some(
    (ourUnit) => input.ledger.entries[ourUnit]?.notKept?.[mark] !== undefined,
  );
  // The deletion of a unit that narrows our row instead of deleting it. `narrowRow` also gives the reason.
  return narrowRow(createDeletion(comparison, unit, { reason: '' }), ourUnitsInRow, isRepeated);
}

/**
 * Splits the live object at an undeclared address into our part, which a plan may delete, and the part of
 * others, which it must leave alone. Ours are the rows (platform objects behind one address) whose ids the
 * ledger has. A singleton such as a project's firewall has no id of its own, so it is all ours if the ledger
 * has an entry. After a replacement outside, the entry is about another object, so nothing is ours.
 */
function splitByOwner({
  kind,
  live,
  entry,
  isReplacedOutside,
}: Comparison): [ours: LiveResource | undefined, theirs: LiveResource | undefined] {
  if (!live) return [undefined, undefined];
  if (!entry || isReplacedOutside) return [undefined, live];
  return isSingleton(kind) ? [live, undefined] : splitByIds(live, kind, (id) => entry.ids.includes(id));
}

/**
 * Creates the change of a plan that removes the ledger's entry of an object and sends no request, so that the stack no longer manages the
 * object.
 */
const createForgetting = (
  comparison: Comparison,
  details: Pick<DecidedChangeOf<'forget'>, 'reason' | 'changesLedgerOnly'>,
): DecidedChange => createChange(comparison, { action: 'forget', ...details });

/**
 * Creates the change of a plan that stops managing a live object: the ledger's entry is removed, and the object stays in the account as it
 * is.
 */
const createRelease = (comparison: Comparison, reason: string): DecidedChange =>
  createChange(comparison, { action: 'release', before: comparison.live, reason });

/** Creates the change that deletes a live object. Objects that it needed are deleted after it (`addressesNeededByEntry`). */
const createDeletion = (
  comparison: Comparison,
  object: LiveResource,
  details: Pick<DecidedChangeOf<'delete'>, 'reason' | 'exclusive'>,
): DecidedChange =>
  createChange(comparison, {
    action: 'delete',
    before: object,
    needs: addressesNeededByEntry(comparison),
    ...details,
  });

/**
 * Returns the objects that an undeclared object, or anything in it, needed when it was applied: the `dependsOn` of their ledger entries.
 * The plan deletes these only after the object itself. Objects in it are left out, because they are deleted with it.
 */
function addressesNeededByEntry({ address, entry, kind, input }: Comparison): Address[] {
  const content = kind.lifecycle.container
    ? Object.entries(input.ledger.entries).filter(([other]) => isWithin(other, address))
    : [];
  const needed = [...(entry?.dependsOn ?? []), ...content.flatMap(([, { dependsOn = [] }]) => dependsOn)];
  return [...new Set(needed)].filter((other) => !isWithin(other, address));
}

/**
 * True if the ledger has an object inside the one at this address. The ledger keeps the entry of a parent that this stack does not own
 * (`$existing`) as long as it has one, because that object is found by its parent.
 */
const hasRecordedChildren = ({ address, input }: Comparison): boolean =>
  Object.keys(input.ledger.entries).some((other) => other !== address && isWithin(other, address));

/**
 * True if the plan may delete a container (an object with content, such as a project) whose block is gone: this stack owns it, the platform
 * can delete it, and `removed` of the configuration or the command line of `destroy` names it for deletion. So does the ledger of an
 * earlier version, unless `removed` says `delete: false`. Otherwise the plan keeps it, because everything in it would be lost.
 */
function mayDeleteContainer(
  { address, entry }: Pick<Comparison, 'address' | 'entry'>,
  { options, kinds, findRemoval }: PreparedInput,
): boolean {
  if (entry === undefined || !canDo(kinds.get(entry.kind)!, 'delete')) return false;
  const isNamed = entry.onRemove === 'delete' || (options?.containersToDelete?.includes(address) ?? false);
  return findRemoval(address)?.deletes ?? isNamed;
}

/**
 * True if an entry of `removed` with `delete: true` names this object, or one around it that is no container (an object with content, such
 * as a project). This object is then deleted even if its container is not declared either, and stays. An entry for its container says
 * nothing about it.
 */
function isNamedForDeletion({ address, kind, parent, input }: Comparison): boolean {
  const removal = input.findRemoval(address);
  if (removal?.deletes !== true) return false;
  const containers = ancestorsOf(input.kinds, kind, parent).filter(
    (ancestor) => ancestor.kind.lifecycle.container,
  );
  const namesContainer = containers.some((container) => isWithin(container.address, removal.address));
  return !namesContainer;
}

/**
 * The effect of a container on its content: the container is deleted with its content, it is kept with its content although its block was
 * removed, or it has no effect.
 */
type ContainerFate = 'deleted' | 'kept' | 'no effect';

/**
 * Returns what the plan does with each container (an object with content, such as a project) around an
 * undeclared object, because the object is deleted or kept with it: `deleted` if the container is named for
 * deletion, `kept` if it is only undeclared. `no effect` if it is declared, also with
 * `$existing` (now or at the last apply), or if `trueup destroy` keeps it: that command deletes our objects in it
 * one by one.
 */
function fatesOfContainers({ kind, parent, input, isReplacedOutside }: Comparison): ContainerFate[] {
  const { desired, ledger, kinds, live, options } = input;
  const fateOf = (container: Address): ContainerFate => {
    const entry = ledger.entries[container];
    if (desired.resources.has(container) || entry?.existing) return 'no effect';
    // Another stack takes the container over, so this plan does not delete it.
    const hasHeir = input.heirs.heirOf(container) !== undefined;
    const isDeleted =
      !hasHeir &&
      mayDeleteContainer({ address: container, entry }, input) &&
      live.resources.has(container) &&
      // The object of the ledger may be in another container, so this deletion says nothing about it.
      !isReplacedOutside;
    if (isDeleted) return 'deleted';
    return options?.destroy ? 'no effect' : 'kept';
  };
  return ancestorsOf(kinds, kind, parent)
    .filter((ancestor) => ancestor.kind.lifecycle.container)
    .map(({ address }) => fateOf(address));
}
