import type { Request } from '../model/plan.ts';
import {
  fillHoles,
  type Hole,
  isRef,
  isSecretRef,
  type Join,
  type Known,
  type Value,
} from '../model/value.ts';

/** The request without holes; sealed secrets stay sealed until they are on the wire. Throws where something is missing. */
export function fill(request: Request, known: Known): Request {
  const all = (value: unknown): unknown => fillHoles(value, known, refuse);
  return {
    ...request,
    ...(request.params ? { params: all(request.params) as Record<string, Value> } : {}),
    ...(request.body === undefined ? {} : { body: all(request.body) }),
    ...(request.returns ? { returns: all(request.returns) as Request['returns'] & {} } : {}),
  };
}

function refuse(hole: Exclude<Hole, Join>): never {
  if (isRef(hole)) throw new Error(`${hole.attr} of ${hole.$ref} is not known`);
  if (isSecretRef(hole)) throw new Error(`the secret ${hole.$secret} is not available`);
  throw new Error('the answer to an earlier request lacks what this one needs');
}
