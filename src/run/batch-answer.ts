import type { ItemOutcome, Kind, Refusal } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Masking } from '../model/masking.ts';
import type { Request } from '../model/request.ts';
import { revealed, sealedIn } from '../model/sealed.ts';

/** The outcome of each item of a batch, by the addresses behind the item. */
interface BatchAnswer {
  /** The items that the platform refused, each with the reason. */
  refused: Map<Address, Error>;
  /** The items that the answer does not mention clearly, each with any text of the answer that may be about it. */
  unknown: Map<Address, string | undefined>;
  /** The ids of the items that were done. */
  ids: Map<Address, string>;
}

/**
 * Splits the answer to a batch (one request for many objects) into refused, unknown and finished items, so that the
 * finished ones are recorded although others failed. All maps are empty for a request that is not a batch.
 * `isUnclear`: true if the request failed in a way that leaves its outcome open, so that all items are unknown.
 * Secrets of the request are masked in the reasons, because a platform may quote them.
 */
export function readBatchAnswer(
  request: Request,
  answer: unknown,
  kind: Kind,
  { masking, isUnclear }: { masking: Masking; isUnclear: boolean },
): BatchAnswer {
  const { batch = [], body } = request;
  const result: BatchAnswer = { refused: new Map(), unknown: new Map(), ids: new Map() };
  // The platform identifies an item by the values that were sent for it, secrets included.
  const sentRequest = { ...request, body: revealed(body) };
  const outcomes = batch.length === 0 || isUnclear ? [] : kind.shape.outcome!(answer, sentRequest);
  const formatRefusal = ({ code = '', error }: Refusal): string => {
    for (const secret of sealedIn(body)) masking.addSecret(secret);
    return [masking.safeNameIn(code) ?? masking.mask(code), masking.mask(error)].filter(Boolean).join(': ');
  };
  for (const [index, addresses] of batch.entries()) {
    const outcome: ItemOutcome = outcomes[index] ?? { unknown: true };
    for (const address of addresses) {
      if ('error' in outcome) result.refused.set(address, new Error(formatRefusal(outcome)));
      else if ('unknown' in outcome) result.unknown.set(address, outcome.said?.map(formatRefusal).join('; '));
      else result.ids.set(address, outcome.id);
    }
  }
  return result;
}
