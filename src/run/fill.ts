import type { Address } from '../model/address.ts';
import type { Request } from '../model/plan.ts';
import { Sealed } from '../model/sealed.ts';
import {
  type Hole,
  isJoin,
  isRef,
  isResult,
  isSecretRef,
  lookUp,
  mapHoles,
  type Value,
} from '../model/value.ts';

/** What holes are filled from. */
export interface Supplies {
  /** An attribute of a resource that exists by now. */
  attribute(address: Address, attr: string): Value | undefined;
  secrets: ReadonlyMap<string, Sealed>;
  /** Answers to the operation's earlier requests. */
  results: unknown[];
}

/** The request without holes; sealed secrets stay sealed until they are on the wire. Throws where something is missing. */
export function fill(request: Request, supplies: Supplies): Request {
  const all = (value: unknown): unknown => mapHoles(value, (hole) => fillHole(hole, supplies, all));
  return {
    ...request,
    ...(request.params ? { params: all(request.params) as Record<string, Value> } : {}),
    ...(request.body === undefined ? {} : { body: all(request.body) }),
    ...(request.returns ? { returns: all(request.returns) as Request['returns'] & {} } : {}),
  };
}

function fillHole(hole: Hole | Sealed, supplies: Supplies, all: (value: unknown) => unknown): unknown {
  if (hole instanceof Sealed) return hole;
  if (isRef(hole))
    return supplies.attribute(hole.$ref, hole.attr) ?? missing(`${hole.attr} of ${hole.$ref} is not known`);
  if (isSecretRef(hole))
    return supplies.secrets.get(hole.$secret) ?? missing(`the secret ${hole.$secret} is not available`);
  if (isResult(hole)) {
    const found = lookUp(supplies.results[hole.$result], hole.path);
    return found ?? missing('the answer to an earlier request lacks what this one needs');
  }
  if (!isJoin(hole)) return hole;
  const pieces = hole.$join.map(all);
  const text = pieces.map((piece) => (piece instanceof Sealed ? piece.reveal() : String(piece))).join('');
  return pieces.some((piece) => piece instanceof Sealed) ? new Sealed(text) : text;
}

function missing(what: string): never {
  throw new Error(what);
}
