import { isRead, type Send } from '../model/plan.ts';

/** A `Send` that cannot write: it throws on everything but GET, before anything is sent. */
export function readOnly(send: Send): Send {
  return async (request) => {
    if (!isRead(request)) throw new Error(`${request.endpoint}: a plan only reads, this request would write`);
    return send(request);
  };
}
