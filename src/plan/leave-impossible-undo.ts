import type { Address } from '../model/address.ts';
import { type Diagnostic, warning } from '../model/diagnostic.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { Desired } from '../model/resource.ts';
import type { PreparedUndo } from './prepare-undo.ts';

/**
 * True for the codes of errors that a flag can answer, or that are about several objects. Then nothing is undone until the user has
 * decided.
 */
const isForUserToDecide = (code: string): boolean =>
  /^(guard|allow|secret|delete|ledger|observe|target|key|source|staged)\//.test(code);

/**
 * Returns an undo without the objects that cannot be brought back, according to the errors of its plan
 * (`diagnostics`), so that the other changes of the run can still be undone. Notes explain why each of these
 * objects stays. Undefined if all can be brought back, or if only the user can resolve the errors.
 */
export function withoutImpossible(
  undo: PreparedUndo,
  diagnostics: readonly Diagnostic[],
): PreparedUndo | undefined {
  const { desired, desiredAfter, addresses, releasedAfterChange, releasedUnchanged, notes } = undo;
  const reasons = findObstacles(diagnostics);
  const reasonFor = (address: Address) => reasons.get(addressWithoutTarget(address));
  const isPossible = (address: Address) => reasonFor(address) === undefined;
  const impossible = addresses.filter((address) => !isPossible(address));
  if (impossible.length === 0) return undefined;
  // The undo changes only objects in `addresses`, so the declarations of the others can stay in `desired`.
  // An object that the run adopted, and that the undo cannot change back, is released as it is.
  const released = new Set(impossible.filter((address) => releasedAfterChange.has(address)));
  const staysNotes = impossible.map((address) =>
    warning('undo/stays', `${address}: it stays as it is: ${reasonFor(address)}`, { address }),
  );
  return {
    ...undo,
    desired: withForgotten(desired, released),
    desiredAfter: {
      ...desiredAfter,
      resources: new Map([...desiredAfter.resources].filter(([address]) => isPossible(address))),
    },
    addresses: addresses.filter((address) => isPossible(address) || released.has(address)),
    releasedAfterChange: new Set([...releasedAfterChange].filter((address) => !released.has(address))),
    releasedUnchanged: new Set([...releasedUnchanged, ...released]),
    notes: [...notes.filter(({ address }) => address === undefined || isPossible(address)), ...staysNotes],
  };
}

/**
 * Returns why objects cannot be brought back, by their addresses without targets. Errors that only the user can resolve are left out: they
 * stop the whole undo.
 */
const findObstacles = (diagnostics: readonly Diagnostic[]): Map<Address, string> =>
  new Map(
    diagnostics.flatMap(({ severity, code, address, message }) =>
      severity === 'error' && address !== undefined && !isForUserToDecide(code)
        ? [[addressWithoutTarget(address), message] as const]
        : [],
    ),
  );

/**
 * Returns a configuration in which the blocks at these addresses have the mark that the plan only drops their ledger entries, so that an
 * undo leaves these objects as they are.
 */
function withForgotten(desired: Desired, addresses: ReadonlySet<Address>): Desired {
  const resources = new Map(desired.resources);
  for (const address of addresses) {
    const resource = resources.get(address)!;
    resources.set(address, { ...resource, meta: { ...resource.meta, forget: true } });
  }
  return { ...desired, resources };
}
