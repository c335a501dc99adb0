import { isFoundOnlyById } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { type Address, isWithin } from '../model/address.ts';
import { shellQuoted } from '../model/diagnostic.ts';
import { listFew } from '../model/fold-wordings.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { Request } from '../model/request.ts';
import { createdBy } from './intents.ts';
import { errorStatusOf, isRefusal } from './unclear-answer.ts';

/**
 * Returns the error of a refused creation with a way out that the platform does not name; otherwise returns the refusal. No later run can
 * get past such a refusal, so each has to say this:
 *
 *   - the object may exist already (409), and only its id finds it
 *   - one of several objects is refused, and the request creates all of them or none (`join-creations.ts`)
 */
export function refusedCreationError(refusal: Error, kind: Kind, request: Request): Error {
  const created = createdBy(request);
  if (errorStatusOf(refusal) === 409 && created.length > 0 && isFoundOnlyById(kind))
    return withHint(
      refusal,
      'the platform does not list such objects: look for it in the dashboard; if it is yours, add `$id: ID` to its block',
    );
  const { returns = [], batch = [] } = request;
  // A parent whose creation has a batch of the objects in it.
  const parent = returns.find(({ address }) =>
    batch.flat().some((child) => child !== address && isWithin(child, address)),
  );
  return parent && isRefusal(refusal)
    ? withHint(refusal, joinedCreationHint(parent.address, batch.flat()))
    : refusal;
}

/** Returns the hint for a parent that was not created, because the platform may have refused one of the children in the same request. */
function joinedCreationHint(parent: Address, children: readonly Address[]): string {
  const names = [...new Set(children.map(addressWithoutTarget))];
  return `the same request was to create ${listFew(names)}: if the platform refuses one of them, correct or remove its block; \`trueup apply --target ${shellQuoted(parent)}\` creates ${parent} alone`;
}

/** Returns an error like `error`, with a hint after the one that it has. */
const withHint = (error: Error & { hint?: string }, hint: string): Error =>
  Object.assign(new Error(error.message, { cause: error }), error, {
    hint: [error.hint, hint].filter(Boolean).join('; '),
  });
