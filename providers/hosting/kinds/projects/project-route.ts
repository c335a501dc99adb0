import * as z from 'zod';
import {
  type ApiObject,
  atomic,
  defineKind,
  type Fields,
  openEnum,
  type Step,
  safeguard,
  type Value,
  wouldLose,
} from '#kind';
import { ordered, staged } from '#shapes';
import { telling } from '../telling.ts';

const flag = () => z.boolean().nullable().optional();
/** Describes a condition on a part of a request, such as a header. */
const matcher = () =>
  telling(
    z.strictObject({
      type: openEnum(['host', 'header', 'cookie', 'query']),
      key: z.string().optional(),
      value: z.string().optional(),
    }),
  );
/** Describes a change that a routing rule makes to headers or the query string. */
const transform = () =>
  z.strictObject({
    type: openEnum(['request.headers', 'request.query', 'response.headers']),
    op: openEnum(['append', 'set', 'delete']),
    target: z.record(z.string(), z.any()).optional(),
    args: z.any().optional(),
    env: z.array(z.string()).optional(),
  });
/** Describes the content of a routing rule: the path that it matches, further conditions, and its effect. */
const route = () =>
  z.strictObject({
    src: z.string().min(1).describe('The path to match, in the syntax of `srcSyntax`.'),
    dest: z.string().nullable().optional().describe('The destination.'),
    status: z.int().min(100).max(999).nullable().optional().describe('The status code of the response.'),
    headers: atomic(z.record(z.string(), z.string()))
      .nullable()
      .optional()
      .describe('Response headers, as a complete set.'),
    caseSensitive: flag().describe('Whether matching is case-sensitive.'),
    has: z.array(matcher()).nullable().optional().describe('Conditions that a request must meet.'),
    missing: z.array(matcher()).nullable().optional().describe('Conditions that a request must not meet.'),
    transforms: z.array(transform()).nullable().optional().describe('Changes to headers and query strings.'),
    respectOriginCacheControl: flag().describe('Whether the origin controls caching.'),
    // Not in the documented body, but the platform's command line sends both.
    continue: flag().describe('Whether later rules are also applied.'),
    check: flag().describe('Whether the new path is checked against files first.'),
  });

/** A routing rule of a project, in front of its deployments. Staged with its siblings, then promoted. */
export const projectRoute = defineKind({
  name: 'projectRoute',
  doc: 'A routing rule of a project: rewrites, redirects, headers and statuses in front of its deployments.',
  section: 'routes',
  otherWords: ['rewrite', 'header', 'redirect'],
  parent: 'project',
  key: ['name'],
  shape: staged(
    {
      versions: 'GET /v1/projects/{project}/routes/versions',
      promote: 'POST /v1/projects/{project}/routes/versions',
    },
    ordered(),
  ),
  lifecycle: { replace: 'free' },
  form: 2,
  usual: { enabled: true },
  fields: () => ({
    name: z.string().min(1).max(256).describe('Its name, unique in the project.'),
    description: z.string().max(1024).nullable().optional().describe('A note for humans.'),
    enabled: safeguard(z.boolean()).optional().describe('Whether it applies.'),
    srcSyntax: openEnum(['equals', 'path-to-regexp', 'regex'])
      .optional()
      .describe('The syntax of `route.src`.'),
    route: route().describe('What it matches and does.'),
  }),
  example: `projects:
  web:
    routes:
      - name: docs
        srcSyntax: path-to-regexp
        route: { src: "/docs/:path*", dest: "https://docs.example.com/:path*" }`,
  read: { endpoint: 'GET /v1/projects/{project}/routes?versionId={version}', items: 'routes' },
  // The server compiles the written route, and keeps the original beside it.
  decode: ({ rawSrc, rawDest, route, ...rule }) => {
    const { src, dest, ...rest } = route as ApiObject;
    const written = { src: rawSrc ?? src, dest: rawDest ?? dest };
    return {
      ...rule,
      route: { ...rest, ...(written.dest === undefined ? { src: written.src } : written) },
    } as Fields;
  },
  create: {
    endpoint: 'POST /v1/projects/{project}/routes',
    refuses: refuseLosses,
    body: (step) => ({
      route: written(step),
      position:
        step.previousId === undefined
          ? { placement: 'start' }
          : { placement: 'after', referenceId: step.previousId },
    }),
    returns: ({ address }) => [{ address, path: ['route', 'id'] }],
  },
  update: {
    endpoint: 'PATCH /v1/projects/{project}/routes/{id}',
    sends: 'whole',
    refuses: refuseLosses,
    body: (step) => ({ route: written(step) }),
  },
  delete: {
    endpoint: 'DELETE /v1/projects/{project}/routes',
    body: ({ id }) => ({ routeIds: [id].flat() }),
  },
});

/**
 * Refuses to change a routing rule that has live members which this version cannot send. A rule is always written
 * whole, so they would be lost. Returns the problem, or undefined.
 */
function refuseLosses(step: Step) {
  return wouldLose(
    step,
    Object.entries((step.before?.fields.route ?? {}) as Fields)
      .filter(([name, value]) => !Object.hasOwn(route().shape, name) && !saysNothing(value))
      .map(([name]) => `route.${name}`),
  );
}

/**
 * Returns the body of an update of a routing rule. Leaves out `srcSyntax` if `src` changed and no syntax is
 * declared, so that the platform detects the syntax again.
 */
function written({ after, fields, fullBody }: Step): ApiObject {
  const { srcSyntax: _, ...rule } = fullBody;
  const isGuessed = after?.fields.srcSyntax === undefined && fields.some(({ path }) => path === 'route.src');
  return isGuessed ? rule : fullBody;
}

const saysNothing = (value: Value) => ['null', 'false', '[]', '{}'].includes(JSON.stringify(value));
