import { z } from 'zod';
import { type ApiObject, defineKind, type Fields, openEnum, type Request, request } from '#kind';

const flag = z.boolean().optional();
const matcher = z.strictObject({
  type: openEnum(['host', 'header', 'cookie', 'query']),
  key: z.string().optional(),
  value: z.string().optional(),
});
const transform = z.strictObject({
  type: openEnum(['request.headers', 'request.query', 'response.headers']),
  op: openEnum(['append', 'set', 'delete']),
  target: z.record(z.string(), z.any()).optional(),
  args: z.any().optional(),
  env: z.array(z.string()).optional(),
});
const added = (address: string, made: Request): Request => ({
  ...made,
  returns: [{ address, path: ['route', 'id'] }],
});

/** A routing rule of a project, in front of its deployments. Staged with its siblings, then promoted. */
export const projectRoute = defineKind({
  name: 'projectRoute',
  doc: 'A routing rule of a project: rewrites, redirects, headers and statuses in front of its deployments.',
  section: 'routes',
  parent: 'project',
  key: ['name'],
  ordered: true,
  replace: 'free',
  fields: {
    name: z.string().min(1).max(256).describe('Its name, unique in the project.'),
    description: z.string().max(1024).optional().describe('A note for people.'),
    enabled: flag.describe('Whether it applies.'),
    srcSyntax: openEnum(['equals', 'path-to-regexp', 'regex'])
      .optional()
      .describe('How `route.src` is read.'),
    route: z
      .strictObject({
        src: z.string().min(1).describe('The path that it applies to, in the syntax of `srcSyntax`.'),
        dest: z.string().optional().describe('Where the request goes.'),
        status: z.int().min(100).max(999).optional().describe('The status that is answered.'),
        headers: z.record(z.string(), z.string()).optional().describe('Headers of the answer.'),
        caseSensitive: flag.describe('Whether upper and lower case differ.'),
        has: z.array(matcher).optional().describe('What a request must have.'),
        missing: z.array(matcher).optional().describe('What a request must not have.'),
        transforms: z.array(transform).optional().describe('Changes of headers and queries.'),
        respectOriginCacheControl: flag.describe('Whether the origin decides about caching.'),
      })
      .describe('What it matches and does.'),
  },
  example: `projects:
  web:
    routes:
      - name: docs
        srcSyntax: path-to-regexp
        route: { src: "/docs/:path*", dest: "https://docs.example.com/:path*" }`,
  claims: [
    'POST /v1/projects/{project}/routes',
    'PATCH /v1/projects/{project}/routes/{id}',
    'DELETE /v1/projects/{project}/routes',
  ],
  api: {
    staged: {
      versions: 'GET /v1/projects/{project}/routes/versions',
      promote: 'POST /v1/projects/{project}/routes/versions',
    },
    list: { endpoint: 'GET /v1/projects/{project}/routes?versionId={version}', items: 'routes' },
    // The server compiles what was written, and keeps the original beside it.
    decode: ({ rawSrc, rawDest, route, ...rule }) => {
      const { src, dest, ...rest } = route as ApiObject;
      const written = { src: rawSrc ?? src, dest: rawDest ?? dest };
      return {
        ...rule,
        route: { ...rest, ...(written.dest === undefined ? { src: written.src } : written) },
      } as Fields;
    },
    create: ({ address, whole, behind }) =>
      added(
        address,
        request('POST /v1/projects/{project}/routes', {
          route: whole,
          position:
            behind === undefined ? { placement: 'start' } : { placement: 'after', referenceId: behind },
        }),
      ),
    update: ({ id, whole }) => request('PATCH /v1/projects/{project}/routes/{id}', { route: whole }, { id }),
    delete: ({ id }) => request('DELETE /v1/projects/{project}/routes', { routeIds: [id] }),
  },
});
