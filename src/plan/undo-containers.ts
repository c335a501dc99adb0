import type { Kinds } from '../kind/kind.ts';
import { type Address, isWithinAny } from '../model/address.ts';
import { type Diagnostic, warning } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import { formatRemoval } from '../model/removal.ts';
import type { Desired } from '../model/resource.ts';
import type { ChangeToUndo } from './predict-undo.ts';

/** The run that `trueup undo` takes back, with the configuration before it. */
export interface RunToUndo {
  changes: readonly ChangeToUndo[];
  /** The configuration before the run; without resources if it was the first run. */
  desiredBefore: Desired;
  ledger: Ledger;
  kinds: Kinds;
}

/**
 * Returns the containers (objects with contents, such as projects) that the run created. An undo leaves them and everything that the run
 * created in them, because they may contain more by now: only a person may delete them.
 */
export function findCreatedContainers({
  changes,
  desiredBefore,
  ledger,
  kinds,
}: RunToUndo): ReadonlySet<Address> {
  return new Set(
    changes.flatMap(({ address, action, kind }) => {
      const mayExist = ledger.entries[address] ?? ledger.begun?.[address];
      const isCreated = action === 'create' && mayExist && !desiredBefore.resources.has(address);
      return isCreated && kinds.get(kind)?.lifecycle.container ? [address] : [];
    }),
  );
}

/**
 * Returns the containers that the run deleted and that the configuration before the run declares. The platform deleted their contents with
 * them, so the record of the run has no changes of these.
 */
export function findDeletedContainers({ changes, desiredBefore, kinds }: RunToUndo): ReadonlySet<Address> {
  return new Set(
    changes.flatMap(({ address, action, kind }) => {
      const isLost = action === 'delete' && desiredBefore.resources.has(address);
      return isLost && kinds.get(kind)?.lifecycle.container ? [address] : [];
    }),
  );
}

/**
 * Returns the objects that the configuration before the run declares in deleted containers, such as the variables of a deleted project.
 * Objects with an own change in the record are left out.
 */
export function listDeletedContents(
  containers: ReadonlySet<Address>,
  { changes, desiredBefore }: RunToUndo,
): Address[] {
  const changed = new Set(changes.map(({ address }) => address));
  return [...desiredBefore.resources.keys()].filter(
    (address) => !changed.has(address) && isWithinAny(address, containers),
  );
}

/** Returns the notes of an undo about the containers that the run deleted: their other contents, and values set outside, are lost. */
export const noteDeletedContainers = (containers: ReadonlySet<Address>): Diagnostic[] =>
  [...containers].map((address) =>
    warning(
      'undo/not-kept',
      `${address}: of its contents, only the declared objects are created again, with their declared values`,
      { address },
    ),
  );

/**
 * Returns the notes of an undo about the containers (objects with contents, such as projects) that the undone run created: they stay, and
 * the lines that delete them. The stack keeps them in its ledger, so that this is possible. Printed as one note, with the lines of all.
 */
export function noteCreatedContainers(containers: readonly ChangeToUndo[]): Diagnostic[] {
  const adviceFor = (addresses: readonly Address[]): string => {
    const [objects, blocks] =
      addresses.length === 1 ? ['it with its', 'its block'] : ['them with their', 'their blocks'];
    const advice = `to delete ${objects} contents, remove ${blocks}, and add under \`removed:\` of the header:`;
    return [advice, ...addresses.map((address) => formatRemoval({ address, deletes: true }))].join('\n');
  };
  const adviceForAll = adviceFor(containers.map(({ address }) => address).sort());
  return containers.map(({ address, kind }) =>
    warning('undo/container', `${address}: an undo deletes no ${kind}, so it stays with its contents`, {
      address,
      hint: adviceFor([address]),
      alike: {
        cause: adviceForAll,
        are: 'created objects with contents stay, because an undo deletes no such object',
        hint: adviceForAll,
      },
    }),
  );
}
