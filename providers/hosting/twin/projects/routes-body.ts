import * as z from 'zod';
import { strings } from '../validate.ts';

const condition = z
  .strictObject({
    type: z.enum(['host', 'header', 'cookie', 'query']),
    key: z.string().optional(),
    value: z.string().optional(),
  })
  .superRefine(({ type, key, value }, context) => {
    const problem = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (type !== 'host' && !key) problem('key', `is needed by ${type}`);
    if (type === 'host' && value === undefined) problem('value', 'is needed by host');
  });

const transform = z.strictObject({
  type: z.enum(['request.headers', 'request.query', 'response.headers']),
  op: z.enum(['append', 'set', 'delete']),
  target: z.looseObject({ key: z.union([z.string(), z.looseObject({})]) }),
  args: z.union([z.string(), strings]).optional(),
  env: strings.optional(),
});

const route = z.strictObject({
  src: z.string().min(1, 'should NOT be empty'),
  dest: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  caseSensitive: z.boolean().optional(),
  status: z.int().min(100).max(999).optional(),
  has: z.array(condition).optional(),
  missing: z.array(condition).optional(),
  transforms: z.array(transform).optional(),
  respectOriginCacheControl: z.boolean().optional(),
  // Not in the documented body, but the CLI sends both.
  continue: z.boolean().optional(),
  check: z.boolean().optional(),
});

const name = z.string().min(1, 'should NOT be empty').max(256, 'should NOT have more than 256 characters');
const description = z.string().max(1024, 'should NOT have more than 1024 characters').optional();
const srcSyntax = z.enum(['equals', 'path-to-regexp', 'regex']).optional();
const rule = { name, description, enabled: z.boolean().optional(), route };

/** A rule as POST, PATCH and a seed take it. Lengths and the range of the status are the Terraform provider's. */
export const routeRule = z.strictObject({ ...rule, srcSyntax });
export type RouteRule = z.infer<typeof routeRule>;

/** The body of POST. */
export const addRouteBody = z.strictObject({
  route: routeRule,
  position: z
    .strictObject({
      placement: z.enum(['start', 'end', 'after', 'before']).optional(),
      referenceId: z.string().optional(),
    })
    .superRefine(({ placement, referenceId }, context) => {
      if (placement !== 'after' && placement !== 'before') return;
      if (referenceId) return;
      context.addIssue({ code: 'custom', path: ['referenceId'], message: `is needed by ${placement}` });
    })
    .optional(),
});
export type RoutePosition = NonNullable<z.infer<typeof addRouteBody>['position']>;

/** The body of PATCH: the whole rule, or `restore` to set it back to the live one. */
export const editRouteBody = z
  .strictObject({ route: routeRule.optional(), restore: z.boolean().optional() })
  .superRefine(({ route, restore }, context) => {
    if (route !== undefined || restore === true) return;
    context.addIssue({ code: 'custom', path: ['route'], message: 'is needed unless `restore` is true' });
  });

/** The body of PUT. The CLI sends rules back as it read them, so members that only reads add are accepted. */
export const stageRoutesBody = z.strictObject({
  overwrite: z.boolean().optional(),
  routes: z
    .array(
      z.strictObject({
        id: z.string().min(1, 'should NOT be empty').max(256, 'should NOT have more than 256 characters'),
        ...rule,
        srcSyntax,
        rawSrc: z.string().optional(),
        rawDest: z.string().optional(),
        routeType: z.string().optional(),
        staged: z.boolean().optional(),
      }),
    )
    .optional(),
});
export type StagedRoute = NonNullable<z.infer<typeof stageRoutesBody>['routes']>[number];

/** The body of DELETE. */
export const deleteRoutesBody = z.strictObject({ routeIds: strings });

/** The body of POST .../versions. */
export const routeVersionBody = z.strictObject({
  id: z.string(),
  action: z.enum(['promote', 'restore', 'discard']),
});
