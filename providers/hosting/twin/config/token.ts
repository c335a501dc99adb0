import * as z from 'zod';
import type { Making } from '../call.ts';
import { Collection } from '../collection.ts';
import { badRequest } from '../errors.ts';
import { operation, type Resource } from '../resource.ts';
import { strings } from '../validate.ts';
import {
  findGlobalConfig,
  type GlobalConfig,
  type GlobalConfigToken,
  writableGlobalConfig,
} from './global-config-state.ts';

/** Adds a new token to its store. */
export function addToken(making: Making, config: GlobalConfig, label: string): GlobalConfigToken {
  const token = { id: making.id('', 24), label, token: making.id('', 36), createdAt: making.time() };
  config.tokens.push(token);
  return token;
}

const tokens = new Collection<GlobalConfigToken, GlobalConfig>(
  {
    what: 'Token',
    param: 'token',
    by: ['token'],
    // That reads show the value is deprecated.
    shows: (call, { token, ...fields }, config) => ({
      ...fields,
      edgeConfigId: config.id,
      partialToken: `${token.slice(0, 8)}********`,
      ...(call.switches.globalConfigTokenReadable ? { token } : {}),
    }),
  },
  findGlobalConfig,
  (_, config) => config.tokens,
);

/** The read tokens of a global config. The answer to the creation has the value; a switch decides whether reads show it. */
export const globalConfigToken: Resource = {
  operations: {
    getEdgeConfigTokens: tokens.list(''),
    getEdgeConfigToken: tokens.read(),
    createEdgeConfigToken: operation(
      {
        on: writableGlobalConfig,
        // The bounds are the Terraform provider's. Nothing says that a label is taken only once.
        body: z.strictObject({ label: z.string().min(1).max(52) }),
        statuses: [201, 409],
      },
      (call, config, { label }) => {
        const { id, token } = addToken(call, config, label);
        return { id, token };
      },
    ),
    deleteEdgeConfigTokens: operation(
      {
        on: writableGlobalConfig,
        body: z.strictObject({ tokens: strings.optional(), ids: strings.optional() }),
        statuses: [204, 409],
      },
      (_, config, { tokens, ids }) => {
        if (tokens === undefined && ids === undefined) {
          throw badRequest('Invalid request: missing required property `tokens` or `ids`.');
        }
        config.tokens = config.tokens.filter(
          (token) => !tokens?.includes(token.token) && !ids?.includes(token.id),
        );
      },
    ),
  },
};
