/** One request as the twin remembers it: no authorization, no secret values. */
export interface LoggedRequest {
  method: string;
  /** With the query. */
  path: string;
  /** The catalog's name of the operation; absent when the path is in no catalog entry or has no name. */
  operationId?: string;
  /** As the client was told; 0 if it was told nothing. */
  status: number;
  body?: unknown;
  /** What was done to it, where the fault plan had something for it. */
  fault?: string;
}

/** Something that was done to a request because the fault plan says so. */
export interface DoneFault {
  /** The request's number since the plan was set, from 1. */
  request: number;
  method: string;
  /** With the query. */
  path: string;
  /** As in `LoggedRequest`. */
  operationId?: string;
  /** For people. */
  fault: string;
}

const secret = '(secret)';
const secretMembers = new Set(['password', 'token', 'secret']);

/** A path as it is logged: a token's value in it is hidden. */
export function loggedPath(operationId: string | null, path: string): string {
  return operationId === 'getEdgeConfigToken' ? path.replace(/\/token\/[^/?]+/, `/token/${secret}`) : path;
}

/** A body as it is logged. Values of variables are hidden unless their type says that they are plain. */
export function loggedBody(operationId: string | null, body: unknown): unknown {
  const variables = /Env(Variable)?$/.test(operationId ?? '') || operationId === 'createProject';
  const drain = /Drain$/.test(operationId ?? '');
  const tokens = operationId === 'deleteEdgeConfigTokens';
  const hide = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hide);
    if (value === null || typeof value !== 'object') return value;
    const entries = Object.entries(value).map(([member, inner]) => {
      if (secretMembers.has(member) && typeof inner === 'string') return [member, secret];
      // The headers that a drain sends are often credentials.
      if ((drain && member === 'headers') || (tokens && member === 'tokens')) {
        return [member, allHidden(inner)];
      }
      const hidden = variables && member === 'value' && !isOpen(value);
      return [member, hidden ? secret : hide(inner)];
    });
    return Object.fromEntries(entries);
  };
  return hide(body);
}

const allHidden = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(() => secret);
  if (value === null || typeof value !== 'object') return secret;
  return Object.fromEntries(Object.keys(value).map((name) => [name, secret]));
};

const isOpen = (variable: object) =>
  'type' in variable && ['plain', 'system'].includes(String(variable.type));
