import { z } from 'zod';
import { openEnum } from '#kind';

/** What a firewall rule does with a request that matches. */
export const mitigate = z
  .strictObject({
    action: openEnum(['log', 'challenge', 'deny', 'bypass', 'rate_limit', 'redirect']),
    rateLimit: z
      .strictObject({
        algo: openEnum(['fixed_window', 'token_bucket']),
        window: z.number().min(10).max(3600),
        limit: z.number().min(1).max(10_000_000),
        keys: z.array(z.string()),
        action: openEnum(['log', 'challenge', 'deny', 'rate_limit']).nullable().optional(),
      })
      .nullable()
      .optional(),
    redirect: z.strictObject({ location: z.string(), permanent: z.boolean() }).nullable().optional(),
    actionDuration: z.string().nullable().optional(),
    bypassSystem: z.boolean().nullable().optional(),
    logHeaders: z.union([z.literal('*'), z.array(z.string())]).optional(),
  })
  .superRefine(({ action, rateLimit, redirect }, { addIssue }) => {
    const needs = (member: string) =>
      addIssue({ code: 'custom', path: [member], message: `the action \`${action}\` needs \`${member}\`` });
    if (action === 'rate_limit' && !rateLimit) needs('rateLimit');
    if (action === 'redirect' && !redirect) needs('redirect');
  });
