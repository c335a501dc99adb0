import * as z from 'zod';
import { Answer, type Bodies, type Call, type Handlers } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { parseBody, strings } from '../validate.ts';
import {
  findGlobalConfig,
  type GlobalConfig,
  type GlobalConfigToken,
  writableGlobalConfig,
} from './global-config-state.ts';

// The bounds are the Terraform provider's. Nothing says that a label is taken only once.
const createBody = z.strictObject({ label: z.string().min(1).max(52) });
const removeBody = z.strictObject({ tokens: strings.optional(), ids: strings.optional() });

/** A new token, added to its store. */
export function addToken(
  call: Pick<Call, 'id' | 'time'>,
  config: GlobalConfig,
  label: string,
): GlobalConfigToken {
  const token = { id: call.id('', 24), label, token: call.id('', 36), createdAt: call.time() };
  config.tokens.push(token);
  return token;
}

// The value on reads is deprecated.
function readToken(call: Call, config: GlobalConfig, { token, ...fields }: GlobalConfigToken): unknown {
  return {
    ...fields,
    edgeConfigId: config.id,
    partialToken: `${token.slice(0, 8)}********`,
    ...(call.switches.globalConfigTokenReadable ? { token } : {}),
  };
}

function remove(call: Call): unknown {
  const config = writableGlobalConfig(call);
  const { tokens, ids } = parseBody(removeBody, call.body, call.outside);
  if (tokens === undefined && ids === undefined) {
    throw badRequest('Invalid request: missing required property `tokens` or `ids`.');
  }
  config.tokens = config.tokens.filter((one) => !tokens?.includes(one.token) && !ids?.includes(one.id));
  return new Answer(204);
}

/** The read tokens of a global config: the value comes with the creation. */
export const globalConfigTokenHandlers: Handlers = {
  getEdgeConfigTokens(call) {
    const config = findGlobalConfig(call);
    return config.tokens.map((one) => readToken(call, config, one));
  },
  getEdgeConfigToken(call) {
    const config = findGlobalConfig(call);
    const found = config.tokens.find((one) => one.token === call.params.token);
    if (found === undefined) throw notFound('Token');
    return readToken(call, config, found);
  },
  createEdgeConfigToken(call) {
    const config = writableGlobalConfig(call);
    const { id, token } = addToken(call, config, parseBody(createBody, call.body, call.outside).label);
    return new Answer(201, { id, token });
  },
  deleteEdgeConfigTokens: remove,
};

/** The schemas of their request bodies. */
export const globalConfigTokenBodies: Bodies = {
  createEdgeConfigToken: createBody,
  deleteEdgeConfigTokens: removeBody,
};
