import * as z from 'zod';
import { openEnum } from '#kind';

/** Describes the action of a firewall rule on requests that match, and checks that it has the members that it needs. */
export const mitigate = () =>
  z
    .strictObject({
      action: openEnum(['log', 'challenge', 'deny', 'bypass', 'rate_limit', 'redirect']).describe(
        'The action; `log` only records the request, and later rules still apply.',
      ),
      rateLimit: z
        .strictObject({
          algo: openEnum(['fixed_window', 'token_bucket']).describe('How requests are counted.'),
          window: z.number().min(10).max(3600).describe('The window, 10 to 3600 seconds.'),
          limit: z.number().min(1).max(10_000_000).describe('How many requests are allowed per window.'),
          keys: z.array(z.string()).describe('What identifies a client, such as `ip`.'),
          action: openEnum(['log', 'challenge', 'deny', 'rate_limit'])
            .nullable()
            .optional()
            .describe('The action on requests above the limit.'),
        })
        .nullable()
        .optional()
        .describe('For the action `rate_limit`: the limit.'),
      redirect: z
        .strictObject({
          location: z.string().describe('The path or URL to redirect to.'),
          permanent: z.boolean().describe('Whether the redirect is permanent.'),
        })
        .nullable()
        .optional()
        .describe('For the action `redirect`: the target.'),
      actionDuration: z
        .string()
        .nullable()
        .optional()
        .describe('How long the action lasts for a matching client, such as `5m` or `1h`.'),
      bypassSystem: z
        .boolean()
        .nullable()
        .optional()
        .describe("For the action `bypass`: whether to bypass the system's own protection too."),
      logHeaders: z
        .union([z.literal('*'), z.array(z.string())])
        .optional()
        .describe('The names of request headers to log, or `*` for all.'),
    })
    .describe('The action on matching requests.')
    .superRefine(({ action, rateLimit, redirect }, { addIssue }) => {
      const needs = (member: string) =>
        addIssue({ code: 'custom', path: [member], message: `the action \`${action}\` needs \`${member}\`` });
      if (action === 'rate_limit' && !rateLimit) needs('rateLimit');
      if (action === 'redirect' && !redirect) needs('redirect');
    });
