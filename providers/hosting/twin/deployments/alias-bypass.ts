import * as z from 'zod';
import type { Call } from '../call.ts';
import { badRequest } from '../errors.ts';
import { operation, type Resource } from '../resource.ts';
import { type Alias, findAlias } from './alias-state.ts';

/** The key of the bypass that is open to everybody (source: the Terraform provider, deployment_protection_exception_test.go). */
const everybody = '*';
const forAll = 'alias-protection-override';
const person = z.strictObject({
  userId: z.string().optional(),
  email: z.string().optional(),
  access: z.enum(['denied', 'granted']),
});
const linked = z.strictObject({
  ttl: z.number().optional(),
  revoke: z.strictObject({ secret: z.string(), regenerate: z.boolean() }).optional(),
});
const body = z.union([
  z.strictObject({ scope: person }),
  z.strictObject({
    override: z.strictObject({ scope: z.literal(forAll), action: z.enum(['create', 'revoke']) }),
  }),
  linked,
]);

const newBypass = (call: Call, scope: string) => ({
  ...{ scope, createdAt: call.time(), createdBy: call.account.user.id },
});

/** Gives a person access to an alias, or takes the access away (`access`). Somebody named by an e-mail address is invited. */
function letIn(call: Call, { protectionBypass }: Alias, { userId, email, access }: z.infer<typeof person>) {
  const key = userId ?? email?.toLowerCase();
  if (key === undefined) throw badRequest('Invalid request: `scope` should have `userId` or `email`.');
  delete protectionBypass[key];
  if (access === 'denied') return;
  const [time, doerId] = [call.time(), call.account.user.id];
  const times = { createdAt: time, lastUpdatedAt: time, lastUpdatedBy: doerId };
  protectionBypass[key] =
    userId === undefined
      ? { scope: 'email_invite', ...times }
      : { scope: 'user', access: 'granted', ...times };
}

/** Replaces or removes the bypass that is open to everybody. */
function override(call: Call, { protectionBypass }: Alias, action: string) {
  delete protectionBypass[everybody];
  if (action === 'create') protectionBypass[everybody] = newBypass(call, forAll);
}

/** Creates a shareable link, after it revoked the one that the body names. */
function link(call: Call, { protectionBypass }: Alias, { ttl, revoke }: z.infer<typeof linked>) {
  if (revoke) {
    if (!(revoke.secret in protectionBypass)) throw badRequest('There is no such link.');
    delete protectionBypass[revoke.secret];
    if (!revoke.regenerate) return;
  }
  const link = newBypass(call, 'shareable-link');
  // `expires` is in seconds, unlike the other times (source: the Terraform provider, resource_shareable_link.go).
  const ends = ttl === undefined ? {} : { expires: Math.floor(link.createdAt / 1000) + ttl };
  protectionBypass[call.id('', 32)] = { ...link, ...ends };
}

/**
 * The people and links that get past the protection of an alias. Each PATCH is one command, and its answer has all of them as they are
 * afterwards.
 */
export const aliasBypass: Resource = {
  operations: {
    patchUrlProtectionBypass: operation(
      { on: (call) => findAlias(call, call.params.id!), body },
      (call, alias, command) => {
        if ('scope' in command) letIn(call, alias, command.scope);
        else if ('override' in command) override(call, alias, command.override.action);
        else link(call, alias, command);
        return { protectionBypass: alias.protectionBypass };
      },
    ),
  },
};
