import * as z from 'zod';
import type { Call } from '../call.ts';
import { badRequest } from '../errors.ts';
import { operation, type Resource } from '../resource.ts';
import { type Alias, findAlias } from './alias-state.ts';

const access = z.enum(['denied', 'granted']);
const body = z.union([
  z.strictObject({
    scope: z.strictObject({ userId: z.string().optional(), email: z.string().optional(), access }),
  }),
  z.strictObject({
    override: z.strictObject({
      scope: z.literal('alias-protection-override'),
      action: z.enum(['create', 'revoke']),
    }),
  }),
  z.strictObject({
    ttl: z.number().optional(),
    revoke: z.strictObject({ secret: z.string(), regenerate: z.boolean() }).optional(),
  }),
]);

/** Lets a person in, or out again; one without an account is invited by mail. */
function letIn(
  call: Call,
  { protectionBypass }: Alias,
  scope: { userId?: string; email?: string; access: string },
) {
  const { userId, email } = scope;
  const key = userId ?? email?.toLowerCase();
  if (key === undefined) throw badRequest('Invalid request: `scope` should have `userId` or `email`.');
  delete protectionBypass[key];
  if (scope.access === 'denied') return;
  const [at, by] = [call.time(), call.account.user.id];
  const times = { createdAt: at, lastUpdatedAt: at, lastUpdatedBy: by };
  protectionBypass[key] =
    userId === undefined
      ? { scope: 'email_invite', ...times }
      : { scope: 'user', access: 'granted', ...times };
}

function override(call: Call, { protectionBypass }: Alias, action: string) {
  const scope = 'alias-protection-override';
  for (const [key, one] of Object.entries(protectionBypass))
    if (one.scope === scope) delete protectionBypass[key];
  if (action === 'create')
    protectionBypass[call.id('', 32)] = { scope, createdAt: call.time(), createdBy: call.account.user.id };
}

function link(call: Call, { protectionBypass }: Alias, { ttl, revoke }: z.infer<(typeof body.options)[2]>) {
  if (revoke) {
    if (!(revoke.secret in protectionBypass)) throw badRequest('There is no such link.');
    delete protectionBypass[revoke.secret];
    if (!revoke.regenerate) return;
  }
  const at = call.time();
  protectionBypass[call.id('', 32)] = {
    ...{ scope: 'shareable-link', createdAt: at, createdBy: call.account.user.id },
    ...(ttl !== undefined && { expires: at + ttl * 1000 }),
  };
}

/** Who gets past the protection of an alias, and links that do: commands, which answer all that there is then. */
export const aliasBypass: Resource = {
  operations: {
    patchUrlProtectionBypass: operation(
      { on: (call) => findAlias(call, call.params.id!), body },
      (call, alias, command) => {
        if ('scope' in command) letIn(call, alias, command.scope as Parameters<typeof letIn>[2]);
        else if ('override' in command) override(call, alias, command.override.action);
        else link(call, alias, command);
        return alias.protectionBypass;
      },
    ),
  },
};
