import type { ItemOutcome, Kind, Refusal } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Masking } from '../model/masking.ts';
import type { Request } from '../model/plan.ts';
import { revealed, sealedIn } from '../model/sealed.ts';

/** An answer's word on each address of a batch; an address that is nowhere here was done, and is told nothing else. */
interface BatchAnswer {
  /** The items that were refused, and why. */
  refused: Map<Address, Error>;
  /** Items whose outcome it does not make clear, each with any words of it that may be about the item. */
  unknown: Map<Address, string | undefined>;
  /** The ids of those that were done. */
  ids: Map<Address, string>;
}

/** Reads the answer to a batch; `isUnread`: there is none. Secrets of the request that the platform quotes are masked. */
export function batchAnswer(
  request: Request,
  answer: unknown,
  kind: Kind,
  { masking, isUnread }: { masking: Masking; isUnread: boolean },
): BatchAnswer {
  const { batch = [], body } = request;
  const said: BatchAnswer = { refused: new Map(), unknown: new Map(), ids: new Map() };
  // Items are told by what was sent of them, secrets too.
  const sent = { ...request, body: revealed(body) };
  const outcome = batch.length === 0 || isUnread ? [] : kind.shape.outcome!(answer, sent);
  const textOf = ({ code = '', error }: Refusal): string => {
    for (const secret of sealedIn(body)) masking.know(secret);
    return [masking.name(code) ?? masking.mask(code), masking.mask(error)].filter(Boolean).join(': ');
  };
  for (const [index, addresses] of batch.entries()) {
    const result: ItemOutcome = outcome[index] ?? { unknown: true };
    for (const address of addresses) {
      if ('error' in result) said.refused.set(address, new Error(textOf(result)));
      else if ('unknown' in result) said.unknown.set(address, result.said?.map(textOf).join('; '));
      else said.ids.set(address, result.id);
    }
  }
  return said;
}
