/** One request as the twin remembers it: no authorization, no secret values. */
export interface LoggedRequest {
  method: string;
  /** With the query. */
  path: string;
  /** The catalog's name of the operation; absent when the path is in no catalog entry or has no name. */
  operationId?: string;
  status: number;
  body?: unknown;
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
