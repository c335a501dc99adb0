/** A refusal of a request. Handlers throw it, and the server answers it with `errorBody`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Further members of the error object: a conflict of variables has `envVarKey`, one of DNS records has `oldId`. */
  readonly extra: Record<string, unknown>;
  /** Members beside the error object: a refused batch has `failed`. */
  readonly bodyMembers: Record<string, unknown>;
  /** The rule that the request breaks, for the header `x-twin-rule`. Undefined for a rule that no source confirms. */
  rule?: string;

  /**
   * Creates an error that the twin answers with: a status, a code and a message of the platform. `extra`: further
   * members of the error object. `bodyMembers`: members of the body beside it.
   */
  constructor(
    status: number,
    code: string,
    message: string,
    extra: Record<string, unknown> = {},
    bodyMembers: Record<string, unknown> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.extra = extra;
    this.bodyMembers = bodyMembers;
  }

  /**
   * Names the rule behind the refusal, and returns the error: the id of a fact (`PF41`), or `publishedRule`. So a rehearsal can say from
   * which source it knows that the platform would refuse the request.
   */
  by(rule: string): this {
    this.rule = rule;
    return this;
  }
}

/** The rule of a request that does not have the published form, or that names a missing object. */
export const publishedRule = 'published';

/** Returns the 400 of a request that no state of the account could make valid. */
export function badRequest(message: string, extra?: Record<string, unknown>): ApiError {
  return new ApiError(400, 'bad_request', message, extra);
}

/** Returns the 403 of a token that may not do this. */
export function forbidden(message: string, extra?: Record<string, unknown>): ApiError {
  return new ApiError(403, 'forbidden', message, extra);
}

/** Returns the 404 of an object that the owner of the request does not have. `what`: the object, for the message. */
export function notFound(what: string): ApiError {
  return new ApiError(404, 'not_found', `${what} was not found.`).by(publishedRule);
}

/** Returns the 409 of a request that another object, or the state of its own object, does not allow. */
export function conflict(message: string): ApiError {
  return new ApiError(409, 'conflict', message);
}

/** Returns the 501 of an operation that the platform has and the twin lacks. */
export function notImplemented(what: string): ApiError {
  return new ApiError(501, 'not_implemented_by_twin', `The twin does not implement ${what}.`);
}

/**
 * Returns the JSON body of an error that the twin answers with. Like on the platform, it is flat for operations of the domain registrar and
 * under `error` for others. `unwrapped`: without `error` as well; a switch of the twin asks for it, because no source confirms one of the
 * two forms.
 */
export function errorBody(error: ApiError, style: 'wrapped' | 'unwrapped' | 'registrar'): unknown {
  const body = { code: error.code, message: error.message, ...error.extra };
  if (style === 'registrar') return { status: error.status, ...body };
  return style === 'unwrapped' ? { ...body, ...error.bodyMembers } : { error: body, ...error.bodyMembers };
}
