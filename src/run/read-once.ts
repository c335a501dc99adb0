import { canonical } from '../model/digest.ts';
import { isRead, type Send } from '../model/plan.ts';
import { holdsSecret } from '../model/value.ts';

/** A `Send` for plans that are made together. */
export interface ReadOnce {
  send: Send;
  /** What was read so far is forgotten. */
  forget(): void;
  /** From here on every request is sent: what was read before is forgotten. */
  end(): void;
}

/**
 * Sends each equal read once, and gives its answer to all who ask: several stacks look at the same account. A write ends that, whatever it
 * changes, and so does a failure for its own read. What is asked for with a secret, or page by page, is never kept.
 */
export function readOnce(send: Send): ReadOnce {
  let answers: Map<string, Promise<unknown>> | undefined = new Map();
  const end = () => {
    answers = undefined;
  };
  return {
    end,
    forget: () => {
      if (answers) answers = new Map();
    },
    send: async (request, confirm) => {
      if (!isRead(request)) end();
      if (!answers || request.pages || request.reserved !== undefined || holdsSecret(request.params))
        return send(request, confirm);
      const own = answers;
      const key = canonical(request);
      const known = own.get(key);
      // Nobody may change what another one reads.
      if (known) return structuredClone(await known);
      const asked = send(request, confirm);
      own.set(key, asked);
      asked.catch(() => own.delete(key));
      return structuredClone(await asked);
    },
  };
}
