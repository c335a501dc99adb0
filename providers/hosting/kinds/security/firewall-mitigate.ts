import * as z from 'zod';
import { openEnum } from '#kind';

/** The action of a firewall rule on a request that matches. */
export const mitigate = () =>
  z
    .strictObject({
      action: openEnum(['log', 'challenge', 'deny', 'bypass', 'rate_limit', 'redirect']).describe(
        'What is done; `log` only writes it down, and later rules go on.',
      ),
      rateLimit: z
        .strictObject({
          algo: openEnum(['fixed_window', 'token_bucket']).describe('How requests are counted.'),
          window: z
            .number()
            .min(10)
            .max(3600)
            .describe('The time in which they are counted, 10 to 3600 seconds.'),
          limit: z
            .number()
            .min(1)
            .max(10_000_000)
            .describe('How many requests are let through in that time.'),
          keys: z.array(z.string()).describe('What tells one client from another, such as `ip`.'),
          action: openEnum(['log', 'challenge', 'deny', 'rate_limit'])
            .nullable()
            .optional()
            .describe('What is done with the requests beyond the limit.'),
        })
        .nullable()
        .optional()
        .describe('For the action `rate_limit`: what is counted.'),
      redirect: z
        .strictObject({
          location: z.string().describe('The path or URL that visitors are sent to.'),
          permanent: z.boolean().describe('Whether browsers may remember it.'),
        })
        .nullable()
        .optional()
        .describe('For the action `redirect`: where to.'),
      actionDuration: z
        .string()
        .nullable()
        .optional()
        .describe('How long the action goes on for a client that matched, such as `5m` or `1h`.'),
      bypassSystem: z
        .boolean()
        .nullable()
        .optional()
        .describe("For the action `bypass`: whether the system's own protection is passed as well."),
      logHeaders: z
        .union([z.literal('*'), z.array(z.string())])
        .optional()
        .describe('The request headers that are logged: their names, or `*` for all.'),
    })
    .describe('What is done with a request that matches.')
    .superRefine(({ action, rateLimit, redirect }, { addIssue }) => {
      const needs = (member: string) =>
        addIssue({ code: 'custom', path: [member], message: `the action \`${action}\` needs \`${member}\`` });
      if (action === 'rate_limit' && !rateLimit) needs('rateLimit');
      if (action === 'redirect' && !redirect) needs('redirect');
    });
