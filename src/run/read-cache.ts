import { canonical } from '../model/canonical.ts';
import { isRead, type Pages, type Send } from '../model/request.ts';
import { holdsSecret } from '../model/value.ts';

/** A `Send` for plans that are made together. */
export interface Cache {
  send: Send;
  /** Forgets the answers so far. */
  forget(): void;
  /** Forgets all answers, and sends every request from here on. */
  end(): void;
}

/**
 * Sends each equal read once, and gives its answer to all who ask, since several stacks look at the same account. Any write ends the
 * caching, and a failed read is not cached. Requests with secrets are never cached. Everybody gets a copy.
 */
export function readCache(send: Send): Cache {
  let answers: Map<string, Promise<() => unknown>> | undefined = new Map();
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
      if (!answers || request.reserved !== undefined || holdsSecret(request.params))
        return send(request, confirm);
      const own = answers;
      const key = canonical(request);
      const known = own.get(key);
      if (known) return (await known)();
      const asked = send(request, confirm).then((answer) =>
        request.pages ? sharedPages(answer as Pages) : () => structuredClone(answer),
      );
      own.set(key, asked);
      asked.catch(() => own.delete(key));
      return (await asked)();
    },
  };
}

/** A list whose further pages are read only once, whoever asks first. */
function sharedPages(pages: Pages): () => Pages {
  const { more } = pages;
  let next: Promise<() => Pages> | undefined;
  const turn = async () => {
    next ??= more!().then(sharedPages);
    return (await next)();
  };
  return () => ({ found: () => structuredClone(pages.found()), ...(more ? { more: turn } : {}) });
}
